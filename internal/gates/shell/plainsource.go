package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file is about what a compiler makes of sources that the session spelled out itself,
// in this line or an earlier call, outside the workspace as well: to run that is to run what
// stands in the sources, if nothing else gets into it.

// compilers read the sources that their operands name, and no settings of the directory in
// which they start (gcc(1), clang(1), rustc(1)). Sorted.
var compilers = []string{"c++", "cc", "clang", "clang++", "g++", "gcc", "rustc"}

// compilesPlain takes back that a compiler runs what lies in the working directory, where it
// reads sources alone that reach nothing.
func (m *machine) compilesPlain(since []effect.Effect, operands []string) {
	if slices.ContainsFunc(operands, func(o string) bool { return !m.plainSource(m.p.Resolve(m.cwd, o)) }) || !searchNames(compilers, m.prog) && !m.compilesAlone(operands) {
		return
	}
	m.onlyBuilds(since)
}

// compilesAlone says whether a compiler reads nothing of the directory in which it starts but the
// sources.
func (m *machine) compilesAlone(operands []string) bool {
	return m.p.Compiled != nil && m.p.NamesOf != nil && len(operands) > 0 && m.p.Compiled.Options(m.prog, m.argv[1:], operands) &&
		m.p.Compiled.Alone(m.prog, operands[0], m.namesIn(m.cwd), func(n string) bool { return m.plainSource(m.cwd + "/" + n) })
}

// plainCompile says whether a run that compiles such a source outside the workspace, or one
// that this line wrote, has no option but such as choose how it is compiled: another may put
// something else into it, or say what a name in it means.
func (m *machine) plainCompile(operands []string) bool {
	spelled := slices.ContainsFunc(operands, func(o string) bool {
		full := m.p.Resolve(m.cwd, o)
		z, _, _ := m.p.Where(full)
		_, wrote := m.written(full)
		return (wrote || z != effect.ZoneWorkspace) && m.plainSource(full)
	})
	if !spelled || len(m.argv) == 0 {
		return true
	}
	if m.prog == "rustc" && m.otherRust() {
		return false
	}
	if !searchNames(compilers, m.prog) {
		return !slices.ContainsFunc(operands, func(o string) bool { return !m.inRoots(o) }) || m.p.Compiled != nil && m.p.Compiled.Options(m.prog, m.argv[1:], operands)
	}
	for i := 1; i < len(m.argv); i++ {
		a := m.argv[i]
		switch {
		case a == "" || a[0] != '-' || isAmong(operands, a):
		case a == "-o" || a == "--edition", a == "-x" && i+1 < len(m.argv) && (m.argv[i+1] == "c" || m.argv[i+1] == "c++"):
			i++
		case hasWord(compileOptions, a), strings.HasPrefix(a, "-o"), strings.HasPrefix(a, "-O"), strings.HasPrefix(a, "-std="), strings.HasPrefix(a, "-fsanitize="), strings.HasPrefix(a, "-m"), strings.HasPrefix(a, "--edition="), strings.HasPrefix(a, "-Copt-level="):
		case strings.HasPrefix(a, "-W") && !strings.Contains(a, ","):
		case strings.HasPrefix(a, "-D"):
			if _, value, has := cutAt(a, "="); has && strings.Trim(value, "0123456789") != "" || a == "-D" {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// otherRust says whether a file says which compiler rustc starts: rustup looks for one from the working directory
// upwards (rustup's book, Overrides).
func (m *machine) otherRust() bool {
	for dir := m.cwd; m.p.NamesOf != nil && len(dir) > 1; dir = path.Dir(dir) {
		if names := m.namesIn(dir); isAmong(names, "rust-toolchain") || isAmong(names, "rust-toolchain.toml") {
			return true
		}
	}
	return false
}

// compileOptions are options of compilers that say how, and libraries of the language itself
// (gcc(1), clang(1), rustc(1)).
const compileOptions = "-g -g0 -g1 -g2 -g3 -ggdb -gdwarf-4 -gdwarf-5 -lm -lpthread -pthread -c -S -v -static -fopenmp -fno-exceptions -fno-omit-frame-pointer -ffast-math -pedantic -ansi -pipe -lstdc++ -lrt -fPIC -fno-inline -ftree-vectorize -funroll-loops -fno-strict-aliasing -fwrapv -fno-builtin"

// spelledSource says whether a write is that of a source of which the line spells out all,
// and that reaches nothing.
func (m *machine) spelledSource(e *effect.Effect) bool {
	_, ok := m.written(e.Resource)
	return ok && m.plainSource(e.Resource)
}

// plainSource says whether a file is a source of which this line or an earlier call of the
// session spells out all, and that reaches nothing that it does not show.
func (m *machine) plainSource(full string) bool {
	f, ok := m.written(full)
	text := f.text
	if !ok {
		before := m.left(full).made
		text, f.known = before.text, before.known
	}
	if !f.known || f.net || text == "" {
		return false
	}
	return m.p.Computes("", full, text)
}

// computes says whether a program that is started here, of a file and text, only computes. Files of the
// workspace are followed if nothing that ran before on the line may have changed them.
func (m *machine) computes(full, text string) bool {
	places := *m.p
	if files := m.ownFiles(); !files.first {
		places.TextOf = nil
	}
	return places.Computes(m.cwd, full, text)
}

// Compiled says whether a file has the ending of a language that is compiled before it runs.
func Compiled(file string) bool {
	return hasWord(".c .cc .cpp .cr .cs .cu .cxx .d .dart .f .f90 .f95 .for .fs .go .hs .java .kt .m .ml .mm .nim .pas .rs .s .scala .swift .v .zig", strings.ToLower(path.Ext(file)))
}
