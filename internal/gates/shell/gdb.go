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

// lldbCommands are the like of LLDB, one a line of it (GDB to LLDB command map).
var lldbCommands = []string{"bt", "bt all", "c", "continue", "f", "finish", "frame select", "frame variable", "image list", "n", "next", "process launch", "process status", "q", "quit", "r", "register read", "run", "s", "step", "thread backtrace", "thread backtrace all", "thread list"}

// lldbReads runs lldb on a program of the workspace without anybody at it, with such
// commands and breakpoints at names; false where it is told anything else (lldb(1)).
func (m *machine) lldbReads(args []string) bool {
	batch, program := false, []string(nil)
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == "-b" || a == "--batch":
			batch = true
		case a == "-x" || a == "--no-lldbinit" || a == "-Q" || a == "--source-quietly":
		case a == "-o" || a == "--one-line" || a == "-k" || a == "--one-line-on-crash":
			if i++; i == len(args) || !lldbPlain(args[i]) {
				return false
			}
		case a == "--" && program == nil:
			program = args[i+1:]
			i = len(args)
		case strings.HasPrefix(a, "-") || program != nil || mark.Has(a):
			return false
		default:
			program = args[i : i+1]
		}
	}
	if !batch || len(program) == 0 || !strings.ContainsRune(program[0], '/') {
		return false
	}
	m.spawn(effect.OpRun, "lldb")
	m.runFile(m.p.Resolve(m.cwd, program[0]), program, data{tty: true}, false)
	return true
}

// lldbPlain says whether a command is one of those, or sets a breakpoint at a name.
func lldbPlain(command string) bool {
	command = strings.Join(strings.Fields(command), " ")
	for _, b := range [...]string{"b ", "breakpoint set --name ", "breakpoint set -n "} {
		if name, ok := strings.CutPrefix(command, b); ok {
			return strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:.") == ""
		}
	}
	return searchNames(lldbCommands, command)
}
