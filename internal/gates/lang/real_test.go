package lang

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/corpora/corporatest"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
)

// someGates are gates as people and the learner write them.
var someGates = []string{
	`!ctx.effects.exists(e, e.type == "delete" && (e.resource.under("/etc") || e.resource.under("/usr") || e.glob))`,
	`ctx.effects.all(e, e.type != "network" || e.domain.domainUnder("github.com") || e.domain.domainUnder("pypi.org"))`,
	`ctx.effects.all(e, e.type != "network" || e.scheme == "https" && e.port == 443)`,
	`!ctx.effects.exists(e, e.type == "spawn" && e.argv.matches("(?i)(curl|wget)[^|]*\\|\\s*(ba)?sh"))`,
	`!ctx.effects.exists(e, e.argv.contains("pytest") && e.parent == "")`,
	`ctx.effects.all(e, !(e.type in ["write", "delete"]) || ctx.roots.exists(r, e.resource.under(r)))`,
	`!(ctx.flow.sensitive_read && "network" in ctx.types)`,
	`!ctx.effects.exists(e, e.type == "read" && e.sensitive)`,
	`!ctx.args.exists(a, a.role == "recipient" && a.origin == "untrusted")`,
	`!ctx.args.exists(a, a.value.matches("^/etc/|^/root/") && a.path != "command")`,
	`ctx.args.all(a, a.size < 20000)`,
	`ctx.family != "unknown" && ctx.verb != "unknown"`,
	`!(ctx.tool in ["send_money", "delete_email", "update_password"])`,
	`ctx.history.all(h, h.type != "delete") || !ctx.high`,
	`size(ctx.effects) <= 3`,
	`ctx.tier == "local-reversible" || ctx.tier == "runtime-compensable"`,
	`ctx.effects.all(e, e.op != "run_unknown" || e.program.endsWith(".py") || e.program.startsWith("py"))`,
	`!ctx.effects.exists(e, e.zone == "outside" || e.zone == "system" && e.op in ["create", "modify"])`,
	`!ctx.flow.derived.exists(d, ctx.effects.exists(e, e.type == "network" && e.argv.contains(d)))`,
	`!("opaque" in ctx.types)`,
}

// said are sources that compare texts and no more: what the task says is the
// task's, and what another text says came out of a text.
type said struct{ task, other string }

func (s said) Find(value string) (origin, source, form string) {
	switch {
	case len(value) < 3:
	case strings.Contains(s.task, value):
		return "task", "", ""
	case strings.Contains(s.other, value):
		return "untrusted", "", "~"
	}
	return "agent", "", ""
}

// realContexts are those of the calls in logs, at most limit, evenly spread.
func realContexts(t *testing.T, root string, limit int) []gates.Context {
	t.Helper()
	var calls []gates.Request
	var from []said
	for r := range logs.Open([]string{root}, logs.Options{}).Records(context.Background()) {
		if r.Episode == nil {
			continue
		}
		for i := range r.Episode.Steps {
			s := &r.Episode.Steps[i]
			calls = append(calls, gates.Request{Tool: s.Tool, Args: []byte(s.Args)})
			from = append(from, said{r.Episode.Task, s.Heard})
		}
	}
	step := max(1, len(calls)/limit)
	state := gates.State{Cwd: "/workspace", Roots: []string{"/workspace"}, UID: 1000, GID: -1}
	var out []gates.Context
	for i := 0; i < len(calls); i += step {
		state.Sources = from[i]
		c := gates.NewContext(calls[i], state)
		state.Flow = c.After()
		if state.History = append(state.History, c.Records(int64(i))...); len(out)%20 == 0 {
			state.History, state.Flow = nil, gates.Flow{} // another episode
		}
		out = append(out, c)
	}
	return out
}

func judgeAll(t *testing.T, contexts []gates.Context) {
	t.Helper()
	lib := library(t, someGates...)
	var judges []*Judge
	for _, g := range someGates {
		j, err := NewJudge(g)
		if err != nil {
			t.Fatal(err)
		}
		judges = append(judges, j)
	}
	stopped := make([]int, len(someGates))
	for i := range contexts {
		in := NewInput(&contexts[i])
		got := lib.Eval(&contexts[i], nil, nil)
		for k, j := range judges {
			passes, err := j.Passes(in)
			if err != nil || passes == slices.Contains(got, k) {
				t.Fatalf("%s: the judge lets pass: %v (%v), on %s", someGates[k], passes, err, contexts[i].AppendCanonical(nil))
			}
			if !passes {
				stopped[k]++
			}
		}
	}
	t.Logf("%d contexts; stopped by each gate: %v", len(contexts), stopped)
}

// TestRealCalls has the judge look at the contexts of real calls: all that the
// repository has, and a part of the shared corpora.
func TestRealCalls(t *testing.T) {
	contexts := realContexts(t, "../../../examples/logs", 1000)
	if len(contexts) < 10 {
		t.Fatalf("only %d calls in examples/logs", len(contexts))
	}
	judgeAll(t, contexts)
}

func TestSharedCalls(t *testing.T) {
	root := corporatest.Shared(t, "corpora")
	contexts := realContexts(t, root, 2000)
	if len(contexts) < 1000 {
		t.Fatalf("only %d calls in the shared corpora", len(contexts))
	}
	judgeAll(t, contexts)
}
