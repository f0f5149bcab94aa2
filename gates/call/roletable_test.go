package call

import (
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates/effect"
)

func TestRoleTables(t *testing.T) {
	var tools, keys []string
	for _, e := range builtinRoles {
		tools = append(tools, e.tool)
		if _, ok := builtin(e.tool); !ok {
			t.Errorf("%s has roles and is no built-in tool", e.tool)
		}
		seen := map[string]bool{}
		for _, pair := range strings.Fields(e.roles) {
			name, role, _ := strings.Cut(pair, ":")
			if r, ok := effect.ParseRole(role); !ok || r == effect.RoleNone || seen[name] || name == "" {
				t.Errorf("%s: %q", e.tool, pair)
			}
			seen[name] = true
		}
		if e.roles != strings.Join(strings.Fields(e.roles), " ") {
			t.Errorf("%s: roles are not parted by single blanks", e.tool)
		}
	}
	for _, e := range roleWords {
		keys = append(keys, e.key)
	}
	for name, list := range map[string][]string{"builtinRoles": tools, "roleWords": keys} {
		if len(list) < 20 || !slices.IsSorted(list) || len(slices.Compact(slices.Clone(list))) != len(list) {
			t.Errorf("%s is too short, unsorted or has duplicates", name)
		}
	}
}

// TestEveryHostToolHasEffects: no built-in tool is unknown, and each that may
// do something has an effect of a known kind even without arguments.
func TestEveryHostToolHasEffects(t *testing.T) {
	places := effect.Places{Cwd: "/w"}.Normal()
	for _, e := range builtinTools {
		c := Read(Request{Tool: e.name, Args: []byte(`{}`)}, &places, nil)
		if c.Class.Basis != BasisBuiltin {
			t.Errorf("%s: %+v", e.name, c.Class)
		}
		if c.Class.High && len(c.Effects) == 0 && c.Class.Family != FamilyAgent {
			t.Errorf("%s may act and has no effect", e.name)
		}
		for i := range c.Effects {
			if x := &c.Effects[i]; x.Kind == effect.Opaque && x.Op == effect.OpNone {
				t.Errorf("%s is an unknown tool", e.name)
			}
		}
	}
}
