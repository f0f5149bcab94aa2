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

// intoFilter is what a pipe hands to its right side, which is a dump only where that is one such
// filter: of several commands another one shows all of it, and so does what is put into the filter's
// words by a command that has the same input.
func (m *machine) intoFilter(d data, right *syntax.Stmt) data {
	if d.dump == 0 {
		return d
	}
	c, ok := right.Cmd.(*syntax.CallExpr)
	if !ok || !m.isFilter(c.Args) || len(m.aliases) > 0 {
		d.dump = 0
		return d
	}
	for _, a := range c.Assigns {
		if a.Name == nil || !strings.HasPrefix(a.Name.Value, "LC_") && a.Name.Value != "LANG" {
			d.dump = 0 // grep and rg read options from variables
		}
	}
	syntax.Walk(right, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst:
			d.dump = 0
		}
		return true
	})
	return d
}

// isFilter says whether words begin with the name of such a filter, and the line has none of its own.
func (m *machine) isFilter(words []*syntax.Word) bool {
	if len(words) > 1 && words[0].Lit() == "command" {
		words = words[1:]
	}
	if len(words) == 0 {
		return false
	}
	name := strings.TrimPrefix(words[0].Lit(), "\\")
	for i := range m.funcs {
		if m.funcs[i].name == name {
			return false
		}
	}
	for _, v := range [...]string{"GREP_OPTIONS", "RIPGREP_CONFIG_PATH"} {
		if _, set := m.lookup(v); set {
			return false
		}
	}
	switch dir, base := path.Split(name); dir {
	case "", "/bin/", "/usr/bin/":
		return hasWord(narrowing, base)
	}
	return false
}

// keepsDump says whether redirections leave a program's output where it is: they are of its input or
// of its errors alone.
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

// onlyCounts says whether wc only counts its input (wc(1)).
func onlyCounts(args []string) bool {
	for _, a := range args {
		if len(a) < 2 || a[0] != '-' || strings.Trim(a[1:], "clmLw") != "" && !hasWord("--bytes --chars --lines --words --max-line-length", a) {
			return false
		}
	}
	return true
}

// cutsNames says whether cut leaves what stands before the first "=" of each line (cut(1)).
func cutsNames(args []string) bool {
	seen := ""
	for i := 0; i < len(args); i++ {
		a := args[i]
		if a == "-d" && i+1 < len(args) {
			i++
			a += args[i]
		}
		switch a {
		case "-d=", "--delimiter==":
			seen += "d"
		case "-f1":
			seen += "f"
		case "-s", "--only-delimited":
		default:
			return false
		}
	}
	return seen == "df" || seen == "fd"
}

// picksLines says whether a search shows just the lines of its input that match one pattern, which aims
// at no secret. letters are the options that it may have, and -m with a number (grep(1), rg(1)).
func picksLines(args []string, letters string) bool {
	pattern, found := "", false
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case len(a) > 1 && a[0] == '-':
			rest := strings.TrimLeft(a[1:], letters)
			if number, ok := strings.CutPrefix(rest, "m"); ok {
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
	for i := range len(s) {
		named := nameLen(s[i+1:]) > 0
		switch {
		case s[i] == '\n', s[i] == '.' && i > 0 && isNameByte(s[i-1]) && named:
			return false
		case s[i] == '\\' && named && (s[i+1] != 'b' || i > 0 && s[i-1] == '\\'):
			return false
		}
	}
	return !mark.Has(s)
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
		if i > 0 && alt[i-1] == '\\' && nameLen(alt[i+1:]) > 0 { // \b, a border
			i, n = i+1, n-1
			if w := strings.ToUpper(alt[i : i+n]); n < 3 || names.SecretVariablePart(w) {
				return false
			}
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

// showsExecs says whether strace is told by -e to show what is started with all variables (strace(1),
// Output format, abbrev and verbose); -v says so by itself.
func showsExecs(words []string) bool {
	for i, w := range words { // --abbrev and --verbose are the same
		w, valued := strings.CutPrefix(w, "-e")
		if i > 0 && words[i-1] == "-e" {
			valued = true
		}
		name, _, _ := cutAt(w, "=")
		if contains(name, "--abbrev", "--verbose") || valued && contains(name, "abbrev", "verbose", "a", "v") {
			return true
		}
		if !valued && !strings.HasPrefix(w, "-") && (i == 0 || !hasWord("-E -b -I -P -a -o -s -S -U -X -O", words[i-1])) {
			return false // the program
		}
	}
	return false
}
