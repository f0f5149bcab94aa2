package main

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/evolve"
	"github.com/gbt-policy/gbt/segment"
	"github.com/gbt-policy/gbt/traverse"
	"github.com/gbt-policy/gbt/tree"
)

// This file measures what the filters of recovery are worth (requirements K2 and
// K3): at every macro of a successful run that the policy has not seen, a copy of
// the session stalls, and its way out is compared with what the run did next. The
// run knew a way from there, so a filter that helps leaves ways that agree with it.

// wayArm is a policy with some of its filters.
type wayArm struct {
	Name  string `json:"name"`
	Asked int    `json:"asked"` // macros at which a stall was tried
	Found int    `json:"found"` // with a way to a success leaf
	Right int    `json:"right"` // whose first macro is what the run did next
	Whole int    `json:"whole"` // whose macros the run all did from there on, in this order
	Long  int    `json:"macros"`
}

// wayArms are the settings that are compared.
var wayArms = []struct {
	name string
	make func(p *artifacts.Policy)
}{
	{"signatures and preconditions", func(*artifacts.Policy) {}},
	{"preconditions alone", withoutSignatures},
	{"signatures alone", withoutPreconditions},
	{"neither", func(p *artifacts.Policy) { withoutSignatures(p); withoutPreconditions(p) }},
}

func withoutSignatures(p *artifacts.Policy) {
	p.Params.EnvCos = 1 // the least that a policy may say
	p.Tree.Leaves = slices.Clone(p.Tree.Leaves)
	for i := range p.Tree.Leaves {
		p.Tree.Leaves[i].Env = slices.Repeat(tree.Vec{127}, tree.EnvDims)
	}
}

func withoutPreconditions(p *artifacts.Policy) {
	p.Tree.States = slices.Clone(p.Tree.States)
	for i := range p.Tree.States {
		p.Tree.States[i].Pre = tree.Pre{}
	}
}

// addWays asks each arm of a policy at every macro of the episodes.
func addWays(arms []wayArm, p *artifacts.Policy, held []distill.LeftOut) error {
	for k := range wayArms {
		art := *p
		wayArms[k].make(&art)
		policy, err := traverse.New(&art, traverse.Options{Digest: "ways"})
		if err != nil {
			return fail(exitInput, "%v", err)
		}
		for i := range held {
			if held[i].Success {
				if err := arms[k].run(policy, &held[i]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func newWayArms() []wayArm {
	out := make([]wayArm, len(wayArms))
	for i := range out {
		out[i].Name = wayArms[i].name
	}
	return out
}

func (a *wayArm) run(p *traverse.Policy, h *distill.LeftOut) error {
	s := p.Start(traverse.Task{ID: h.Episode.ID, Text: h.Trace.Task, Shadow: true}, traverse.Env{UID: -1, GID: -1, Tools: h.Trace.Offered})
	if !s.Status().Routed {
		return nil
	}
	x := &replayer{p: p}
	path := segment.Segment(h.Episode, x.profile())
	at := -1
	for j := range h.Episode.Steps {
		if m := path.Of[j]; m >= 0 && m != at {
			at = m
			if err := a.ask(p, s, h, m); err != nil {
				return err
			}
			s.Propose(x.proposal(h, m, false))
		}
		step := &h.Episode.Steps[j]
		if step.Status != corpora.StatusBlocked {
			s.Observe(traverse.Call{Tool: step.Tool, Args: []byte(step.Args)}, evolve.ResultOf(step))
		}
	}
	return nil
}

// ask stalls a copy of the session, by what says nothing twice, and judges its way.
func (a *wayArm) ask(p *traverse.Policy, s *traverse.Session, h *distill.LeftOut, macro int) error {
	data, err := s.MarshalBinary()
	if err != nil {
		return err
	}
	stuck, err := p.Resume(data)
	if err != nil {
		return err
	}
	for range 2 {
		if m := stuck.Propose(traverse.Proposal{Text: "go on"}); m.Step.Stall != "" {
			a.judge(m.Step.Recovery, h, macro)
			return nil
		}
	}
	return nil
}

func (a *wayArm) judge(w *traverse.Way, h *distill.LeftOut, macro int) {
	a.Asked++
	if w == nil || len(w.Macros) == 0 {
		return
	}
	a.Found++
	a.Long += len(w.Macros)
	same := 0
	for same < len(w.Macros) && macro+same < len(h.Trace.Macros) && actionOf(w.Macros[same]) == h.Trace.Macros[macro+same].Key {
		same++
	}
	tally(&a.Right, same > 0)
	tally(&a.Whole, same == len(w.Macros))
}

// actionOf is a state's key less the action that it comes after (tree.SplitKey).
func actionOf(key string) string {
	action, _, _ := strings.Cut(key, "|")
	return action
}

func printWays(w *tabwriter.Writer, arms []wayArm) {
	fmt.Fprintln(w, "ways out, with\tasked\tfound\tright\tright of found\twhole way\tmacros\t")
	for i := range arms {
		a := &arms[i]
		fmt.Fprintf(w, "%s\t%d\t%.3f\t%.3f\t%.3f\t%.3f\t%.1f\t\n", a.Name, a.Asked, ratio(a.Found, a.Asked), ratio(a.Right, a.Asked),
			ratio(a.Right, a.Found), ratio(a.Whole, a.Asked), ratio(a.Long, a.Found))
	}
}
