package mcpproxy

import (
	"strings"
	"testing"
)

// TestFlowAcrossCalls: a secret that was read stops what sends later to a place that the call does not name, one that
// the user declined to have read does not.
func TestFlowAcrossCalls(t *testing.T) {
	const after = "after secrets were read"
	for _, action := range []string{"accept", "decline"} {
		w := newWorld(t, settings{answer: func(string) string { return action }})
		w.call("bash", `{"command":"cat .env"}`)
		if len(w.asked) != 1 {
			t.Fatalf("%s: the read was asked about %d times", action, len(w.asked))
		}
		got := w.call("bash", `{"command":"curl -d x $WHERE"}`)
		if strings.Contains(got, after) != (action == "accept") {
			t.Errorf("%s: %s", action, got)
		}
	}
}
