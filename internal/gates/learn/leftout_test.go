package learn

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/internal/gates/lang"
)

// notesEpisode is an honest run of a task that writes to whom a note names.
func notesEpisode(i, task int) *corpora.Episode {
	e := mailEpisode(i, false)
	e.ID, e.TaskID = fmt.Sprint("notes", i), fmt.Sprint("notes", task)
	e.Steps[0] = corpora.Step{Tool: "read_notes", Args: "{}", Result: fmt.Sprintf("please tell colleague%d@work.example about it", i), Status: corpora.StatusExecuted}
	e.Steps[1].Args = fmt.Sprintf(`{"recipients":["colleague%d@work.example"],"body":"b"}`, i)
	return e
}

// TestExemptionStandsOnTasksLeftOut: the same runs of few tasks exempt nothing.
func TestExemptionStandsOnTasksLeftOut(t *testing.T) {
	for tasks, want := range map[int]bool{2: false, 10: true} {
		cases := mailCases(12, 6)
		for i := range 20 {
			cases = append(cases, extract(notesEpisode(i, i%tasks)))
		}
		got := false
		r := learnFrom(cases)
		for _, g := range append(r.Gates, r.Review...) {
			got = got || strings.Contains(g.Expr, `"read_notes"`)
		}
		if got != want {
			t.Errorf("runs of %d tasks exempt their flow: %v", tasks, got)
		}
	}
}

// TestNoExemptionForAnyTool: a flow without a tool's name would stand for tools
// that nobody has seen.
func TestNoExemptionForAnyTool(t *testing.T) {
	var benign []flowExample
	for i := range 20 {
		f := []argFlow{{path: "recipients", source: "read_notes", form: "~"}}
		benign = append(benign, flowExample{f, f, []string{fmt.Sprint(i)}, 3})
	}
	g := flowGate{names: names{}}
	g.learnAccepted(nil, benign, true)
	if len(g.allow) != 0 {
		t.Errorf("exempt: %+v", g.allow)
	}
	for i := range benign {
		benign[i].wide = []argFlow{{tool: "send", path: "recipients", source: "read_notes", form: "~"}}
	}
	if g.learnAccepted(nil, benign, true); len(g.allow) != 1 {
		t.Errorf("with a tool: %+v", g.allow)
	}
}

// TestDispositionByTasks: many calls of few tasks show as little as one call of
// each, and what a task left out speaks against does not reject.
func TestDispositionByTasks(t *testing.T) {
	for _, tc := range []struct {
		name        string
		tasks, runs int
		touched     int // benign tasks with a call that the gate stops
		calls       int
		want        string
	}{
		{"enough clean tasks", 320, 1, 0, 0, Reject},
		{"as many calls of few tasks", 20, 16, 0, 0, AskFirst},
		{"a touched task", 320, 1, 3, 0, AskFirst},
		{"beyond the budget", 320, 1, 12, 0, ""},
		{"within that of runs of many calls", 320, 1, 12, 3200, AskFirst},
	} {
		ex := &Examples{Calls: tc.calls}
		add := func(list *[]Example, task, arg string, runs int) {
			c := gates.NewContext(gates.Request{Tool: "delete_backup", Args: []byte(fmt.Sprintf(`{%q:%q}`, arg, task))}, gates.State{UID: -1, GID: -1})
			*list = append(*list, Example{Context: &c, ID: task, Macro: "m", Tasks: []string{task}, Runs: runs})
		}
		for i := range 8 {
			add(&ex.Unsafe, fmt.Sprint("bad", i), "all", 1)
		}
		for i := range tc.tasks {
			arg := "name"
			if i < tc.touched {
				arg = "all"
			}
			add(&ex.Benign, fmt.Sprintf("good%03d", i), arg, tc.runs)
		}
		l := newLearner(ex, Options{})
		l.others([]Proposal{{Scope: ScopeGlobal, Expr: `!ctx.args.exists(a, a.path == "all")`}})
		g := append(l.res.Gates, l.res.Review...)[0]
		got, left := g.Disposition, g.Left
		if got != tc.want || left.Good.N != tc.touched || left.Good.Of != tc.tasks || left.Harm != (Share{8, 8}) {
			t.Errorf("%s: %q, %+v, want %q", tc.name, got, left, tc.want)
		}
	}
}

// TestBudgetIsForAllGates: two gates that could each be afforded are too much
// together.
func TestBudgetIsForAllGates(t *testing.T) {
	ex := &Examples{Calls: 1000}
	for i := range 30 {
		for _, tool := range []string{"delete_backup", "delete_page", "delete_note"} {
			c := gates.NewContext(gates.Request{Tool: tool, Args: []byte(`{}`)}, gates.State{UID: -1, GID: -1})
			e := Example{Context: &c, ID: fmt.Sprint(tool, i), Macro: "m", Tasks: []string{fmt.Sprint(tool, i)}, Runs: 1}
			if tool != "delete_note" && i < 8 {
				ex.Unsafe = append(ex.Unsafe, e)
			} else if tool == "delete_note" || i < 23 {
				ex.Benign = append(ex.Benign, e)
			}
		}
	}
	l := newLearner(ex, Options{})
	for _, tool := range []string{"delete_backup", "delete_page"} {
		l.others([]Proposal{{Scope: ScopeGlobal, Expr: fmt.Sprintf("ctx.tool != %q", tool)}})
	}
	if len(l.res.Gates) != 1 || len(l.res.Review) != 1 || !strings.Contains(l.res.Review[0].Why, "all gates together") {
		t.Errorf("%d gates; %+v", len(l.res.Gates), l.res.Review)
	}
}

// TestBoundCountsWhatWasTried: the benign tasks of a part without which the gate is
// not learned show nothing of it.
func TestBoundCountsWhatWasTried(t *testing.T) {
	const expr = `ctx.tool != "send_email"`
	canonical, program, err := lang.Compile(expr)
	if err != nil {
		t.Fatal(err)
	}
	lib, err := gates.NewLibrary([]gates.Gate{{ID: "x", Scope: ScopeGlobal, Disposition: Reject, Expr: canonical, Program: program}})
	if err != nil {
		t.Fatal(err)
	}
	for found := range maxFolds + 1 {
		cases := mailCases(40, 10)
		ps, _ := Blame(cases)
		l := newLearner(FromCases(cases, ps), Options{})
		tried := 0
		for f := range maxFolds {
			p := part{learner: &learner{made: map[string]*gates.Library{}}, searched: true}
			if f < found {
				p.made["it"] = lib
			}
			l.parts = append(l.parts, p)
		}
		g := &Gate{families: map[call.Family]bool{}}
		good := map[string]bool{}
		for i := range l.ex.Benign {
			g.families[l.ex.Benign[i].Context.Class.Family] = true
			for _, task := range l.ex.Benign[i].Tasks {
				good[task] = l.folds[task] < found
			}
		}
		for _, in := range good {
			tried += count(in)
		}
		if l.leave(g, "it", lib); len(good) < maxFolds || g.Left.Good.Of != tried {
			t.Errorf("found in %d parts: %+v of %d tasks, want %d", found, g.Left.Good, len(good), tried)
		}
	}
}
