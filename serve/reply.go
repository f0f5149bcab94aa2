package serve

import (
	"encoding/json"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
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
		Disposition     string        `json:"disposition"`
		Would           string        `json:"would,omitempty"`
		Allowed         bool          `json:"allowed"`
		Reasons         []reasonReply `json:"reasons"`
		Effects         []effectReply `json:"effects"`
		Tier            string        `json:"tier"`
		DecisionID      string        `json:"decision_id"`
		Gates           []string      `json:"gates,omitempty"`
		LibraryRejected bool          `json:"library_rejected,omitempty"`
		Confirmation    string        `json:"confirmation,omitempty"`
		InMacro         *bool         `json:"in_macro,omitempty"`
		Retry           *retryReply   `json:"retry,omitempty"`
	}
	retryReply struct {
		Left     int    `json:"left"`
		Feedback string `json:"feedback"`
	}
	reasonReply struct {
		Rule        string `json:"rule"`
		Disposition string `json:"disposition"`
		Message     string `json:"message"`
		Effect      *int   `json:"effect,omitempty"`
	}
	effectReply struct {
		Type      string        `json:"type"`
		Op        string        `json:"op"`
		Zone      string        `json:"zone"`
		Resource  string        `json:"resource"`
		Program   string        `json:"program,omitempty"`
		Argv      string        `json:"argv,omitempty"`
		Parent    string        `json:"parent,omitempty"`
		Scheme    string        `json:"scheme,omitempty"`
		Domain    string        `json:"domain,omitempty"`
		IP        string        `json:"ip,omitempty"`
		Port      uint16        `json:"port,omitempty"`
		Sensitive bool          `json:"sensitive,omitempty"`
		Protected bool          `json:"protected,omitempty"`
		Glob      bool          `json:"glob,omitempty"`
		Deferred  bool          `json:"deferred,omitempty"`
		Tier      string        `json:"tier"`
		Payload   *payloadReply `json:"payload,omitempty"`
	}
	payloadReply struct {
		Len  int    `json:"len"`
		MIME string `json:"mime,omitempty"`
		Hash string `json:"hash,omitempty"`
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
	out := &decisionReply{
		Disposition: d.Disposition.String(), Allowed: d.Disposition == gates.Approved, Reasons: []reasonReply{}, Effects: []effectReply{},
		Tier: d.Tier.String(), DecisionID: id, Gates: d.Gates, LibraryRejected: d.LibraryRejected,
	}
	if d.Would != d.Disposition {
		out.Would = d.Would.String()
	}
	for _, r := range d.Reasons {
		x := reasonReply{Rule: r.Rule, Disposition: r.Disposition.String(), Message: r.Message}
		if i := r.Effect; i >= 0 {
			x.Effect = &i
		}
		out.Reasons = append(out.Reasons, x)
	}
	for i := range d.Effects {
		out.Effects = append(out.Effects, effectOf(&d.Effects[i]))
	}
	return out
}

func effectOf(e *gates.Effect) effectReply {
	out := effectReply{
		Type: e.Kind.String(), Op: e.Op.String(), Zone: e.Zone.String(), Resource: e.Resource, Program: e.Program, Argv: e.Argv, Parent: e.Parent,
		Scheme: e.Net.Scheme, Domain: e.Net.Domain, IP: e.Net.IP, Port: e.Net.Port,
		Sensitive: e.Sensitive, Protected: e.Protected, Glob: e.Glob, Deferred: e.Deferred, Tier: e.Tier().String(),
	}
	if p := e.Payload; p.Known {
		out.Payload = &payloadReply{Len: p.Len, MIME: p.MIME, Hash: p.Hash}
	}
	return out
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
