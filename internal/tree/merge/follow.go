package merge

import "github.com/gbt-policy/gbt/tree"

// Taken is one macro of a trace where the trace took it on its way down a tree.
type Taken struct {
	Macro   int        // index in the trace; of equal neighbours the first
	From    int32      // state that the walk was in: the family's start at first
	Node    int32      // explicit node that it was at, -1 for none
	Child   tree.Child // the child that the macro is; a generic one where no other is offered
	Offered bool       // there is such a child
	To      int32      // state that the walk is in afterwards; From if the family has none for the macro
	Choices []int32    // states of the children offered, ascending
}

// Follow is Cover with the steps themselves. Nothing is taken by a trace that has
// no family at all; one that the policy does not claim follows its best guess.
func Follow(t *tree.View, p *tree.Params, enc Encoder, tr *Trace) (Coverage, []Taken) {
	r := t.Route(askOf(enc, tr), p)
	c := walkFrom(t, p, enc, tr, &r)
	c.settle(p)
	if len(r.Open) == 0 && r.Best.Family < 0 {
		return c, nil
	}
	pos := t.Start(&r)
	if len(r.Open) == 0 {
		pos = t.StartAt(r.Best.Family)
	}
	if c.Family < 0 && len(r.Open) > 0 {
		c.Family = r.Open[0].Family // where it would stand
	}
	var out []Taken
	last := ""
	for i := range tr.Macros {
		if m := &tr.Macros[i]; m.Key != last {
			out = append(out, take(t, p, &pos, m, i))
			last = m.Key
		}
	}
	if pos.Family >= 0 {
		c.Family = pos.Family
	}
	return c, out
}

// take moves a position along one macro.
func take(t *tree.View, p *tree.Params, pos *tree.Pos, m *Macro, i int) Taken {
	children := t.Children(pos, p)
	x := Taken{Macro: i, Node: pos.Node}
	for _, ch := range children {
		x.Choices = append(x.Choices, ch.State)
	}
	at := find(t, children, m)
	if at >= 0 {
		x.Child, x.Offered = children[at], true
	}
	before := pos.State()
	step(t, p, pos, children, at, m)
	if before < 0 && pos.Family >= 0 {
		before = t.Families[pos.Family].Start
	}
	x.From, x.To = before, pos.State()
	return x
}

// Way is the macros of a trace that stand in a tree as its path: cycles fold.
func (t *Trace) Way() []int { return wayOf(t) }
