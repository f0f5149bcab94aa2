package merge

import (
	"github.com/gbt-policy/gbt/tree"
)

// maxDepthReported is the deepest step that coverage is reported for by depth;
// deeper ones are counted with it.
const maxDepthReported = 12

// Coverage is how much of one episode a policy covers. A step is covered if
// its macro is among the children offered where the episode stands; Generic
// counts also steps that only a generic child matches. Coverage is structure,
// not correctness: Right says whether the agent's own words chose that child.
type Coverage struct {
	Family   int32 // where the episode was routed, -1 if the router abstained
	Routed   bool
	Steps    int
	Covered  int
	Generic  int // covered steps and those matched by a generic child only
	WithText int // covered steps before which the agent said something
	Top1     int // of these, where the words chose the macro that followed

	Children     int64 // sum over steps of children offered, generic ones apart
	Share        int64 // sum over steps of children offered per family vocabulary, in thousandths
	GenericChild int64 // sum over steps of generic children offered

	Sim, Margin, Posterior int64 // sums over steps with text, in thousandths
	Matched                int   // steps with text at which anything was offered
	Fragile                int   // of these, in the fragile band
	Ambiguous              int   // of these, with a margin below the limit
	Explore                int   // of these, below the band

	DepthSteps, DepthCovered [maxDepthReported]int
}

// Full reports whether the episode was routed and every step covered.
func (c *Coverage) Full() bool { return c.Routed && c.Covered == c.Steps }

// FullGeneric is Full with generic steps counted.
func (c *Coverage) FullGeneric() bool { return c.Routed && c.Generic == c.Steps }

// Right reports whether the episode is covered and every text chose the macro
// that followed.
func (c *Coverage) Right() bool { return c.Full() && c.Top1 == c.WithText }

// Confident reports whether the episode is covered in the sense of 003 §F.1:
// routed, every step matched by the agent's words or its call at or above the
// lower threshold, no exploration.
func (c *Coverage) Confident() bool { return c.Full() && c.Explore == 0 }

// observe is called for every covered step with text: the features of the
// match and whether it was right. It feeds calibration.
type observe func(m *tree.Matches, right bool)

// Cover walks an episode down a policy's tree.
func Cover(t *tree.Tree, p *tree.Params, enc Encoder, tr *Trace) Coverage {
	return cover(t, p, enc, tr, nil)
}

func cover(t *tree.Tree, p *tree.Params, enc Encoder, tr *Trace, seen observe) Coverage {
	r := t.Route(enc.Embed(tr.Task), tr.Offered, p)
	c := Coverage{Family: -1, Routed: r.OK}
	if r.Family >= 0 {
		c.Family = r.Family
		c.walk(t, p, enc, tr, seen)
	}
	return c
}

func (c *Coverage) walk(t *tree.Tree, p *tree.Params, enc Encoder, tr *Trace, seen observe) {
	pos := t.StartAt(c.Family)
	vocabulary := int64(max(t.Families[c.Family].Vocabulary, 1))
	for i := range tr.Macros {
		m := &tr.Macros[i]
		children := t.Children(&pos, p)
		real := int64(0)
		for _, ch := range children {
			if ch.Via != tree.ViaGeneric {
				real++
			}
		}
		c.Children += real
		c.Share += real * 1000 / vocabulary
		c.GenericChild += int64(len(children)) - real
		at := find(t, children, m)
		c.count(at, children)
		if m.Words != "" && at >= 0 && children[at].Via != tree.ViaGeneric {
			c.match(t, p, enc, m, children, children[at].State, seen)
		}
		step(t, p, &pos, children, at, m)
	}
}

// find returns the child that an episode's macro is: the state with its key,
// else the generic child with its change, else -1.
func find(t *tree.Tree, children []tree.Child, m *Macro) int {
	generic := -1
	for i, ch := range children {
		s := &t.States[ch.State]
		if s.Key == m.Key && !s.Generic {
			return i
		}
		if s.Generic && s.Delta == m.Delta {
			generic = i
		}
	}
	return generic
}

func (c *Coverage) count(at int, children []tree.Child) {
	depth := min(c.Steps, maxDepthReported-1)
	c.Steps++
	c.DepthSteps[depth]++
	if at < 0 {
		return
	}
	c.Generic++
	if children[at].Via != tree.ViaGeneric {
		c.Covered++
		c.DepthCovered[depth]++
	}
}

// match asks what the agent's words would have chosen.
func (c *Coverage) match(t *tree.Tree, p *tree.Params, enc Encoder, m *Macro, children []tree.Child, want int32, seen observe) {
	prop := tree.Proposal{Text: m.Words, Vec: enc.Embed(m.Words)}
	ms := t.Match(children, &prop, p)
	right := t.States[ms.Ranked[0].State].Key == t.States[want].Key
	c.WithText++
	if right {
		c.Top1++
	}
	c.regimes(&ms, p)
	if seen != nil {
		seen(&ms, right)
	}
}

func (c *Coverage) regimes(ms *tree.Matches, p *tree.Params) {
	c.Matched++
	c.Sim += int64(ms.Ranked[0].Sim)
	c.Margin += int64(ms.Margin)
	c.Posterior += int64(ms.Posterior)
	switch {
	case ms.Posterior < p.ThetaLow:
		c.Explore++
	case ms.Posterior < p.ThetaHigh:
		c.Fragile++
	}
	if ms.Margin < p.Ambiguous {
		c.Ambiguous++
	}
}

// step moves on: to the child, else to the macro's state if the family has it
// at all, else to a generic state, so that one gap costs one step.
func step(t *tree.Tree, p *tree.Params, pos *tree.Pos, children []tree.Child, at int, m *Macro) {
	if at >= 0 && children[at].Via != tree.ViaGeneric {
		pos.Step(children[at])
		return
	}
	if p.Profile == tree.ReferenceProfile {
		pos.Node = -1 // the literal scheme has no way back into the tree
		return
	}
	if s, ok := t.FindState(pos.Family, m.Key); ok {
		pos.Step(tree.Child{State: s, Node: -1})
		return
	}
	if at >= 0 {
		pos.Step(children[at])
	}
}
