package serve

import (
	"context"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/protocol"
	"github.com/gbt-policy/gbt/traverse"
)

// Attribute names are those of the OpenTelemetry semantic conventions for
// generative AI (version 1.41.0: gen_ai.* registry and the event
// gen_ai.evaluation.result), which are in development; what they have no name
// for begins with gbt. A decision is no execution of a tool and no call of a
// model, so the operation names are our own, as the conventions allow.
// Spans hold no argument, output or task text.
var operationNames = map[string]string{"propose": "plan", "check": "apply_guardrail", "checkCall": "apply_guardrail"}

// operationName is an operation's name in spans: the one of the conventions, or
// its own in their spelling.
func operationName(op string) string {
	if name, ok := operationNames[op]; ok {
		return name
	}
	var b strings.Builder
	for _, r := range op {
		if r >= 'A' && r <= 'Z' {
			b.WriteByte('_')
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// span begins the span of a request; end ends it.
func (s *Server) span(ctx context.Context, r *protocol.Request) (context.Context, func(*protocol.Fault)) {
	name := operationName(r.Op)
	ctx, sp := s.tracer.Start(ctx, name, trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(
		attribute.String("gen_ai.operation.name", name),
		attribute.String("gbt.policy.digest", s.policy.Digest()),
	))
	if protocol.IsSessionID(r.Session) { // what else came for one is in no trace
		sp.SetAttributes(attribute.String("gen_ai.conversation.id", r.Session))
	}
	return ctx, func(f *protocol.Fault) {
		if f != nil {
			sp.SetAttributes(attribute.String("error.type", f.Code))
			if f.Status >= 500 {
				sp.SetStatus(codes.Error, f.Code)
			}
		}
		sp.End()
	}
}

// inConversation names the session of a request that had no name for it.
func inConversation(ctx context.Context, session string) {
	trace.SpanFromContext(ctx).SetAttributes(attribute.String("gen_ai.conversation.id", session))
}

// decided notes a decision on a call.
func decided(ctx context.Context, tool string, d *gates.Decision, id string) {
	sp := trace.SpanFromContext(ctx)
	if !sp.IsRecording() {
		return
	}
	sp.SetName("apply_guardrail " + tool)
	sp.SetAttributes(
		attribute.String("gen_ai.tool.name", tool),
		attribute.String("gbt.decision.id", id),
		attribute.String("gbt.decision.disposition", d.Disposition.String()),
		attribute.String("gbt.decision.would", d.Would.String()),
		attribute.StringSlice("gbt.decision.rules", protocol.Rules(d)),
		attribute.StringSlice("gbt.decision.gates", d.Gates),
		attribute.String("gbt.decision.tier", d.Tier.String()),
	)
	evaluated(sp, "gbt.guardrail", d.Disposition.String())
}

// moved notes an answer to a proposal.
func moved(ctx context.Context, m *traverse.Move) {
	sp := trace.SpanFromContext(ctx)
	if !sp.IsRecording() {
		return
	}
	if w := m.Step.Would; w != nil {
		sp.SetAttributes(attribute.String("gbt.move.would", w.String()))
	}
	sp.SetAttributes(
		attribute.String("gbt.move.verdict", m.Verdict.String()),
		attribute.String("gbt.move.reason", m.Reason),
		attribute.String("gbt.move.family", m.Step.Family),
		attribute.String("gbt.move.macro", m.Step.Macro),
		attribute.Int64("gbt.move.step", m.Step.Step),
		attribute.Int64("gbt.move.score", int64(m.Step.Score)),
		attribute.Bool("gbt.covered", m.Step.Covered),
	)
	evaluated(sp, "gbt.match", m.Verdict.String())
}

// evaluated adds the event that the conventions have for a judgement.
func evaluated(sp trace.Span, name, label string) {
	sp.AddEvent("gen_ai.evaluation.result", trace.WithAttributes(
		attribute.String("gen_ai.evaluation.name", name),
		attribute.String("gen_ai.evaluation.score.label", label),
	))
}
