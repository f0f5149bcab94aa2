package protocol

import (
	"encoding/json"

	"github.com/gbt-policy/gbt/traverse"
)

type proposeRequest struct {
	Text  *string         `json:"text"`
	Tool  string          `json:"tool"`
	Args  json.RawMessage `json:"args"`
	Used  usageRequest    `json:"used"`
	Score int64           `json:"score"`
}

func (r *proposeRequest) proposal(elapsed int64) (traverse.Proposal, *Fault) {
	p := traverse.Proposal{Tool: r.Tool, Score: r.Score}
	if r.Text == nil && r.Tool == "" {
		return p, Invalid("fields text and tool: one of them is needed")
	}
	if r.Text != nil {
		p.Text = *r.Text
	}
	if r.Tool == "" && len(r.Args) > 0 {
		return p, Invalid("field args: without tool")
	}
	var f *Fault
	if p.Args, f = arguments("args", r.Args); f != nil {
		return p, f
	}
	p.Used, f = r.Used.usage(elapsed)
	return p, f
}

// Move is the answer to propose.
type Move struct {
	Verdict   string         `json:"verdict"`
	Reason    string         `json:"reason,omitempty"`
	Macro     *macro         `json:"macro,omitempty"`
	Brief     traverse.Brief `json:"brief"`
	BriefText string         `json:"brief_text"`
	Step      traverse.Step  `json:"step"`
}

type macro struct {
	Family string   `json:"family"`
	Key    string   `json:"key"`
	Desc   string   `json:"desc"`
	Tools  []string `json:"tools,omitempty"`
	Delta  string   `json:"delta"`
	Risk   uint8    `json:"risk"`
}

// MoveOf is the answer that tells a move.
func MoveOf(m *traverse.Move) *Move {
	out := &Move{Verdict: m.Verdict.String(), Reason: m.Reason, Brief: m.Brief, BriefText: m.Brief.String(), Step: m.Step}
	if x := m.Macro; x != nil {
		out.Macro = &macro{Family: x.Family, Key: x.Key, Desc: x.Desc, Tools: x.Tools, Delta: x.Delta.String(), Risk: x.Risk}
	}
	return out
}

// propose finds the macro for what the executor wants to do next.
func (t *turn) propose(body []byte) (any, *Fault) {
	var in proposeRequest
	if f := Decode(body, &in); f != nil {
		return nil, f
	}
	p, f := in.proposal(t.elapsed)
	if f != nil {
		return nil, f
	}
	m := t.session.Propose(p)
	t.s.opt.Tell(t.ctx, Moved{&m})
	return MoveOf(&m), t.e.record.add(traceEntry{Op: "propose", Step: &m.Step})
}
