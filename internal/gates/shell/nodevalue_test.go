package shell

import (
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// FuzzReadNode reads any text as JavaScript: the same text has the same effects, and
// what stands before a write outside the workspace does not hide it.
func FuzzReadNode(f *testing.F) {
	for _, code := range []string{
		"const p = 'a'", "for (const f of ['a', 'b']) { console.log(f) }", "['a'].map(f => f + 1)", "let {a, b: [c = 1]} = {}", "`a${`b${1}`}`", "function f(p, {q} = {}) { return p }", "p = p; q = q + p; p = q", "x?.y?.(z)", "((((", "a => b => a",
	} {
		f.Add(code)
	}
	places := effect.Places{Cwd: "/w", Home: "/home/u", Roots: []string{"/w"}}.Normal()
	effects := func(code string) []effect.Effect {
		m := machine{p: &places, cwd: "/w", ifs: " \t\n"}
		m.code("node", code, data{tty: true}, false)
		return m.effects
	}
	f.Fuzz(func(t *testing.T, code string) {
		code += "\nconst fs = require('fs');"
		if !slices.Equal(effects(code), effects(code)) {
			t.Fatal("read twice, with different effects")
		}
		if mark.Has(code) || len(code) > maxSource/2 {
			return
		}
		if before := strings.TrimSuffix(code, "\nconst fs = require('fs');"); strings.ContainsAny(before, "\"'`/\\<{") {
			return // what follows may be a part of something else
		}
		if !slices.ContainsFunc(effects(code+"\nfs.writeFileSync('/etc/x', '')\n"), stops) {
			t.Fatal("a write outside that is not seen")
		}
	})
}
