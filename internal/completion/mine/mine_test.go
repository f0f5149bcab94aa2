package mine

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/tree"
)

func executed(command string, exit int) corpora.Step {
	return corpora.Step{Tool: "bash", Args: argsOf(command), Status: corpora.StatusExecuted, HasExit: true, ExitCode: exit}
}

func edited(path string) corpora.Step {
	return corpora.Step{Tool: "write_file", Args: `{"path":"` + path + `"}`, Status: corpora.StatusExecuted, Result: "ok",
		Deltas: []corpora.Delta{{Kind: corpora.DeltaFileCreate, Resource: path, Observed: true}}}
}

// texts are checks without their separators.
func texts(keys []string) string {
	var out []string
	for _, k := range keys {
		if p := proofOf(k); p.Kind != tree.ProofCall {
			out = append(out, p.String())
		}
	}
	return strings.Join(out, "; ")
}

func TestLookAtCommands(t *testing.T) {
	for name, tt := range map[string]struct {
		steps                 []corpora.Step
		passed, failed, early string
	}{
		"tests that pass":             {[]corpora.Step{executed("go test ./...", 0)}, "run go test ./...", "", ""},
		"tests that fail":             {[]corpora.Step{executed("go test ./...", 1)}, "", "run go test ./...", ""},
		"failed, mended, passed":      {[]corpora.Step{executed("make test", 2), edited("a.c"), executed("make test", 0)}, "run make test; file a.c", "", "run make test"},
		"an edit after them":          {[]corpora.Step{executed("go test ./...", 0), edited("a.go")}, "file a.go", "", ""},
		"in another directory":        {[]corpora.Step{executed("cd /srv/repo && pytest -q tests 2>&1", 0)}, "run pytest tests", "", ""},
		"the task's file":             {[]corpora.Step{executed("pytest tests/test_cart.py", 0)}, "run pytest {file 1}", "", ""},
		"behind a pipe":               {[]corpora.Step{executed("pytest | tail -3", 0)}, "", "", ""},
		"that cannot fail":            {[]corpora.Step{executed("pytest || true", 0)}, "", "", ""},
		"with work beside them":       {[]corpora.Step{executed("rm -r build && make test", 0)}, "", "", ""},
		"words in a variable":         {[]corpora.Step{executed("pytest $FILES", 0)}, "", "", ""},
		"a linter":                    {[]corpora.Step{executed("ruff check src", 1)}, "", "run ruff check src", ""},
		"a linter that mends":         {[]corpora.Step{executed("ruff check --fix src", 0)}, "", "", ""},
		"a formatter":                 {[]corpora.Step{executed("black src", 0)}, "", "", ""},
		"a formatter that only looks": {[]corpora.Step{executed("black --check src", 0)}, "run black --check src", "", ""},
		"a build that hands on":       {[]corpora.Step{executed("make install", 0)}, "", "", ""},
		"a program of the task":       {[]corpora.Step{executed("python main.py", 0)}, "", "", ""},
		"blocked":                     {[]corpora.Step{{Tool: "bash", Args: argsOf("go test ./..."), Status: corpora.StatusBlocked, HasExit: true}}, "", "", ""},
		"no status":                   {[]corpora.Step{{Tool: "bash", Args: argsOf("go test ./..."), Status: corpora.StatusExecuted}}, "", "", ""},
	} {
		s := Look(&corpora.Episode{Task: "mend tests/test_cart.py", Steps: tt.steps}, false)
		if texts(s.Passed) != tt.passed || texts(s.Failed) != tt.failed || texts(s.Early) != tt.early {
			t.Errorf("%s: passed %q failed %q early %q", name, texts(s.Passed), texts(s.Failed), texts(s.Early))
		}
	}
}

func TestLookAtCalls(t *testing.T) {
	call := func(tool, args, result string) corpora.Step {
		return corpora.Step{Tool: tool, Args: args, Result: result, Status: corpora.StatusExecuted}
	}
	s := Look(&corpora.Episode{Task: "send 20 to Bo Lind", Steps: []corpora.Step{
		call("get_user", `{"name":"Bo Lind"}`, `{"status":"active","iban":"DE1"}`), call("send_money", `{"to":"DE1","amount":20}`, `{"status":"sent"}`),
		call("send_money", `{"to":"Eve","amount":9}`, "Error: no such user"), call("get_balance", `{}`, `{"state":"low"}`), call("finish", `{"text":"20 were sent to Bo Lind"}`, ""),
	}}, true)
	has := func(p tree.Proof) bool { p.Kind = tree.ProofCall; return slices.Contains(s.Passed, keyOf(&p)) }
	for _, p := range []tree.Proof{{Subject: "send_money"}, {Subject: "send_money", Place: "args.amount", Value: "{task}"}, {Subject: "send_money", Place: "result.status", Value: "sent"},
		{Subject: "get_balance", Place: "result.state", Value: "low"}, {Subject: "*", Place: "args", Value: "{every number}"}} {
		if !has(p) {
			t.Errorf("not seen: %s", p.String())
		}
	}
	for _, p := range []tree.Proof{{Subject: "finish"}, {Subject: "get_user"}, {Subject: "get_user", Place: "args.name", Value: "{task}"},
		{Subject: "get_user", Place: "result.status", Value: "active"}, // read before the last change
		{Subject: "send_money", Place: "args.to", Value: "{task}"}} {
		if has(p) {
			t.Errorf("seen: %s", p.String())
		}
	}
}

// mined is a miner with checks by number, and runs of one place.
func mined(kinds ...tree.ProofKind) *miner {
	m := &miner{opt: Options{MinTasks: 5, Least: .5, Sure: .8}, at: map[string]int32{}}
	for i, k := range kinds {
		m.keys = append(m.keys, keyOf(&tree.Proof{Kind: k, Subject: fmt.Sprint("c", i)}))
		m.at[m.keys[i]] = int32(i)
	}
	return m
}

func runOf(task int, success bool, passed ...int32) *record {
	r := &record{success: success, task: uint64(task), passed: map[int32]bool{}, failed: map[int32]bool{}, early: map[int32]bool{}}
	for _, p := range passed {
		r.passed[p] = true
	}
	return r
}

func TestChoose(t *testing.T) {
	var here []*record
	for i := range 20 {
		here = append(here, runOf(i, true, 0, 1), runOf(100+i, false, 1))
	}
	call := tree.ProofCall
	if got := mined(call, call).choose(here, here); len(got.list) != 1 || got.list[0].Subject != "c0" || !got.decides {
		t.Errorf("one check tells them apart, another is everywhere: %+v", got)
	}
	if got := mined(call, call).choose(here[:8], here[:8]); len(got.list) != 0 {
		t.Errorf("four tasks are too few: %+v", got)
	}
	if got := mined(call, call).choose(here[:12], here[:12]); len(got.list) != 1 || got.decides {
		t.Errorf("six tasks are enough to ask and too few to decide: %+v", got)
	}
	for i := range 10 {
		here[4*i+1].passed[0] = true // unsuccessful runs that pass too
	}
	if got := mined(call, call).choose(here, here); len(got.list) != 1 || got.decides || got.list[0].Failed != 10 || got.list[0].Against != 20 {
		t.Errorf("a check that lets half of the others pass decides nothing: %+v", got)
	}
	for i := range 10 {
		delete(here[4*i].passed, 0) // half of the successes fail it
	}
	if got := mined(call, call).choose(here, here); len(got.list) != 0 {
		t.Errorf("a check that half of the successes fail is none: %+v", got)
	}
}

// TestHostedChecks: a command that a run did not execute says nothing of it, and one that
// nothing refutes is kept and said to be so.
func TestHostedChecks(t *testing.T) {
	var here []*record
	for i := range 10 {
		here = append(here, runOf(i, true, 0), runOf(100+i, false))
	}
	got := mined(tree.ProofCommand).choose(here, here)
	if len(got.list) != 1 || got.list[0].Refuted() || got.list[0].Against != 0 || got.decides {
		t.Fatalf("%+v", got)
	}
	here[0].early[0], here[1].failed[0] = true, true
	if got = mined(tree.ProofCommand).choose(here, here); len(got.list) != 1 || got.list[0].Early != 1 || got.list[0].Failed != 1 || got.list[0].Against != 1 {
		t.Errorf("%+v", got)
	}
}
