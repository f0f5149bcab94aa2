package traverse

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
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
	failer
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

// call reports whether the call had no retry left.
func (x *pair) call(t fataler, c Call, r Result) (refused bool) {
	t.Helper()
	a := x.fast.Check(c)
	family := a.Context.Class.Family.String()
	for i := range a.Context.Effects {
		if e := &a.Context.Effects[i]; e.High() {
			family += "/" + e.Kind.String()
			break
		}
	}
	x.slow.events = append(x.slow.events, event{kind: 'c', call: c, blocked: a.Disposition < gates.ApprovedWithConstraints, family: family, kinds: kindsOf(&a, c)})
	want := x.slow.last()
	d := x.fast.p.checker.Check(&a.Context, want.gates)
	x.slow.events[len(x.slow.events)-1].gated = d.Disposition
	x.slow.events[len(x.slow.events)-1].stop = stopOf(&a.Context, &d, call.ActionOf(c.Tool, string(c.Args)).Key)
	if st := x.fast.Status(); st.Stopped == "" || strings.HasPrefix(st.Stopped, "stall:") {
		said := d.Disposition
		if want.refused {
			said = gates.Rejected
		}
		if refused := a.Allowed() == false && a.Reasons[len(a.Reasons)-1].Rule == ruleRetries; refused != want.refused {
			t.Fatalf("event %d: refused %v, the second traverser says %v", len(x.slow.events), refused, want.refused)
		}
		if said != a.Disposition || !slices.Equal(d.Gates, a.Gates) {
			t.Fatalf("event %d: the gates of the second traverser give %s %v, those of the first %s %v", len(x.slow.events), d.Disposition, d.Gates, a.Disposition, a.Gates)
		}
	}
	refused, want.gates, want.refused = want.refused, nil, false
	x.compare(t, answer{node: -1}, want)
	if a.Allowed() {
		x.fast.Observe(c, r)
		x.slow.events = append(x.slow.events, event{kind: 'o', call: c, result: r})
		x.compare(t, answer{node: -1}, x.slow.last())
	}
	return refused
}

// kindsOf and stopOf are what a call counts as for its retries, in other words
// than those of the first traverser.
func kindsOf(a *Answer, c Call) []string {
	family := a.Context.Class.Family.String()
	out := []string{family + "/" + call.ActionOf(c.Tool, string(c.Args)).Key}
	for _, e := range a.Effects {
		switch {
		case !e.High():
		case e.Kind == effect.Spawn:
			out = append(out, family+"/spawn:"+e.Program)
		default:
			out = append(out, family+"/"+e.Kind.String())
		}
	}
	return out
}

func stopOf(c *gates.Context, d *gates.Decision, key string) string {
	a := Answer{Decision: *d, Context: *c}
	about := -1
	for i := len(d.Reasons) - 1; i >= 0; i-- {
		if r := d.Reasons[i]; r.Disposition == d.Disposition && r.Effect >= 0 {
			about = r.Effect
		}
	}
	for i := len(d.Effects) - 1; i >= 0 && about < 0; i-- {
		if !slices.ContainsFunc(d.Effects[:i], func(e gates.Effect) bool { return e.High() && e.Kind != effect.Spawn }) && d.Effects[i].High() && d.Effects[i].Kind != effect.Spawn {
			about = i
		}
	}
	if about < 0 {
		return c.Class.Family.String() + "/" + key
	}
	a.Effects = d.Effects[about : about+1]
	if e := a.Effects[0]; e.High() {
		return kindsOf(&a, Call{})[1]
	}
	return c.Class.Family.String() + "/" + d.Effects[about].Kind.String()
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

// scenario is a run in a world.
type scenario struct {
	world  world
	task   string
	events []event // calls are checked, and observed where they pass
}

// scenarios draws runs: proposals by call and by words, calls that pass, fail and
// are stopped.
var scenarios = rapid.Custom(func(t *rapid.T) scenario {
	keys := []string{"view", "search", "edit", "run", "test", "proc", "delete", "net", "review", "make"}
	texts := []string{"read the source file", "fix the bug in the code", "run the unit tests", "bananas", "", "look at the commit history", "download the archive"}
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
	budget, depth, share := rapid.IntRange(0, 3).Draw(t, "budget"), rapid.IntRange(1, 8).Draw(t, "depth"), rapid.SampledFrom([]int{200, 1000}).Draw(t, "share")
	near, every := rapid.SampledFrom([]int{1, 700, 900}).Draw(t, "env"), rapid.IntRange(1, 3).Draw(t, "every")
	abstain, lead := rapid.SampledFrom([]int{100, 600, 990}).Draw(t, "abstain"), rapid.SampledFrom([]int{1, 100}).Draw(t, "switch")
	w.edit = func(p *artifacts.Policy) {
		p.Params.ExploreBudget, p.Params.MaxRecovery, p.Params.AllowedShare = int32(budget), int32(depth), tree.Milli(share)
		p.Params.EnvCos, p.Params.RouteEvery = tree.Milli(near), int32(every)
		p.Params.RouteAbstain, p.Params.RouteSwitch = tree.Milli(abstain), tree.Milli(lead)
		if drifting {
			drift(p)
			p.Params.RouteTemperature, p.Params.RouteAbstain = 20, 550
		}
	}
	bounded, late := rapid.Bool().Draw(t, "bounded"), rapid.SampledFrom([]int{0, 1, 200}).Draw(t, "late")
	edit := w.edit
	w.edit = func(p *artifacts.Policy) {
		edit(p)
		if bounded {
			bound(p, 400)
			p.Params.RouteLate = tree.Milli(late)
		}
	}
	out := scenario{world: w, task: rapid.SampledFrom([]string{fixTask, fetchTask, "fix the data set in the folder", "tests", "", "zzxq qwrt vvkk"}).Draw(t, "task")}
	stubborn := rapid.Bool().Draw(t, "stubborn") // goes on trying what is stopped
	for range rapid.IntRange(1, 18).Draw(t, "length") {
		c := calls[rapid.SampledFrom(keys).Draw(t, "call")]
		kind := rapid.IntRange(0, 5).Draw(t, "kind")
		switch {
		case stubborn && kind < 4 || kind == 2:
			bad := rapid.SampledFrom([]string{"rm -rf /etc", "rm -rf /usr", "echo x > /dev/sda"}).Draw(t, "bad")
			out.events = append(out.events, event{kind: 'c', call: shell(bad)})
		case kind == 0:
			out.events = append(out.events, event{kind: 'p', prop: Proposal{Tool: c.Tool, Args: c.Args}})
		case kind == 1:
			out.events = append(out.events, event{kind: 'p', prop: Proposal{Text: rapid.SampledFrom(texts).Draw(t, "text")}})
		default:
			out.events = append(out.events, event{kind: 'c', call: c, result: Result{Error: rapid.SampledFrom([]string{"", "", "failed"}).Draw(t, "error")}})
		}
	}
	return out
})

// play lets both traversers answer a scenario.
func (x *scenario) play(t fataler) (seen map[Verdict]int, rerooted int64, refused int) {
	t.Helper()
	p := newPair(x.world.open(t), Task{ID: "r", Text: x.task}, env)
	seen = map[Verdict]int{}
	for _, e := range x.events {
		if e.kind == 'p' {
			seen[p.propose(t, e.prop).Verdict]++
		} else if p.call(t, e.call, e.result) {
			refused++
		}
	}
	return seen, p.fast.stats.Reroots, refused
}

// TestAgreeOnRandomRuns lets both traversers answer random runs in random
// worlds.
func TestAgreeOnRandomRuns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := scenarios.Draw(t, "scenario")
		x.play(t)
	})
}

// TestAgreeOnEveryKindOfAnswer plays the same runs each time, and holds that every
// verdict, a re-root and a call without a retry left are among them.
func TestAgreeOnEveryKindOfAnswer(t *testing.T) {
	seen, rerooted, refused := map[Verdict]int{}, int64(0), 0
	for seed := range 150 {
		x := scenarios.Example(seed)
		s, r, n := x.play(t)
		for v, k := range s {
			seen[v] += k
		}
		rerooted, refused = rerooted+r, refused+n
	}
	for v := Stall; v <= Advance; v++ {
		if seen[v] == 0 {
			t.Errorf("no run was answered with %s", v)
		}
	}
	if rerooted == 0 || refused == 0 {
		t.Errorf("%d runs were re-rooted, %d calls refused", rerooted, refused)
	}
	t.Log(seen, rerooted, refused)
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
	held, _, _, err := distill.ReadLeftOut(t.Context(), in, &cfg, false)
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
