package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Programs returns the names of the programs that a command line runs, in the
// order in which they stand, without directories. Wrappers (sudo, env, timeout,
// xargs, find -exec, bash -c, ...) are listed and looked through. Names that a
// variable or substitution makes up are left out. A line that does not parse
// gives the names before the error.
func Programs(command string) []string {
	var c collector
	c.line(command, 0)
	return c.names
}

// maxProgramDepth bounds bash -c inside bash -c; real nesting stays below it.
const maxProgramDepth = 8

type collector struct {
	names []string
	argv  []string
}

func (c *collector) line(command string, depth int) {
	if depth > maxProgramDepth || !parsable(command) {
		return
	}
	f, _ := parse(command)
	if f == nil {
		return
	}
	for _, s := range f.Stmts {
		syntax.Walk(s, func(n syntax.Node) bool {
			if call, ok := n.(*syntax.CallExpr); ok && len(call.Args) > 0 {
				c.call(call, depth)
			}
			return true
		})
	}
}

func (c *collector) call(call *syntax.CallExpr, depth int) {
	start := len(c.argv)
	for _, w := range call.Args {
		s, ok := plainWord(w)
		if !ok {
			s = "$"
		}
		c.argv = append(c.argv, s)
	}
	c.run(c.argv[start:], depth)
	c.argv = c.argv[:start]
}

func (c *collector) run(argv []string, depth int) {
	for len(argv) > 0 && depth <= maxProgramDepth {
		name := argv[0][strings.LastIndexByte(argv[0], '/')+1:]
		if name == "" || strings.HasPrefix(name, "$") {
			return
		}
		c.names = append(c.names, name)
		if name == "find" || name == "fd" || name == "fdfind" {
			c.findExec(argv[1:], depth+1)
			return
		}
		if line, ok := shellLine(name, argv[1:]); ok {
			c.line(line, depth+1)
			return
		}
		argv = wrapped(name, argv[1:])
		depth++
	}
}

func (c *collector) findExec(args []string, depth int) {
	for i, a := range args {
		switch a {
		case "-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch":
			end := i + 1
			for end < len(args) && args[end] != ";" && args[end] != "+" {
				end++
			}
			c.run(args[i+1:end], depth)
		}
	}
}

// shellLine returns the inline line of sh -c LINE, eval LINE or su -c LINE.
func shellLine(name string, args []string) (string, bool) {
	switch name {
	case "eval":
		return strings.Join(args, " "), len(args) > 0
	case "sh", "bash", "dash", "zsh", "ksh", "ash", "su", "script":
	default:
		return "", false
	}
	for i, a := range args {
		if len(a) > 1 && a[0] == '-' && a[1] != '-' && strings.IndexByte(a, 'c') > 0 && i+1 < len(args) {
			return args[i+1], args[i+1] != "$"
		}
	}
	return "", false
}

// programWrapper is a program that runs its arguments: options are skipped,
// the ones in takes with their value, then operands many operands.
type programWrapper struct {
	name     string
	takes    string // option letters that take a separate value
	operands int
}

// programWrappers are the launchers Programs looks through, from their manual
// pages. Sorted by name.
var programWrappers = [...]programWrapper{
	{"builtin", "", 0},
	{"busybox", "", 0},
	{"caffeinate", "tw", 0},
	{"chroot", "", 1},
	{"chrt", "TPD", 1},
	{"command", "", 0},
	{"doas", "uC", 0},
	{"env", "uCS", 0},
	{"exec", "a", 0},
	{"fakeroot", "lsib", 0},
	{"flock", "wEc", 1},
	{"gosu", "", 1},
	{"ionice", "cnpPu", 0},
	{"nice", "n", 0},
	{"nohup", "", 0},
	{"parallel", "jISNnPL", 0},
	{"prlimit", "p", 0},
	{"proot", "rbwq", 0},
	{"rlwrap", "", 0},
	{"setarch", "", 1},
	{"setsid", "", 0},
	{"stdbuf", "ioe", 0},
	{"strace", "abeEIoOpPsSuUX", 0},
	{"sudo", "ugphCDRTU", 0},
	{"taskset", "", 1},
	{"time", "fo", 0},
	{"timeout", "ks", 1},
	{"toybox", "", 0},
	{"unbuffer", "", 0},
	{"watch", "nq", 0},
	{"xargs", "aEdIiLlnPs", 0},
}

// wrapped returns the command that a wrapper runs, or nil.
func wrapped(name string, args []string) []string {
	lo, hi := 0, len(programWrappers)
	for lo < hi {
		mid := (lo + hi) / 2
		if programWrappers[mid].name < name {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == len(programWrappers) || programWrappers[lo].name != name {
		return nil
	}
	w := &programWrappers[lo]
	operands := w.operands
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "--":
		case len(a) > 1 && a[0] == '-':
			if len(a) == 2 && strings.IndexByte(w.takes, a[1]) >= 0 {
				i++
			}
		case name == "env" && strings.IndexByte(a, '=') > 0:
		case operands > 0:
			operands--
		default:
			return args[i:]
		}
	}
	return nil
}

// plainWord returns a word's text where quotes and escapes are all it holds.
func plainWord(w *syntax.Word) (string, bool) {
	if len(w.Parts) == 1 {
		return plainPart(w.Parts[0])
	}
	var b strings.Builder
	for _, p := range w.Parts {
		s, ok := plainPart(p)
		if !ok {
			return "", false
		}
		b.WriteString(s)
	}
	return b.String(), true
}

func plainPart(p syntax.WordPart) (string, bool) {
	switch p := p.(type) {
	case *syntax.Lit:
		if strings.IndexByte(p.Value, '\\') < 0 {
			return p.Value, true
		}
		return unescape(p.Value), true
	case *syntax.SglQuoted:
		if p.Dollar {
			return ansiC(p.Value), true
		}
		return p.Value, true
	case *syntax.DblQuoted:
		if len(p.Parts) == 0 {
			return "", true
		}
		if len(p.Parts) == 1 {
			if l, ok := p.Parts[0].(*syntax.Lit); ok {
				return unescapeQuoted(l.Value), true
			}
		}
	}
	return "", false
}
