package merge

import (
	"slices"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/segment"
	"github.com/gbt-policy/gbt/tree"
)

// Sizes of the samples. They bound memory; figures by cross-validation do not
// change beyond them (see the package comment).
const (
	textsPerState  = 256 // distinct texts that describe a state
	tasksPerCount  = 64  // distinct tasks counted exactly; estimated beyond
	tasksPerFamily = 512 // distinct task texts that prototypes are chosen from
)

// count is evidence of one thing, kept apart by fold.
type count struct {
	tasks   [Folds]sample[struct{}]
	success [Folds]uint32
	failure [Folds]uint32
}

func (c *count) add(t *Trace) {
	f := t.Fold()
	if t.Success {
		c.tasks[f].k = tasksPerCount
		c.tasks[f].add(t.TaskKey, struct{}{}, nil)
		c.success[f]++
	} else {
		c.failure[f]++
	}
}

func (c *count) union(o *count) {
	for f := range c.tasks {
		c.tasks[f].union(&o.tasks[f], nil)
		c.success[f] += o.success[f]
		c.failure[f] += o.failure[f]
	}
}

// in sums the evidence over the folds of a mask.
func (c *count) in(mask Mask) tree.Count {
	var n tree.Count
	for f := 0; f < Folds; f++ {
		if mask.has(f) {
			n.Tasks += c.tasks[f].size()
			n.Success += c.success[f]
			n.Failure += c.failure[f]
		}
	}
	return n
}

// Mask selects folds.
type Mask uint8

// All selects every fold.
const All Mask = 1<<Folds - 1

// Without selects all folds but one.
func Without(fold int) Mask { return All &^ (1 << fold) }

func (m Mask) has(fold int) bool { return m>>fold&1 == 1 }

// seenText is one distinct text with the folds it was seen in and the first few
// of the tasks: enough to say whether segment.MinShared have it.
type seenText struct {
	words string
	folds Mask
	tasks sample[struct{}]
}

// text is a text of a trace. Tasks that share a fold, as two with one text do, are
// one: they say nothing independently.
func (t *Trace) text(words string) seenText {
	x := seenText{words: words, folds: Mask(1) << t.Fold(), tasks: sample[struct{}]{k: segment.MinShared}}
	x.tasks.add(t.FoldKey, struct{}{}, nil)
	return x
}

func joinText(old *seenText, t seenText) {
	old.folds |= t.folds
	old.tasks.union(&t.tasks, nil)
}

// state is the evidence of one (family, key).
type state struct {
	deltas changes // what its macros changed
	shown  changes // of these, those that the logs show
	does   changes // what its macros' actions do
	secret uint32  // macros that read something sensitive
	count  count
	texts  sample[seenText]
	tools  map[string]uint32
	next   map[string]*count // by key of the successor
	after  map[string]uint32 // successes in which a key came before it
	split  trigrams          // next, by the key before it; endKey is the end of the episode
	seen   uint32            // successes it occurred in
}

// changes counts macros by their change.
type changes [effect.NumDeltas]uint32

// family is the evidence of one task family.
type family struct {
	states map[string]*state
	tasks  sample[taskText]
	tools  map[string]bool
	root   *place
	count  count
}

// place is a node of the prefix tree while it grows.
type place struct {
	next  map[string]*place
	count count
	ends  *ending
}

// ending is a success leaf while it grows.
type ending struct {
	tasks sample[seenText]
	count [Folds]uint32
	env   [tree.EnvDims]uint32
}

// Evidence is what a set of traces says about macros, their order and their
// words. It is commutative: adding traces in any order, or the union of
// evidence gathered apart, gives the same result. One goroutine at a time.
type Evidence struct {
	families map[string]*family
	bound    *support // of the tree; nil for none
	cut      Bound    // what the bound left out
}

// NewEvidence returns empty evidence.
func NewEvidence() *Evidence { return &Evidence{families: map[string]*family{}} }

// startKey is the key of a family's start state. No action has this name.
const startKey = "^"

func (ev *Evidence) family(name string) *family {
	f := ev.families[name]
	if f == nil {
		f = &family{states: map[string]*state{}, tasks: sample[taskText]{k: tasksPerFamily}, tools: map[string]bool{}, root: &place{}}
		ev.families[name] = f
	}
	return f
}

func (f *family) state(key string) *state {
	s := f.states[key]
	if s == nil {
		s = &state{texts: sample[seenText]{k: textsPerState},
			tools: map[string]uint32{}, next: map[string]*count{}, after: map[string]uint32{}, split: trigrams{}}
		f.states[key] = s
	}
	return s
}

// rareDelta is the share of a state's macros below which a change is taken for
// an exception and does not name the state's change: one part in ten.
const rareDelta = 10

// main is the riskiest change that is not rare.
func (c *changes) main() effect.Delta {
	var all uint32
	for _, n := range c {
		all += n
	}
	best, found := effect.DeltaUnknown, false
	for d, n := range c {
		if n == 0 || n*rareDelta < all {
			continue
		}
		if d := effect.Delta(d); !found || d.Risk() > best.Risk() {
			best, found = d, true
		}
	}
	return best
}

func (c *changes) union(o *changes) {
	for d, n := range o {
		c[d] += n
	}
}

// sensitive reports whether reading secrets is not rare in the state.
func (s *state) sensitive() bool {
	var all uint32
	for _, n := range s.deltas {
		all += n
	}
	return s.secret > 0 && s.secret*rareDelta >= all
}

// observed says whether the logs show the state's change in half of the macros
// that made it, or more.
func (s *state) observed() bool {
	d := s.deltas.main()
	return 2*s.shown[d] >= s.deltas[d]
}

func (s *state) edge(to string) *count {
	c := s.next[to]
	if c == nil {
		c = &count{}
		s.next[to] = c
	}
	return c
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// Families returns the names of the families, sorted.
func (ev *Evidence) Families() []string { return sortedKeys(ev.families) }

// Union folds other evidence in. The other must not be used afterwards.
func (ev *Evidence) Union(o *Evidence) {
	for _, name := range sortedKeys(o.families) {
		if mine := ev.families[name]; mine != nil {
			mine.union(o.families[name])
		} else {
			ev.families[name] = o.families[name]
		}
	}
	ev.cut.Runs += o.cut.Runs
	ev.cut.Macros += o.cut.Macros
}

func (f *family) union(o *family) {
	for key, s := range o.states {
		if mine := f.states[key]; mine != nil {
			mine.union(s)
		} else {
			f.states[key] = s
		}
	}
	f.tasks.union(&o.tasks, joinTask)
	for t := range o.tools {
		f.tools[t] = true
	}
	f.count.union(&o.count)
	f.root.union(o.root)
}

func (s *state) union(o *state) {
	s.deltas.union(&o.deltas)
	s.shown.union(&o.shown)
	s.does.union(&o.does)
	s.secret += o.secret
	s.count.union(&o.count)
	s.texts.union(&o.texts, joinText)
	for t, n := range o.tools {
		s.tools[t] += n
	}
	for k, c := range o.next {
		s.edge(k).union(c)
	}
	for k, n := range o.after {
		s.after[k] += n
	}
	s.split.union(o.split)
	s.seen += o.seen
}

func (p *place) union(o *place) {
	p.count.union(&o.count)
	if o.ends != nil {
		p.ending().union(o.ends)
	}
	for k, c := range o.next {
		p.child(k).union(c)
	}
}

func (p *place) child(key string) *place {
	c := p.next[key]
	if c == nil {
		c = &place{}
		if p.next == nil {
			p.next = map[string]*place{}
		}
		p.next[key] = c
	}
	return c
}

func (p *place) ending() *ending {
	if p.ends == nil {
		p.ends = &ending{tasks: sample[seenText]{k: tree.MaxLeafTasks}}
	}
	return p.ends
}

func (e *ending) union(o *ending) {
	e.tasks.union(&o.tasks, joinText)
	for f := range e.count {
		e.count[f] += o.count[f]
	}
	for i := range e.env {
		e.env[i] += o.env[i]
	}
}
