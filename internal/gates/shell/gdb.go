package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file judges gdb -batch with commands that only run the program and show where it
// stands (GDB's manual: Running, Stopping, Stack, Source and Data). An expression that calls
// or assigns is not read; shell, python, source and all others ask.

// gdbCommands are such commands with their short forms, gdbShown what info shows,
// gdbSettings what set changes and gdbCaught what catch stops at. Sorted.
var (
	gdbCommands = "backtrace bt c cont continue delete disable disas disassemble down enable f fg finish frame ignore kill l list n next nexti ni q quit r run s si start starti step stepi " +
		"thread undisplay up where"
	gdbShown = "all-registers args b breakpoints display files frame functions inferiors line locals macro proc program registers scope sharedlibrary signals source sources symbol target " +
		"threads types variables vector watchpoints"
	gdbSettings = []string{"can-use-hw-watchpoints", "confirm", "detach-on-fork", "disable-randomization", "disassembly-flavor", "follow-fork-mode", "height", "listsize", "non-stop", "pagination", "scheduler-locking", "step-mode", "width"}
	gdbCaught   = []string{"assert", "catch", "exception", "exec", "fork", "load", "rethrow", "signal", "syscall", "throw", "unload", "vfork"}
)

// gdbReads runs gdb on a program of the workspace; false where it is told anything that is
// not known.
func (m *machine) gdbReads(args []string) bool {
	batch, core, program := false, false, ""
	for i := 0; i < len(args); i++ {
		switch a := args[i]; a {
		case "-batch", "--batch":
			batch = true
		case "-q", "-quiet", "--quiet", "-silent", "--silent", "-nx", "--nx", "-n", "-nh", "--nh", "-nw", "--nw", "-return-child-result", "--return-child-result", "-batch-silent", "--batch-silent":
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
			if strings.HasPrefix(a, "-") || mark.Has(a) {
				return false
			}
			if program != "" { // a number may be that of a process
				if core || strings.Trim(a, "0123456789") == "" {
					return false
				}
				core = true
				m.read(m.p.Resolve(m.cwd, a))
				continue
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
// of their own, places, and expressions that call nothing.
func gdbPlain(command string) bool {
	words := strings.Fields(command)
	if len(words) == 0 || mark.Has(command) {
		return false
	}
	if len(words) > 3 && words[0] == "thread" && words[1] == "apply" {
		words = words[3:]
	}
	if len(words) > 1 && strings.HasPrefix("apply", words[1]) && words[1] != "" && words[0] != "handle" {
		return false // frame apply and thread apply run what follows
	}
	verb, format, _ := cutAt(words[0], "/")
	rest := strings.TrimSpace(command[strings.Index(command, words[0])+len(words[0]):])
	if strings.Trim(format, "0123456789abcdfghinorstuwxz") != "" {
		return false
	}
	switch verb {
	case "p", "print", "inspect", "x", "output", "display", "watch", "rwatch", "awatch", "ptype", "whatis", "condition", "explore":
		return debuggerReads(rest)
	case "b", "break", "tbreak", "hbreak", "thbreak", "until", "u", "advance":
		place, condition, _ := cutAt(rest, " if ")
		return format == "" && strings.Trim(place, placeLetters) == "" && debuggerReads(condition)
	}
	if format != "" && verb != "disas" && verb != "disassemble" || strings.ContainsAny(command, "()=|!&;<>$\"'`\\") {
		return false
	}
	switch verb {
	case "info", "i":
		return len(words) > 1 && mark.Among(gdbShown, words[1])
	case "set":
		return len(words) > 2 && (searchNames(gdbSettings, words[1]) && len(words) == 3 || words[1] == "print" || words[1] == "p" || words[1] == "breakpoint" && words[2] == "pending" || words[1] == "style")
	case "catch", "tcatch":
		return len(words) > 1 && searchNames(gdbCaught, words[1])
	case "handle":
		return len(words) > 1 && !mark.Has(command)
	}
	return mark.Among(gdbCommands, verb)
}

// placeLetters are those of a place in a program: file.cpp:12, ns::f, *0x1234.
const placeLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:/*+-~$"

// debuggerReads says whether an expression only reads the program that is debugged: names,
// registers, members, elements, numbers and what compares them. Nothing is called but
// operators that the program itself defines, and nothing is assigned.
func debuggerReads(expression string) bool {
	if strings.Trim(expression, placeLetters+" ,&[]()@%<>=!|^") != "" || calls(expression) || strings.Contains(expression, "++") || strings.Contains(expression, "--") {
		return false
	}
	for _, w := range [...]string{"==", "!=", "<=", ">="} {
		expression = strings.ReplaceAll(expression, w, " ")
	}
	return !strings.ContainsRune(strings.ReplaceAll(strings.ReplaceAll(expression, "||", ""), "->", "."), '=') && !strings.HasPrefix(expression, "|")
}

// calls says whether a parenthesis of an expression may hold arguments: one behind a name,
// an element or another parenthesis. sizeof is none.
func calls(expression string) bool {
	for i := range expression {
		before := strings.TrimRight(expression[:i], " ")
		if expression[i] != '(' || before == "" || strings.HasSuffix(before, "sizeof") && strings.Trim(before, "sizeof *&(-+/,") == "" {
			continue
		}
		if !strings.ContainsRune("*&-+/%,([|=!<^~", rune(before[len(before)-1])) {
			return true
		}
	}
	return false
}

// lldbCommands are the like of LLDB, one a line of it (GDB to LLDB command map).
var lldbCommands = []string{"bt", "bt all", "c", "continue", "di", "disassemble", "f", "finish", "frame info", "frame select", "frame variable", "image list", "n", "next", "process launch", "process status", "q", "quit", "r", "register read", "run", "s", "si", "step", "thread backtrace", "thread backtrace all", "thread info", "thread list", "thread step-in", "thread step-inst", "thread step-out", "thread step-over", "up", "v"}

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

// lldbPlain says whether a command is one of those, sets a breakpoint, or shows what an
// expression reads.
func lldbPlain(command string) bool {
	command = strings.Join(strings.Fields(command), " ")
	for _, b := range [...]string{"b ", "breakpoint set --name ", "breakpoint set -n ", "br s -n ", "breakpoint set --file ", "breakpoint set -f ", "br s -f "} {
		if place, ok := cutPrefix(command, b); ok {
			place = strings.NewReplacer(" --line ", ":", " -l ", ":").Replace(place)
			return place != "" && place[0] != '-' && strings.Trim(place, placeLetters) == ""
		}
	}
	for _, b := range [...]string{"p ", "print ", "po ", "v ", "frame variable ", "fr v ", "target variable "} {
		if expression, ok := cutPrefix(command, b); ok {
			return debuggerReads(expression)
		}
	}
	for _, b := range [...]string{"register read ", "re r ", "disassemble ", "di ", "thread backtrace -c ", "thread select ", "frame select ", "image lookup -n ", "image lookup -a ", "image lookup --address "} {
		if rest, ok := cutPrefix(command, b); ok {
			return strings.Trim(rest, placeLetters+" ") == ""
		}
	}
	return searchNames(lldbCommands, command)
}
