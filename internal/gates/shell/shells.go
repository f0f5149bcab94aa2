package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// runStdin runs what comes in as shell code.
func (m *machine) runStdin(in data, args []string) data {
	if in.tty {
		m.spawn(effect.OpInteractive, m.prog)
		return unknown
	}
	return m.anotherShell(args, false, func() data { return m.sourceOut(in.text, data{tty: true}, true) })
}

// shell runs sh and its kin: -c LINE, a script, or standard input.
func (m *machine) shell(args []string, in data, want bool) data {
	printing := m.printing
	defer func() { m.printing = printing }()
	for i := 0; i < len(args); i++ {
		a := args[i]
		m.printing = m.printing || traces(args, i)
		switch {
		case a == "--version" || a == "--help":
			return data{}
		case a == "-n" && len(args) == 2 && i == 0: // it only checks the syntax of a script
			return data{}
		case a == "--rcfile" || a == "--init-file":
			m.escape(m.prog + " " + a)
			i++
		case mark.Has(a) && strings.HasPrefix(a, "-"):
			m.opaque(effect.OpComputed, "computed option of a shell")
			return unknown
		case strings.HasPrefix(a, "--") && len(a) > 2:
		case a == "-" || a == "--":
		case len(a) > 1 && (a[0] == '-' || a[0] == '+'):
			m.otherMeaning(args, i)
			if strings.HasSuffix(a, "o") && i+1 < len(args) {
				m.otherMeaning(args, i+1)
				m.printing = m.printing || traces(args, i+1)
			}
			if firstByte(a, 'c') > 0 && a[0] == '-' {
				return m.shellLine(args[i+1:], in, want)
			}
			if strings.HasSuffix(a, "o") || strings.HasSuffix(a, "O") {
				i++
			}
			if firstByte(a, 's') > 0 && a[0] == '-' {
				return m.runStdin(in, args[i+1:])
			}
			if firstByte(a, 'i') > 0 && a[0] == '-' && in.tty {
				m.spawn(effect.OpInteractive, m.prog)
			}
		default:
			return m.shellScript(a, args[i+1:], in, want)
		}
	}
	return m.runStdin(in, nil)
}

func (m *machine) shellLine(args []string, in data, want bool) data {
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' {
		args = args[1:]
	}
	if len(args) == 0 {
		return unknown
	}
	m.spawn(effect.OpRun, m.prog)
	return m.anotherShell(args[min(2, len(args)):], false, func() data {
		if len(args) > 1 {
			m.assign("0", args[1])
		}
		return m.sourceOut(args[0], in, want)
	})
}

func (m *machine) shellScript(word string, args []string, in data, want bool) data {
	full := m.p.Resolve(m.cwd, word)
	m.inOthers(word, func() { m.shellScript(word, args, in, false) })
	if firstInput(full) {
		return m.runStdin(in, args)
	}
	if m.inputFile(full) {
		m.runsInput()
		return unknown
	}
	if f, ok := m.written(full); ok {
		m.runsEarlier(&f, full)
		if !f.known {
			m.opaque(effect.OpComputed, "a file this line wrote and runs: "+full)
			return unknown
		}
		return m.anotherShell(args, false, func() data { return m.sourceOut(f.text, in, want) })
	}
	if t := m.installedTool(full); t != nil {
		return m.runInstalled(t, full, "sh", args, in, want)
	}
	m.console(full, args)
	m.givenArgs(args)
	m.ranDocument(full, "sh")
	m.otherName(full, "sh")
	z, secret, _ := m.p.Where(full)
	if secret {
		m.read(word) // its errors quote it, and so does what traces it
	}
	m.record(effect.Effect{Kind: effect.Spawn, Op: effect.OpRunFile, Zone: z, Resource: show(full)})
	return unknown
}

// envOptions are those of env(1), GNU's and BSD's.
var envOptions = getopt{
	valued: "aCuSPLU",
	longs:  "argv0= block-signal? chdir= debug default-signal? help ignore-environment ignore-signal? list-signal-handling null split-string= unset= version",
}

// env runs env(1): settings, then a command. -S splits a string into words.
func (m *machine) env(args []string, in data, want bool) data {
	k, cwd, exports := len(m.vars), m.cwd, m.exports
	defer func() {
		m.cwd, m.exports = cwd, exports
		if k <= len(m.vars) {
			m.vars = m.vars[:k]
		}
	}()
	if len(args) == 1 && (args[0] == "--help" || args[0] == "--version") {
		return data{}
	}
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "--":
		case len(a) > 1 && a[0] == '-':
			opts, used := envOptions.word(a, args[i+1:])
			i += used
			for _, o := range opts {
				switch o.name {
				case "C", "chdir":
					m.cwd = m.p.Resolve(m.cwd, o.value)
					m.moved()
				case "S", "split-string":
					return m.envSplit(o.value, args[i+1:], in, want)
				case "u", "unset", "i", "ignore-environment":
				case "a", "argv0", "P": // another name makes busybox another program, another path any
					m.escape("env -" + o.name + " " + o.value)
				case "":
					m.opaque(effect.OpComputed, "computed option of env")
				default:
					m.turned = true // it prints more than a line for each variable
				}
			}
		case firstByte(a, '=') > 0:
			n, v, _ := cutAt(a, "=")
			m.assigning = true // until the end of the command that env is in
			m.exported(n, v)
			m.exports = append(m.exports, n)
			m.assign(n, v)
			if namesShell(v) {
				m.escape(a)
			}
		default:
			return m.run(args[i:], in, want)
		}
	}
	return m.dumpEnviron()
}

func (m *machine) envSplit(text string, rest []string, in data, want bool) data {
	if mark.Has(text) || strings.ContainsAny(text, `\$`) {
		m.opaque(effect.OpComputed, "env -S "+text)
		return unknown
	}
	words, ok := splitQuoted(text)
	if !ok {
		m.opaque(effect.OpUnparsed, "env -S "+text)
		return unknown
	}
	return m.env(append(words, rest...), in, want)
}

// splitQuoted splits a string at blanks, honouring both kinds of quotes.
func splitQuoted(s string) ([]string, bool) {
	var out []string
	var cur []byte
	open := false
	var quote byte
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			cur = append(cur, c)
		case c == '\'' || c == '"':
			quote, open = c, true
		case c == ' ' || c == '\t' || c == '\n':
			if open {
				out, cur, open = append(out, string(cur)), nil, false
			}
		default:
			cur, open = append(cur, c), true
		}
	}
	if open {
		out = append(out, string(cur))
	}
	return out, quote == 0
}

// privileged looks through sudo and its kin at what they run.
func (m *machine) privileged(name string, args []string, in data, want bool) data {
	if name == "sudo" && len(args) == 1 && contains(args[0], "-V", "--version", "-h", "--help", "-l", "--list") {
		m.spawn(effect.OpRun, name)
		return unknown
	}
	m.record(effect.Effect{Kind: effect.Setting, Op: effect.OpPrivilege, Resource: name})
	takes := "ugphCDRTUc"
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case name != "sudo" && (a == "-c" || a == "--command") && i+1 < len(args):
			return m.sourceOut(args[i+1], in, want)
		case name != "sudo" && strings.HasPrefix(a, "--command="):
			return m.sourceOut(a[len("--command="):], in, want)
		case a == "--":
		case len(a) > 1 && a[0] == '-':
			if len(a) == 2 && firstByte(takes, a[1]) >= 0 {
				i++
			}
		case firstByte(a, '=') > 0:
			n, v, _ := cutAt(a, "=")
			m.exported(n, v)
		case name == "su" || name == "sg":
			takes = "" // the user's or group's name
		default:
			return m.run(args[i:], in, want)
		}
	}
	return unknown
}
