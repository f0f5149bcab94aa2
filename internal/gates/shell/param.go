package shell

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/names"
)

// OwnJob is the text that stands for $!, the number of what the same line started last.
const OwnJob = "%own"

// listExp expands "$@", "$*" and "${a[@]}" where the list is known, with what takes a part of it or
// stands for none (bash(1), Parameter Expansion). What changes each argument is not known.
func (m *machine) listExp(e *syntax.ParamExp) ([]string, bool) {
	if e.Param == nil || e.Length || e.Excl || e.Index != nil && (e.Repl != nil || e.Exp != nil) {
		return nil, false
	}
	list, first, ok := m.listOf(e)
	switch {
	case !ok || e.Slice == nil && e.Repl == nil && e.Exp == nil:
		return list, ok
	case e.Slice != nil:
		return m.sliced(e.Slice, list, first), true
	case e.Exp != nil && (e.Exp.Op == syntax.DefaultUnset || e.Exp.Op == syntax.DefaultUnsetOrNull) && !m.lost:
		if len(list) > 1 || len(list) == 1 && (list[0] != "" || e.Exp.Op == syntax.DefaultUnset) {
			return list, true
		}
		return []string{m.value(e.Exp.Word)}, true
	}
	if e.Exp != nil {
		m.value(e.Exp.Word)
	} else {
		m.replace(e.Repl, "")
	}
	return []string{unknown.text}, true
}

// listOf is the whole list of such an expansion, and what stands before its first item: $0.
func (m *machine) listOf(e *syntax.ParamExp) (list []string, first []string, ok bool) {
	if e.Index == nil {
		if all := e.Param.Value == "@" || e.Param.Value == "*"; all && m.lost {
			return []string{unknown.text}, nil, true
		} else if all && m.hasArgs {
			self, _ := m.variable("0")
			return m.args, []string{self}, true
		}
		return nil, nil, false
	}
	w, ok := e.Index.(*syntax.Word)
	if !ok {
		return nil, nil, false
	}
	if i := rawText(w); i != "@" && i != "*" {
		return nil, nil, false
	}
	b, ok := m.lookup(e.Param.Value)
	if !ok {
		return []string{string(rune(mark.Caller))}, nil, true
	}
	if b.array {
		return b.list, nil, true
	}
	return []string{b.value}, nil, true
}

// sliced is a part of a list: of arguments the first has the number 1, and $0 is 0.
func (m *machine) sliced(s *syntax.Slice, list, first []string) []string {
	m.arithm(s.Offset)
	m.arithm(s.Length)
	all := append(slices.Clone(first), list...)
	off, ok1 := m.number(s.Offset, 0)
	length, ok2 := m.number(s.Length, len(all))
	if off < 0 {
		off += len(all)
	}
	if !ok1 || !ok2 || length < 0 || slices.ContainsFunc(list, mark.Has) {
		return []string{unknown.text} // of an item that is not known nobody knows how many it is
	}
	if off < 0 || off >= len(all) {
		return nil
	}
	return all[off:min(len(all), off+length)]
}

// param expands every other parameter expansion to one string. Forms that are
// not folded are unknown, never dropped.
func (m *machine) param(e *syntax.ParamExp) string {
	if place, ok := m.ownPlace(e); ok {
		return place
	}
	if e.Param == nil || e.Flags != nil || e.NestedParam != nil || len(e.Modifiers) > 0 || e.Width || e.IsSet {
		return unknown.text
	}
	name := e.Param.Value
	v, set := m.variable(name)
	if e.Excl {
		if m.telling && e.Names == 0 {
			m.environ("the variable that $" + name + " names")
		}
		return m.indirect(e, v, set)
	}
	if e.Index != nil {
		v, set = m.element(name, e.Index)
	}
	if (names.SecretVariable(name) || m.telling && !everyShells(name)) && !set && !e.Length && !m.asking && !alternates(e) {
		m.record(effect.Effect{Kind: effect.Read, Op: effect.OpEnv, Zone: effect.ZoneCaller, Sensitive: true, Resource: "$" + name})
	}
	switch {
	case e.Length:
		return string(rune(mark.Caller))
	case e.Slice != nil:
		return m.slice(e.Slice, v, set)
	case e.Repl != nil:
		return m.replace(e.Repl, v)
	case e.Exp != nil:
		return m.expansion(e.Exp, name, v, set)
	}
	return v
}

// alternates says whether an expansion is another word where the variable is set, and
// nothing of its value (POSIX 2.6.2).
func alternates(e *syntax.ParamExp) bool {
	return e.Exp != nil && (e.Exp.Op == syntax.AlternateUnset || e.Exp.Op == syntax.AlternateUnsetOrNull)
}

func (m *machine) indirect(e *syntax.ParamExp, v string, set bool) string {
	m.varName(v) // an index in it is evaluated
	if e.Names != 0 || !set || mark.Has(v) || e.Slice != nil || e.Repl != nil || e.Exp != nil {
		return unknown.text
	}
	v, _ = m.variable(v)
	return v
}

// variable returns the value of a variable or special parameter. What the line
// did not set comes from the caller's environment.
func (m *machine) variable(name string) (string, bool) {
	if b, ok := m.lookup(name); ok {
		return b.value, true
	}
	switch name {
	case "HOME":
		return m.p.Home, true
	case "PWD":
		return m.ownDir(), true
	case "TMPDIR":
		return "/tmp", false
	case "SHELL", "BASH":
		return "/bin/bash", true
	case "0":
		return cmp.Or(m.self, "bash"), true
	case "BASH_SOURCE":
		if m.self != "" {
			return m.self, true
		}
	case "OPTARG":
		if m.p.Script != nil && m.p.Script.Run {
			return unknown.text, true // one of the arguments
		}
	case "IFS":
		return m.ifs, true
	case "!":
		return OwnJob, true
	case "_", "BASH_COMMAND", "REPLY":
		return unknown.text, true
	}
	n, err := strconv.Atoi(name)
	if m.lost && (err == nil || name == "@" || name == "*") {
		return unknown.text, true
	}
	if err == nil && m.hasArgs {
		if n >= 1 && n <= len(m.args) {
			return m.args[n-1], true
		}
		return "", false
	}
	if (name == "@" || name == "*") && m.hasArgs {
		return strings.Join(m.args, " "), len(m.args) > 0
	}
	return string(rune(mark.Caller)), false
}

func (m *machine) element(name string, index syntax.ArithmExpr) (string, bool) {
	m.arithm(index)
	w, isWord := index.(*syntax.Word)
	b, ok := m.lookup(name)
	if !ok {
		if name == "BASH_SOURCE" && isWord && rawText(w) == "0" {
			return m.variable(name)
		}
		return string(rune(mark.Caller)), false
	}
	if !isWord || !b.array {
		if b.array {
			return unknown.text, true
		}
		return b.value, true
	}
	i, err := strconv.Atoi(m.value(w))
	if err != nil {
		return unknown.text, true
	}
	if i < 0 {
		i += len(b.list)
	}
	if i < 0 || i >= len(b.list) {
		return "", false
	}
	return b.list[i], true
}

func (m *machine) slice(s *syntax.Slice, v string, set bool) string {
	m.arithm(s.Offset)
	m.arithm(s.Length)
	off, ok1 := m.number(s.Offset, 0)
	length, ok2 := m.number(s.Length, len(v))
	if !set && v == string(rune(mark.Caller)) || mark.Has(v) || !ok1 || !ok2 {
		return unknown.text
	}
	if off < 0 {
		off = max(0, len(v)+off)
	}
	off = min(off, len(v))
	end := min(len(v), off+length)
	if length < 0 {
		end = len(v) + length
	}
	if end < off {
		return ""
	}
	return v[off:end]
}

func (m *machine) number(x syntax.ArithmExpr, unset int) (int, bool) {
	switch x := x.(type) {
	case nil:
		return unset, true
	case *syntax.Word:
		n, err := strconv.Atoi(m.value(x))
		return n, err == nil
	case *syntax.UnaryArithm:
		n, ok := m.number(x.X, 0)
		return -n, ok && x.Op == syntax.Minus && !x.Post
	case *syntax.ParenArithm:
		return m.number(x.X, unset)
	}
	return 0, false
}

func (m *machine) replace(r *syntax.Replace, v string) string {
	orig, with := m.value(r.Orig), m.value(r.With)
	if v == string(rune(mark.Caller)) && (with == v || with == "") {
		return v
	}
	if mark.Has(v) {
		if firstByte(with, '/') < 0 && !mark.Has(with) && firstByte(v, mark.Unknown) < 0 {
			return v // a changed name in the same place
		}
		return unknown.text
	}
	if mark.Has(orig) || mark.Has(with) || strings.ContainsAny(orig, "*?[#%\\") || orig == "" {
		return unknown.text
	}
	n := 1
	if r.All {
		n = -1
	}
	out := strings.Replace(v, orig, with, n)
	if len(out) > maxText {
		return unknown.text
	}
	return out
}

func (m *machine) expansion(e *syntax.Expansion, name, v string, set bool) string {
	switch e.Op {
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		alt := m.value(e.Word)
		if set {
			return alt
		}
		return m.either("", alt)
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
		def := m.value(e.Word)
		if set && (v != "" || e.Op == syntax.DefaultUnset || e.Op == syntax.AssignUnset) {
			return v
		}
		out := def
		if !set && v == string(rune(mark.Caller)) {
			out = m.either(v, def)
		}
		if e.Op == syntax.AssignUnset || e.Op == syntax.AssignUnsetOrNull {
			m.assign(name, out)
		}
		return out
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		m.value(e.Word)
		return v
	}
	return m.trim(e, v)
}

// either is a value that is a or b. Where b is the default for something the
// caller may set, b itself is judged: nobody else chose it.
func (m *machine) either(a, b string) string {
	if b == "" {
		return a
	}
	if a == "" || a == string(rune(mark.Caller)) {
		return b
	}
	return unknown.text
}

func (m *machine) trim(e *syntax.Expansion, v string) string {
	pat := m.value(e.Word)
	if e.Op == syntax.OtherParamOps && (pat == "P" || mark.Has(pat)) && (strings.ContainsAny(v, "$`\x00")) {
		m.opaque(effect.OpComputed, "a prompt string that is expanded: "+v)
	}
	switch e.Op {
	case syntax.UpperFirst, syntax.UpperAll, syntax.LowerFirst, syntax.LowerAll:
		return m.changeCase(e.Op, pat, v)
	case syntax.RemSmallPrefix, syntax.RemLargePrefix, syntax.RemSmallSuffix, syntax.RemLargeSuffix:
	default:
		return unknown.text
	}
	if mark.Has(v) {
		if firstByte(v, mark.Unknown) >= 0 {
			return unknown.text
		}
		return v
	}
	if pat == "" {
		return v
	}
	if mark.Has(pat) || strings.ContainsAny(pat, "[\\") || len(v) > 256 && strings.ContainsAny(pat, "*?") || len(v) > 4096 {
		return unknown.text
	}
	glob := strings.NewReplacer("*", string(rune(mark.Star)), "?", string(rune(mark.One))).Replace(pat)
	return trimGlob(e.Op, glob, v)
}

func trimGlob(op syntax.ParExpOperator, glob, v string) string {
	prefix := op == syntax.RemSmallPrefix || op == syntax.RemLargePrefix
	small := op == syntax.RemSmallPrefix || op == syntax.RemSmallSuffix
	for i := 0; i <= len(v); i++ {
		cut := i
		if prefix != small {
			cut = len(v) - i
		}
		if prefix && mark.Match(glob, v[:cut]) {
			return v[cut:]
		}
		if !prefix {
			cut = len(v) - i
			if !small {
				cut = i
			}
			if mark.Match(glob, v[cut:]) {
				return v[:cut]
			}
		}
	}
	return v
}

func (m *machine) changeCase(op syntax.ParExpOperator, pat, v string) string {
	if pat != "" || mark.Has(v) || v == "" {
		if pat == "" && firstByte(v, mark.Unknown) < 0 {
			return v
		}
		return unknown.text
	}
	switch op {
	case syntax.UpperAll:
		return strings.ToUpper(v)
	case syntax.LowerAll:
		return strings.ToLower(v)
	case syntax.UpperFirst:
		return strings.ToUpper(v[:1]) + v[1:]
	}
	return strings.ToLower(v[:1]) + v[1:]
}
