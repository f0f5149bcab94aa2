package shell

import (
	"fmt"
	"strings"
	"testing"
)

func TestImports(t *testing.T) {
	for _, tt := range []struct{ lang, text, want string }{
		{"python", "from __future__ import annotations\nimport os, a.b as c, d\nfrom e.f import (\n  g as h,  # one\n  i,\n)\n", "__future__[annotations] os a.b d e.f[g i]"},
		{"python", "if x: import a; from b import *\ntry:\n    import c\nexcept ImportError: import d\n", "a b[*] c d"},
		{"python", "from . import a\nfrom ..b.c import d\nfrom \\\n  e import f\nif 1:import g\n", ".[a] ..b.c[d] e[f] g"},
		{"python", "'''import a\nfrom b import c'''\n# import d\nx = 'import e'\nraise X from y\nimport z\n", "z"},
		{"python", "def f():\n    yield from g()\n    import a\n    raise B from c\nimport d\n", "a d"},
		{"node", "const a = require('a'), b = require(\"node:fs\")\nimport c from 'c';import 'd'\nimport {e as f} from \"@e/f/g\"\nexport * from './h'\nconst i = await import('i')\n", "a node:fs c d @e/f/g ./h i"},
		{"node", "import type { A } from 'a'\nimport type B from 'b'\nexport type { C } from 'c'\nimport type from 'd'\nimport { type E } from 'e'\nimport type, { F } from 'f'\n", "d e f"},
		{"node", "// from 'a'\n/* import 'b' */\nconst s = \"require('c')\"\nArray.from('d')\nx.require('e')\nconst o = { from: 'f' }\nconst r = /'/; import 'g'\n", "g"},
		{"node", "const a = `${require('a')}`\nimport x = require('b')\n", "a b"},
	} {
		list, ok := importsOf(tt.lang, tt.text)
		var got []string
		for _, i := range list {
			s := i.Module
			if len(i.Names) > 0 {
				s += fmt.Sprint(i.Names)
			}
			got = append(got, s)
		}
		if s := strings.Join(got, " "); s != tt.want || !ok {
			t.Errorf("%s %q: %s, want %s (%v)", tt.lang, tt.text, s, tt.want, ok)
		}
	}
}

// FuzzImports: reading what a file brings in never fails, whatever it holds.
func FuzzImports(f *testing.F) {
	f.Add("from a.b import (c as d, e)\nimport f, g as h\ncreate_engine('sqlite:///x')\n")
	f.Add("import type { A } from 'a'\nexport * from './b'\nconst c = require(`c`), d = import('d')\nimport type e")
	f.Fuzz(func(t *testing.T, text string) {
		for _, lang := range []string{"python", "node"} {
			for _, imp := range Imports(lang, text) {
				PackageKind(lang, imp.Module)
			}
		}
		LocalEngine(text)
		FramesDatabase(text)
	})
}
