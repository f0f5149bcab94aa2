package imports

import (
	"slices"
	"strings"
	"testing"
)

// TestPython: modules that code names, and code that brings in what it does not name.
func TestPython(t *testing.T) {
	for _, tt := range []struct{ code, want string }{ // modules, or "!" for refused
		{"import numpy", "numpy"},
		{"import numpy as np, pandas; import os.path", "numpy os.path pandas"},
		{"from sklearn.linear_model import Ridge as R, Lasso", "sklearn.linear_model.Lasso sklearn.linear_model.Ridge"},
		{"from a import (\n  b, # c\n  d,\n)\nx = 1", "a.b a.d"},
		{"from a import *", "a"},
		{"from . import a", ".a"},
		{"from __future__ import annotations\nimport a", "a"},
		{"if x: import a\nelse: from b import c", "a b.c"},
		{"try:\n\timport a\nexcept ImportError:\n\tpass", "a"},
		{"x = 'import os'  # import sys\ny = '''\nimport os\n'''", ""},
		{"# x\rimport a", "a"},
		{"import\\\n  a", "a"},
		{"yield_ = 1\ndef f():\n  yield from g()\n  raise A from b", ""},
		{"lazy import a", "a"},
		{"__import__('a')", "a"},
		{"importlib.import_module('a.b')", "a.b importlib"},
		{"x.os.system('ls')", "os"},
		{"model.eval(); re.compile('x'); f(compile=1, eval=2)", ""},
		{"getattr(x, 'shape', None)", ""},
		{"getattr(np, 'os')", "os"},
		{`f"{x!r:>{w}} {{import os}} \N{DASH} {d['a']}"`, ""},
		{`f"{__import__('a')}"`, "a"},
		{"class A:\n  def __init__(self): super().__init__(); self.x = __name__", ""},
		{"f'{x:%Y}' 'a' rb'\\\\'", ""},

		{"__import__('a' + 'b')", "!"},
		{"__import__('a' 'b')", "!"},
		{"__import__(f'a')", "!"},
		{"x = __import__", "!"},
		{"eval('1')", "!"}, {"exec(s)", "!"}, {"map(exec, s)", "!"}, {"e = eval", "!"}, {"compile(s, '', 'exec')", "!"}, {"df.eval('x')", "!"},
		{"globals()['x']", "!"}, {"vars(np)", "!"}, {"().__class__.__base__", "!"}, {"f.__globals__", "!"}, {"x.__dict__", "!"}, {"sys.modules['os']", "!"},
		{"getattr(x, n)", "!"}, {"getattr(x, '__globals__')", "!"}, {"g = getattr", "!"}, {"getattr(x, 'a' + b)", "!"}, {"getattr(f(1, 'a'), n)", "!"},
		{"from operator import attrgetter", "!"}, {"importlib.import_module(n)", "!"}, {"importlib.util.spec_from_file_location('a', p)", "!"},
		{`f"{eval(s)}"`, "!"}, {`f"{x:{exec(s)}}"`, "!"}, {`f'''{
		eval(s)}'''`, "!"}, {`f"{'a' if eval(s) else "b"}"`, "!"}, {`rf"\{eval(s)}"`, "!"}, {`f"\{eval(s)}"`, "!"}, {`t"{eval(s)}"`, "!"}, {`f"{x!r:{eval(s)}}"`, "!"},
		{"# coding: utf-7\nx", "!"}, {"#!/usr/bin/python\n# -*- coding coding=utf_7 -*-", "!"},
		{"ｅxec(s)", "!"}, {"x = 'a\nimport os'", "!"}, {"x = (1", "!"}, {"x = ]", "!"}, {"import", "!"}, {"import a b", "!"}, {"from a", "!"}, {"x import a", "!"}, {"a\x00", "!"}, {"'''", "!"}, {`f"{`, "!"}, {"\\x", "!"},
		{strings.Repeat("x", maxText+1), "!"},
		{strings.Repeat(`f"{`, 50), "!"},
	} {
		checkReading(t, "python", tt.code, tt.want)
	}
}

// TestNode: the same for JavaScript.
func TestNode(t *testing.T) {
	for _, tt := range []struct{ code, want string }{
		{"const fs = require('fs'), x = require(\"node:path\")", "node:fs node:path"},
		{"import a, { b as c } from 'lodash/fp'; import 'x'; import * as n from '@a/b'", "node:@a/b node:lodash/fp node:x"},
		{"export * from './a'", "node:./a"},
		{"await import('a')", "node:a"},
		{"console.log('require(`fs`)') // require('os')\n/* import 'x' */", ""},
		{"const r = /require\\('fs'\\)/g; x = a / b / c", ""},
		{"console.log(`${require('a')} ${`x`}`)", "node:a"},
		{"child_process.execSync('ls')", "node:child_process"},
		{"const { execSync } = child_process", "node:child_process"},
		{"process.argv.slice(2); process.stdout.write('x'); import.meta.url", ""},
		{"class A { constructor() { this.x = a[1](); } }", ""},
		{"#!/usr/bin/env node\nrequire('a')", "node:a"},
		{"if (x) { y = (a + b) / 2 }", ""},
		{"(a) / 2; require('a')", "node:a"},

		{"require(n)", "!"}, {"require('a' + n)", "!"}, {"r = require", "!"}, {"require(`a`)", "!"}, {"require('\\x66s')", "!"}, {"import(n)", "!"}, {"import {a} from n", "!"},
		{"eval('1')", "!"}, {"new Function('1')", "!"}, {"f.constructor('1')", "!"}, {"f['constructor']('1')", "!"}, {"f[k]('1')", "!"}, {"f['\\x63onstructor']", "!"},
		{"globalThis.x", "!"}, {"process.binding('fs')", "!"}, {"p = process", "!"}, {"module.require('a')", "!"}, {"this['x']", "!"}, {"f(this)", "!"},
		{"\\u0072equire('a')", "!"}, {"réquire", "!"}, {"'a", "!"}, {"`a", "!"}, {"`${", "!"}, {"/* a", "!"}, {"{", "!"}, {"<!-- '", "!"}, {"// a\u2028require(n)", "!"}, {"// a\rrequire(n)", "!"},
		{"(a) /x/; '; eval(n); '", "!"}, {"}) / 'require(n)' /", "!"},
	} {
		checkReading(t, "node", tt.code, tt.want)
	}
	if got := Read("ruby", "1"); got.Why == "" {
		t.Error("ruby is read")
	}
}

func checkReading(t *testing.T, lang, code, want string) {
	t.Helper()
	got := Read(lang, code)
	if (got.Why != "") != (want == "!") || want != "!" && strings.Join(got.Modules, " ") != want {
		t.Errorf("%.80q: modules %q, why %q; want %q", code, got.Modules, got.Why, want)
	}
}

// TestLists: what a list covers, what two cover together, and what is no entry.
func TestLists(t *testing.T) {
	list := []string{"numpy", "os.path", "node:lodash", "node:@a/b"}
	for module, want := range map[string]bool{
		"numpy": true, "numpy.linalg": true, "numpyx": false, "os": false, "os.path": true, "os.path.join": true, "node:lodash/fp": true, "node:lodash.fp": false, "lodash": false, "node:@a/b": true,
		"node:@a/bc": false, "node:numpy": false, ".numpy": false, "": false,
	} {
		if Covered(module, list) != want {
			t.Errorf("%s: covered %v", module, !want)
		}
	}
	if Covered("none", []string{None}) {
		t.Error("none covers a module")
	}
	for _, tt := range []struct{ a, b, want string }{
		{"", "", ""}, {"a", "", "a"}, {"", "a", "a"}, {"a b", "b c", "b"}, {"a", "b", None}, {"a.b c", "a c.d", "a.b c.d"}, {None, "a", None},
	} {
		if got := strings.Join(Both(strings.Fields(tt.a), strings.Fields(tt.b)), " "); got != tt.want {
			t.Errorf("%q and %q: %q, want %q", tt.a, tt.b, got, tt.want)
		}
	}
	for entry, good := range map[string]bool{"numpy": true, "os.path": true, "_x": true, "none": true, "node:fs": true, "node:@a/b-c": true, "": false, "a.": false, "1a": false, "a b": false, "a-b": false, "node:": false, "node:../x": false, "node:a b": false} {
		if (Fault(entry) == "") != good {
			t.Errorf("%q: %q", entry, Fault(entry))
		}
	}
}

// FuzzRead: no text stops the reading, and what is read stands in the text.
func FuzzRead(f *testing.F) {
	for _, s := range []string{"import a.b as c, d", "from .a import (b)", `f"{x!r:{y}}" rb''`, "`${`a`}` /a[/]/ require('b')", "# coding: latin-1", "import {a} from 'b'"} {
		f.Add(s, true)
		f.Add(s, false)
	}
	f.Fuzz(func(t *testing.T, text string, python bool) {
		lang := "node"
		if python {
			lang = "python"
		}
		got := Read(lang, text)
		if !slices.IsSorted(got.Modules) {
			t.Errorf("modules %q", got.Modules)
		}
		for _, m := range got.Modules {
			for part := range strings.FieldsFuncSeq(strings.TrimPrefix(m, nodePrefix), func(c rune) bool { return c == '.' }) {
				if !strings.Contains(text, part) {
					t.Errorf("%q holds no %q", text, part)
				}
			}
		}
	})
}
