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
		"from pathlib import Path as P\n(P('a') / 'b').with_suffix('.c').write_text('')", "match x:\n  case [a, *b]: pass", "with (open('a') as f, open('b') as g): pass", "p = p\nq = q + p\np = q", "lambda a, b=2: a", "x = {'a': 1, **b}", "f'{x:{y}}' '%s' % (a,)", "(((((", "a: int = 'b'; del a", ":=",
		"import sqlite3\ndef f(db):\n    sqlite3.connect(db).execute('create table t (a int)')", "import zipfile, shutil\ndef f(a, b):\n    zipfile.ZipFile(a).extractall(b)\n    shutil.move(a, b)", "import os, glob\nfor d, _, fs in os.walk(a):\n    for f in glob.glob(d): os.remove(f)",
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

// TestPythonUnknownArguments: a call of any function or method whose effect is told by its
// arguments is read where nothing is known of them: parameters, no arguments, empty values.
func TestPythonUnknownArguments(t *testing.T) {
	var calls []string
	for _, x := range pyTouches {
		module := x.name[:strings.LastIndexByte(x.name, '.')]
		for _, f := range []string{"", "a", "a, b", "*a", "[], {}", "a or None", "x", "not a, b=b"} {
			calls = append(calls, "import "+module+"\ndef g(a, b):\n    return "+x.name+"("+f+")")
		}
	}
	for _, x := range pyPathTouches {
		for _, f := range []string{"", "a", "a, b"} {
			calls = append(calls, "from pathlib import Path\ndef g(a, b):\n    Path(a)."+x.name+"("+f+")", "from pathlib import Path\ndef g(a, b):\n    Path()."+x.name+"("+f+")")
		}
	}
	for _, method := range []string{"execute", "executemany", "executescript", "cursor().execute", "backup"} {
		for _, sql := range []string{"'create table t (a int)'", "a", "'select 1'", "'insert into t values (?)', [a]", "f'delete from {a}'", ""} {
			calls = append(calls, "import sqlite3\ndef g(a, b):\n    sqlite3.connect(b)."+method+"("+sql+")", "import sqlite3\ndef g(a, b):\n    con = sqlite3.connect(b)\n    con."+method+"("+sql+")")
		}
	}
	places := effect.Places{Cwd: "/w", Home: "/home/u", Roots: []string{"/w"}}.Normal()
	for _, code := range calls {
		for _, code := range []string{code, code + "\ng(*[])\n", code + "\ng('/etc/x', '/etc/y')\n"} {
			m := machine{p: &places, cwd: "/w", ifs: " \t\n"}
			m.code("python", code, data{tty: true}, false)
			if len(m.effects) == 0 {
				t.Errorf("%q has no effect at all", code)
			}
		}
	}
}
