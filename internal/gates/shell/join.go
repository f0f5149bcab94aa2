package shell

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/names"
)

// binding is a variable or an alias. Bindings form a log: the last one of a
// name counts, and leaving a subshell cuts the log back.
type binding struct {
	name  string
	value string
	list  []string
	array bool
	unset bool
}

// lookup returns the last binding of a variable. Not inlined, for the size of programs.
//
//go:noinline
func (m *machine) lookup(name string) (*binding, bool) {
	for i := len(m.vars) - 1; i >= 0; i-- {
		if m.vars[i].name == name {
			return &m.vars[i], !m.vars[i].unset
		}
	}
	return nil, false
}

func (m *machine) assign(name, value string) {
	if i := strings.IndexFunc(name, func(r rune) bool { return r == '[' || r <= mark.Inside }); i > 0 { // one item: that with the number 0 is the variable (bash(1), Arrays)
		name, value = name[:i], unknown.text
	}
	if m.isOdd(name) {
		value = string(rune(mark.Unknown))
	}
	if name == "IFS" {
		m.ifs = value
	}
	m.given(name, value)
	m.vars = append(m.vars, binding{name: name, value: value})
}

// given judges a variable that is assigned in any way: by what it does to the shell
// itself and, where programs are given it, by what it does to them.
func (m *machine) given(name, value string) {
	if m.exporting || m.isExported(name) {
		m.exported(name, value)
	} else {
		m.environment(name, value)
	}
}

// isExported says whether programs are given a variable: one that the line exports, and the home, which
// stands in every login's environment (POSIX.1-2017, 8.3), so that an assignment changes it there.
//
//go:noinline
func (m *machine) isExported(name string) bool {
	if name == "HOME" || name == itemName {
		return true
	}
	for _, n := range m.exports {
		if n == name {
			return true
		}
	}
	return false
}

func (m *machine) isOdd(name string) bool {
	for _, o := range m.odd {
		if o == name {
			return true
		}
	}
	return false
}

// point is the state of the subshell that restore cuts back to.
type point struct {
	vars, aliases, funcs int
	files                int
	cwd, ifs             string
	args, alt            []string
	hasArgs, lost        bool
	leaves, breaks       int
}

//go:noinline
func (m *machine) save() *point {
	return &point{len(m.vars), len(m.aliases), len(m.funcs), len(m.files), m.cwd, m.ifs, m.args, m.alt, m.hasArgs, m.lost, m.leaves, m.breaks}
}

func (m *machine) restore(k *point) {
	for i := k.funcs; i < len(m.funcs); i++ {
		if !m.funcs[i].used {
			m.deferred(func() { m.stmt(m.funcs[i].body, data{tty: true}, false) })
			m.funcs[i].used = true
		}
	}
	m.vars, m.cwd, m.ifs, m.args, m.hasArgs, m.lost = m.vars[:k.vars], k.cwd, k.ifs, k.args, k.hasArgs, k.lost
	m.funcs = m.funcs[:min(k.funcs, len(m.funcs))]
	m.aliases = m.aliases[:k.aliases]
	m.alt, m.failed, m.leaves, m.breaks = k.alt, "", k.leaves, k.breaks
}

// perhaps notes that what was written since point k may not have been.
func (m *machine) perhaps(k *point) {
	for i := k.files; i < len(m.files); i++ {
		m.files[i].maybe = true
	}
}

// join replaces the bindings made since point k by ones that hold whether or
// not the commands since then ran.
func (m *machine) join(k *point) {
	m.perhaps(k)
	for i := k.funcs; i < len(m.funcs); i++ {
		m.funcs[i].may = true
	}
	if len(m.vars) > k.vars {
		m.joinVars(m.vars[k.vars:], k.vars)
	}
	dir := m.cwd
	if m.cwd != k.cwd {
		m.cwd = m.joinCwd(m.cwd, k.cwd)
	}
	if mark.Has(m.cwd) {
		m.alt = nil
	}
	for _, dir := range append([]string{dir, k.cwd}, k.alt...) {
		m.alsoIn(dir)
	}
	m.lost = m.lost || k.lost || m.hasArgs != k.hasArgs || !slices.Equal(m.args, k.args)
}

func (m *machine) joinVars(made []binding, at int) {
	made = append([]binding(nil), made...)
	m.vars = m.vars[:at]
	for i := len(made) - 1; i >= 0; i-- {
		name := made[i].name
		if containsName(made[i+1:], name) {
			continue
		}
		old := string(rune(mark.Caller))
		b, ok := m.lookup(name)
		if ok {
			old = b.value
		}
		if old == made[i].value && !made[i].array {
			continue
		}
		if v := joinValue(old, made[i]); v != old || ok && b.array {
			m.vars = append(m.vars, binding{name: name, value: v})
		}
	}
	if len(m.vars) > at && m.ifs != " \t\n" {
		m.ifs = " \t\n"
	}
}

//go:noinline
func containsName(bs []binding, name string) bool {
	for i := range bs {
		if bs[i].name == name {
			return true
		}
	}
	return false
}

// joinValue is the value of a variable that is either old or b. Two plain
// relative names stay names below the working directory, and a number is one
// whatever is counted; anything else is unknown.
func joinValue(old string, b binding) string {
	if !b.array && !b.unset && counted(old) && counted(b.value) {
		return string(rune(mark.Caller))
	}
	if !b.array && !b.unset && localName(b.value) && (localName(old) || old == string(rune(mark.Caller))) {
		return string(rune(mark.Inside))
	}
	return string(rune(mark.Unknown))
}

// counted says whether a value is a number: digits, or what arithmetic gives.
func counted(s string) bool {
	return s == string(rune(mark.Caller)) || s != "" && strings.Trim(s, "0123456789") == ""
}

func localName(s string) bool {
	if s == "" || s[0] == '-' || s[0] == '/' || s[0] == '~' || strings.Contains(s, "..") || strings.ContainsAny(s, " \t\n$`;|&") {
		return s == ""
	}
	for i := 0; i < len(s); i++ {
		if s[i] <= mark.Inside && s[i] != mark.Inside {
			return false
		}
	}
	return !names.Sensitive("/"+s) && !names.Guarded(s)
}

func (m *machine) joinCwd(a, b string) string {
	if m.inWorkspace(a) && m.inWorkspace(b) {
		if len(a) < len(b) {
			return a
		}
		return b
	}
	return string(rune(mark.Unknown))
}

// deferred runs f with effects marked as happening later. Not inlined, for the size of programs.
//
//go:noinline
func (m *machine) deferred(f func()) {
	was, hadArgs, lost, locals := m.later, m.hasArgs, m.lost, m.locals
	m.locals = []string{}
	m.later, m.hasArgs, m.lost = true, false, m.p.Script != nil && m.p.Script.Run
	f()
	m.later, m.hasArgs, m.lost, m.locals = was, hadArgs, lost, locals
}

// deferAll analyses what the line leaves behind for later: functions nobody
// called and aliases.
func (m *machine) deferAll() {
	m.trapped(0)
	for i := 0; i < len(m.funcs) && !m.stopped; i++ {
		if !m.funcs[i].used {
			m.funcs[i].used = true
			m.deferred(func() { m.stmt(m.funcs[i].body, data{tty: true}, false) })
		}
	}
	for i := 0; i < len(m.aliases) && !m.stopped; i++ {
		a := m.aliases[i].value
		m.deferred(func() { m.source(a, data{tty: true}) })
	}
}

func joinAll(items []string) string {
	for _, it := range items {
		if !localName(it) {
			return string(rune(mark.Unknown))
		}
	}
	return string(rune(mark.Inside))
}
