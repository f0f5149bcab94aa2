package gates

import (
	"bytes"
	"encoding/json"
	"strings"
)

// commandKeys are the argument names under which shell tools take their
// command line, in the order they are looked for.
var commandKeys = [...]string{"command", "cmd", "CommandLine", "command_line", "commands", "chars", "input", "script", "code"}

// CommandOf returns the command line that a call of a shell tool runs. args is
// the call's JSON: an object, a string holding such an object, or the bare
// command as a JSON string. ok is false for tools that run no shell and for
// arguments that hold no command.
func CommandOf(tool string, args []byte) (cmd string, ok bool) {
	c := Classify(tool)
	if c.Family != FamilyShell || c.Verb != VerbExecute {
		return "", false
	}
	return commandIn(args, 0)
}

func commandIn(args []byte, depth int) (string, bool) {
	// The first byte says what a text cannot be, and spares reading all of it to
	// be told so.
	opens := bytes.TrimLeft(args, " \t\r\n")
	object, list := bytes.HasPrefix(opens, []byte("{")), bytes.HasPrefix(opens, []byte("["))
	var s string
	if !object && !list && json.Unmarshal(args, &s) == nil {
		if depth == 0 && strings.HasPrefix(strings.TrimSpace(s), "{") && json.Valid([]byte(s)) {
			return commandIn([]byte(s), 1)
		}
		return s, s != ""
	}
	if !object {
		argv, ok := stringList(args)
		return lineOf(argv), ok && len(argv) > 0
	}
	var obj map[string]json.RawMessage
	if json.Unmarshal(args, &obj) != nil {
		return "", false
	}
	return commandOfObject(obj)
}

// commandOfObject returns the one command that an object holds. Two that differ
// are none: which of them the host runs is not known here.
func commandOfObject(obj map[string]json.RawMessage) (cmd string, ok bool) {
	for _, k := range commandKeys {
		v, present := obj[k]
		if !present || string(v) == "null" {
			continue
		}
		s, good := commandValue(v)
		if !good || ok && s != cmd {
			return "", false
		}
		cmd, ok = s, true
	}
	return cmd, ok
}

// namesCommand says whether arguments have any field that a shell tool takes
// its command line from.
func namesCommand(args []byte) bool {
	var s string
	if json.Unmarshal(args, &s) == nil {
		args = []byte(s)
	}
	var obj map[string]json.RawMessage
	if json.Unmarshal(args, &obj) != nil {
		return len(args) > 0
	}
	for _, k := range commandKeys {
		if v, ok := obj[k]; ok && string(v) != "null" {
			return true
		}
	}
	return false
}

func commandValue(v json.RawMessage) (string, bool) {
	var s string
	if json.Unmarshal(v, &s) == nil {
		return s, true
	}
	if argv, ok := stringList(v); ok {
		return lineOf(argv), len(argv) > 0
	}
	return "", false
}

func stringList(v []byte) ([]string, bool) {
	var argv []string
	if err := json.Unmarshal(v, &argv); err != nil || argv == nil {
		return nil, false
	}
	return argv, true
}

// lineOf turns an argument vector into a command line. A vector that only
// starts a shell on a line, as Codex sends it (bash -lc LINE), is that line.
func lineOf(argv []string) string {
	if len(argv) == 3 && isShellName(argv[0]) && (argv[1] == "-c" || argv[1] == "-lc" || argv[1] == "-ec") {
		return argv[2]
	}
	var b strings.Builder
	for i, a := range argv {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(quoteWord(a))
	}
	return b.String()
}

func isShellName(s string) bool {
	switch s[strings.LastIndexByte(s, '/')+1:] {
	case "sh", "bash", "zsh", "dash", "ksh":
		return true
	}
	return false
}

// quoteWord writes one argument so that a shell reads it back as it is.
func quoteWord(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./=:,@%+", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
