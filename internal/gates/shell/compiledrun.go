package shell

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file is about packages of Go and outputs of compilers in temporary directories: which sources
// they are made of, and where they lie if the line does not say it.

// unnamedOutputs notes the files in a temporary directory that a compiler makes where no option names
// them.
func (m *machine) unnamedOutputs(args, operands []string) {
	if m.p.Compiled == nil {
		return
	}
	if z, _, _ := m.p.Where(m.cwd); m.prog == "go" && z == effect.ZoneTemp && len(m.argv) == 4 && m.argv[1] == "mod" && m.argv[2] == "init" {
		m.onlyBuilds(m.effects) // it only writes go.mod
		return
	}
	for _, o := range m.p.Compiled.Outputs(m.prog, args, operands, m.sourceText) {
		if z, _, _ := m.p.Where(m.p.Resolve(m.cwd, o)); z == effect.ZoneTemp {
			m.write(o, effect.OpCreate)
		}
	}
}

// sourceText is what a source holds that this line or an earlier call spelled out.
func (m *machine) sourceText(word string) (string, bool) {
	full := m.p.Resolve(m.cwd, word)
	if f, ok := m.written(full); ok {
		return f.text, f.known && !f.net
	}
	before := m.left(full).made
	return before.text, before.known
}

// plainPackage says whether a package of Go, by a directory in a temporary one or the files of it, is all
// made of sources that this line or an earlier call of the session spelled out, and that reach nothing.
func (m *machine) plainPackage(word string) bool {
	full := m.p.Resolve(m.cwd, word)
	if strings.HasSuffix(word, ".go") {
		return m.plainSource(full)
	}
	if z, secret, _ := m.p.Where(full); z != effect.ZoneTemp || secret || m.p.NamesOf == nil || m.p.Compiled == nil || word == "" || word[0] != '.' && word[0] != '/' {
		return false
	}
	return m.p.Compiled.Package(m.namesIn(full), func(n string) bool { return m.plainSource(full + "/" + n) })
}

// buildsPlain takes back that go runs what lies in the working directory, where it builds such packages
// alone, with no option but such as say how.
func (m *machine) buildsPlain(since []effect.Effect, operands []string) {
	if m.prog == "go" && m.p.Compiled != nil && len(operands) > 0 && !slices.ContainsFunc(operands, func(o string) bool { return !m.plainPackage(o) }) && m.p.Compiled.Options("go", m.argv[2:], operands) {
		m.onlyBuilds(since)
	}
}

// onlyBuilds takes back that a compiler runs what lies in the working directory.
func (m *machine) onlyBuilds(since []effect.Effect) {
	for i := range since {
		if e := &since[i]; e.Kind == effect.Spawn && e.Op == effect.OpRunFile && e.Resource == show(m.cwd) {
			e.Op, e.Zone, e.Resource, e.Program = effect.OpBuild, 0, m.prog, m.prog
		}
	}
}

// packagesBelow is the directory of a pattern for all packages below it, DIR/..., where that is
// none of the workspace's (go help packages).
func (m *machine) packagesBelow(word string) string {
	dir, ok := cutSuffix(word, "/...")
	if !ok || m.prog != "go" || m.inRoots(dir) {
		return word
	}
	return dir + "/"
}
