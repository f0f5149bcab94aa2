package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file is about packages of Go and outputs of compilers in temporary directories: which sources
// they are made of, and where they lie if the line does not say it.

// unnamedOutputs are the files in a temporary directory that a compiler makes where no option names
// them (gcc(1), rustc(1), javac(1), gfortran(1), ghc, ocamlopt(1), swiftc -help).
func (m *machine) unnamedOutputs(args, operands []string) {
	if z, _, _ := m.p.Where(m.cwd); m.prog == "go" && z == effect.ZoneTemp && len(m.argv) == 4 && m.argv[1] == "mod" && m.argv[2] == "init" {
		m.onlyBuilds(m.effects)
		return
	}
	if m.prog == "javac" {
		m.javaOutputs(args, operands)
		return
	}
	if z, _, _ := m.p.Where(m.cwd); z != effect.ZoneTemp || len(operands) == 0 || slices.ContainsFunc(args, func(a string) bool {
		return strings.HasPrefix(a, "-o") || a == "-c" || a == "-S" || a == "-E" || a == "-fsyntax-only" || strings.HasPrefix(a, "--")
	}) {
		return
	}
	switch m.prog {
	case "gcc", "cc", "g++", "c++", "clang", "clang++", "gfortran", "ocamlopt", "ocamlc":
		m.write("a.out", effect.OpCreate)
	case "rustc", "swiftc", "ghc":
		base := path.Base(operands[0])
		m.write(strings.TrimSuffix(base, path.Ext(base)), effect.OpCreate)
	}
}

// plainPackage says whether a package of Go, by a directory in a temporary one or the files of it, is all
// made of sources that this line or an earlier call of the session spelled out, and that reach nothing.
func (m *machine) plainPackage(word string) bool {
	full := m.p.Resolve(m.cwd, word)
	if strings.HasSuffix(word, ".go") {
		return m.plainSource(full)
	}
	if z, secret, _ := m.p.Where(full); z != effect.ZoneTemp || secret || m.p.NamesOf == nil || word != "." && !strings.HasPrefix(word, "./") && word[0] != '/' {
		return false
	}
	sources := 0
	for _, n := range m.namesIn(full) {
		switch {
		case strings.HasSuffix(n, "_test.go"), strings.Contains(n, "/"):
		case strings.HasSuffix(n, ".go"):
			if sources++; !m.plainSource(full + "/" + n) {
				return false
			}
		case hasWord(goBuilt, strings.ToLower(path.Ext(n))), n == "go.work", n == "vendor":
			return false
		}
	}
	return sources > 0
}

// goOptions says whether go builds such packages alone and has no option but such as say how.
func (m *machine) goOptions(operands []string) bool {
	if m.prog != "go" || len(operands) == 0 || slices.ContainsFunc(operands, func(o string) bool { return !m.plainPackage(o) }) {
		return false
	}
	for i := 2; i < len(m.argv) && !isAmong(operands, m.argv[i]); i++ {
		switch name, _, joined := cutAt(m.argv[i], "="); {
		case hasWord(compileOptionsOf["go"], m.argv[i]), joined && hasWord(compileOptionsOf["go"], name+"="):
		case hasWord(compileOptionsOf["go"], name+"="):
			i++
		default:
			return false
		}
	}
	return true
}

// goPlain takes back that go runs what lies in the working directory, where it builds such packages alone.
func (r *toolRun) goPlain(operands []string) {
	if r.m.goOptions(operands) {
		r.m.onlyBuilds(r.m.effects[min(r.start, len(r.m.effects)):])
	}
}

// onlyBuilds takes back that a compiler runs what lies in the working directory.
func (m *machine) onlyBuilds(since []effect.Effect) {
	for i := range since {
		if e := &since[i]; e.Kind == effect.Spawn && e.Op == effect.OpRunFile && e.Resource == show(m.cwd) {
			*e = effect.Effect{Kind: effect.Spawn, Op: effect.OpBuild, Resource: m.prog, Program: m.prog}
		}
	}
}
