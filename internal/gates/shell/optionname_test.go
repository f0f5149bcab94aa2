package shell

import (
	"strings"
	"testing"
)

// TestProgramsOptionsBeforeShortForms: kubectl's --server names a server behind get
// too, which has a --server-print.
func TestProgramsOptionsBeforeShortForms(t *testing.T) {
	for _, line := range []string{"kubectl get pods --server=https://x.example", "kubectl diff --server https://x.example -f a.yaml"} {
		if got := strings.Join(summary(line), "; "); !strings.Contains(got, "network/connect https://x.example") {
			t.Errorf("%s: %s", line, got)
		}
	}
}
