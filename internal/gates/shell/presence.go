package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// This file is about asking whether a variable is set: [ -n "$TOKEN" ], test -z, [[ -n.
// Nothing of what it holds is told by that, but where the shell prints each command with
// its values (xtrace: set in POSIX 2.15, bash(1)).

// asksWhetherSet returns the word of a simple command that only asks whether one variable
// is empty; nil for every other command.
func (m *machine) asksWhetherSet(c *syntax.CallExpr) *syntax.Word {
	args := c.Args
	if len(args) < 3 || len(args) > 4 || len(c.Assigns) > 0 || m.traces {
		return nil
	}
	name := args[0].Lit()
	if name == "[" && (len(args) != 4 || args[3].Lit() != "]") || name != "[" && (name != "test" || len(args) != 3) {
		return nil
	}
	if op := args[1].Lit(); op != "-n" && op != "-z" || !oneVariable(args[2]) {
		return nil
	}
	if slices.ContainsFunc(m.funcs, func(f function) bool { return f.name == name }) || slices.ContainsFunc(m.aliases, func(a binding) bool { return a.name == name }) {
		return nil
	}
	return args[2]
}

// oneVariable says whether a word is one variable and nothing else, quoted or not.
func oneVariable(w *syntax.Word) bool {
	if len(w.Parts) != 1 {
		return false
	}
	part := w.Parts[0]
	if q, ok := part.(*syntax.DblQuoted); ok && len(q.Parts) == 1 {
		part = q.Parts[0]
	}
	e, ok := part.(*syntax.ParamExp)
	return ok && !e.Excl && e.Index == nil && e.Slice == nil && e.Repl == nil && (e.Exp == nil || e.Exp.Op == syntax.DefaultUnsetOrNull && e.Exp.Word == nil)
}

// untold evaluates a word of which only is told whether it is empty.
func (m *machine) untold(eval func()) {
	was := m.asking
	m.asking = true
	eval()
	m.asking = was
}

// mayTrace says whether a text may make a shell print what it runs, or take its builtins
// away: any option with an x in it, and any set whose options are not the plain ones of
// careful scripts.
func mayTrace(text string) bool {
	if strings.Contains(text, "xtrace") || strings.Contains(text, "SHELLOPTS") || strings.Contains(text, "enable") {
		return true
	}
	for rest := text; ; {
		_, after, ok := cutAt(rest, "-")
		if !ok {
			break
		}
		rest = after
		letters := after[:len(after)-len(strings.TrimLeft(after, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))]
		if strings.Contains(letters, "x") {
			return true
		}
	}
	for rest := text; ; {
		_, after, ok := cutAt(rest, "set ")
		if !ok {
			return false
		}
		if !strings.HasPrefix(after, "-e") && !strings.HasPrefix(after, "-u") && !strings.HasPrefix(after, "-o pipefail") && !strings.HasPrefix(after, "+e") {
			return true
		}
		rest = after
	}
}
