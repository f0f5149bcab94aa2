package merge

import (
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/tree"
)

// NewState is the state that macros of one action would get in a tree: its change,
// risk, tools, description and direction. What it counts, what follows it and how
// its words tell it from others are left to the caller.
func NewState(family int32, key string, macros []*Macro, enc Encoder) tree.State {
	ev := NewEvidence()
	s := ev.family("").state(key)
	for _, m := range macros {
		s.observe(&Trace{}, m)
	}
	out := tree.State{Family: family, Key: key, Delta: s.deltas.main(), Tools: uses(s.tools, maxTools)}
	out.Risk = effect.RiskOf(out.Delta, s.sensitive())
	b := &builder{mask: All, vecs: &vectors{enc: enc}}
	b.describe(&out, s)
	out.Pre = b.pre(s, out.Tools)
	return out
}

// GenericState is the state that stands for any macro of a family with a change.
func GenericState(family int32, d effect.Delta) tree.State {
	return (&builder{}).generic(family, genericKey(d))
}
