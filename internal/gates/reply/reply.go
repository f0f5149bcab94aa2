// Package reply gives decisions the JSON form that gbt check, gbt explain and
// gbt serve share.
//
// What belongs here: the names that decisions, reasons and effects have in JSON.
// What never does: texts for people (package wording, cmd/gbt), the form that a host wants
// (internal/hosts), and anything that changes a decision.
package reply

import (
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/wording"
)

// Decision is a decision on a call.
type Decision struct {
	Disposition     string   `json:"disposition"`
	Would           string   `json:"would,omitempty"` // under another profile than observe, where that differs
	Reasons         []Reason `json:"reasons"`
	User            string   `json:"user_message,omitempty"`  // what will happen, for the person who is asked
	Agent           string   `json:"agent_message,omitempty"` // what to do instead, for a model
	Effects         []Effect `json:"effects"`
	Tier            string   `json:"tier"`
	DecisionID      string   `json:"decision_id"`
	Gates           []string `json:"gates,omitempty"`
	LibraryRejected bool     `json:"library_rejected,omitempty"`
}

// Reason is why a decision is no plain approval.
type Reason struct {
	Rule        string `json:"rule"`
	Disposition string `json:"disposition"`
	Message     string `json:"message"`
	Effect      *int   `json:"effect,omitempty"` // index into the effects
	Line        int    `json:"line,omitempty"`   // of the input, where it can't be read
}

// Effect is an effect without the fields that say nothing.
type Effect struct {
	Type      string   `json:"type"`
	Op        string   `json:"op"`
	Zone      string   `json:"zone"`
	Resource  string   `json:"resource"`
	Program   string   `json:"program,omitempty"`
	Argv      string   `json:"argv,omitempty"`
	Parent    string   `json:"parent,omitempty"`
	Scheme    string   `json:"scheme,omitempty"`
	Domain    string   `json:"domain,omitempty"`
	IP        string   `json:"ip,omitempty"`
	Port      uint16   `json:"port,omitempty"`
	Sensitive bool     `json:"sensitive,omitempty"`
	Protected bool     `json:"protected,omitempty"`
	Glob      bool     `json:"glob,omitempty"`
	Deferred  bool     `json:"deferred,omitempty"`
	Tier      string   `json:"tier"`
	Payload   *Payload `json:"payload,omitempty"`
}

// Payload is what is known of the contents that an effect carries.
type Payload struct {
	Len  int    `json:"len"`
	MIME string `json:"mime,omitempty"`
	Hash string `json:"hash,omitempty"`
}

// Of words a decision on a context under its id.
func Of(c *gates.Context, d *gates.Decision, id string) Decision {
	texts := wording.Of(c, d)
	out := Decision{
		Disposition: d.Disposition.String(), Reasons: []Reason{}, Effects: []Effect{}, Tier: d.Tier.String(),
		User: texts.Person, Agent: texts.Model, DecisionID: id, Gates: d.Gates, LibraryRejected: d.LibraryRejected,
	}
	if d.Would != d.Disposition {
		out.Would = d.Would.String()
	}
	for i := range d.Reasons {
		out.Reasons = append(out.Reasons, reasonOf(&d.Reasons[i]))
	}
	for i := range d.Effects {
		out.Effects = append(out.Effects, EffectOf(&d.Effects[i]))
	}
	return out
}

func reasonOf(r *gates.Reason) Reason {
	out := Reason{Rule: r.Rule, Disposition: r.Disposition.String(), Message: r.Message}
	if i := r.Effect; i >= 0 {
		out.Effect = &i
	}
	return out
}

// EffectOf words an effect.
func EffectOf(e *gates.Effect) Effect {
	out := Effect{
		Type: e.Kind.String(), Op: e.Op.String(), Zone: e.Zone.String(), Resource: e.Resource, Program: e.Program, Argv: e.Argv, Parent: e.Parent,
		Scheme: e.Net.Scheme, Domain: e.Net.Domain, IP: e.Net.IP, Port: e.Net.Port,
		Sensitive: e.Sensitive, Protected: e.Protected, Glob: e.Glob, Deferred: e.Deferred, Tier: e.Tier().String(),
	}
	if p := e.Payload; p.Known {
		out.Payload = &Payload{Len: p.Len, MIME: p.MIME, Hash: p.Hash}
	}
	return out
}
