package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/names"
)

// This file tells the variables that a line sets for a program, for who remembers an answer
// about its run: the same run with other values is another one.

// Bounds of what is told of variables: they are for people to read in one line.
const (
	maxSets    = 6
	maxSetting = 100
)

// sets are the assignments in force for the next run, as NAME=value, sorted: those in
// capitals, those that are exported, and in front of a program all. Nothing where one of them
// is not a constant, is long, or has a name of which a list knows that something is loaded or
// steered by it: those are judged by themselves, and nobody's yes is for them.
func (m *machine) sets() []string {
	var out []string
	for i := len(m.vars) - 1; i >= 0; i-- {
		b := &m.vars[i]
		if b.name == "" || containsName(m.vars[i+1:], b.name) || !m.assigning && b.name[0] > 'Z' && !m.isExported(b.name) {
			continue
		}
		if b.array || b.unset || mark.Has(b.value) || strings.ContainsAny(b.value, "\n\r\x00") || len(b.name)+len(b.value) > maxSetting || steersRuns(b.name) || names.SecretVariable(strings.ToUpper(b.name)) || len(out) >= maxSets {
			return nil
		}
		out = append(out, b.name+"="+b.value)
	}
	if m.unsettled || m.paths || slices.ContainsFunc(m.exports, func(n string) bool { return !containsName(m.vars, n) }) {
		return nil
	}
	slices.Sort(out)
	return out
}

// values are the assignments in force for the next run that are known, as NAME=value; whole
// is false where they may not be all: the surroundings may export what the line only assigns.
func (m *machine) values() (out []string, whole bool) {
	whole = true
	for i := len(m.vars) - 1; i >= 0; i-- {
		b := &m.vars[i]
		if b.name == "" || containsName(m.vars[i+1:], b.name) {
			continue
		}
		given := m.assigning || m.isExported(b.name)
		if !given {
			whole = whole && b.name[0] > 'Z' && !steersRuns(b.name)
			continue
		}
		if b.array || b.unset || mark.Has(b.value) || len(b.value) > maxWord || len(out) >= maxValues {
			whole = false
			continue
		}
		out = append(out, b.name+"="+b.value)
	}
	return out, whole && (len(out) == 0 || !m.unsettled)
}

// maxValues bounds them.
const maxValues = 32

// steeringPrefixes begin the names of variables of loaders, shells, git, compilers and
// package managers, of which there are more than any list has.
var steeringPrefixes = [...]string{"AWS_", "BASH_", "CARGO_", "CMAKE_", "DYLD_", "GH_", "GIT_", "GO", "LD_", "NODE_", "NPM_", "PIP_", "PYTHON", "RUBY", "SSH_", "SSL_", "TF_", "UV_", "XDG_"}

// steersRuns says whether some list knows that a variable steers what is run or loaded, or
// which account is used.
func steersRuns(name string) bool {
	upper := strings.ToUpper(name)
	if name == "PATH" || name == "IFS" || name == "CDPATH" || mark.Among(envLoads, name) || mark.Among(envCommands, name) || mark.Among(programVars, name) || proxyVar(name) || loads(name) || runs(upper) {
		return true
	}
	return slices.ContainsFunc(steeringPrefixes[:], func(p string) bool { return strings.HasPrefix(upper, p) })
}

// handsOn says whether a program gets what the call gives it, and nothing else: it is the shell's,
// or that of a program which starts it with the words and the variables as they stand. Functions
// that the call exports are not among them.
func (m *machine) handsOn() bool {
	if m.exporting && len(m.funcs) > 0 {
		return false
	}
	if m.running == 0 {
		return true
	}
	run := &m.runs[m.running-1]
	name, first := baseName(run.Words[0]), ""
	if len(run.Words) > 1 {
		first = run.Words[1]
	}
	switch {
	case !run.Whole:
		return false
	case name == "env":
		return first != "" && first[0] != '-'
	case isShell(name):
		return first == "-c"
	}
	return hasWord("caffeinate chronic flock ionice nice nohup setsid stdbuf time timeout", name) || slices.ContainsFunc(m.funcs, func(f function) bool { return f.name == name })
}

// setters are commands of shells that may set variables, or that read or make up commands
// which do (POSIX.1-2024, Shell Command Language; bash(1), Shell Builtin Commands;
// zshbuiltins(1)). Programs can't. Sorted.
var setters = [...]string{
	".", "alias", "autoload", "builtin", "command", "enable", "eval", "exec", "getln", "getopts", "local", "mapfile", "print", "printf", "private", "read", "readarray", "select",
	"set", "setopt", "shopt", "source", "trap", "unset", "vared", "zformat", "zmodload", "zparseopts", "zstyle",
}

// settled says whether all that sets variables on a line are assignments of constants: in
// front of a program, by themselves, and exported. Anything else that a shell knows may give
// one another value that nobody sees here.
func settled(f *syntax.File) bool {
	ok := true
	syntax.Walk(f, func(n syntax.Node) bool {
		switch n := n.(type) {
		case nil, *syntax.File, *syntax.Stmt, *syntax.Word, *syntax.Lit, *syntax.SglQuoted, *syntax.DblQuoted, *syntax.BinaryCmd, *syntax.Redirect, *syntax.Comment, *syntax.CmdSubst, *syntax.TimeClause:
		case *syntax.CallExpr:
			if len(n.Args) > 0 && searchNames(setters[:], n.Args[0].Lit()) || len(n.Args) > 0 && n.Args[0].Lit() == "" {
				ok = false
			}
		case *syntax.Assign:
			ok = ok && !n.Append && !n.Naked && n.Array == nil && n.Index == nil && (n.Value == nil || fixedWord(n.Value))
		case *syntax.DeclClause:
			ok = ok && n.Variant.Value == "export"
		case *syntax.ParamExp:
			ok = ok && n.Exp == nil && n.Slice == nil && n.Repl == nil && n.Index == nil && !n.Excl && !n.Length
		default:
			ok = false
		}
		return ok
	})
	return ok
}

// fixedWord says whether a word is the same whenever it is evaluated.
func fixedWord(w *syntax.Word) bool {
	ok := true
	syntax.Walk(w, func(n syntax.Node) bool {
		switch n.(type) {
		case nil, *syntax.Word, *syntax.Lit, *syntax.SglQuoted, *syntax.DblQuoted:
		default:
			ok = false
		}
		return ok
	})
	return ok
}
