package lang

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestReading(t *testing.T) {
	for _, tt := range []struct{ gate, want string }{
		{`ctx.tool != "cancel_event"`, "its tool is cancel_event"},
		{`ctx.args.all(a, a.origin != "untrusted")`, "there is an argument such that its value comes out of a tool's result"},
		{`!ctx.effects.exists(e, e.type == "delete" && e.resource.under("/etc"))`, "there is an effect such that its resource lies in or is /etc and its type is delete"},
		{`ctx.effects.all(e, e.type != "network" || e.domain.domainUnder("example.com") && e.port == 443)`,
			"there is an effect such that its type is network and not (its domain is of example.com and its port is 443)"},
		{`!(ctx.flow.sensitive_read && "network" in ctx.types)`, "its types hold network and something secret was read before"},
		{`!("credentials" in ctx.content && ctx.verb == "send")`, "what it writes, runs or sends is classed as credentials; and its verb is send"},
		{`size(ctx.args) < 3 || ctx.uid == 0`, "its uid is not 0 and the number of args is at least 3"},
		{`size(ctx.cwd) >= 3`, "the length of its cwd is at most 2"},
		{`!ctx.high || ctx.cwd.matches("^/a")`, "its cwd does not match \"^/a\" and it is high-risk"},
		{`!ctx.args.exists(a, a.value == ctx.cwd)`, "there is an argument such that its value is the call's cwd"},
		{`!(ctx.tool in ["a", "b", "c", "d", "e", "f", "g", "h"])`, "its tool is a, b, c, d, e or 3 more"},
		{`ctx.tool == "" || ctx.family == "shell" && ctx.verb == "read"`, "its tool is not \"\" and not (its family is shell and its verb is read)"},
		{`!(ctx.high && ctx.history.exists(h, h.op == "send" && h.time > 5))`,
			"it is high-risk and there is an earlier call of the macro such that its op is send and its time is at least 6"},
		{`!ctx.args.exists(a, a.origin == "untrusted" && !(a.source == "x" && ctx.tool == "send" && a.path == "to") && !(a.source == "y" && ctx.tool == "post" && a.path == "url"))`,
			"there is an argument such that its value comes out of a tool's result and none of 2 exceptions applies (to post and send)"},
		{"true", "never"},
		{"false", "it is any call at all"},
	} {
		if got, err := Reading(tt.gate); err != nil || got != tt.want {
			t.Errorf("%s\n reads %q (%v)\n want  %q", tt.gate, got, err, tt.want)
		}
	}
	if _, err := Reading("ctx.thought"); err == nil {
		t.Error("a text that is no gate reads as one")
	}
}

func TestPretty(t *testing.T) {
	const gate = `ctx.args.all(a, a.origin != "untrusted" || a.role in ["amount", "code", "command"] && a.source == "x") || ctx.tool == "y"`
	got, err := Pretty(gate, 60)
	want := `   ctx.args.all(a,
        a.origin != "untrusted"
     ||    a.role in ["amount", "code", "command"]
        && a.source == "x"
   )
|| ctx.tool == "y"`
	if err != nil || got != want {
		t.Errorf("got (%v)\n%s\nwant\n%s", err, got, want)
	}
	long := `!(ctx.tool in ["aaaaaaaa", "bbbbbbbb", "cccccccc", "dddddddd", "eeeeeeee"])`
	got, err = Pretty(long, 40)
	if want := "!(ctx.tool in [\n  \"aaaaaaaa\", \"bbbbbbbb\", \"cccccccc\",\n  \"dddddddd\", \"eeeeeeee\"\n])"; err != nil || got != want {
		t.Errorf("got (%v)\n%s\nwant\n%s", err, got, want)
	}
	if one, err := Pretty(gate, 1000); err != nil || strings.Contains(one, "\n") {
		t.Errorf("what fits on a line is broken: %q, %v", one, err)
	}
	if _, err := Pretty("ctx.thought", 80); err == nil {
		t.Error("a text that is no gate is printed")
	}
}

// holdsPretty: what is printed over lines is the same gate, in lines of bounded
// length as far as single words allow, and every gate can be read out.
func holdsPretty(t *rapid.T, text string, width int) {
	canonical, _, err := Compile(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	p, err := Pretty(text, width)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if again, _, err := Compile(p); err != nil || again != canonical {
		t.Fatalf("%s\nprinted\n%s\nis %s (%v)", canonical, p, again, err)
	}
	for _, line := range strings.Split(p, "\n") {
		if strings.TrimSpace(line) == "" {
			t.Fatalf("an empty line in\n%s", p)
		}
	}
	if said, err := Reading(text); err != nil || said == "" || strings.Contains(said, "\n") {
		t.Fatalf("%s reads %q, %v", canonical, said, err)
	}
}

func TestPrettyIsTheSameGate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		holdsPretty(t, drawExpr(t, 4, nil), rapid.IntRange(0, 120).Draw(t, "width"))
	})
}

// FuzzPretty: any text that compiles is printed as the same gate.
func FuzzPretty(f *testing.F) {
	for _, s := range someGates {
		f.Add(s, 60)
	}
	f.Fuzz(func(t *testing.T, text string, width int) {
		if canonical, _, err := Compile(text); err == nil {
			p, err := Pretty(text, width)
			if len(p) > maxExpr { // blanks make it longer than a gate may be
				return
			}
			if again, _, bad := Compile(p); err != nil || bad != nil || again != canonical {
				t.Errorf("%.80q printed as %.200q: %v, %v", text, p, err, bad)
			}
			if said, err := Reading(text); err != nil || said == "" {
				t.Errorf("%.80q reads %q: %v", text, said, err)
			}
		}
	})
}
