package serve

import (
	"context"
	"encoding/json"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/episode"
	"github.com/gbt-policy/gbt/traverse"
)

func (t *turn) propose(body []byte) (any, *Fault) {
	var in proposeRequest
	if f := decode(body, &in); f != nil {
		return nil, f
	}
	p, f := in.proposal(t.elapsed)
	if f != nil {
		return nil, f
	}
	m := t.session.Propose(p)
	t.s.metrics.moves.WithLabelValues(m.Verdict.String()).Inc()
	moved(t.ctx, &m)
	return moveOf(&m), t.e.record.add(traceEntry{Op: "propose", Step: &m.Step})
}

func (t *turn) check(body []byte) (any, *Fault) {
	var in checkRequest
	if f := decode(body, &in); f != nil {
		return nil, f
	}
	call, f := in.Call.call(t.elapsed)
	if f != nil {
		return nil, f
	}
	a := t.session.Check(call)
	t.s.decided(t.ctx, call.Tool, &a.Decision, a.ID)
	if f := t.e.record.add(traceEntry{Op: "check", Tool: traverse.Name(call.Tool), Disposition: a.Disposition.String(), DecisionID: a.ID, Rules: rulesOf(&a.Decision)}); f != nil {
		return nil, f
	}
	if f := t.s.log(t.ctx, &Logged{t.s.policy.Digest(), t.e.id, call, &a.Context, &a.Decision, a.ID}); f != nil {
		return nil, f
	}
	out := decisionOf(&a.Decision, a.ID)
	out.Confirmation, out.InMacro = a.Token, &a.InMacro
	if a.Retry != nil {
		out.Retry = &retryReply{a.Retry.Left, a.Retry.Feedback}
	}
	return out, nil
}

func (t *turn) confirm(body []byte) (any, *Fault) {
	var in confirmRequest
	if f := decode(body, &in); f != nil {
		return nil, f
	}
	switch {
	case in.Confirmation == "":
		return nil, invalid("field confirmation: missing")
	case in.Agreed == nil:
		return nil, invalid("field agreed: missing")
	case *in.Agreed && !t.session.Confirm(in.Confirmation):
		return nil, conflict("confirmation-unknown", "this confirmation was not asked for, or it is used up; check the call again")
	case !*in.Agreed:
		t.session.Refuse(in.Confirmation)
	}
	return &confirmReply{*in.Agreed, t.session.Status()}, t.e.record.add(traceEntry{Op: "confirm", OK: in.Agreed})
}

func (t *turn) observe(body []byte) (any, *Fault) {
	var in observeRequest
	if f := decode(body, &in); f != nil {
		return nil, f
	}
	call, f := in.Call.call(t.elapsed)
	if f != nil {
		return nil, f
	}
	result, f := in.Result.result(t.elapsed)
	if f != nil {
		return nil, f
	}
	t.session.Observe(call, result)
	ran := !result.Blocked
	return &statusReply{t.session.Status()}, t.e.record.add(traceEntry{Op: "observe", Tool: traverse.Name(call.Tool), OK: &ran})
}

func (t *turn) report(body []byte) (any, *Fault) {
	var in reportRequest
	if f := decode(body, &in); f != nil {
		return nil, f
	}
	switch {
	case in.ID == "":
		return nil, invalid("field id: missing")
	case in.Passed == nil:
		return nil, invalid("field passed: missing")
	case !t.session.Report(in.ID, *in.Passed):
		return nil, conflict("check-unknown", "the task has no check %.80s", in.ID)
	}
	return &statusReply{t.session.Status()}, t.e.record.add(traceEntry{Op: "report", OK: in.Passed, Reason: in.ID})
}

func (t *turn) finish(body []byte) (any, *Fault) {
	var in finishRequest
	if len(body) > 0 {
		if f := decode(body, &in); f != nil {
			return nil, f
		}
	}
	out := t.session.Finish()
	t.s.metrics.finish(&out)
	return &out, t.e.record.add(traceEntry{Op: "finish", OK: &out.Done, Reason: out.Reason})
}

// checkCall decides on a call outside of any session.
func (s *Server) checkCall(ctx context.Context, r *request) (json.RawMessage, *Fault) {
	var in checkCallRequest
	if f := decode(r.body, &in); f != nil {
		return nil, f
	}
	call, f := in.Call.call(0)
	if f != nil {
		return nil, f
	}
	c, d := s.judge(&call, &in)
	id := d.ID(&c, s.policy.Digest())
	s.decided(ctx, call.Tool, &d, id)
	if f := s.log(ctx, &Logged{s.policy.Digest(), "", call, &c, &d, id}); f != nil {
		return nil, f
	}
	return encode(decisionOf(&d, id))
}

// judge is the guardrail and the global gates on a call without a past.
func (s *Server) judge(call *traverse.Call, in *checkCallRequest) (gates.Context, gates.Decision) {
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
		d.Disposition = gates.Approved
	}
	return c, d
}

// decided tells a decision to the metrics and the span.
func (s *Server) decided(ctx context.Context, tool string, d *gates.Decision, id string) {
	s.metrics.decisions.WithLabelValues(d.Disposition.String()).Inc()
	decidedSpan(ctx, traverse.Name(tool), d, id)
}
