package gates

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file finds the programs that code of a project starts, and whether they are
// spelled out (worksDaily).

// launchers are what starts a program in Python and Node.js, and the modules that they
// are of; they count where the module is named.
var launchers = map[string]struct{ modules, calls []string }{
	"python": {[]string{"subprocess", "os.system", "os.popen", "os.exec", "os.spawn", "posix_spawn", "create_subprocess", "commands", "pexpect", "sh."}, []string{"run", "call", "check_call", "check_output", "Popen", "getoutput", "getstatusoutput", "system", "popen", "create_subprocess_exec", "create_subprocess_shell"}},
	"node":   {[]string{"child_process", "execa", "shelljs", "zx", "Deno.Command", "Bun.spawn", "Bun.$", "cross-spawn", "spawn"}, []string{"exec", "execSync", "execFile", "execFileSync", "spawn", "spawnSync", "fork"}},
}

// startsPlainly says whether all that code starts are programs that are spelled out and
// would be approved, each called where it is named: one that is handed on under another
// name is not plain.
func (c *Context) startsPlainly(lang, text string) bool {
	l, ok := launchers[strings.TrimRight(lang, "0123456789.")]
	if !ok {
		return c.quotesPlainly(text)
	}
	if !slices.ContainsFunc(l.modules, func(m string) bool { return strings.Contains(text, m) }) {
		return true
	}
	for _, s := range [...]string{"os.exec", "os.spawn", "posix_spawn", "pexpect", "shelljs", "zx", "Bun.$", "Deno.Command", "import subprocess as", "import os as", "from os import", "from subprocess import", "getattr(", "promisify", " as sp", " as cp"} {
		if strings.Contains(text, s) {
			return false
		}
	}
	for _, name := range l.calls {
		for i := 0; ; {
			k := nextWord(text, name, i)
			if k < 0 {
				break
			}
			i = k + len(name)
			if !c.startsAt(text, k, name) {
				return false
			}
		}
	}
	return true
}

// quotesPlainly is startsPlainly for Ruby and PHP, which start what stands in quotes behind
// the names of starters and in quotes of their own. A text that is put together with
// something is not spelled out.
func (c *Context) quotesPlainly(text string) bool {
	plain := func(line string) bool { return !strings.ContainsAny(line, "#$") && c.starts(line) }
	for _, g := range given(text, starters[:]) {
		if line, ok := spelledOut(g); !ok || !plain(line) {
			return false
		}
	}
	own := backquoted(text)
	return strings.Count(text, "`")%2 == 0 && len(own) >= strings.Count(text, "`")/2+strings.Count(text, "%x") && !slices.ContainsFunc(own, func(line string) bool { return !plain(line) })
}

// starts says whether a command line would be approved.
func (c *Context) starts(line string) bool {
	places := c.placesIn(c.Cwd)
	script := Context{Effects: shell.AnalyzeCode("sh", line, &places)}
	var g Guardrail
	return g.Decide(&script).Disposition == Approved
}

// nextWord is where a word stands by itself from a place on, or negative.
func nextWord(text, word string, from int) int {
	for i := from; i < len(text); {
		k := strings.Index(text[i:], word)
		if k < 0 {
			return -1
		}
		k += i
		end := k + len(word)
		if (k == 0 || !wordByte(text[k-1])) && (end == len(text) || !wordByte(text[end])) {
			return k
		}
		i = end
	}
	return -1
}

// startsAt says whether the word at a place starts nothing, or a program that is spelled
// out and would be approved.
func (c *Context) startsAt(text string, at int, name string) bool {
	rest := text[at+len(name):]
	before := strings.TrimRight(text[:at], " \t\n")
	if !strings.HasPrefix(rest, "(") {
		listed := before != "" && firstByte("{,", before[len(before)-1]) >= 0
		after := strings.TrimLeft(rest, " \t\n")
		return listed && after != "" && firstByte(",}", after[0]) >= 0 // imported under its own name
	}
	if strings.HasSuffix(before, "def") || strings.HasSuffix(before, "function") {
		return true
	}
	command, ok := spelledOut(rest[1:])
	if !ok {
		return methodOf(before, name) // of something else
	}
	return c.starts(command)
}

// spelledOut is the command that arguments begin with: a text, or a list of texts whose
// first is one. What else a list holds is a word that only the run time knows.
func spelledOut(args string) (string, bool) {
	args = strings.TrimLeft(args, " \t\n")
	listed := strings.HasPrefix(args, "[")
	args = strings.TrimLeft(args, "[ \t\n")
	var words []string
	for _, own := range [...][2]string{{"sys.executable", "python3"}, {"process.execPath", "node"}} {
		if rest, ok := cutPrefix(args, own[0]); ok {
			words, args = append(words, own[1]), strings.TrimLeft(rest, ", \t\n")
		}
	}
	if args == "" || args[0] != '"' && args[0] != '\'' {
		return "", false
	}
	end := closing(args, 1, args[0])
	if end < 0 {
		return "", false
	}
	first, rest := args[1:end], strings.TrimLeft(args[end+1:], " \t\n")
	if rest != "" && firstByte(",)]", rest[0]) < 0 {
		return "", false // put together with something else
	}
	if !listed && len(words) == 0 && !strings.HasPrefix(rest, ",") || strings.Contains(first, " ") {
		return first, true
	}
	return line(append(append(words, first), listOf(rest)...), "", nil), true
}

// listOf are the words of the rest of a list, and of one that follows as an argument.
func listOf(rest string) []string {
	rest = strings.TrimLeft(rest, ", \t\n[")
	end := strings.IndexAny(rest, "])")
	if end < 0 {
		end = len(rest)
	}
	var out []string
	for _, w := range strings.Split(rest[:end], ",") {
		w = strings.TrimSpace(w)
		switch {
		case w == "":
		case len(w) > 1 && (w[0] == '"' || w[0] == '\'') && w[len(w)-1] == w[0] && strings.Count(w, w[:1]) == 2:
			out = append(out, w[1:len(w)-1])
		default:
			out = append(out, `"$X"`)
		}
	}
	return out
}

// methodOf says whether a call behind a text is one of a method that shares its name with
// what starts programs: run and call of anything but the module that starts them, exec of
// a pattern.
func methodOf(before, name string) bool {
	switch name {
	case "run", "call":
		return strings.HasSuffix(before, ".") && !strings.HasSuffix(before, "subprocess.") && !strings.HasSuffix(before, "os.")
	case "exec":
		return strings.HasSuffix(before, "/.")
	}
	return false
}
