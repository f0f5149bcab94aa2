package serve

import (
	"strings"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
)

// TestSpans sends one span for each request, with the names of the conventions,
// under the trace of the caller, and without what the agent said.
func TestSpans(t *testing.T) {
	mem := tracetest.NewInMemoryExporter()
	c := dial(t, newTestServer(t, Options{Tracer: sdktrace.NewTracerProvider(sdktrace.WithSyncer(mem))}))
	const parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	c.begin("s")
	c.send("POST", "/v1/sessions/s/propose", `{"text":"a secret plan"}`, "Traceparent", parent)
	c.send("POST", "/v1/sessions/s/check", shell("rm -rf / secret"), "Traceparent", parent)
	c.abuse("POST", "/v1/sessions/s/check", `{}`)
	c.abuse("GET", "/v1/sessions/a%20secret", "")
	spans := mem.GetSpans()
	want := []struct {
		name   string
		attrs  map[string]string
		parent string
		events int
	}{
		{"start_session", map[string]string{"gen_ai.operation.name": "start_session", "gen_ai.conversation.id": "s"}, "", 0},
		{"plan", map[string]string{"gen_ai.operation.name": "plan", "gen_ai.conversation.id": "s", "gbt.move.step": "1"}, "4bf92f3577b34da6a3ce929d0e0e4736", 1},
		{"apply_guardrail bash", map[string]string{"gen_ai.operation.name": "apply_guardrail", "gen_ai.tool.name": "bash", "gbt.decision.disposition": "rejected"}, "4bf92f3577b34da6a3ce929d0e0e4736", 1},
		{"apply_guardrail", map[string]string{"error.type": "invalid-request"}, "", 0},
		{"get_session", map[string]string{"error.type": "session-unknown", "gen_ai.conversation.id": ""}, "", 0},
	}
	if len(spans) != len(want) {
		t.Fatalf("%d spans", len(spans))
	}
	for i, w := range want {
		sp := spans[i]
		set := attribute.NewSet(sp.Attributes...)
		for k, v := range w.attrs {
			if got, _ := set.Value(attribute.Key(k)); got.String() != v {
				t.Errorf("%s: %s is %q, want %q", sp.Name, k, got.String(), v)
			}
		}
		if sp.Name != w.name || len(sp.Events) != w.events || w.parent != "" && sp.SpanContext.TraceID().String() != w.parent {
			t.Errorf("span %d: %s %v %v", i, sp.Name, sp.SpanContext.TraceID(), sp.Events)
		}
		for _, a := range sp.Attributes {
			if strings.Contains(a.Value.String(), "secret") {
				t.Errorf("%s tells %s", sp.Name, a.Value.String())
			}
		}
	}
}
