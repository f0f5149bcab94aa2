package scope_test

import (
	"slices"
	"testing"

	"github.com/gbt-policy/gbt/gates/scope"
)

// TestSpelled: a variable that the line only spells a fetch with is no part of what a yes is for; one that a
// program may be given is, and one that steers leaves nothing to remember.
func TestSpelled(t *testing.T) {
	const repo = "fetch from git.example/a/b"
	const clone = "git clone https://git.example/a/b.git"
	for line, want := range map[string]string{
		"D=/tmp/b\nrm -rf \"$D\"\n" + clone + " \"$D\"":   repo,
		"D=/tmp/b; cd \"$D\"; " + clone:                   repo,
		"URL=https://git.example/a/b.git; git clone $URL": repo,
		"D=/tmp/b; " + clone + " \"$D/c\"":                repo,
		"U=https://a.example/x; curl -s \"$U\" | head":    "fetch from a.example",
		"A=1 " + clone:                                              repo + " with A=1",
		"D=/tmp/b " + clone + " /tmp/b":                             "",
		"export D=/tmp/b; " + clone + " \"$D\"":                     "",
		"env D=/tmp/b " + clone + " /tmp/b":                         repo + " with D=/tmp/b",
		"set -a; D=/tmp/b; " + clone + " \"$D\"":                    "",
		"D=/tmp/b; E=x; " + clone + " \"$D\"":                       repo + " with E=x",
		"D=/tmp/b; " + clone + " /tmp/bc":                           repo + " with D=/tmp/b",
		"D=/tmp/b; " + clone:                                        repo + " with D=/tmp/b",
		"D=b; " + clone + " x$D":                                    repo + " with D=b",
		"GIT_DIR=/tmp/b; " + clone + " /tmp/b":                      "",
		"GIT_SSH_COMMAND=/tmp/b; " + clone + " /tmp/b":              "",
		"https_proxy=/tmp/b; " + clone + " /tmp/b":                  "",
		"HTTPS_PROXY=/tmp/b; " + clone + " /tmp/b":                  "",
		"PATH=/tmp/b; " + clone + " /tmp/b":                         "",
		"HOME=/tmp/b; " + clone + " /tmp/b":                         "",
		"LD_PRELOAD=/tmp/b; " + clone + " /tmp/b":                   "",
		"D=$(cat x); " + clone + " \"$D\"":                          "",
		"D=/tmp/b; git -c core.sshCommand=\"$D\" clone x:a/b":       "",
		"D=/tmp/b; git clone -c core.sshCommand=\"$D\" x:a/b":       "",
		"D=/tmp/b; git clone --template=\"$D\" https://h.example/a": "",
	} {
		c, d := judged(t, line, place)
		of := scope.Of(c, d)
		if want == "" && slices.ContainsFunc(of, func(s scope.Scope) bool { return slices.Contains(s, repo) }) {
			t.Errorf("%s: %q", line, of)
		}
		if want != "" && !slices.ContainsFunc(of, func(s scope.Scope) bool { return slices.Contains(s, want) }) {
			t.Errorf("%s: %q, want %s", line, of, want)
		}
	}
}
