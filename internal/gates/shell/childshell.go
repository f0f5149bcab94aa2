package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about what goes into a function or another shell, and what comes back.

// body runs the body of a function with its arguments. What it declares as its own may end with it (bash(1),
// local).
func (m *machine) body(body *syntax.Stmt, args []string, in data, want bool) data {
	oldArgs, oldHas, lost, locals, k := m.args, m.hasArgs, m.lost, m.locals, len(m.vars)
	m.args, m.hasArgs, m.lost, m.locals = append([]string(nil), args...), true, false, []string{}
	leaves, breaks := m.leaves, m.breaks
	out := m.stmt(body, in, want)
	m.leaves, m.breaks = leaves, breaks
	gone := m.without(k, m.locals)
	m.joinVars(gone, len(m.vars)) // a branch may have declared them
	m.args, m.hasArgs, m.lost, m.locals = oldArgs, oldHas, lost, locals
	return out
}

// without takes the bindings of some names out of the log, from its nth on.
func (m *machine) without(n int, names []string) (gone []binding) {
	n = min(n, len(m.vars))
	made := m.vars[n:]
	m.vars = m.vars[:n]
	for i := range made {
		if b := made[i]; isAmong(names, b.name) {
			gone = append(gone, b)
		} else {
			m.vars = append(m.vars, b)
		}
	}
	return gone
}

// anotherShell runs another shell: what it changes ends with it, and of this one it knows the variables that
// are exported. lost says that its arguments are not known.
func (m *machine) anotherShell(args []string, lost bool, f func() data) data {
	funcs, aliases, locals := m.funcs, m.aliases, m.locals
	if m.aliases = nil; !m.handsFuncs {
		m.funcs = nil
	}
	k := m.save()
	m.args, m.hasArgs, m.lost, m.locals = slices.Clone(args), true, lost, nil
	for i := range m.vars {
		if b := m.vars[i]; !m.exporting && !m.isExported(b.name) && !containsName(m.vars[i+1:], b.name) {
			m.vars = append(m.vars, binding{name: b.name, value: joinValue(string(rune(mark.Caller)), b)})
		}
	}
	m.inner++
	traps := m.traps
	m.traps = nil
	out := f()
	m.trapped(0)
	m.traps = traps
	m.inner--
	m.restore(k)
	m.funcs, m.aliases, m.locals = funcs, aliases, locals
	return out
}

// unassign takes back the variables that were set in front of a command, where the log of them was n long.
// Some shells keep those in front of a builtin of their own or a function.
func (m *machine) unassign(list []*syntax.Assign, n int, command string) {
	var names []string
	for _, a := range list {
		names = append(names, a.Name.Value)
	}
	gone := m.without(n, names)
	if hasWord(". : break continue eval exec exit export readonly return set shift source times trap unset", command) || slices.ContainsFunc(m.funcs, func(f function) bool { return f.name == command }) {
		m.joinVars(gone, len(m.vars))
	}
}

// local notes a variable that ends with the function that declares it. Without a value bash's has none, and
// dash's the one that it had (bash(1), local; dash(1), local).
func (m *machine) local(a *syntax.Assign) {
	m.locals = append(m.locals, a.Name.Value)
	if b, ok := m.lookup(a.Name.Value); ok && a.Naked {
		m.vars = append(m.vars, binding{name: b.name, value: joinValue(string(rune(mark.Caller)), *b)})
	}
}

// maxAlso bounds the directories that a line may be in.
const maxAlso = 4

// alsoIn notes that the line may be in another directory.
func (m *machine) alsoIn(dir string) {
	switch {
	case dir == m.cwd || dir == "" || slices.Contains(m.alt, dir) || mark.Has(m.cwd):
	case len(m.alt) == maxAlso:
		m.cwd, m.alt = unknown.text, nil
	default:
		m.alt = append(slices.Clone(m.alt), dir)
	}
}

// stays notes that the line goes on whether or not the cd before did what it was told.
func (m *machine) stays() {
	m.alsoIn(m.failed)
	m.failed = ""
}

// inOthers does what depends on a relative word once more for all other directories in which the line may be.
func (m *machine) inOthers(word string, f func()) {
	if len(m.alt) == 0 || strings.HasPrefix(word, "/") {
		return
	}
	cwd, alt := m.cwd, m.alt
	for _, dir := range alt {
		m.cwd, m.alt = dir, nil
		f()
	}
	m.cwd, m.alt = cwd, alt
}

// madeDir says whether the line has made a directory, or something in it.
func (m *machine) madeDir(dir string) bool {
	for i := range m.files {
		if f := &m.files[i]; !f.maybe && mark.Under(f.path, dir) {
			return true
		}
	}
	return false
}

// mayFail says whether redirections may fail, so that what they are of does not run. Texts of the line, its own
// outputs and /dev/null are there.
func (m *machine) mayFail(list []*syntax.Redirect) bool {
	return slices.ContainsFunc(list, func(r *syntax.Redirect) bool {
		switch r.Op {
		case syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
			return false
		}
		word := r.Word.Lit()
		return word != "/dev/null" && (r.Op != syntax.DplOut && r.Op != syntax.DplIn || word != "0" && word != "1" && word != "2")
	})
}

// defines notes functions that one branch, the bindings from a place to another, and the last one define both.
func (m *machine) defines(from, to int) {
	for i := from; i < to; i++ {
		for _, other := range m.funcs[min(to, len(m.funcs)):] {
			m.funcs[i].may = m.funcs[i].may && other.name != m.funcs[i].name
		}
	}
}

// trapped runs the traps that were set since there were n, as the shell ends here.
func (m *machine) trapped(n int) {
	traps := m.traps
	m.traps = nil
	for i := n; i < len(traps); i++ {
		m.atTrap(traps[i])
	}
	m.traps = traps
}

// atTrap runs the text of a trap.
func (m *machine) atTrap(text string) {
	k := m.save()
	m.deferred(func() { m.source(text, data{tty: true}) })
	m.join(k)
}

// ownDir is the directory in which the line is, as far as that is known.
func (m *machine) ownDir() string {
	for i, dir := range m.alt {
		switch {
		case !m.inRoots(dir):
			return unknown.text
		case i+1 == len(m.alt) && m.inRoots("."):
			return string(rune(mark.Inside))
		}
	}
	if len(m.alt) > 0 {
		return unknown.text
	}
	return m.cwd
}
