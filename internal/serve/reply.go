package serve

import (
	"encoding/json"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/gates/reply"
	"github.com/gbt-policy/gbt/traverse"
)

// The answers, as docs/openapi.yaml has them.
type (
	sessionReply struct {
		Session string            `json:"session"`
		Policy  string            `json:"policy"`
		Task    traverse.Task     `json:"task"`
		Status  traverse.Status   `json:"status"`
		Trace   []json.RawMessage `json:"trace,omitempty"`
	}
	statusReply struct {
		Status traverse.Status `json:"status"`
	}
	confirmReply struct {
		Agreed bool            `json:"agreed"`
		Status traverse.Status `json:"status"`
	}
	moveReply struct {
		Verdict   string         `json:"verdict"`
		Reason    string         `json:"reason,omitempty"`
		Macro     *macroReply    `json:"macro,omitempty"`
		Brief     traverse.Brief `json:"brief"`
		BriefText string         `json:"brief_text"`
		Step      traverse.Step  `json:"step"`
	}
	macroReply struct {
		Family string   `json:"family"`
		Key    string   `json:"key"`
		Desc   string   `json:"desc"`
		Tools  []string `json:"tools,omitempty"`
		Delta  string   `json:"delta"`
		Risk   uint8    `json:"risk"`
	}
	decisionReply struct {
		reply.Decision
		Allowed      bool        `json:"allowed"`
		Confirmation string      `json:"confirmation,omitempty"`
		InMacro      *bool       `json:"in_macro,omitempty"`
		Retry        *retryReply `json:"retry,omitempty"`
	}
	retryReply struct {
		Left     int    `json:"left"`
		Feedback string `json:"feedback"`
	}
	policyReply struct {
		Digest      string    `json:"digest"`
		Name        string    `json:"name,omitempty"`
		Sequence    uint64    `json:"sequence"`
		Signed      bool      `json:"signed"`
		KeyID       string    `json:"key_id,omitempty"`
		Status      string    `json:"status"`
		Families    int       `json:"families"`
		States      int       `json:"states"`
		Nodes       int       `json:"nodes"`
		Leaves      int       `json:"leaves"`
		Gates       int       `json:"gates"`
		GatesGlobal int       `json:"gates_global"`
		GatesNode   int       `json:"gates_node"`
		Schemas     int       `json:"schemas"`
		Profile     string    `json:"profile"`
		Pack        packReply `json:"pack"`
		Shadow      bool      `json:"shadow"`
	}
	packReply struct {
		Steps       int64 `json:"steps"`
		WallSeconds int64 `json:"wall_seconds"`
		Tokens      int64 `json:"tokens"`
	}
)

func moveOf(m *traverse.Move) *moveReply {
	out := &moveReply{Verdict: m.Verdict.String(), Reason: m.Reason, Brief: m.Brief, BriefText: m.Brief.String(), Step: m.Step}
	if x := m.Macro; x != nil {
		out.Macro = &macroReply{Family: x.Family, Key: x.Key, Desc: x.Desc, Tools: x.Tools, Delta: x.Delta.String(), Risk: x.Risk}
	}
	return out
}

func decisionOf(d *gates.Decision, id string) *decisionReply {
	return &decisionReply{Decision: reply.Of(d, id), Allowed: d.Disposition == gates.Approved}
}

func rulesOf(d *gates.Decision) []string {
	var out []string
	for _, r := range d.Reasons {
		out = append(out, r.Rule)
	}
	return out
}

func policyOf(p *artifacts.Policy, info *artifacts.Info, shadow bool) *policyReply {
	out := &policyReply{
		Digest: info.Digest, Name: p.Name, Sequence: p.Sequence, Signed: info.Signed, KeyID: info.KeyID, Status: info.Status(),
		Families: len(p.Tree.Families), States: len(p.Tree.States), Nodes: len(p.Tree.Nodes), Leaves: len(p.Tree.Leaves),
		Gates: len(p.Gates), Schemas: len(p.Schemas), Profile: p.Params.Profile, Shadow: shadow,
		Pack: packReply{p.Pack.Steps(), p.Pack.WallSeconds(), p.Pack.Tokens()},
	}
	for i := range p.Gates {
		if p.Gates[i].Scope == artifacts.ScopeGlobal {
			out.GatesGlobal++
		} else {
			out.GatesNode++
		}
	}
	return out
}
