package shell

import (
	"slices"
	"testing"

	"github.com/gbt-policy/gbt/gates/effect"
)

// TestUnread runs a program whose manual nobody opened: a table of its own stands
// in for one, so that working programs off changes nothing here.
func TestUnread(t *testing.T) {
	for _, c := range []struct {
		name     string
		traits   uint32
		operands string
		words    []string
		asks     bool
	}{
		{"a word that sends", traitUnread, "r", []string{"push"}, true},
		{"one of several parts", traitUnread, "n", []string{"gh-deploy"}, true},
		{"a word for building", traitUnread, "n", []string{"build"}, false},
		{"a path", traitUnread, "r", []string{"src/push"}, false},
		{"not the first word", traitUnread, "r", []string{"notes", "push"}, false},
		{"an expression", traitUnread, "er", []string{"push"}, false},
		{"a program whose manual was opened", 0, "r", []string{"push"}, false},
	} {
		p := effect.Places{Cwd: "/w"}.Normal()
		m := &machine{p: &p, cwd: "/w"}
		r := toolRun{m: m, t: &tool{name: "fresh", traits: c.traits, operands: c.operands}, operands: c.words}
		r.mayAct()
		asks := slices.ContainsFunc(m.effects, func(e effect.Effect) bool { return e.Op == effect.OpEscape })
		if asks != c.asks {
			t.Errorf("%s: asks %v", c.name, asks)
		}
	}
}
