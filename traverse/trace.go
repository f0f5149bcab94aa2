package traverse

import (
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/tree"
)

// Name is a name as sessions and traces keep it (call.Kept).
func Name(name string) string { return call.Kept(name) }

// Step is the trace of one proposal: what was decided, and on what grounds. It
// is plain data for a log; the session does not keep it.
type Step struct {
	Step      int64      `json:"step"`
	Verdict   Verdict    `json:"verdict"`
	Would     *Verdict   `json:"would,omitempty"` // in a shadow session, the verdict: also where that is a stall, or its way out
	Reason    string     `json:"reason,omitempty"`
	Family    string     `json:"family,omitempty"`
	Macro     string     `json:"macro,omitempty"` // key of the macro selected
	Node      int32      `json:"node"`            // explicit node selected, -1 for none
	Via       string     `json:"via,omitempty"`
	Score     tree.Milli `json:"score"` // s of P1: similarity or calibrated posterior
	Margin    tree.Milli `json:"margin"`
	Offered   int        `json:"offered"`
	Ambiguous bool       `json:"ambiguous,omitempty"`
	Stall     string     `json:"stall,omitempty"`
	Recovery  *Way       `json:"recovery,omitempty"`
	Rerooted  string     `json:"rerooted,omitempty"` // family that the run moved to
	Covered   bool       `json:"covered"`
	Lost      string     `json:"lost,omitempty"`
}

// Way is a recovery path in a trace.
type Way struct {
	Up     int      `json:"up"`     // macros of the spine that were left first
	Macros []string `json:"macros"` // keys, in order
	Cost   int64    `json:"cost"`   // in thousandths
}

var viaNames = [...]string{"node", "state", "carried", "family", "generic"}

func (r *route) step(p *Policy) *Way {
	w := &Way{Up: r.up, Cost: r.cost}
	for _, n := range r.nodes {
		w.Macros = append(w.Macros, p.view.States[p.view.Nodes[n].State].Key)
	}
	return w
}

// move makes the answer to a proposal, with its trace and what the executor is
// shown.
func (s *Session) move(v Verdict, reason string, child *tree.Child, ms *tree.Matches) Move {
	t := &s.step
	t.Step, t.Verdict, t.Reason, t.Node = s.steps, v, reason, -1
	t.Lost, _ = s.loss()
	t.Covered = t.Lost == ""
	if ms != nil {
		t.Score, t.Margin, t.Offered = ms.Posterior, ms.Margin, len(ms.Ranked)
	}
	m := Move{Verdict: v, Reason: reason}
	if child != nil {
		m.Macro = s.p.macroOf(child.State)
		t.Macro, t.Node, t.Family = m.Macro.Key, child.Node, m.Macro.Family
		t.Via = viaNames[min(int(child.Via), len(viaNames)-1)]
	}
	if s.task.Shadow && !s.halted() {
		t.would(v)
		m.Verdict, t.Verdict, m.Macro = Explore, Explore, nil
	}
	m.Brief = s.brief(m.Macro)
	m.Step = *t
	return m
}

// would notes the verdict that a shadow session does not give. The first one
// stands: a stall, or its way out, comes before the match that the session goes
// on with.
func (t *Step) would(v Verdict) {
	if t.Would == nil {
		t.Would = &v
	}
}

// macroOf describes a state's macro to the executor.
func (p *Policy) macroOf(state int32) *Macro {
	x := &p.view.States[state]
	m := &Macro{Family: p.view.Families[x.Family].Name, Key: x.Key, Desc: x.Desc, Delta: x.Delta, Risk: x.Risk}
	for _, u := range x.Tools {
		m.Tools = append(m.Tools, u.Name)
	}
	return m
}
