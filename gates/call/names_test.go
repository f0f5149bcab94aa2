package call

import (
	"testing"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/names/namestest"
)

// TestNamesOfToolsAndArguments holds the tests for tools that read secrets and
// arguments that set them to what they say of the names that package names is
// tested with.
func TestNamesOfToolsAndArguments(t *testing.T) {
	b := &builder{c: &Call{}}
	namestest.Check(t, map[rune]func(name string) bool{
		'o': secretTool,
		'O': func(n string) bool { return secretTool("get_" + n) },
		'a': func(n string) bool { return b.guessRole(n, false) == effect.RoleSecret },
	})
}
