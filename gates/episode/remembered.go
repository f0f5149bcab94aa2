package episode

import (
	"slices"

	"github.com/gbt-policy/gbt/gates"
)

// Establish notes what a call that ended well established: its host says so, and texts are
// what came back. Only calls that a condition of the policy asks for are remembered.
func (m *Memory) Establish(c *gates.Context, texts ...string) {
	act, ok := c.Watched()
	if !ok {
		return
	}
	m.facts = append(m.facts, NewFact(act, c.Bound(), texts...))
	for len(m.facts) > maxFacts {
		m.facts = slices.Delete(slices.Clone(m.facts), m.oldest(), m.oldest()+1)
	}
	shown := 0
	m.facts = slices.Clone(m.facts)
	for i := len(m.facts) - 1; i >= 0; i-- {
		f := &m.facts[i]
		if shown += len(f.Shown) / hashSize; shown > maxShownInAll {
			f.Shown = nil
		}
	}
}

// oldest is the oldest fact that is not the last of its action: what must follow that one
// is still owed. Where each is, it is the oldest of all.
func (m *Memory) oldest() int {
	for i := range m.facts {
		if slices.ContainsFunc(m.facts[i+1:], func(f Fact) bool { return f.Act == m.facts[i].Act }) {
			return i
		}
	}
	return 0
}

// Established implements gates.Established.
func (m *Memory) Established(n *gates.Need, value string) (ok, known bool) {
	if !m.Observes {
		return false, false
	}
	return slices.ContainsFunc(m.facts, func(f Fact) bool { return f.Holds(n, value) }), true
}

// Owed are the conditions on ends that are not met: nothing that they need followed the last
// call of their action (requirement V5).
func (m *Memory) Owed(k *gates.Conditions) (out []*gates.Condition) {
	for _, c := range k.Ends() {
		last := -1
		for i := range m.facts {
			if m.facts[i].Act == c.Act {
				last = i
			}
		}
		if last >= 0 && !slices.ContainsFunc(m.facts[last+1:], func(f Fact) bool {
			return slices.ContainsFunc(c.Needs, func(n gates.Need) bool { return f.Holds(&n, "") })
		}) {
			out = append(out, c)
		}
	}
	return out
}

// factsFit says whether stored facts are within the bounds of those that are kept.
func factsFit(list []Fact) bool {
	shown := 0
	for i := range list {
		f := &list[i]
		if len(f.Bound) > maxBounds*hashSize || len(f.Bound)%hashSize+len(f.Shown)%hashSize > 0 {
			return false
		}
		shown += len(f.Shown) / hashSize
	}
	return len(list) <= maxFacts && shown <= maxShownInAll
}
