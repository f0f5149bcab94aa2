package gates_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
)

// TestOtherClone: what git holds in another clone of the workspace's repository is read without a
// question, and nothing else there.
func TestOtherClone(t *testing.T) {
	held := []string{"/c/shop/a.go", "/c/shop/src/b.go", "/c/shop/src/c.go", "/c/shop/mixed/d.go"}
	names := map[string][]string{
		"/c/shop":       {".git/", "a.go", "dump.sql", "mixed/", "src/"},
		"/c/shop/src":   {"b.go", "c.go"},
		"/c/shop/mixed": {"d.go", "own.csv"},
	}
	st := gates.State{OtherClone: gates.OtherClone, Cwd: "/w/shop", Roots: []string{"/w/shop"}, Home: "/home/u",
		Repo: func(dir string) (effect.Repository, bool) {
			for _, top := range []string{"/w/shop", "/c/shop"} {
				if dir == top || strings.HasPrefix(dir, top+"/") {
					return effect.Repository{Top: top, Fetches: "origin", Remotes: []effect.NamedRemote{{Name: "origin", Fetch: "example.com/acme/shop"}}}, true
				}
			}
			return effect.Repository{}, false
		},
		Tracked: func(path string) bool { return slices.Contains(held, path) },
		Names:   func(dir string) []string { return names[dir] },
		Holds:   func(string, bool) bool { return false },
	}
	for _, tt := range []struct {
		line string
		asks bool
	}{
		{"cat /c/shop/a.go", false},
		{"grep -rn x /c/shop/src", false},
		{"cp -r /c/shop/src copy", false},
		{"ls /c/shop/mixed", false},
		{"cat /c/shop/dump.sql", true},
		{"cat /c/shop/mixed/own.csv", true},
		{"grep -rn x /c/shop/mixed", true},
		{"cp -r /c/shop/mixed copy", true},
		{"cp -r /c/shop copy", true},
		{"tar cf - /c/shop | base64", true},
	} {
		c := gates.ShellContext(tt.line, st)
		if d := (&gates.Checker{}).Check(&c, nil); (d.Disposition != gates.Approved) != tt.asks {
			t.Errorf("%s: %v %v", tt.line, d.Disposition, d.Reasons)
		}
	}
}
