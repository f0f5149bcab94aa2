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
		"gbt approvals list": "", "gbt approvals approve x": "gbt approvals", "gbt check": "", "ls sessions resume": "",
	} {
		if got := Steering(strings.Fields(words)); got != want {
			t.Errorf("%s: %q, want %q", words, got, want)
		}
	}
}
