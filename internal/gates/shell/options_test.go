package shell

import (
	"testing"

	"github.com/gbt-policy/gbt/gates/effect"
)

// TestShortenedOptions shortens long options as getopt_long(3) allows, and names
// ones that another only begins with.
func TestShortenedOptions(t *testing.T) {
	tab := tool{name: "x", opts: "=!n server-print:n kubeconfig:c"}
	for _, c := range []struct {
		option string
		asks   bool
	}{{"--server-pri=a", false}, {"--server=a", true}, {"--server-print=a", false}, {"--kube=a", true}, {"--s=a", true}, {"--t=a", true}} {
		p := effect.Places{Cwd: "/w"}.Normal()
		r := toolRun{m: &machine{p: &p, cwd: "/w"}, t: &tab}
		r.option(c.option, nil)
		if asks := len(r.m.effects) > 0; asks != c.asks {
			t.Errorf("%s: asks %v: %v", c.option, asks, r.m.effects)
		}
	}
}
