package protocol

import (
	"context"
	"encoding/json"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/episode"
	"github.com/gbt-policy/gbt/internal/gates/reply"
	"github.com/gbt-policy/gbt/traverse"
)

type checkRequest struct {
	Call *callRequest `json:"call"`
}

// Decision is the answer to check and checkCall.
type Decision struct {
	reply.Decision
	Allowed      bool   `json:"allowed"`
	Confirmation string `json:"confirmation,omitempty"`
	Offer        string `json:"offer,omitempty"` // what a yes for the session is remembered for
	InMacro      *bool  `json:"in_macro,omitempty"`
	Retry        *retry `json:"retry,omitempty"`
}

type retry struct {
	Left     int    `json:"left"`
	Feedback string `json:"feedback"`
}

// AnswerOf is the answer to check.
func AnswerOf(a *traverse.Answer) *Decision {
	out := DecisionOf(&a.Context, &a.Decision, a.ID)
	out.Confirmation, out.InMacro = a.Token, &a.InMacro
	if a.Token != "" {
		out.Offer = a.Offer
	}
	if a.Retry != nil {
		out.Retry = &retry{a.Retry.Left, a.Retry.Feedback}
	}
	return out
}

// DecisionOf is the answer to checkCall.
func DecisionOf(c *gates.Context, d *gates.Decision, id string) *Decision {
	return &Decision{Decision: reply.Of(c, d, id), Allowed: d.Disposition == gates.Approved}
}

// Rules are what objects in a decision.
func Rules(d *gates.Decision) []string {
	var out []string
	for _, r := range d.Reasons {
		out = append(out, r.Rule)
	}
	return out
}

// check decides on a call before it runs.
func (t *turn) check(body []byte) (any, *Fault) {
	var in checkRequest
	if f := Decode(body, &in); f != nil {
		return nil, f
	}
	call, f := in.Call.call(t.elapsed)
	if f != nil {
		return nil, f
	}
	a := t.session.Check(call)
	t.s.opt.Tell(t.ctx, Decided{traverse.Name(call.Tool), &a.Decision, a.ID})
	if f := t.e.record.add(traceEntry{Op: "check", Tool: traverse.Name(call.Tool), Disposition: a.Disposition.String(), DecisionID: a.ID, Rules: Rules(&a.Decision)}); f != nil {
		return nil, f
	}
	t.note(Note{Decided: &DecidedNote{call.Tool, json.RawMessage(call.Args), a.Tier.String(), a.Allowed(), a.Disposition.String(), a.ID, a.Consent}})
	if f := t.s.log(t.ctx, &Logged{t.s.policy.Digest(), t.e.id, call, &a.Context, &a.Decision, a.ID}); f != nil {
		return nil, f
	}
	return AnswerOf(&a), nil
}

type checkCallRequest struct {
	Call      *callRequest `json:"call"`
	Task      string       `json:"task"`
	Untrusted []string     `json:"untrusted"`
}

// checkCall decides on a call outside of any session.
func (s *Service) checkCall(ctx context.Context, r *Request) (json.RawMessage, *Fault) {
	var in checkCallRequest
	if f := Decode(r.Body, &in); f != nil {
		return nil, f
	}
	call, f := in.Call.call(0)
	if f != nil {
		return nil, f
	}
	c, d := s.judge(&call, &in)
	id := d.ID(&c, s.policy.Digest())
	s.opt.Tell(ctx, Decided{traverse.Name(call.Tool), &d, id})
	if f := s.log(ctx, &Logged{s.policy.Digest(), "", call, &c, &d, id}); f != nil {
		return nil, f
	}
	return encode(DecisionOf(&c, &d, id))
}

// judge is the guardrail and the global gates on a call without a past.
func (s *Service) judge(call *traverse.Call, in *checkCallRequest) (gates.Context, gates.Decision) {
	env := call.Env
	if env == nil {
		env = &traverse.Env{UID: -1, GID: -1}
	}
	roots := env.Roots
	if len(roots) == 0 {
		roots = s.policy.Artifact().Guardrail.Roots
	}
	state := gates.State{Cwd: env.Cwd, Home: env.Home, Roots: roots, Links: env.Links, UID: env.UID, GID: env.GID}
	var past episode.Memory
	past.Hear(in.Task)
	past.Returned("", nil, in.Untrusted...)
	past.Before(&state)
	checker := s.policy.Checker()
	c := checker.Context(gates.Request{Tool: call.Tool, Args: call.Args, Hints: call.Hints}, state)
	d := checker.Check(&c, nil)
	if s.opt.Shadow {
		d.Observe(&c)
	}
	return c, d
}
