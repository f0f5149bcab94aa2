package shell

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/names"
)

// This file is about dumps of which a filter leaves what is no secret: env | grep PATH. The filter
// has to be all that the dump goes into, and all its options are known.

// narrowing are the filters that may leave what is no secret.
const narrowing = "grep egrep fgrep rg wc cut jq gojq"

// intoFilter says whether what a pipe hands to its right side goes into one such filter and nothing else:
// of several commands another one shows all of it, and so does a command in the filter's words, which
// has the same input.
func (m *machine) intoFilter(right *syntax.Stmt) bool {
	c, ok := right.Cmd.(*syntax.CallExpr)
	if !ok || len(m.aliases)+len(m.funcs) > 0 || len(c.Args) == 0 {
		return false
	}
	name := c.Args[0].Lit()
	if name == "command" && len(c.Args) > 1 {
		name = c.Args[1].Lit()
	}
	ok = hasWord(narrowing, path.Base(trimPrefix(name, "\\")))
	syntax.Walk(right, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst:
			ok = false
		}
		return ok
	})
	return ok
}

// keepsDump says whether redirections leave a program's output where it is: they are of its input or
// of its errors alone. Not inlined, for the size of programs.
//
//go:noinline
func keepsDump(list []*syntax.Redirect) bool {
	for _, r := range list {
		switch r.Op {
		case syntax.RdrIn, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
			if r.N != nil && r.N.Value != "0" {
				return false
			}
		case syntax.RdrOut, syntax.AppOut, syntax.DplOut:
			if r.N == nil || r.N.Value != "2" {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// handOn are programs that start another one and show nothing of it themselves (their manuals): a
// tracer does.
const handOn = "timeout nice nohup stdbuf setsid ionice chrt taskset caffeinate xvfb-run cross-env"

// handsDump says whether a program is one of these, or runs another one in an environment of the project's.
func (r *toolRun) handsDump() bool {
	return hasWord(handOn, r.t.name) || strings.HasSuffix(r.t.name, " run") || strings.HasSuffix(r.t.name, " exec")
}

// narrow takes a dump of the environment for a harmless listing where the next
// filter leaves only variables that hold no secret, or no values at all.
func (r *toolRun) narrow(in data, args []string) {
	if in.dump == 0 || in.dump > len(r.m.effects) {
		return
	}
	e, json := &r.m.effects[in.dump-1], r.t.name == "jq" || r.t.name == "gojq"
	switch {
	case e.Op == effect.OpEnv && (r.picks(args) || r.t.name == "cut" && cutsNames(args)):
		e.Kind, e.Sensitive = effect.List, false
	case e.Op == effect.OpRead && (r.t.name == "wc" && onlyCounts(args) || json && plainOfPlan(args)):
		e.Sensitive = false // a plan of Terraform
	case e.Op == effect.OpRead && e.Zone == effect.ZoneCaller && (r.picks(args) || json && len(r.operands) == 1 && plainInspection(args)):
		e.Sensitive = false // a container
	}
}

func (r *toolRun) picks(args []string) bool {
	switch r.t.name {
	case "wc":
		return onlyCounts(args)
	case "grep", "egrep", "fgrep":
		return picksLines(args, "acEFGHhiLlnoPqsTUwxy")
	case "rg":
		return picksLines(args, "acFHIiNnoPpqSswx")
	}
	return false
}

// onlyCounts says whether wc only counts its input (wc(1)): its options are of the letters of those that
// say what is counted.
func onlyCounts(args []string) bool {
	for _, a := range args {
		if a == "" || a[0] != '-' || strings.Trim(a, "-abcdeghilmnorstwxyL") != "" {
			return false
		}
	}
	return true
}

// cutsNames says whether cut leaves what stands before the first "=" of each line (cut(1)).
func cutsNames(args []string) bool {
	return contains(strings.Join(args, " "), "-d= -f1", "-f1 -d=", "-d = -f1", "-f1 -d =", "-d= -f1 -s", "-s -d= -f1")
}

// picksLines says whether a search shows just the lines of its input that match one pattern, which aims
// at no secret. letters are the options that it may have, and -m with a number (grep(1), rg(1)). Not
// inlined, for the size of programs.
//
//go:noinline
func picksLines(args []string, letters string) bool {
	pattern, found := "", false
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case len(a) > 1 && a[0] == '-':
			rest := strings.TrimLeft(a[1:], letters)
			if number, ok := cutPrefix(rest, "m"); ok {
				if number == "" && i+1 < len(args) {
					i++
					number = args[i]
				}
				if number == "" || strings.Trim(number, "0123456789") != "" {
					return false
				}
				rest = ""
			}
			if rest != "" {
				return false
			}
		case found:
			return false
		default:
			pattern, found = a, true
		}
	}
	return found && plainPattern(pattern) && !aimsAtSecrets(pattern)
}

// plainPattern says whether a pattern is one of the words that stand in it: a class or any character
// within a word may be those of a secret's name, and a line of its own is another pattern.
func plainPattern(s string) bool {
	for i := 1; i < len(s); i++ {
		if isNameByte(s[i]) && (s[i-1] == '\\' || s[i-1] == '.' && i > 1 && isNameByte(s[i-2])) {
			return false
		}
	}
	return !strings.Contains(s, "\n") && !mark.Has(s)
}

// aimsAtSecrets says whether a pattern over NAME=value lines may let a secret
// through: one of its alternatives has no word of three letters, or one that
// stands in the name of a well-known secret.
func aimsAtSecrets(pattern string) bool {
	if strings.ContainsAny(pattern, "*?[{") {
		return true
	}
	for _, alt := range strings.Split(pattern, "|") {
		if !tamePattern(alt) {
			return true
		}
	}
	return false
}

func tamePattern(alt string) bool {
	words := 0
	for i := 0; i < len(alt); {
		if !isNameByte(alt[i]) {
			i++
			continue
		}
		n := nameLen(alt[i:])
		if w := strings.ToUpper(alt[i : i+n]); n < 3 || names.SecretVariable(w) || names.SecretVariablePart(w) {
			return false
		}
		words++
		i += n
	}
	return words > 0
}

// envTask records that env or printenv as a task prints the environment, where the project has no task
// of that name: npm and Yarn then have one of their own, and Bun runs the program (npm-run-script; the
// manuals of Yarn 1 and Bun, run).
func (m *machine) envTask(word string) {
	if hasWord("env printenv", word) && !slices.ContainsFunc(m.projectTasks(), func(t taskLine) bool { return t.name == word }) {
		m.environ("environment")
	}
}

// showsExecs says whether strace is told to show what is started with all variables (strace(1),
// Output format, abbrev and verbose); -v says so by itself.
func showsExecs(words []string) bool {
	for _, w := range words {
		if name, _, ok := cutAt(strings.TrimLeft(w, "-e"), "="); ok && hasWord("abbrev verbose a v", name) {
			return true
		}
	}
	return false
}
