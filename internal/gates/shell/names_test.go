package shell

import (
	"testing"

	"github.com/gbt-policy/gbt/internal/gates/names/namestest"
)

// TestNamePatterns holds aimsAtSecrets to what it says of the names that package
// names is tested with.
func TestNamePatterns(t *testing.T) {
	namestest.Check(t, map[rune]func(name string) bool{'A': aimsAtSecrets})
}
