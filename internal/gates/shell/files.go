package shell

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// maxFiles bounds the files of one line that are remembered; what is written
// after them is not known to be written.
const maxFiles = 64

// file is a file that the line itself wrote.
type file struct {
	path   string
	text   string // with markers
	known  bool
	net    bool   // its contents came over the network
	part   bool   // text was added to contents that are not known
	fresh  bool   // nothing of an older file of that name is left
	edit   string // the script that changed it
	edited bool   // a program changed a file in place
	seen   bool   // its contents have been judged as code
	built  bool   // a compiler made it of files of the workspace
	tail   string // what was added to it, or came out of a pipe, where text is not known
	made   made   // what it holds if files of earlier calls are as they were left
	at     [2]int // how many effects and programs of the line came before it
	maybe  bool   // whether it was written depends on how the line goes on
	branch bool   // it was written in a part of the line that may not have run
}

// noteFile remembers what the line wrote to a file.
func (m *machine) noteFile(word string, d data, net bool) {
	full := m.p.Resolve(m.cwd, word)
	if len(m.files) >= maxFiles {
		return
	}
	m.files = append(m.files, file{path: full, text: d.text, known: d.known(), net: net, made: d.made, at: [2]int{len(m.effects), len(m.runs)}, maybe: m.later})
}

// branches notes that a part of the line, with the files since n, may not run, or not all of it: what it
// writes may not be written where the line goes on behind it. Not inlined, for the size of programs.
//
//go:noinline
func (m *machine) branches(n int) {
	for i := n; i < len(m.files); i++ {
		m.files[i].branch = true
	}
}

// surelyWrote says whether a file was written where the line has come to. Not inlined, for the size of programs.
//
//go:noinline
func (m *machine) surelyWrote(f *file) bool {
	for i := m.done - 1; i >= 0 && i < len(m.files); i++ {
		if m.files[i].path == f.path {
			return true
		}
	}
	return !f.branch
}

// runsEarlier notes that the run that is on may find a file as it was before the line. Not inlined, for the
// size of programs.
//
//go:noinline
func (m *machine) runsEarlier(f *file, full string) {
	if m.running == 0 || m.surelyWrote(f) {
		return
	}
	r := &m.runs[m.running-1]
	r.Earlier = append(r.Earlier, full)
}

// noteTail remembers what went into a file whose contents as a whole are not
// known. The line itself does not rest on it.
func (m *machine) noteTail(word string, d data) {
	full := m.p.Resolve(m.cwd, word)
	if d.tty || !d.known() {
		return
	}
	for i := len(m.files) - 1; i >= 0; i-- {
		if m.files[i].path == full {
			m.files[i].tail += d.text
			return
		}
	}
}

// written returns what the line itself wrote to a file, last write first.
func (m *machine) written(full string) (file, bool) {
	for i := len(m.files) - 1; i >= 0; i-- {
		if m.files[i].path == full || mark.Has(m.files[i].path) && mark.Match(m.files[i].path, full) {
			f := m.files[i]
			f.known = f.known && f.path == full // else it may be another one
			return f, true
		}
	}
	return file{}, false
}

// ownCode returns what the line wrote to a file that it then runs. A file that
// a program only edited is the workspace's own as long as the edit, read as
// code, reaches nothing.
func (m *machine) ownCode(full, lang string) (file, bool) {
	f, ok := m.written(full)
	m.runsEarlier(&f, full)
	if !ok || !f.edited || f.known || f.net {
		return f, ok
	}
	d := dialectOf(lang)
	if d == nil {
		return f, true
	}
	n := len(m.effects)
	for _, other := range m.files {
		if other.path != full {
			continue
		}
		if !other.edited || other.known || other.net {
			return f, true
		}
		s := scanner{m: m, d: d, text: other.edit}
		s.names(other.edit)
	}
	return f, len(m.effects) > n
}

// builtFile is a file that a compiler made, and by which program.
type builtFile struct{ path, program string }

// markBuilt notes which files since n a compiler made of sources that all lie in
// the workspace. To run those is to run the workspace's own code.
func (m *machine) markBuilt(n, start int, operands []string) {
	since := m.effects[min(start, len(m.effects)):]
	for i := range since {
		e := &since[i]
		if e.Kind == effect.Opaque || e.Kind == effect.Network || e.Kind == effect.Read && e.Zone != effect.ZoneWorkspace && !m.plainSource(e.Resource) {
			m.compilesBlind(e.Kind == effect.Opaque || e.Kind == effect.Read && (e.Zone == effect.ZoneTemp || e.Zone == effect.ZoneHome || e.Zone == effect.ZoneOutside || e.Zone == effect.ZoneUnknown))
			return
		}
	}
	blind := slices.ContainsFunc(since, func(e effect.Effect) bool { return e.Op == effect.OpEscape })
	if searchNames(compilers, m.prog) {
		m.definesCode()
		blind = blind || m.running > 0 && m.runs[m.running-1].Given && len(m.runs[m.running-1].Sets) == 0 // CPATH and the like
	}
	m.compilesBlind(blind)
	if !m.plainCompile(operands) || searchNames(compilers, m.prog) && slices.ContainsFunc(operands, func(o string) bool { return strings.HasPrefix(o, "@") }) {
		m.compilesBlind(true)
		return
	}
	if len(operands) == 0 || isAmong(operands, "-") || m.prog == "go" && slices.ContainsFunc(operands, m.otherPackage) {
		m.compilesBlind(slices.ContainsFunc(since, func(e effect.Effect) bool { return e.Op == effect.OpRunFile && e.Zone == effect.ZoneTemp }))
		return
	}
	for i := range since {
		if e := &since[i]; e.Kind == effect.Write && e.Zone != effect.ZoneStream {
			m.built = append(m.built, builtFile{e.Resource, e.Program})
		}
	}
	for i := n; i < len(m.files); i++ {
		m.files[i].built = true
	}
	m.compilesPlain(since, operands)
	m.buildsPlain(since, operands)
}

// definesCode asks about a macro on the command line that calls something with a text: it is code that
// no source shows (gcc(1), -D).
func (m *machine) definesCode() {
	for i, a := range m.argv {
		text, ok := cutPrefix(a, "-D")
		if a == "-D" && i+1 < len(m.argv) {
			text = m.argv[i+1]
		}
		if _, value, has := cutAt(text, "="); ok && has && strings.Contains(value, "(") && strings.ContainsAny(value, "\"'") {
			m.escape(m.prog + " -D" + text)
		}
	}
}

// compilesBlind notes that something gets into what a compiler makes that its sources do not show.
func (m *machine) compilesBlind(blind bool) {
	if blind && m.running > 0 {
		m.runs[m.running-1].Blind = true
	}
}

// otherPackage says whether an operand of go is no package, or file of one, by its path
// in the workspace: any other name is that of a module, which may be anybody's.
func (m *machine) otherPackage(word string) bool {
	if mark.Has(word) || !strings.HasPrefix(word, ".") && !strings.HasSuffix(word, ".go") {
		return true
	}
	if m.plainPackage(word) {
		return false
	}
	return !m.inRoots(trimSuffix(word, "..."))
}

// inRoots says whether a word is a path in the workspace.
func (m *machine) inRoots(word string) bool {
	z, _, _ := m.p.Where(m.p.Resolve(m.cwd, word))
	return z == effect.ZoneWorkspace
}

// onlyBuilt says whether what the line wrote before it runs a file is what compilers
// made, and what lies elsewhere in temporary directories, out of
// which nothing in a workspace is compiled.
func (m *machine) onlyBuilt(full string) bool {
	for i := range m.effects {
		e := &m.effects[i]
		if e.Kind != effect.Write || e.Zone == effect.ZoneStream || e.Program == "mkdir" || slices.Contains(m.built, builtFile{e.Resource, e.Program}) || m.spelledSource(e) {
			continue
		}
		if e.Zone != effect.ZoneTemp || e.Glob || strings.Contains(e.Resource, "…") || mark.Under(full, e.Resource) || mark.Under(e.Resource, full) {
			return false
		}
	}
	return len(m.files) < maxFiles
}

// wroteAny says whether the line wrote any file of one of the given names. Not inlined, for the size of programs.
//
//go:noinline
func (m *machine) wroteAny(names ...string) bool {
	for i := range m.files {
		base := m.files[i].path[lastByte(m.files[i].path, '/')+1:]
		for _, n := range names {
			if n == base || n == "*" {
				return true
			}
		}
	}
	return false
}
