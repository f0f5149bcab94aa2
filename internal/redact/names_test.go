package redact

import (
	"testing"

	"github.com/gbt-policy/gbt/internal/gates/names/namestest"
)

// TestNamesInLogs holds what a log shows beside a name to what it showed of the
// names that package names is tested with.
func TestNamesInLogs(t *testing.T) {
	d := detector(t)
	hides := func(text string) bool { return d.redactForms(text) != text }
	namestest.Check(t, map[rune]func(name string) bool{
		'l': Named,
		'h': func(n string) bool { return hides(n + ": v4lue") },
		'j': func(n string) bool { return hides("X-" + n + ":v4lue") },
		'e': func(n string) bool { return hides(n + "=v4lue") },
		'p': func(n string) bool { return hides("x --" + n + " v4lue") },
	})
}
