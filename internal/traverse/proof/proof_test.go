package proof

import (
	"testing"

	"github.com/gbt-policy/gbt/tree"
)

const task = `Rename getTotal in src/cart.py and tell "the whole team" about it by mail to ada@example.org, 3 times, before 2026-05-01. Ask Bo Lind.`

func TestBind(t *testing.T) {
	n := Of(task)
	for _, tt := range []struct {
		template, want string
		ok             bool
	}{
		{"pytest", "pytest", true},
		{"pytest {file 1}", "pytest src/cart.py", true},
		{"grep {identifier 1} {file 1}", "grep getTotal src/cart.py", true},
		{"pytest {file 2}", "", false},
		{"pytest {files}", "", false},
		{"awk '{{print}'", "awk '{print}'", true},
	} {
		if got, ok := n.BindCommand(tt.template); ok != tt.ok || ok && got != tt.want {
			t.Errorf("%q: %q %v", tt.template, got, ok)
		}
	}
}

// TestBindCommandTakesWords: a value that a shell or a program would read as more than a
// name is put into no command.
func TestBindCommandTakesWords(t *testing.T) {
	n := Of("look at a.py")
	for _, value := range []string{"-rf.py", "a b.py", "a;id.py", "$(id).py", "a'b.py", "~/x.py", "*.py", ""} {
		n.slots["{file 1}"] = value
		if got, ok := n.BindCommand("pytest {file 1}"); ok {
			t.Errorf("%q: %q", value, got)
		}
	}
	n.slots["{file 1}"] = "sub/dir/a-b_1.py"
	if _, ok := n.BindCommand("pytest {file 1}"); !ok {
		t.Error("a plain path is refused")
	}
}

// TestLift: what Lift makes of a text, Bind makes this text of.
func TestLift(t *testing.T) {
	n := Of(task)
	for text, want := range map[string]string{
		"pytest src/cart.py -k getTotal":    "pytest {file 1} -k {identifier 1}",
		"cat /w/src/cart.py":                "cat /w/{file 1}",
		"cat src/cart.pyc mysrc/cart.py":    "cat src/cart.pyc mysrc/cart.py",
		"echo {getTotal} getTotals getTota": "echo {{getTotal} getTotals getTota",
	} {
		got := n.Lift(text)
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		if back, ok := n.Bind(got); !ok || back != text {
			t.Errorf("%q: back %q %v", text, back, ok)
		}
	}
}

func TestFailed(t *testing.T) {
	for _, bad := range [][2]string{{"no such user", ""}, {"", "Error: no such user"}, {"", `{"error": "no such user"}`}, {"", "Traceback (most recent call last):\n"}, {"", "Failed to send"}} {
		if !Failed(bad[0], []byte(bad[1])) {
			t.Errorf("%q is no failure", bad)
		}
	}
	for _, good := range []string{"", "errors: 0", `{"error": null, "id": 3}`, `{"errors": []}`, "Erroring is a town"} {
		if Failed("", []byte(good)) {
			t.Errorf("%q is a failure", good)
		}
	}
}

func TestTrack(t *testing.T) {
	call := func(tool, args, output string, failed bool) Call {
		return Call{Tool: tool, Args: []byte(args), Output: []byte(output), Failed: failed}
	}
	mail := call("mail", `{"to":["ada@example.org"],"text":"getTotal is another one"}`, `{"status":"sent","n":3}`, false)
	for name, tt := range map[string]struct {
		proof tree.Proof
		calls []Call
		want  bool
	}{
		"a value of the task":        {tree.Proof{Subject: "mail", Place: "args.to", Value: Task}, []Call{mail}, true},
		"a value in a string":        {tree.Proof{Subject: "mail", Place: "args.to", Value: Task}, []Call{call("mail", `"{\"to\":\"ada@example.org\"}"`, "ok", false)}, true},
		"another value":              {tree.Proof{Subject: "mail", Place: "args.to", Value: Task}, []Call{call("mail", `{"to":"eve@example.org"}`, "ok", false)}, false},
		"a number":                   {tree.Proof{Subject: "mail", Place: "result.n", Value: Task}, []Call{mail}, true},
		"a literal":                  {tree.Proof{Subject: "mail", Place: "result.status", Value: "sent"}, []Call{mail}, true},
		"another literal":            {tree.Proof{Subject: "mail", Place: "result.status", Value: "queued"}, []Call{mail}, false},
		"another tool":               {tree.Proof{Subject: "post"}, []Call{mail}, false},
		"one call of two":            {tree.Proof{Subject: "mail"}, []Call{mail, call("mail", "{}", "", true)}, true},
		"the last call":              {tree.Proof{Subject: Any}, []Call{call("mail", "{}", "", true), mail}, true},
		"the last call failed":       {tree.Proof{Subject: Any}, []Call{mail, call("x", "{}", "", true)}, false},
		"the last returned nothing":  {tree.Proof{Subject: Any, Place: "result"}, []Call{mail, call("x", "{}", "[]", false)}, false},
		"all addresses":              {tree.Proof{Subject: Any, Place: "args", Value: EveryOf(Address)}, []Call{mail, call("x", `{"day":"2026-05-01"}`, "", false)}, true},
		"one address of two":         {tree.Proof{Subject: Any, Place: "args", Value: EveryOf(Address)}, []Call{mail}, false},
		"an address of a failure":    {tree.Proof{Subject: Any, Place: "args", Value: EveryOf(Address)}, []Call{mail, call("x", `{"day":"2026-05-01"}`, "", true)}, false},
		"what is quoted":             {tree.Proof{Subject: Any, Place: "args", Value: EveryOf(Quoted)}, []Call{call("x", `{"to":"The whole\nteam"}`, "", false)}, true},
		"a name":                     {tree.Proof{Subject: Any, Place: "args", Value: EveryOf(Name)}, []Call{call("x", `{"to":"bo lind"}`, "", false)}, true},
		"half of a name":             {tree.Proof{Subject: Any, Place: "args", Value: EveryOf(Name)}, []Call{call("x", `{"to":"bo linden"}`, "", false)}, false},
		"a file, in what came back":  {tree.Proof{Subject: Any, Place: "result", Value: EveryOf("file")}, []Call{call("x", `{}`, "M src/cart.py", false)}, true},
		"everything":                 {tree.Proof{Subject: Any, Place: "args", Value: EveryOf(Value)}, []Call{mail}, false},
		"no value that the task has": {tree.Proof{Subject: Any, Place: "args", Value: EveryOf("price")}, []Call{mail}, false},
	} {
		n, st := Of(task), State{}
		tt.proof.Kind = tree.ProofCall
		for i := range tt.calls {
			n.Track(&tt.proof, &tt.calls[i], false, &st)
		}
		if st.Shown != tt.want {
			t.Errorf("%s: %v", name, st.Shown)
		}
	}
}
