package shell

import (
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// FuzzReadPython reads any text as Python: the same text has the same effects, and what
// stands before a write outside the workspace does not hide it.
func FuzzReadPython(f *testing.F) {
	for _, code := range []string{
		"p = 'a'\nopen(p, 'w').write('x')", "for a, (b, *c) in [('x', ('y',))]: open(f'{a}/{b!r:>3}')", "x = [i for i in range(3) if i]\nx += x", "def f(a, /, b=1, *c, **d): return a\nf(1)(2)[3].b",
		"from pathlib import Path as P\n(P('a') / 'b').with_suffix('.c').write_text('')", "match x:\n  case [a, *b]: pass", "with (open('a') as f, open('b') as g): pass", "p = p\nq = q + p\np = q", "lambda a, b=2: a", "x = {'a': 1, **b}", "f'{x:{y}}' '%s' % (a,)", "(((((", "a: int = 'b'; del a",
	} {
		f.Add(code)
	}
	places := effect.Places{Cwd: "/w", Home: "/home/u", Roots: []string{"/w"}}.Normal()
	effects := func(code string) []effect.Effect {
		m := machine{p: &places, cwd: "/w", ifs: " \t\n"}
		m.code("python", code, data{tty: true}, false)
		return m.effects
	}
	f.Fuzz(func(t *testing.T, code string) {
		if !slices.Equal(effects(code), effects(code)) {
			t.Fatal("read twice, with different effects")
		}
		if mark.Has(code) || len(code) > maxSource/2 || strings.Contains(code, "open") || strings.ContainsAny(code, "\"'#\\\r\f([{:") {
			return // what follows may be a part of something else
		}
		if !slices.ContainsFunc(effects(code+"\nopen('/etc/x', 'w')\n"), stops) {
			t.Fatal("a write outside that is not seen")
		}
	})
}

// stops says whether an effect is one that a person is asked about.
func stops(e effect.Effect) bool {
	return e.Kind == effect.Opaque || e.Op == effect.OpEscape || e.Kind == effect.Write && e.Zone != effect.ZoneWorkspace
}
