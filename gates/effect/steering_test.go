package effect

import (
	"strings"
	"testing"
)

// TestSteeringShows: what only shows something steers nothing; the rest of the same
// command does.
func TestSteeringShows(t *testing.T) {
	for words, want := range map[string]string{
		"gbt sessions list": "", "gbt sessions show x": "", "gbt sessions verify --json": "", "gbt sessions export x": "",
		"gbt sessions resume x --ran r": "gbt sessions", "gbt sessions cancel x": "gbt sessions", "/usr/bin/gbt sessions prune": "gbt sessions", "gbt sessions": "gbt sessions",
		"gbt rules": "", "gbt rules --json": "", "gbt rules trust": "gbt rules", "gbt rules --json trust": "gbt rules", "gbt rules import x": "gbt rules",
		"gbt consent": "", "gbt consent --json": "", "gbt consent withdraw x": "gbt consent", "gbt consent --state /x": "gbt consent", "gbt approvals": "gbt approvals",
		"gbt approvals list": "", "gbt approvals approve x": "gbt approvals", "gbt check": "", "ls sessions resume": "",
	} {
		if got := Steering(strings.Fields(words)); got != want {
			t.Errorf("%s: %q, want %q", words, got, want)
		}
	}
}
