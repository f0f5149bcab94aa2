package gates

import (
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates/effect"
)

// TestEnteredDirectory holds that a line is in the directory that it has changed to for certain,
// whatever became of the commands after that.
func TestEnteredDirectory(t *testing.T) {
	there := map[string]bool{"/w/src": true, "/w/src/x": true, "/home/u/other": true, "/home/u/other/x": true}
	for _, tt := range []struct {
		line, deletes string
		asks          bool
	}{
		{"echo 1 > y; cd src && ls; rm y", "/w/src/y", true},
		{"cd src && ls; rm x", "/w/src/x", true},
		{"cd 'src' && make || true; rm x", "/w/src/x", true},
		{`cd "src" && ls && ls; rm x`, "/w/src/x", true},
		{"echo 1 > x; cd ~/other && ls; rm x", "/home/u/other/x", true},
		{"echo 1 > src/y; cd src && ls; rm y", "", false},
		{"echo 1 > x; cd nosuch && ls; rm x", "", false},
		{"mv src z; cd src && ls; rm x", "/w/x", true},
		{"cd '~/other' && ls; rm x", "…/x", true},
		{"alias cd=:; cd src && ls; rm x", "/w/x", true},
		{"cd src && . ./up.sh; rm x", "/w/x", true},
		{"cd () { :; }; echo 1 > x; cd src && ls; rm x", "", false},
	} {
		var g Guardrail
		c := ShellContext(tt.line, State{Cwd: "/w", Roots: []string{"/w"}, Home: "/home/u", Exists: func(p string) bool { return there[p] || p == "/w" || strings.HasSuffix(p, "/.git") }})
		d := g.Decide(&c)
		deletes := ""
		for _, e := range d.Effects {
			if e.Kind == effect.Delete {
				deletes = e.Resource
			}
		}
		if deletes != tt.deletes || (d.Disposition != Approved) != tt.asks {
			t.Errorf("%s: deletes %s, %v", tt.line, deletes, d.Disposition)
		}
	}
}
