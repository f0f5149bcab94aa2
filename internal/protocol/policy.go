package protocol

import (
	"context"
	"encoding/json"

	"github.com/gbt-policy/gbt/artifacts"
)

type policyInfo struct {
	Digest      string   `json:"digest"`
	Name        string   `json:"name,omitempty"`
	Sequence    uint64   `json:"sequence"`
	Signed      bool     `json:"signed"`
	KeyID       string   `json:"key_id,omitempty"` // the first of KeyIDs
	KeyIDs      []string `json:"key_ids,omitempty"`
	Status      string   `json:"status"`
	Families    int      `json:"families"`
	States      int      `json:"states"`
	Nodes       int      `json:"nodes"`
	Leaves      int      `json:"leaves"`
	Gates       int      `json:"gates"`
	GatesGlobal int      `json:"gates_global"`
	GatesNode   int      `json:"gates_node"`
	Schemas     int      `json:"schemas"`
	Profile     string   `json:"profile"`
	Pack        pack     `json:"pack"`
	Shadow      bool     `json:"shadow"`
}

type pack struct {
	Steps       int64 `json:"steps"`
	WallSeconds int64 `json:"wall_seconds"`
	Tokens      int64 `json:"tokens"`
}

// about answers getPolicy.
func (s *Service) about(context.Context, *Request) (json.RawMessage, *Fault) {
	return encode(policyOf(s.policy.Artifact(), &s.opt.Info, s.opt.Shadow))
}

func policyOf(p *artifacts.Policy, info *artifacts.Info, shadow bool) *policyInfo {
	out := &policyInfo{
		Digest: info.Digest, Name: p.Name, Sequence: p.Sequence, Signed: info.Signed, KeyIDs: info.KeyIDs, Status: info.Status(),
		Families: len(p.Tree.Families), States: len(p.Tree.States), Nodes: len(p.Tree.Nodes), Leaves: len(p.Tree.Leaves),
		Gates: len(p.Gates), Schemas: len(p.Schemas), Profile: p.Params.Profile, Shadow: shadow,
		Pack: pack{p.Pack.Steps(), p.Pack.WallSeconds(), p.Pack.Tokens()},
	}
	if len(info.KeyIDs) > 0 {
		out.KeyID = info.KeyIDs[0]
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
