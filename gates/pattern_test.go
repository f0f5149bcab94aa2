package gates

import (
	"testing"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

func TestPatterns(t *testing.T) {
	c := &Context{Roots: []string{"/w", "/v"}, Home: "/home/me"}
	tests := []struct {
		pattern, resource  string
		match, glob, above bool
	}{
		{"/srv/data", "/srv/data", true, false, false},
		{"/srv/data", "/srv/data/x/y", true, false, false},
		{"/srv/data", "/srv/database", false, false, false},
		{"/srv/data", "/srv", false, false, false},
		{"/srv/data", "/srv", true, false, true},
		{"~/.ssh", "/home/me/.ssh/id", true, false, false},
		{"~/.ssh", "/home/you/.ssh/id", false, false, false},
		{"config/prod", "/w/config/prod/a", true, false, false},
		{"config/prod", "/v/config/prod", true, false, false},
		{"config/prod", "/u/config/prod", false, false, false},
		{"config/prod", "/w/config", true, false, true},
		{".env", "/w/a/.env", true, false, false},
		{".env", "/w/.env/key", true, false, false},
		{".env", "/w/.env.example", false, false, false},
		{"*.pem", "/w/keys/a.pem", true, false, false},
		{"*.pem", "/w/keys/pem", false, false, false},
		{"*.pem", "/w/*", true, true, false},
		{"*.pem", "/w/*.txt", false, true, false},
		{"*.pem", "/w/server*", true, true, false},
		{"id_rsa", "/w/id_*", true, true, false},
		{"id_rsa", "/w/key_*", false, true, false},
		{"secrets/", "/w/secrets/a", true, false, false},
		{"data/*/raw", "/w/data/x/raw/1", true, false, false},
		{"data/*/raw", "/w/data/x/y/raw", false, false, false},
		{"data/**/raw", "/w/data/x/y/raw", true, false, false},
		{"data/**/raw", "/w/data/raw", true, false, false},
		{"data/**/raw", "/w/data/rare", false, false, false},
		{"data/*/raw", "/w/data", true, false, true},
		{"data/*/raw", "/w/date", false, false, true},
		{"/", "/anything", true, false, false},
	}
	for _, tt := range tests {
		e := &Effect{Resource: tt.resource, Glob: tt.glob}
		if got := matchesAny([]string{tt.pattern}, c, e, tt.above); got != tt.match {
			t.Errorf("%s on %s (glob %v, above %v): %v", tt.pattern, tt.resource, tt.glob, tt.above, got)
		}
	}
	for _, bad := range []string{"", "//", "a/[", "../x", "a/../b", "x\x02"} {
		if CheckPattern(bad) {
			t.Errorf("pattern %q passes", bad)
		}
	}
	for _, tt := range tests {
		if !CheckPattern(tt.pattern) {
			t.Errorf("pattern %q does not pass", tt.pattern)
		}
	}
}

// TestProtectedPathsFallWithTheirDirectory: the directory above a protected path
// cannot be deleted or moved, even where its deletion would go through.
func TestProtectedPathsFallWithTheirDirectory(t *testing.T) {
	g := Guardrail{Protected: []string{"build/keep"}}
	for command, want := range map[string]Disposition{
		"rm -rf build/tmp": Approved, "rm -rf build": Rejected, "rm -rf build/keep/x": Rejected, "touch build/x": Approved, "touch build/keep/x": ApprovedWithConstraints,
	} {
		c := ShellContext(command, State{Cwd: "/w"})
		if d := g.Decide(&c); d.Disposition != want {
			t.Errorf("%s: %v %v, want %v", command, d.Disposition, d.Reasons, want)
		}
	}
}

func FuzzPatterns(f *testing.F) {
	f.Add("data/**/raw", "/w/data/x/raw", true)
	f.Add("**/**/**/a", "/b/b/b/b/b/b/b/b", false)
	f.Fuzz(func(t *testing.T, pattern, resource string, glob bool) {
		c := &Context{Roots: []string{"/w"}}
		e := &Effect{Resource: mark.Clean("/" + resource), Glob: glob}
		if matchesAny([]string{pattern}, c, e, false) && !matchesAny([]string{pattern}, c, e, true) {
			t.Fatalf("%q on %q matches, and does not from above", pattern, e.Resource)
		}
	})
}
