package call

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
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
	if c.Family != FamilyShell || c.Verb != effect.VerbExecute {
		return "", false
	}
	d := parseDocument(args)
	return d.command()
}

// command returns the command line of arguments.
func (d *document) command() (cmd string, ok bool) {
	switch {
	case !d.ok:
		return "", false
	case d.kind == stringValue:
		return d.text, d.text != ""
	case d.kind == objectValue:
		return d.commandOfObject()
	}
	return "", false
}

// commandOfObject returns the one command that an object holds. Two that differ
// are none: which of them the host runs is not known here.
func (d *document) commandOfObject() (cmd string, ok bool) {
	for _, k := range commandKeys {
		v, present := d.member(k)
		if !present || v.null() {
			continue
		}
		s, good := v.commandLine()
		if !good || ok && s != cmd {
			return "", false
		}
		cmd, ok = s, true
	}
	return cmd, ok
}

// namesCommand says whether arguments have any field that a shell tool takes
// its command line from.
func (d *document) namesCommand() bool {
	if d.kind != objectValue {
		return true
	}
	for _, k := range commandKeys {
		if v, ok := d.member(k); ok && !v.null() {
			return true
		}
	}
	return false
}

// vector says whether the command that an object holds is a list of words.
func (d *document) vector() bool {
	for _, k := range commandKeys {
		if v, ok := d.member(k); ok && !v.null() && v.kind != stringValue {
			return true
		}
	}
	return false
}

// commandLine is a value as a command line: a text, or the words of one.
func (v *value) commandLine() (string, bool) {
	if v.kind == stringValue {
		return v.text, true
	}
	argv, ok := v.words()
	return lineOf(argv), ok && len(argv) > 0
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
