package distill

import (
	"context"
	"fmt"
	"slices"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/corpora/contexts"
	"github.com/gbt-policy/gbt/internal/gates/lang"
)

// Adopt makes next, a copy of the parent's policy, its successor with one gate
// more, asked at the nodes of macros and below if its scope is local. The audit
// that every successor passes is made here too: gates only tighten, and this shows
// it.
func Adopt(ctx context.Context, parent *Parent, next *artifacts.Policy, g artifacts.Gate, macros []string, workers int) (*Audit, error) {
	for i := range next.Gates {
		if next.Gates[i].ID == g.ID {
			return nil, fmt.Errorf("gate %.12s is enforced already", g.ID)
		}
	}
	local := map[string][]string{}
	if g.Scope != artifacts.ScopeGlobal {
		for _, m := range macros {
			local[m] = []string{g.ID}
		}
		if !begins(next, macros) {
			return nil, fmt.Errorf("the tree has no node for %v, so that nobody would ask the gate: give --everywhere", macros)
		}
	}
	next.Gates = append(slices.Clone(next.Gates), g)
	orderGates(next)
	attach(next, local)
	if _, err := parent.succeed(next); err != nil {
		return nil, err
	}
	return parent.audit(ctx, next, workers)
}

// begins says whether a tree has a node of one of the macros.
func begins(p *artifacts.Policy, macros []string) bool {
	for i := range p.Tree.Nodes {
		if m := macroOf(p, i); m != "" && slices.Contains(macros, m) {
			return true
		}
	}
	return false
}

// Tightness is what is known of a gate that is to stand for another one.
type Tightness struct {
	Proved   bool // for all calls there can be
	Stops    int  // recorded unsafe calls that the new gate stops
	Kept     int  // of those that the old gate stops
	Of       int
	Lost     string // id of the first that it lets pass; empty for none
	Honest   int    // honest recorded calls that the new gate stops
	HonestOf int
	Before   int // those that the old one stops
}

// Holds says whether the new gate is at least as tight: proved, or seen on every
// recorded unsafe call that the old gate stops, of which there must be one.
func (t *Tightness) Holds() bool { return t.Proved || t.Of > 0 && t.Kept == t.Of }

// Says is what holds, for the record of the decision.
func (t *Tightness) Says() string {
	if t.Proved {
		return "proved: stops every call that the old gate stops"
	}
	return fmt.Sprintf("on record: stops %d of the %d unsafe calls that the old gate stops", t.Kept, t.Of)
}

// Tighter holds a gate against an old one, on the recorded calls. Where either is
// asked does not count: a successor has both.
func Tighter(old, next artifacts.Gate, corpus *contexts.Corpus) (*Tightness, error) {
	was, err := alone(&old)
	if err != nil {
		return nil, err
	}
	is, err := alone(&next)
	if err != nil {
		return nil, err
	}
	t := &Tightness{Proved: lang.Subsumes(next.Expr, old.Expr)}
	if corpus == nil {
		return t, nil
	}
	for _, l := range []contexts.Label{contexts.Unsafe, contexts.Benign} {
		for _, r := range corpus.Rows(l) {
			ctx, err := gates.ParseContext(r.Context)
			if err != nil {
				return nil, fmt.Errorf("recorded context %.12s: %w", r.ID, err)
			}
			t.count(l, r.ID, len(was.EvalAll(&ctx, nil)) > 0, len(is.EvalAll(&ctx, nil)) > 0)
		}
	}
	return t, nil
}

func (t *Tightness) count(l contexts.Label, id string, was, is bool) {
	if l == contexts.Benign {
		tally(&t.HonestOf, true)
		tally(&t.Honest, is)
		tally(&t.Before, was)
		return
	}
	tally(&t.Stops, is)
	tally(&t.Of, was)
	tally(&t.Kept, was && is)
	if was && !is && t.Lost == "" {
		t.Lost = id
	}
}

// alone is a gate by itself, asked everywhere.
func alone(g *artifacts.Gate) (*gates.Library, error) {
	return gates.NewLibrary([]gates.Gate{{ID: g.ID, Scope: artifacts.ScopeGlobal, Disposition: g.Disposition, Expr: g.Expr, Program: g.Program}})
}
