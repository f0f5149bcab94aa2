package gates_test

import (
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
)

// TestNothingThere: a line that only reads what is not there reads no secret, and a line that
// may make it, wait for it or read it elsewhere does.
func TestNothingThere(t *testing.T) {
	files := map[string]bool{"/w/.env.prod": true}
	state := gates.State{Cwd: "/w", Roots: []string{"/w"}, Home: "/home/u", Found: func(p string) gates.Found {
		switch {
		case files[p]:
			return gates.FoundFile
		case p == "/w/pipe", strings.HasPrefix(p, "/w2/") && p != "/w2/.netrc":
			return gates.FoundUnknown
		}
		return gates.FoundNothing
	}}
	secret := func(line string, state gates.State) bool {
		c := gates.ShellContext(line, state)
		return c.After().SensitiveRead
	}
	for line, reads := range map[string]bool{
		"cat .env 2>/dev/null":                                  false,
		"test -f .env && cat .env || echo none":                 false,
		"ls -la .env* 2>/dev/null; cat .env 2>/dev/null | head": false,
		"for f in .env .env.local; do cat $f 2>/dev/null; done": false,
		"grep -c KEY .env":                                      false,
		"cat ~/.netrc":                                          false,
		"tail -n 3 .env":                                        false,
		"cat .env < /dev/null":                                  false,
		"cat missing .env":                                      false,
		"cat .env.prod":                                         true,
		"bin/cat .env":                                          true,
		"cat pipe .env":                                         true,
		"cat < pipe; cat .env":                                  true,
		"cat /dev/stdin .env":                                   true,
		"head -c 1 /dev/tty; cat .env":                          true,
		"head -c 99999999999 /dev/zero | wc -c; cat .env":       true,
		"cat .env .env.prod":                                    true,
		"cp ~/.netrc .env; cat .env":                            true,
		"npm test; cat .env":                                    true,
		"git checkout HEAD~1 -- .env && cat .env":               true,
		"tar xf a.tgz; cat .env":                                true,
		"sleep 9; cat .env":                                     true,
		"tail -F .env":                                          true,
		"tail -n5 -f .env":                                      true,
		"while ! test -f .env; do true; done; cat .env":         true,
		"cd sub && cat ../.env":                                 true,
		"cd sub && cat .env":                                    true,
		"HOME=/tmp/x cat ~/.netrc":                              true,
		"awk 'BEGIN{print \"x\" > \".env\"}'; cat .env":         true,
		"sh -c 'cat .env'":                                      true,
		"diff <(sleep 3) .env":                                  true,
		"cat .env & cat .env":                                   true,
		"printf x > .env; cat .env":                             true,
		"sudo cat .env":                                         true,
		"env -C /srv cat .env":                                  true,
	} {
		if got := secret(line, state); got != reads {
			t.Errorf("%s: reads a secret: %v", line, got)
		}
	}

	// Nobody looks; the session left something running; another machine's shell; what is there
	// when the call has run.
	const line = "cat .env 2>/dev/null"
	blind, running, after := state, state, state
	blind.Found = nil
	running.Flow.Own = []string{"runs:make watch"}
	after.After = true
	after.Found = func(string) gates.Found { return gates.FoundFile }
	roots := state // a host may not say in which of them a line runs
	roots.Roots = []string{"/w", "/w2"}
	if !secret("cat .env", roots) || secret("cat /w/.netrc .netrc", roots) {
		t.Error("another root counts where a path leads there")
	}
	for name, s := range map[string]gates.State{"nobody looks": blind, "something runs": running, "it came": after} {
		if !secret(line, s) {
			t.Errorf("%s: no secret is read", name)
		}
	}
	call := call.ReadLine("cat .env", &effect.Places{Roots: state.Roots, Home: state.Home, Cwd: state.Cwd})
	call.Args = append(call.Args, gates.Arg{Path: "run_in_background", Value: "true"})
	behind := gates.ContextOf(call, state)
	if !behind.After().SensitiveRead {
		t.Error("in the background: no secret is read")
	}
}
