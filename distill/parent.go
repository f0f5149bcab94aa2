package distill

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/corpora/contexts"
	"github.com/gbt-policy/gbt/internal/gates/learn"
)

// Parent is the policy that a run succeeds: what it rejected stays rejected
// (requirement G5), whatever the new logs show.
type Parent struct {
	Policy    *artifacts.Policy
	Digest    string           // of the policy's file, as artifacts.Info has it
	Contexts  *contexts.Corpus // the corpora that the policy pins; nil if it pins none
	Mutations int              // contexts that the audit makes beside the recorded ones; 0 for the usual number, -1 for none
}

// Succession says what a policy has from its parent.
type Succession struct {
	Parent   string // digest
	Sequence uint64 // of the new policy
	Gates    int    // of the parent, all kept
	Widened  []string
	Rows     int // contexts on record with the parent, all kept
	Audit    *Audit
}

// ErrLastSequence is what Run returns for a parent that can have no successor.
var ErrLastSequence = errors.New("the parent has the highest sequence number there is: nothing can follow it")

// ErrReadmitted is what Run returns where the new policy would let pass what its
// parent stops.
type ErrReadmitted struct {
	Parent string // digest
	Audit  *Audit
}

// Error names the first context, and the gate that stopped it.
func (e *ErrReadmitted) Error() string {
	x := &e.Audit.Examples[0]
	name := x.ID
	if name == "" {
		name = contexts.ID(x.Context)
	}
	return fmt.Sprintf("%d of %d contexts that the parent %.12s stops are re-admitted: context %s, %s, %s: %v before, %v now",
		e.Audit.Readmitted, e.Audit.Recorded(), e.Parent, name, stopper(x.Level, x.Gate), x.Level, x.Old, x.New)
}

// stopper names what stopped a context: a gate by its id, or the guardrail's rule.
func stopper(level, gate string) string {
	if level == learn.LevelWhole {
		return gate
	}
	return "gate " + gate
}

// builtInMutations is how many made contexts the audit of a new policy adds to
// the recorded ones. Chosen for its cost, a second of two processors at most;
// gbt gates audit does as many as it is asked for.
const builtInMutations = 10000

// succeed makes a policy the successor of p: with all its gates, and a number
// and a digest that say so.
func (p *Parent) succeed(next *artifacts.Policy) (*Succession, error) {
	if p.Policy.Sequence >= artifacts.MaxSequence {
		return nil, ErrLastSequence
	}
	next.Parent, next.Sequence = p.Digest, p.Policy.Sequence+1
	// Without this, gates that were asked everywhere would be asked at their nodes.
	next.Guardrail.Strict = next.Guardrail.Strict || p.Policy.Guardrail.Strict
	if !next.Guardrail.Content.Set() { // a successor stops all that its parent stopped
		next.Guardrail.Content = p.Policy.Guardrail.Content
	}
	next.Guardrail.Conditions = keepConditions(next.Guardrail.Conditions, p.Policy.Guardrail.Conditions)
	next.TaskDigests = unionDigests(next.TaskDigests, p.Policy.TaskDigests)
	s := &Succession{Parent: p.Digest, Sequence: next.Sequence, Gates: len(p.Policy.Gates), Widened: p.carry(next)}
	if p.Contexts != nil {
		s.Rows = p.Contexts.Len(contexts.Unsafe) + p.Contexts.Len(contexts.Benign)
	}
	return s, nil
}

// carry puts the parent's gates into next and returns the ids of those that got
// a twin, sorted.
//
// A node gate is attached wherever the new tree has a macro at which the parent
// asked it, in every family, as the learner attaches its own: recorded contexts
// name their macro and no family, so less could re-admit one. If such a macro is
// gone from the tree, the calls that were made there are now made at some other
// macro or outside the tree, and no node is sure to see them: the gate gets a
// twin of global scope. Attaching it to the family's node would not do: a call
// outside the tree asks no node. The twin stops more than the old gate did, and
// never less; the old gate stays beside it, because gates are only added (T7).
func (p *Parent) carry(next *artifacts.Policy) []string {
	homes := homesOf(p.Policy)
	have := map[string]bool{}
	for i := range next.Tree.States {
		have[next.Tree.States[i].Action()] = true
	}
	local := map[string][]string{}
	var widened []string
	for _, g := range p.Policy.Gates {
		next.Gates = append(next.Gates, g)
		lost := false
		for macro := range homes[g.ID] {
			local[macro] = append(local[macro], g.ID)
			lost = lost || !have[macro]
		}
		if lost {
			widened = append(widened, g.ID)
			next.Gates = append(next.Gates, twin(g))
		}
	}
	orderGates(next)
	attach(next, local)
	return widened
}

// twin is a gate that is asked everywhere and stops what g stops.
func twin(g artifacts.Gate) artifacts.Gate {
	g.Scope = artifacts.ScopeGlobal
	g.ID = artifacts.GateID(g.Scope, g.Disposition, g.Expr)
	return g
}

// homesOf are the macros that make a policy ask a node gate: those of the nodes
// where it comes in, and those all of whose nodes ask it. Nodes below inherit.
// The macro "" stands for a node without one; no state has it, so that such a
// gate becomes global.
func homesOf(p *artifacts.Policy) map[string]map[string]bool {
	homes := map[string]map[string]bool{}
	add := func(id, macro string) {
		if homes[id] == nil {
			homes[id] = map[string]bool{}
		}
		homes[id][macro] = true
	}
	for id, macros := range BeginningsOf(p) {
		for _, m := range macros {
			add(id, m)
		}
	}
	for macro, ids := range SideOf(p).At {
		for _, id := range ids {
			add(id, macro)
		}
	}
	return homes
}

// BeginningsOf are the macros of the nodes where each node gate comes in, by its
// id, sorted: the gate holds there and at all below.
func BeginningsOf(p *artifacts.Policy) map[string][]string {
	out := map[string][]string{}
	for i := range p.Tree.Nodes {
		for _, id := range begun(p, i) {
			if at, has := slices.BinarySearch(out[id], macroOf(p, i)); !has {
				out[id] = slices.Insert(out[id], at, macroOf(p, i))
			}
		}
	}
	return out
}

// begun are the gates of a node that its parent has not.
func begun(p *artifacts.Policy, node int) []string {
	n := &p.Tree.Nodes[node]
	if n.Parent < 0 {
		return n.Gates
	}
	above := p.Tree.Nodes[n.Parent].Gates
	return slices.DeleteFunc(slices.Clone(n.Gates), func(id string) bool { return slices.Contains(above, id) })
}

// macroOf is the macro of a node, or nothing.
func macroOf(p *artifacts.Policy, node int) string {
	if s := p.Tree.Nodes[node].State; s >= 0 {
		return p.Tree.States[s].Action()
	}
	return ""
}

// orderGates sorts a policy's gates, and drops those that are there twice. The
// first stays, with the best evidence: a gate of the parent that the new logs
// show as well, though less often, still has what the parent saw.
func orderGates(p *artifacts.Policy) {
	slices.SortStableFunc(p.Gates, func(a, b artifacts.Gate) int { return cmp.Compare(a.ID, b.ID) })
	out := p.Gates[:0]
	for _, g := range p.Gates {
		if last := len(out) - 1; last >= 0 && out[last].ID == g.ID {
			out[last].Evidence = better(out[last].Evidence, g.Evidence)
		} else {
			out = append(out, g)
		}
	}
	clear(p.Gates[len(out):])
	p.Gates = out
}

// better is the evidence of more unsafe contexts, then of more benign ones.
func better(a, b artifacts.Evidence) artifacts.Evidence {
	if cmp.Or(cmp.Compare(b.Unsafe, a.Unsafe), cmp.Compare(b.Benign, a.Benign), cmp.Compare(a.Rejected, b.Rejected)) > 0 {
		return b
	}
	return a
}

func (p *Parent) mutations() int {
	if p.Mutations != 0 {
		return max(p.Mutations, 0)
	}
	return builtInMutations
}

// audit holds a new policy against the parent, on the parent's records.
func (p *Parent) audit(ctx context.Context, next *artifacts.Policy, workers int) (*Audit, error) {
	var rows []*contexts.Row
	if p.Contexts != nil {
		rows = p.Contexts.Rows(contexts.Unsafe)
	}
	a, err := AuditPolicies(p.Policy, next, rows, learn.AuditOptions{Mutations: p.mutations(), Seed: 1, Workers: workers, Ended: ctx.Err})
	switch {
	case err != nil:
		return nil, fmt.Errorf("audit against the parent: %w", err)
	case len(a.Looser) > 0:
		return a, &ErrLooser{Parent: p.Digest, Settings: a.Looser}
	case a.Readmitted > 0:
		return a, &ErrReadmitted{Parent: p.Digest, Audit: a}
	}
	return a, nil
}

// SideOf is a policy as an audit sees it: its gates, and the node gates that
// every node of a macro asks.
func SideOf(p *artifacts.Policy) learn.Side {
	s := learn.Side{At: map[string][]string{}}
	for i := range p.Gates {
		g := &p.Gates[i]
		s.Gates = append(s.Gates, gates.Gate{ID: g.ID, Scope: g.Scope, Disposition: g.Disposition, Expr: g.Expr, Message: g.Message, Program: g.Program})
	}
	for i := range p.Tree.Nodes {
		n := &p.Tree.Nodes[i]
		if n.State < 0 {
			continue
		}
		key := macroOf(p, i)
		if have, ok := s.At[key]; ok {
			s.At[key] = slices.DeleteFunc(slices.Clone(have), func(id string) bool { return !slices.Contains(n.Gates, id) })
		} else {
			s.At[key] = n.Gates
		}
	}
	return s
}

// AskedAt are the gates that may be asked at the macros of a policy, by their keys:
// those that every node of the macro asks, and those of subtrees, because a record
// says of a call which macro it was part of and not what came before.
func AskedAt(p *artifacts.Policy) map[string][]string {
	at := SideOf(p).At
	for i := range p.Gates {
		if g := &p.Gates[i]; g.Scope == artifacts.ScopeSubtree {
			for macro, ids := range at {
				if k, has := slices.BinarySearch(ids, g.ID); !has {
					at[macro] = slices.Insert(slices.Clone(ids), k, g.ID)
				}
			}
		}
	}
	return at
}

// unionDigests joins two lists of task digests, within what an artifact holds.
func unionDigests(a, b [][]byte) [][]byte {
	all := map[string]bool{}
	for _, d := range slices.Concat(a, b) {
		all[string(d)] = true
	}
	var out [][]byte
	for _, d := range slices.Sorted(maps.Keys(all)) {
		out = append(out, []byte(d))
	}
	return out[:min(len(out), artifacts.MaxTaskDigests)]
}
