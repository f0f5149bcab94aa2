package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about inline Ruby that uses a library of the workspace: a file in a directory
// that -I names, which the session did not write. To use it is to run the workspace's code, as
// its tests do; what the code names of it is what that file gives a name to.

// rubyLibraries are parts of Ruby's library that -r may load: to load one runs nothing of
// anybody's, and what code may name of it scriptLists says (docs.ruby-lang.org/en/3.4).
const rubyLibraries = plainLibraries + " English bigdecimal/util csv forwardable optparse ostruct shellwords stringio strscan time timeout tsort yaml"

// ownLibrary is what a run of Ruby has of the workspace's.
type ownLibrary struct {
	dirs  []string // of -I
	files []string
	names []string // constants and methods that the files define
}

// maxOwnFiles bounds the files of a library that are looked at for names.
const maxOwnFiles = 30

// loadsOwn notes a library of the workspace that Ruby is told to load, and says whether the
// name is that of one.
func (m *machine) loadsOwn(name string) bool {
	if mark.Has(name) || m.p.SettledText == nil || strings.Contains(name, "..") || path.IsAbs(name) {
		return false
	}
	for _, dir := range m.library.dirs {
		file := m.p.Resolve(m.cwd, dir+"/"+strings.TrimSuffix(name, ".rb")+".rb")
		if m.settled(file) {
			m.script(file)
			m.ownNames(file)
			return true
		}
	}
	return false
}

// ownNames notes what a file of a library gives names to, and the files that it brings in.
func (m *machine) ownNames(file string) {
	l := &m.library
	if slices.Contains(l.files, file) || len(l.files) == maxOwnFiles || !m.settled(file) {
		return
	}
	l.files = append(l.files, file)
	for line := range strings.Lines(m.p.SettledText(file)) {
		words := strings.FieldsFunc(line, func(c rune) bool { return strings.ContainsRune(" \t\r\n(;,", c) })
		if len(words) < 2 {
			continue
		}
		switch first, second := words[0], strings.Trim(words[1], `"'`); {
		case first == "require_relative":
			m.ownNames(path.Join(path.Dir(file), second) + ".rb")
		case first == "require":
			for _, dir := range l.dirs {
				m.ownNames(m.p.Resolve(m.cwd, dir+"/"+second+".rb"))
			}
		case first == "module" || first == "class":
			l.names = append(l.names, strings.Split(second, "::")...)
		case first == "def":
			l.names = append(l.names, strings.TrimRight(strings.TrimPrefix(second, "self."), "?!="))
		case first == "attr_reader" || first == "attr_accessor":
			for _, w := range words[1:] {
				l.names = append(l.names, strings.TrimPrefix(w, ":"))
			}
		case words[1] == "=" && first[0] >= 'A' && first[0] <= 'Z':
			l.names = append(l.names, first)
		}
	}
}

// bringsOwn says whether a name of inline Ruby with what follows it brings in such a library.
func (m *machine) bringsOwn(lang, name, after string) bool {
	if lang != "ruby" || name != "require" {
		return false
	}
	word, ok := constantRequired(after)
	return ok && m.loadsOwn(word)
}
