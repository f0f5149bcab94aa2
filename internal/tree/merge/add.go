package merge

import (
	"github.com/gbt-policy/gbt/tree"
)

// Add counts a successful trace as evidence of a family. In the default
// profile this is all there is to merging: two macros of a family are one
// state if their keys are equal (decision 8).
func (ev *Evidence) Add(t *Trace, name string) {
	f := ev.family(name)
	f.count.add(t)
	f.tasks.add(hash64(t.Task), newTask(t), joinTask)
	f.walk(t)
	ev.grow(f, t, name)
}

// grow adds the trace's path to the tree, as far as the tree's bound goes. What
// a run did below it is counted, and it ends nowhere in the tree.
func (ev *Evidence) grow(f *family, t *Trace, name string) {
	p, h, way := f.root, rootPlace(name), wayOf(t)
	p.count.add(t)
	for depth, i := range way {
		key := t.Macros[i].Key
		if h = nextPlace(h, key); depth == maxDepth || !ev.bound.keeps(h) {
			ev.cut.Runs++
			ev.cut.Macros += len(way) - depth
			return
		}
		p = p.child(key)
		p.count.add(t)
	}
	if len(t.Macros) > 0 {
		p.ending().add(t)
	}
}

// walk counts a trace's macros and their order in the family's states. Equal
// neighbours are one macro; longer cycles are kept, because a traverser cannot
// know that a cycle will close.
func (f *family) walk(t *Trace) {
	prev := f.state(startKey)
	prev.count.add(t)
	before := map[string]bool{}
	last, history := startKey, "" // the macro before, and the one before that
	for i := range t.Macros {
		m := &t.Macros[i]
		s := f.state(m.Key)
		s.observe(t, m)
		for _, tool := range m.Tools {
			f.tools[tool] = true
		}
		if m.Key == last {
			continue
		}
		s.count.add(t)
		prev.edge(m.Key).add(t)
		prev.split.add(history, m.Key, t)
		s.seen++
		for k := range before {
			s.after[k]++
		}
		before[m.Key] = true
		prev, last, history = s, m.Key, last
	}
	prev.split.add(history, endKey, t)
}

// observe records what one macro says about its state.
func (s *state) observe(t *Trace, m *Macro) {
	s.deltas[m.Delta]++
	s.does[m.Does]++
	if m.Sensitive {
		s.secret++
	}
	if m.Seen {
		s.shown[m.Delta]++
	}
	for _, tool := range m.Tools {
		s.tools[tool]++
	}
	if m.Words != "" {
		s.texts.add(hash64(m.Words), t.text(m.Words), joinText)
	}
	for _, w := range m.More {
		s.texts.add(hash64(w), t.text(w), joinText)
	}
}

func (e *ending) add(t *Trace) {
	e.count[t.Fold()]++
	e.tasks.add(hash64(t.Task), t.text(t.Task), joinText)
	for i := range t.Macros {
		m := &t.Macros[i]
		for _, tool := range m.Tools {
			e.env[tree.EnvIndex("tool", tool)]++
		}
		e.env[tree.EnvIndex("delta", m.Delta.String())]++
	}
}

// AddFailure counts a failed trace along what successes have shown (decision
// 10): base is the evidence of the successes, which is only read. A failure
// says nothing about behaviour that no success ever showed.
func (ev *Evidence) AddFailure(base *Evidence, t *Trace, name string) {
	known := base.families[name]
	if known == nil {
		return
	}
	f := ev.family(name)
	f.count.add(t)
	f.failStates(known, t)
	p, q := f.root, known.root
	p.count.add(t)
	for _, i := range wayOf(t) {
		if q = q.next[t.Macros[i].Key]; q == nil {
			return
		}
		p = p.child(t.Macros[i].Key)
		p.count.add(t)
	}
}

func (f *family) failStates(known *family, t *Trace) {
	last, history := startKey, ""
	for i := range t.Macros {
		key := t.Macros[i].Key
		if key == last {
			continue
		}
		if known.states[key] != nil {
			f.state(key).count.add(t)
		}
		if from := known.states[last]; from != nil && from.next[key] != nil {
			f.state(last).edge(key).add(t)
		}
		f.failSplit(known, history, last, key, t)
		history, last = last, key
	}
	f.failSplit(known, history, last, endKey, t)
}

// failSplit counts a step of a failed run where a success had the same history, so
// that a state that is split off by its history has its failures too. A step that
// no success took from there ends what the tree knows of the run.
func (f *family) failSplit(known *family, history, key, next string, t *Trace) {
	from := known.states[key]
	if from == nil || from.split[history] == nil {
		return
	}
	if from.split[history][next] == nil {
		next = endKey
	}
	f.state(key).split.add(history, next, t)
}
