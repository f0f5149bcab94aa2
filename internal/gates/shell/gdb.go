package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file judges gdb -batch with commands that only run the program and show where it
// stands (GDB's manual: Running, Stack, Source and Data). Expressions can call functions of
// the program, so that none is read; shell, python, source and all others ask.

// gdbCommands are such commands with their short forms, and gdbShown what info shows. Sorted.
var (
	gdbCommands = []string{"backtrace", "bt", "c", "cont", "continue", "disas", "disassemble", "down", "f", "finish", "frame", "l", "list", "n", "next", "q", "quit", "r", "run", "s", "start", "step", "up", "where"}
	gdbShown    = []string{"args", "breakpoints", "files", "frame", "functions", "line", "locals", "proc", "registers", "sharedlibrary", "signals", "source", "sources", "symbol", "target", "threads", "types", "variables"}
)

// gdbReads runs gdb on a program of the workspace; false where it is told anything that is
// not known.
func (m *machine) gdbReads(args []string) bool {
	batch, program := false, ""
	for i := 0; i < len(args); i++ {
		switch a := args[i]; a {
		case "-batch", "--batch":
			batch = true
		case "-q", "-quiet", "--quiet", "-nx", "--nx", "-n":
		case "-ex", "--ex", "-eval-command", "--eval-command":
			if i++; i == len(args) || !gdbPlain(args[i]) {
				return false
			}
		case "--args", "-args":
			if i+1 == len(args) || !batch {
				return false
			}
			m.spawn(effect.OpRun, "gdb")
			m.runFile(m.p.Resolve(m.cwd, args[i+1]), args[i+1:], data{tty: true}, false)
			return strings.ContainsRune(args[i+1], '/')
		default:
			if strings.HasPrefix(a, "-") || program != "" || mark.Has(a) {
				return false
			}
			program = a
		}
	}
	if !batch || program == "" {
		return false
	}
	m.spawn(effect.OpRun, "gdb")
	m.script(program)
	return true
}

// gdbPlain says whether a command only runs the program or shows something of it: words
// that are no expressions.
func gdbPlain(command string) bool {
	words := strings.Fields(command)
	if len(words) == 0 || mark.Has(command) || strings.ContainsAny(command, "()=|!&;<>$\"'`\\") {
		return false
	}
	if len(words) > 3 && words[0] == "thread" && words[1] == "apply" && words[2] == "all" {
		words = words[3:]
	}
	switch words[0] {
	case "info", "i":
		return len(words) > 1 && searchNames(gdbShown, words[1])
	case "b", "break", "tbreak":
		return len(words) == 2
	case "set":
		return len(words) == 3 && (words[1] == "pagination" || words[1] == "confirm" || words[1] == "width" || words[1] == "height")
	}
	return searchNames(gdbCommands, words[0])
}
