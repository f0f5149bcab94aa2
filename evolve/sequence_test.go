package evolve

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/corpora/contexts"
	"github.com/gbt-policy/gbt/internal/gates/lang"
	"github.com/gbt-policy/gbt/tree"
)

// sequences is how many random sequences of edits are tried; 10,000 take ten minutes
// of one processor: go test ./evolve -run RandomSequences -timeout 0 -sequences 10000
var sequences = flag.Int("sequences", 100, "random sequences of edits to try")

// toolGate is a gate that stops calls of one tool.
func toolGate(t *testing.T, scope, tool string) artifacts.Gate {
	t.Helper()
	expr, program, err := lang.Compile(`ctx.tool != "` + tool + `"`)
	if err != nil {
		t.Fatal(err)
	}
	return artifacts.Gate{ID: artifacts.GateID(scope, artifacts.DispositionReject, expr), Scope: scope,
		Disposition: artifacts.DispositionReject, Expr: expr, Message: "no", Program: program}
}

// gated is the sealed policy with a gate at all places of one macro, and a recorded
// call that it stops.
func gated(t *testing.T, macro string) *distill.Parent {
	t.Helper()
	return gatedBy(t, macro, toolGate(t, artifacts.ScopeNode, "harm"))
}

func gatedBy(t *testing.T, macro string, g artifacts.Gate) *distill.Parent {
	t.Helper()
	p := *sealedPolicy(t).Policy
	p.Gates = append(slices.Clone(p.Gates), g)
	slices.SortFunc(p.Gates, func(a, b artifacts.Gate) int { return bytes.Compare([]byte(a.ID), []byte(b.ID)) })
	p.Tree.Nodes = slices.Clone(p.Tree.Nodes)
	for i := range p.Tree.Nodes {
		n := &p.Tree.Nodes[i]
		if n.Parent < 0 {
			continue
		}
		n.Gates = p.Tree.Nodes[n.Parent].Gates
		if p.Tree.States[n.State].Action() == macro {
			n.Gates = []string{g.ID}
		}
	}
	var k gates.Checker
	c := k.Context(gates.Request{Tool: "harm", Args: []byte(`{}`)}, gates.State{})
	rows := &contexts.Corpus{}
	rows.Add(contexts.NewRow(contexts.Unsafe, &c, macro, contexts.Evidence{Episode: "e", Task: "t"}))
	p.Corpora = []artifacts.CorpusRoot{{Name: "unsafe", Rows: 1, Root: artifacts.MerkleRoot(rows.Leaves(contexts.Unsafe))}}
	return &distill.Parent{Policy: &p, Digest: testDigest, Contexts: rows, Mutations: -1}
}

// TestRandomSequences holds sequences of random edits of random runs to what no edit
// may break: the tree's invariants, the old places and gates, the contexts that were
// stopped; and what is refused leaves nothing behind.
func TestRandomSequences(t *testing.T) {
	first, all := gated(t, "edit"), freshRuns(t)
	recorded, parts := 0, 0
	for seed := range uint64(*sequences) {
		rng := rand.New(rand.NewPCG(seed, 11))
		p := first
		for range 1 + rng.IntN(3) {
			next, audited := randomEdits(t, p, all, rng)
			recorded += audited
			if t.Failed() {
				t.Fatalf("seed %d", seed)
			}
			p = next
		}
		parts += len(partsOf(p.Policy)) - len(partsOf(first.Policy))
	}
	if parts == 0 {
		t.Error("no state was split")
	}
	if recorded == 0 {
		t.Fatal("no recorded context was held against a successor")
	}
}

// partsOf are the keys of states that are split off another one.
func partsOf(p *artifacts.Policy) (keys []string) {
	for i := range p.Tree.States {
		if s := &p.Tree.States[i]; s.Action() != s.Key {
			keys = append(keys, s.Key)
		}
	}
	return keys
}

// allWords remembers all words of the sequences: embedding them again shows nothing.
var allWords = newMemo()

func randomEdits(t *testing.T, p *distill.Parent, all *distill.FreshLogs, rng *rand.Rand) (*distill.Parent, int) {
	t.Helper()
	b := newBase(p.Policy)
	b.enc = allWords
	var runs []*Run
	for range 1 + rng.IntN(6) {
		r := follow(b.view, &p.Policy.Params, b.enc, &all.Episodes[rng.IntN(len(all.Episodes))])
		if r.placed(b.view) && !slices.ContainsFunc(runs, func(x *Run) bool { return x.id() == r.id() }) {
			runs = append(runs, r)
		}
	}
	sortRuns(runs)
	made, err := propose(t.Context(), b, runs, &Options{NoRetrieval: rng.IntN(8) > 0}) // the index costs most
	if err != nil {
		t.Fatal(err)
	}
	edits := slices.DeleteFunc(append(made.edits, randomSplits(b, runs, rng)...), func(*Edit) bool { return rng.IntN(3) == 0 })
	next, err := b.apply(edits)
	if err != nil {
		t.Errorf("%d edits: %v", len(edits), err)
		return p, 0
	}
	if len(edits) == 0 && !reflect.DeepEqual(next.Tree, p.Policy.Tree) {
		t.Error("nothing applied, and another tree")
	}
	next.Gates = slices.Clone(next.Gates)
	if rng.IntN(4) == 0 {
		g := toolGate(t, artifacts.ScopeGlobal, fmt.Sprint("tool", rng.IntN(3)))
		next.Gates = append(next.Gates, g) // Succeed sorts them
	}
	s, err := p.Succeed(t.Context(), next, 1)
	if err != nil {
		t.Errorf("%d edits: %v", len(edits), err)
		return p, 0
	}
	if err := next.Check(); err != nil {
		t.Errorf("%d edits: %v", len(edits), err)
	}
	keepsAll(t, p.Policy, next)
	return &distill.Parent{Policy: next, Digest: testDigest, Contexts: p.Contexts, Mutations: p.Mutations}, s.Audit.Recorded()
}

// keepsAll checks that nothing of the old policy is gone: gates, states with their
// steps and counts, places with their gates.
func keepsAll(t *testing.T, old, next *artifacts.Policy) {
	t.Helper()
	for i := range old.Gates {
		if !slices.ContainsFunc(next.Gates, func(g artifacts.Gate) bool { return g.ID == old.Gates[i].ID }) {
			t.Errorf("gate %s is gone", old.Gates[i].ID)
		}
	}
	was, is := newDraft(&old.Tree), newDraft(&next.Tree)
	for i, f := range was.families {
		for key, s := range f.states {
			n := is.families[i].states[key]
			if n == nil || n.Count.Success < s.Count.Success || n.Count.Tasks < s.Count.Tasks {
				t.Errorf("state %s of %s lost counts", key, f.Name)
				continue
			}
			for to := range s.next {
				if !leadsTo(is.families[i], n, was.families[i].states[to].Action()) {
					t.Errorf("step %s to %s is gone", key, to)
				}
			}
		}
		keepsPlaces(t, f.root, is.families[i].root)
	}
	at := distill.SideOf(old).At
	for i := range next.Tree.Nodes {
		n := &next.Tree.Nodes[i]
		if n.State < 0 {
			continue
		}
		for _, id := range at[next.Tree.States[n.State].Action()] {
			if !slices.Contains(n.Gates, id) {
				t.Errorf("node %d: no gate %s of its macro", i, id)
			}
		}
	}
}

// leadsTo says whether a state has a step to an action: to its state or to a part.
func leadsTo(f *family, s *state, action string) bool {
	for to := range s.next {
		if f.states[to] != nil && f.states[to].Action() == action {
			return true
		}
	}
	return false
}

// randomSplits splits off some contexts of the runs, whatever follows them: so few
// runs speak for none.
func randomSplits(b *base, runs []*Run, rng *rand.Rand) []*Edit {
	var out []*Edit
	all := byFamily(runs)
	for _, f := range sortedInts(all) {
		g := gather(b, f, all[f])
		for _, key := range slices.Sorted(maps.Keys(g.after)) {
			c := g.after[key]
			if rng.IntN(4) == 0 && g.find(c.action) != nil && g.find(key) == nil {
				e := g.edit(Split, c.action, key, &c.came, "at random", g.split(c))
				e.after = c.before
				out = append(out, e)
			}
		}
	}
	return out
}

func keepsPlaces(t *testing.T, was, is *place) {
	t.Helper()
	if is == nil || is.node.Count.Success < was.node.Count.Success || was.leaf != nil && is.leaf == nil {
		t.Errorf("a place %s is gone or has less", was.state)
		return
	}
	for _, id := range was.node.Gates {
		if !slices.Contains(is.node.Gates, id) {
			t.Errorf("place %s: gate %s is gone", was.state, id)
		}
	}
	for action, kid := range was.kids {
		keepsPlaces(t, kid, is.kids[action])
	}
}

func TestNewPlacesInheritGates(t *testing.T) {
	p := gated(t, "edit")
	d := newDraft(&p.Policy.Tree)
	for _, p := range d.places {
		if p == nil || p.state != "edit" || len(p.node.Gates) == 0 {
			continue
		}
		c, anew := d.families[0].child(p, "never-seen-before")
		if !anew || !slices.Equal(c.node.Gates, p.node.Gates) {
			t.Errorf("a new place below a gated one has %q", c.node.Gates)
		}
		return
	}
	t.Fatal("no place of an edit: the test shows nothing")
}

func TestDraftSkipsRefusedStates(t *testing.T) {
	d := newDraft(&sealedPolicy(t).Policy.Tree)
	d.families[0].states[d.families[0].root.state].next["refused"] = tree.Count{}
	if err := d.tree().Check(); err != nil {
		t.Error(err)
	}
}
