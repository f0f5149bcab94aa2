package otlp

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestNew sends a span to the endpoint that the environment names, with the
// service's name.
func TestNew(t *testing.T) {
	got := make(chan string, 1)
	collector := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got <- r.URL.Path + " " + string(body)
	}))
	defer collector.Close()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL)
	p, done, err := New(context.Background(), func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	_, sp := p.Tracer("test").Start(context.Background(), "a span of the test")
	sp.End()
	if err := done(); err != nil {
		t.Fatal(err)
	}
	if sent := <-got; !strings.HasPrefix(sent, "/v1/traces ") || !strings.Contains(sent, "a span of the test") || !strings.Contains(sent, "gbt") {
		t.Errorf("sent %q", sent)
	}
}

// TestFailed tells of spans that the collector does not take.
func TestFailed(t *testing.T) {
	collector := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusBadRequest) }))
	defer collector.Close()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL)
	var told []error
	p, done, err := New(context.Background(), func(err error) { told = append(told, err) })
	if err != nil {
		t.Fatal(err)
	}
	_, sp := p.Tracer("test").Start(context.Background(), "a span")
	sp.End()
	if err := done(); err != nil || len(told) != 1 {
		t.Errorf("told %v, closed with %v", told, err)
	}
}

// TestWanted is off unless an endpoint is named.
func TestWanted(t *testing.T) {
	const endpoint, traces, disabled, exporter = "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_SDK_DISABLED", "OTEL_TRACES_EXPORTER"
	tests := []struct {
		env  map[string]string
		want bool
	}{
		{nil, false}, {map[string]string{endpoint: "http://x"}, true}, {map[string]string{traces: "http://x"}, true},
		{map[string]string{endpoint: "http://x", disabled: "True"}, false}, {map[string]string{endpoint: "http://x", exporter: "none"}, false},
	}
	for _, tt := range tests {
		for _, name := range []string{endpoint, traces, disabled, exporter} {
			t.Setenv(name, tt.env[name])
		}
		if Wanted() != tt.want {
			t.Errorf("%v: %v", tt.env, !tt.want)
		}
	}
}
