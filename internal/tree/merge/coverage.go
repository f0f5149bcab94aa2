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
	Abstain  string // why the policy does not claim the task; "" if it does
	Late     bool   // its first macros claimed it, not its text
	Steps    int
	Covered  int
	Early    int // covered steps among the first tree.FirstSteps
	Generic  int // covered steps and those matched by a generic child only
	WithText int // covered steps before which the agent said something
	Top1     int // of these, where the words chose the macro that followed

	GenericText int // steps covered by a generic child alone, with words
	GenericTop1 int // of these, where the match by words was rightly unsure

	Children     int64 // sum over steps of children offered, generic ones apart
	Share        int64 // sum over steps of children offered per family vocabulary, in thousandths
	GenericChild int64 // sum over steps of generic children offered

	Sim, Margin, Posterior int64 // sums over covered steps with text, in thousandths
	Fragile                int   // of these, in the fragile band
	Ambiguous              int   // of these, with a margin below the limit
	Explore                int   // of these, below the band

	DepthSteps, DepthCovered [maxDepthReported]int

	points []point
	may    bool // the first macros may claim the task
}

// point is one match by words: its features and whether it was right.
type point struct {
	prob, margin, sim tree.Milli
	right, generic    bool
	step              int // of the episode
}

// Full reports whether the episode was routed and every step covered.
func (c *Coverage) Full() bool { return c.Routed && c.Covered == c.Steps }

// FullGeneric is Full with generic steps counted.
func (c *Coverage) FullGeneric() bool { return c.Routed && c.Generic == c.Steps }

// Right reports whether the episode is covered and every text chose the macro
// that followed.
func (c *Coverage) Right() bool { return c.Full() && c.Top1 == c.WithText }

// RightGeneric is Right with generic steps counted.
func (c *Coverage) RightGeneric() bool {
	return c.FullGeneric() && c.Top1 == c.WithText && c.GenericTop1 == c.GenericText
}

// Confident reports whether the episode is covered in the sense of 003 §F.1:
// routed, every step matched by the agent's words or its call at or above the
// lower threshold, no exploration.
func (c *Coverage) Confident() bool { return c.Full() && c.Explore == 0 }

// Named says of each covered step with words whether they chose the macro that
// followed.
func (c *Coverage) Named() []bool {
	var out []bool
	for _, p := range c.points {
		if !p.generic {
			out = append(out, p.right)
		}
	}
	return out
}

// NamedAt says the same by the place of the macro in its episode.
func (c *Coverage) NamedAt() map[int]bool {
	out := map[int]bool{}
	for _, p := range c.points {
		if !p.generic {
			out[p.step] = p.right
		}
	}
	return out
}

// Cover walks an episode down a policy's tree.
func Cover(t *tree.View, p *tree.Params, enc Encoder, tr *Trace) Coverage {
	r := t.Route(askOf(enc, tr), p)
	c := walkFrom(t, p, enc, tr, &r)
	c.settle(p)
	return c
}

// askOf is a trace's task as the router sees it.
func askOf(enc Encoder, tr *Trace) *tree.Ask {
	return &tree.Ask{Vec: enc.Embed(tr.Task), Known: enc.Known(tr.Task), Offered: tr.Offered}
}

// walkFrom walks a routed episode. What depends on the calibration is left to
// settle.
func walkFrom(t *tree.View, p *tree.Params, enc Encoder, tr *Trace, r *tree.Route) Coverage {
	c := Coverage{Family: -1, Abstain: r.Abstain, may: r.Late}
	if len(r.Open) == 0 && r.Best.Family < 0 {
		c.Steps = len(tr.Macros)
		return c
	}
	pos := t.Start(r)
	if len(r.Open) == 0 {
		// Nothing was likely enough: the walk under the best guess still says what
		// there would have been to cover.
		pos = t.StartAt(r.Best.Family)
	}
	c.walk(t, p, enc, tr, &pos)
	c.Routed = len(r.Open) > 0 && c.Abstain == "" && pos.Family >= 0
	if c.Routed {
		c.Family = pos.Family
	}
	return c
}

func (c *Coverage) walk(t *tree.View, p *tree.Params, enc Encoder, tr *Trace, pos *tree.Pos) {
	var first tree.First
	for i := range tr.Macros {
		m := &tr.Macros[i]
		children := t.Children(pos, p)
		c.offered(t, pos, children)
		at := find(t, children, m)
		if first.Add(t, pos, m.Key, at >= 0 && children[at].Via != tree.ViaGeneric) && p.RouteNear > 0 {
			c.begun(&first)
		}
		c.count(at, children)
		if m.Words != "" && at >= 0 {
			c.match(t, p, enc, m, children, at)
			c.points[len(c.points)-1].step = i
		}
		step(t, p, pos, children, at, m)
	}
	if c.may && first.Macros < tree.FirstSteps && first.Fits() && t.AtLeaf(pos, p) { // the end is a macro too
		c.Abstain, c.Late = "", true
	}
}

// begun is what the first macros say about the claim: they take it away where no
// family has them, and give it where both are of one and the task is not too far.
func (c *Coverage) begun(first *tree.First) {
	switch {
	case c.may && first.Claims():
		c.Abstain, c.Late = "", true
	case c.Abstain == "" && first.Strange():
		c.Abstain = tree.AbstainSteps
	}
}

// offered counts the choices a step leaves, against the vocabularies of all
// families that are still open.
func (c *Coverage) offered(t *tree.View, pos *tree.Pos, children []tree.Child) {
	real := int64(0)
	for _, ch := range children {
		if ch.Via != tree.ViaGeneric {
			real++
		}
	}
	vocabulary := int64(0)
	if pos.Family >= 0 {
		vocabulary = int64(t.Families[pos.Family].Vocabulary)
	}
	for _, o := range pos.Open {
		vocabulary += int64(t.Families[o.Family].Vocabulary)
	}
	c.Children += real
	c.Share += real * 1000 / max(vocabulary, 1)
	c.GenericChild += int64(len(children)) - real
}

// find returns the child that an episode's macro is: the state with its key, in
// the family likeliest to take it here, else the generic child with its change, else
// -1.
func find(t *tree.View, children []tree.Child, m *Macro) int {
	best := -1
	for i, ch := range children {
		s := &t.States[ch.State]
		if s.Generic && s.Delta != m.Does || !s.Generic && s.Action() != m.Key {
			continue
		}
		if best < 0 || better(ch, children[best]) {
			best = i
		}
	}
	return best
}

func better(a, b tree.Child) bool {
	if (a.Via == tree.ViaGeneric) != (b.Via == tree.ViaGeneric) {
		return b.Via == tree.ViaGeneric
	}
	return a.Likelihood() > b.Likelihood()
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
		tally(&c.Early, depth < tree.FirstSteps)
		c.DepthCovered[depth]++
	}
}

// match asks what the agent's words would have chosen.
func (c *Coverage) match(t *tree.View, p *tree.Params, enc Encoder, m *Macro, children []tree.Child, at int) {
	prop := tree.Proposal{Text: m.Words, Vec: enc.Embed(m.Words)}
	ms := t.Match(children, &prop, p)
	pt := point{generic: children[at].Via == tree.ViaGeneric, margin: ms.Margin}
	if len(ms.Ranked) > 0 {
		chosen, want := &t.States[ms.Ranked[0].State], &t.States[children[at].State]
		pt.prob, pt.sim = ms.Ranked[0].Prob, ms.Ranked[0].Sim
		pt.right = chosen.Action() == want.Action() && chosen.Family == want.Family
	}
	c.points = append(c.points, pt)
}

// settle judges the matches under the settings' calibration. At a step that
// only a generic child covers, the right answer is to be unsure.
func (c *Coverage) settle(p *tree.Params) {
	for _, pt := range c.points {
		posterior := p.Judge(pt.prob, pt.margin, pt.sim)
		if pt.generic {
			c.GenericText++
			tally(&c.GenericTop1, posterior < p.ThetaLow)
			continue
		}
		c.WithText++
		tally(&c.Top1, pt.right)
		c.Sim += int64(pt.sim)
		c.Margin += int64(pt.margin)
		c.Posterior += int64(posterior)
		tally(&c.Explore, posterior < p.ThetaLow)
		tally(&c.Fragile, posterior >= p.ThetaLow && posterior < p.ThetaHigh)
		tally(&c.Ambiguous, pt.margin < p.Ambiguous)
	}
}

// step moves on: to the child, else to the macro's state if the family has it
// at all, else to a generic state, so that one gap costs one step.
func step(t *tree.View, p *tree.Params, pos *tree.Pos, children []tree.Child, at int, m *Macro) {
	if at >= 0 && children[at].Via != tree.ViaGeneric {
		t.Step(pos, children[at])
		return
	}
	if p.Profile == tree.ReferenceProfile {
		pos.Node = -1 // the literal scheme has no way back into the tree
		return
	}
	if pos.Family < 0 {
		*pos = t.StartAt(pos.Open[0].Family) // nothing decided: the likeliest
	}
	if s, ok := t.FindState(pos.Family, m.Key); ok {
		t.Step(pos, tree.Child{State: s, Node: -1})
		return
	}
	for _, ch := range children {
		if s := &t.States[ch.State]; s.Generic && s.Delta == m.Does && s.Family == pos.Family {
			t.Step(pos, ch)
			return
		}
	}
}
