package review

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/internal/gates/lang"
	"github.com/gbt-policy/gbt/tree"
)

// This file finds what gates a new policy has lost: from its library, and from
// the nodes that asked them.

// firmness orders dispositions from the firmest.
var firmness = []string{artifacts.DispositionReject, artifacts.DispositionRevise, artifacts.DispositionConsent}

// breadth orders scopes from the widest.
var breadth = []string{artifacts.ScopeGlobal, artifacts.ScopeSubtree, artifacts.ScopeNode}

// The words for what a gate does and where it is asked: as its card has them.
var (
	does  = map[string]string{artifacts.DispositionReject: "rejects", artifacts.DispositionRevise: "sends back", artifacts.DispositionConsent: "asks before"}
	did   = map[string]string{artifacts.DispositionReject: "rejected", artifacts.DispositionRevise: "sent back", artifacts.DispositionConsent: "asked before"}
	asked = map[string]string{artifacts.ScopeGlobal: "everywhere", artifacts.ScopeSubtree: "below its nodes and where no node is known", artifacts.ScopeNode: "at its nodes and below"}
)

// calls are those that a gate stops, in words; its expression where that is no text of
// the language.
func calls(expr string) string {
	said, err := lang.Phrase(expr)
	if err != nil {
		return quote(expr)
	}
	return said
}

// told says what a gate of the old policy does.
func (c *comparison) told(id string) string {
	g := c.a.gate(id)
	return does[g.Disposition] + " " + calls(g.Expr)
}

func asFirm(n, o *artifacts.Gate) bool {
	return slices.Index(firmness, n.Disposition) <= slices.Index(firmness, o.Disposition)
}

func asWide(n, o *artifacts.Gate) bool {
	return slices.Index(breadth, n.Scope) <= slices.Index(breadth, o.Scope)
}

// Replaced is a gate that is gone, and one that provably stops all that it
// stopped, for all contexts there can be, as firmly.
type Replaced struct {
	Old string `json:"old"`
	By  string `json:"by"`
}

// stands returns the new gates that provably stop all that an old one stops, as
// firmly, itself not among them. Where each is asked is not looked at. Proofs take
// time: who asks looks for the gate itself first.
func (c *comparison) stands(id string) []artifacts.Gate {
	if found, ok := c.standing[id]; ok {
		return found
	}
	o := c.a.gate(id)
	var out []artifacts.Gate
	for i := range c.b.p.Gates {
		n := &c.b.p.Gates[i]
		if n.ID != id && asFirm(n, o) && (n.Expr == o.Expr || lang.Subsumes(n.Expr, o.Expr)) {
			out = append(out, *n)
		}
	}
	c.standing[id] = out
	return out
}

// gate finds a gate by its id, nil if there is none.
func (s *side) gate(id string) *artifacts.Gate {
	i, ok := slices.BinarySearchFunc(s.p.Gates, id, func(g artifacts.Gate, id string) int { return strings.Compare(g.ID, id) })
	if !ok {
		return nil
	}
	return &s.p.Gates[i]
}

// inLibrary says whether the new policy has a gate that stands for an old one as
// widely. Where it has none the gate has a finding of its own, and the nodes that
// asked it need none.
func (c *comparison) inLibrary(id string) bool {
	o := c.a.gate(id)
	return c.b.gate(id) != nil || slices.ContainsFunc(c.stands(id), func(n artifacts.Gate) bool { return asWide(&n, o) })
}

// gone says how a gate that is no longer in the library was lost, if it was.
func (c *comparison) gone(o *artifacts.Gate, added []artifacts.Gate) {
	for _, n := range c.stands(o.ID) {
		if asWide(&n, o) {
			c.out.Gates.Replaced = append(c.out.Gates.Replaced, Replaced{o.ID, n.ID})
			return
		}
	}
	what := calls(o.Expr)
	for i := range added {
		n := &added[i]
		switch {
		case n.Expr == o.Expr && !asFirm(n, o):
			c.weakens("gate/disposition", "a gate that %s %s only %s it now (%s)", did[o.Disposition], what, does[n.Disposition], short(n.ID))
			return
		case n.Expr == o.Expr:
			c.weakens("gate/scope", "a gate that %s %s is asked %s, before %s (%s)", does[o.Disposition], what, asked[n.Scope], asked[o.Scope], short(n.ID))
			return
		case lang.Subsumes(o.Expr, n.Expr):
			is := calls(n.Expr)
			if what == is { // the words leave out where they differ
				what, is = quote(o.Expr), quote(n.Expr)
			}
			c.weakens("gate/narrowed", "a gate that %s %s stops less now: %s (%s, before %s)", did[o.Disposition], what, is, short(n.ID), short(o.ID))
			return
		}
	}
	c.weakens("gate/removed", "a gate is gone that %s %s, %s (%s)", does[o.Disposition], what, asked[o.Scope], short(o.ID))
}

// asks says whether a new node asks what an old gate asked.
func (c *comparison) asks(id string, node int32) bool {
	return slices.Contains(c.b.p.Tree.Nodes[node].Gates, id) || slices.ContainsFunc(c.stands(id), func(n artifacts.Gate) bool {
		return n.Scope == artifacts.ScopeGlobal || slices.Contains(c.b.p.Tree.Nodes[node].Gates, n.ID)
	})
}

// unasked are the gates of a list of the old policy that a new node does not ask,
// without those that have a finding of their own.
func (c *comparison) unasked(ids []string, node int32) []string {
	var out []string
	for _, g := range ids {
		if c.inLibrary(g) && !c.asks(g, node) {
			out = append(out, g)
		}
	}
	return out
}

// lostAt finds gates that a node on both sides asks no longer. What its parent
// lost already is not told again.
func (c *comparison) lostAt(i, j int32) {
	above := c.a.p.Tree.Nodes[c.a.p.Tree.Nodes[i].Parent].Gates
	for _, g := range c.unasked(c.a.p.Tree.Nodes[i].Gates, j) {
		if !slices.Contains(above, g) {
			ref := c.b.nodeRef(j)
			c.weakens("gate/node", "step %s (%s) no longer asks a gate that %s (%s)", path(ref.Path), ref.ID, c.told(g), short(g))
		}
	}
}

// lostWith finds gates that are gone with a part of the old tree. A gate is not
// lost if all nodes where its macro stands now ask it.
func (c *comparison) lostWith(nodes []int32, what string) {
	places := c.b.nodesByState()
	for _, i := range nodes {
		n := &c.a.p.Tree.Nodes[i]
		for _, g := range n.Gates {
			if c.inLibrary(g) && !c.askedAtAll(g, places[c.a.ids.states[n.State]]) {
				c.weakens("gate/node", "%s is gone with a gate that %s (%s)", what, c.told(g), short(g))
				return
			}
		}
	}
}

func (c *comparison) askedAtAll(id string, nodes []int32) bool {
	if len(nodes) == 0 {
		return slices.ContainsFunc(c.stands(id), func(n artifacts.Gate) bool { return n.Scope == artifacts.ScopeGlobal })
	}
	return !slices.ContainsFunc(nodes, func(j int32) bool { return !c.asks(id, j) })
}

// evaded finds new nodes at which a macro stands without a gate that it was
// always behind: all old nodes of the macro asked it, or, where its family had none,
// those of the same action in other families.
func (c *comparison) evaded() {
	was, actions := c.a.nodesByID(), c.a.nodesByAction()
	places, behind := c.a.nodesByState(), map[int32]barrier{}
	for j := int32(1); int(j) < len(c.b.p.Tree.Nodes); j++ {
		if _, ok := was[c.b.ids.nodes[j]]; ok {
			continue
		}
		state := c.b.p.Tree.Nodes[j].State
		b, ok := behind[state]
		if !ok {
			b = c.barrierOf(state, places, actions)
			behind[state] = b
		}
		if g := c.unasked(b.gates, j); len(g) > 0 {
			ref := c.b.nodeRef(j)
			c.weakens("gate/evaded", "new step %s (%s) does not ask what %s asked, a gate that %s (%s)", path(ref.Path), ref.ID, b.where, c.told(g[0]), short(g[0]))
		}
	}
}

// barrier is the gates that a macro was always behind, and at which steps.
type barrier struct {
	gates []string
	where string
}

func (c *comparison) barrierOf(state int32, places map[id][]int32, actions map[string][]int32) barrier {
	if old := places[c.b.ids.states[state]]; len(old) > 0 {
		return barrier{c.a.commonGates(old), "every step of this kind"}
	}
	elsewhere := actions[c.b.p.Tree.States[state].Action()]
	if c.inFamily(elsewhere, state) {
		return barrier{}
	}
	return barrier{c.a.ofNodes(c.a.commonGates(elsewhere)), "every step of this action"}
}

// inFamily says whether one of old nodes is of the family of a new state: then the
// gates of its action are asked at the new one too (traverse).
func (c *comparison) inFamily(nodes []int32, state int32) bool {
	name := c.b.family(state).Name
	return slices.ContainsFunc(nodes, func(i int32) bool { return c.a.family(c.a.p.Tree.Nodes[i].State).Name == name })
}

// ofNodes are those of a list of gates that have the scope of a node. Those of
// subtrees are asked for their action in every family.
func (s *side) ofNodes(ids []string) []string {
	return slices.DeleteFunc(ids, func(id string) bool { return s.gate(id) == nil || s.gate(id).Scope != artifacts.ScopeNode })
}

// nodesByAction lists the nodes of every action, of all families.
func (s *side) nodesByAction() map[string][]int32 {
	out := make(map[string][]int32)
	for i := range s.p.Tree.Nodes {
		if i != tree.Root {
			action := s.p.Tree.States[s.p.Tree.Nodes[i].State].Action()
			out[action] = append(out[action], int32(i))
		}
	}
	return out
}

// nodesByState lists the nodes of every state.
func (s *side) nodesByState() map[id][]int32 {
	out := make(map[id][]int32)
	for i := range s.p.Tree.Nodes {
		if i != tree.Root {
			state := s.ids.states[s.p.Tree.Nodes[i].State]
			out[state] = append(out[state], int32(i))
		}
	}
	return out
}

// commonGates are the gates that all of the nodes ask.
func (s *side) commonGates(nodes []int32) []string {
	if len(nodes) == 0 {
		return nil
	}
	out := slices.Clone(s.p.Tree.Nodes[nodes[0]].Gates)
	for _, i := range nodes[1:] {
		out = slices.DeleteFunc(out, func(g string) bool { return !slices.Contains(s.p.Tree.Nodes[i].Gates, g) })
	}
	return out
}
