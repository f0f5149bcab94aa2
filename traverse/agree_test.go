package traverse

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/corpora/logs"
	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/tree"
)

// pair runs both traversers beside each other.
type pair struct {
	fast *Session
	slow slow
}

func newPair(p *Policy, task Task, e Env) *pair {
	return &pair{fast: p.Start(task, e), slow: slow{p: p, task: task, env: e}}
}

// fataler is what tests and rapid have in common.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

func (x *pair) propose(t fataler, pr Proposal) Move {
	t.Helper()
	m := x.fast.Propose(pr)
	x.slow.events = append(x.slow.events, event{kind: 'p', prop: pr})
	want := x.slow.last()
	got := answer{verdict: m.Verdict, reason: m.Reason, node: m.Step.Node, key: m.Step.Macro, rerooted: m.Step.Rerooted != ""}
	if w := m.Step.Recovery; w != nil {
		got.up, got.cost, got.way = w.Up, w.Cost, w.Macros
	}
	x.compare(t, got, want)
	return m
}

func (x *pair) call(t fataler, c Call, r Result) {
	t.Helper()
	a := x.fast.Check(c)
	family := a.Context.Class.Family.String()
	for i := range a.Context.Effects {
		if e := &a.Context.Effects[i]; e.High() {
			family += "/" + e.Kind.String()
			break
		}
	}
	x.slow.events = append(x.slow.events, event{kind: 'c', call: c, blocked: a.Disposition < gates.ApprovedWithConstraints, family: family})
	want := x.slow.last()
	if st := x.fast.Status(); st.Stopped == "" || strings.HasPrefix(st.Stopped, "stall:") {
		if d := x.fast.p.checker.Check(&a.Context, want.gates); d.Disposition != a.Disposition || !slices.Equal(d.Gates, a.Gates) {
			t.Fatalf("event %d: the gates of the second traverser give %s %v, those of the first %s %v", len(x.slow.events), d.Disposition, d.Gates, a.Disposition, a.Gates)
		}
	}
	want.gates = nil
	x.compare(t, answer{node: -1}, want)
	if a.Allowed() {
		x.fast.Observe(c, r)
		x.slow.events = append(x.slow.events, event{kind: 'o', call: c, result: r})
		x.compare(t, answer{node: -1}, x.slow.last())
	}
}

func (x *pair) compare(t fataler, got, want answer) {
	t.Helper()
	st := x.fast.Status()
	got.lost, got.lostAt, got.stopped, got.spine = st.Lost, st.LostAt, st.Stopped, st.Spine
	if len(got.spine) == 0 {
		got.spine = nil
	}
	if a, b := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want); a != b {
		t.Fatalf("event %d:\n%s, the second traverser says\n%s", len(x.slow.events), a, b)
	}
}

// TestAgreeOnRandomRuns lets both traversers answer random runs in random
// worlds.
func TestAgreeOnRandomRuns(t *testing.T) {
	keys := []string{"view", "search", "edit", "run", "test", "proc", "delete", "net", "review", "make"}
	texts := []string{"read the source file", "fix the bug in the code", "run the unit tests", "bananas", "", "look at the commit history", "download the archive"}
	seen, rerooted := map[Verdict]int{}, int64(0)
	rapid.Check(t, func(t *rapid.T) {
		w := repair()
		path := rapid.Custom(func(t *rapid.T) string {
			p := rapid.SliceOfN(rapid.SampledFrom(keys), 1, 7).Draw(t, "keys")
			return strings.Join(slices.Compact(p), " ") + rapid.SampledFrom([]string{"", "", "!"}).Draw(t, "end")
		})
		w.families["fix"] = rapid.SliceOfN(path, 1, 8).Draw(t, "paths")
		w.families["fetch"] = rapid.SliceOfN(path, 1, 4).Draw(t, "other paths")
		drifting := rapid.Bool().Draw(t, "drift")
		if rapid.Bool().Draw(t, "gated") {
			w.gated = map[string]string{rapid.SampledFrom(keys).Draw(t, "key"): `ctx.effects.all(e, e.type != "write")`}
		}
		w.edit = func(p *artifacts.Policy) {
			p.Params.ExploreBudget = int32(rapid.IntRange(0, 3).Draw(t, "budget"))
			p.Params.MaxRecovery = int32(rapid.IntRange(1, 8).Draw(t, "depth"))
			p.Params.AllowedShare = tree.Milli(rapid.SampledFrom([]int{200, 1000}).Draw(t, "share"))
			p.Params.EnvCos = tree.Milli(rapid.SampledFrom([]int{1, 700, 900}).Draw(t, "env"))
			p.Params.RouteEvery = int32(rapid.IntRange(1, 3).Draw(t, "every"))
			p.Params.RouteAbstain = tree.Milli(rapid.SampledFrom([]int{100, 600, 990}).Draw(t, "abstain"))
			p.Params.RouteSwitch = tree.Milli(rapid.SampledFrom([]int{1, 100}).Draw(t, "switch"))
			if drifting {
				drift(p)
				p.Params.RouteTemperature, p.Params.RouteAbstain = 20, 550
			}
		}
		task := rapid.SampledFrom([]string{fixTask, fetchTask, "fix the data set in the folder", "tests"}).Draw(t, "task")
		x := newPair(w.open(t), Task{ID: "r", Text: task}, env)
		defer func() { rerooted += x.fast.stats.Reroots }()
		for range rapid.IntRange(1, 18).Draw(t, "length") {
			c := calls[rapid.SampledFrom(keys).Draw(t, "call")]
			switch rapid.IntRange(0, 5).Draw(t, "kind") {
			case 0:
				seen[x.propose(t, Proposal{Tool: c.Tool, Args: c.Args}).Verdict]++
			case 1:
				seen[x.propose(t, Proposal{Text: rapid.SampledFrom(texts).Draw(t, "text")}).Verdict]++
			case 2:
				x.call(t, shell("rm -rf /etc"), Result{})
			default:
				x.call(t, c, Result{Error: rapid.SampledFrom([]string{"", "", "failed"}).Draw(t, "error")})
			}
		}
	})
	if rerooted == 0 {
		t.Error("no run was re-rooted")
	}
	for v := Stall; v <= Advance; v++ {
		if seen[v] == 0 {
			t.Errorf("no run was answered with %s", v)
		}
	}
	t.Log(seen, rerooted)
}

// drift moves what fetch stands for to between the task of fix and what its
// macros are about, so that a run of fix looks more like fetch as it goes on.
func drift(p *artifacts.Policy) {
	t := &p.Tree
	fetch, fix := &t.Families[0], &t.Families[1]
	var done []tree.Vec
	for i := range t.States {
		if s := &t.States[i]; s.Family == 1 && len(s.Vecs) > 0 {
			done = append(done, s.Vecs[0])
		}
	}
	vec := tree.Blend(fix.Centroid, 2, tree.Mean(done...), 1)
	fetch.Prototypes, fetch.Centroid = []tree.Text{{Text: "fix and edit", Vec: vec}}, vec
}

// TestAgreeOnEpisodes lets both answer the repository's own episodes under a
// policy distilled from them, by calls and by words.
func TestAgreeOnEpisodes(t *testing.T) {
	cfg := distill.DefaultConfig()
	in := logs.Open([]string{filepath.Join("..", "examples", "logs")}, logs.Options{})
	res, err := distill.Run(t.Context(), in, distill.Options{Config: cfg, TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(res.Policy, Options{Digest: "examples"})
	if err != nil {
		t.Fatal(err)
	}
	in = logs.Open([]string{filepath.Join("..", "examples", "logs")}, logs.Options{})
	held, _, _, err := distill.ReadHeld(t.Context(), in, &cfg, false)
	if err != nil || len(held) < 100 {
		t.Fatalf("%d episodes: %v", len(held), err)
	}
	steps := 0
	for i := 0; i < len(held); i += 3 { // the second traverser is slow
		h := &held[i]
		x := newPair(p, Task{ID: h.Episode.ID, Text: h.Trace.Task}, Env{UID: -1, GID: -1, Tools: h.Trace.Offered})
		for j := range h.Episode.Steps[:min(len(h.Episode.Steps), 12)] {
			s := &h.Episode.Steps[j]
			pr := Proposal{Tool: s.Tool, Args: []byte(s.Args)}
			if i%2 == 0 && s.Text != "" {
				pr = Proposal{Text: s.Text}
			}
			if j%3 != 2 {
				x.propose(t, pr)
			}
			x.call(t, Call{Tool: s.Tool, Args: []byte(s.Args)}, Result{Output: []byte(s.Result), Error: s.Error})
			steps++
		}
	}
	t.Logf("%d steps of %d episodes", steps, (len(held)+2)/3)
}
