package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// special runs builtins and the programs whose arguments are a language of
// their own. ok is false for all others.
func (m *machine) special(name string, argv []string, in data, want bool) (data, bool) {
	args := argv[1:]
	switch name {
	case "echo", "printf", "cd", "pushd", "popd", "pwd", "alias", "eval", "source", ".", "exec", "builtin", "command", "trap",
		"set", "shift", "unset", "read", "mapfile", "readarray", "test", "[", "kill", "enable", "complete", "bind", "export",
		"declare", "typeset", "readonly", "local", "let", "wait", "type", "noglob", "nocorrect", "history", "hash", "fc", "ulimit", "umask",
		":", "exit", "return", "break", "continue", "jobs", "fg", "bg", "disown", "dirs", "times", "getopts", "shopt", "caller", "logout", "suspend",
		"setopt", "unsetopt", "unalias", "compgen", "whence", "print":
		return m.builtin(name, args, in, want), true
	case "sh", "bash", "dash", "zsh", "ksh", "ash", "mksh", "rbash", "ksh93", "pdksh", "lksh", "posh", "yash", "oksh":
		return m.shell(args, in, want), true
	case "env":
		return m.env(args, in, want), true
	case "sudo", "doas", "su", "runuser", "sg", "pkexec":
		m.record(effect.Effect{Kind: effect.Setting, Op: effect.OpPrivilege, Resource: name})
		return m.privileged(name, args, in, want), true
	case "xargs", "gxargs":
		return m.xargs(args, in, want), true
	case "parallel":
		return m.parallel(args, in, want), true
	case "find", "gfind":
		return m.find(args, want), true
	case "fd", "fdfind":
		return m.fd(args, in, want), true
	case "sed", "gsed", "ssed":
		return m.sed(args, in, want), true
	case "awk", "gawk", "mawk", "nawk", "original-awk", "goawk":
		return m.awk(args, in, want), true
	case "git":
		return m.git(args, in, want), true
	case "dd":
		return m.dd(args, in), true
	case "cp", "mv", "ln", "gcp", "gmv", "gln":
		m.copyFiles(strings.TrimPrefix(name, "g"), args)
		return data{}, true
	case "rsync":
		m.rsync(args)
		return unknown, true
	case "chmod", "gchmod":
		m.chmod(args)
		return data{}, true
	case "mktemp", "gmktemp":
		return m.mktemp(args), true
	case "basename", "dirname", "gbasename", "gdirname":
		m.spawn(effect.OpRun, name)
		return pathPart(strings.TrimPrefix(name, "g"), args), true
	case "busybox", "toybox":
		return m.busybox(args, in, want), true
	case "tar", "gtar", "bsdtar":
		m.tar(args)
		return unknown, true
	case "openssl":
		return m.openssl(args, in, want), true
	case "journalctl":
		return m.journal(args, want), true
	case "make", "gmake":
		return m.makeTool(args, in), true
	}
	if lang, ok := interpreter(name); ok {
		return m.interpret(lang, args, in, want), true
	}
	return data{}, false
}

func (m *machine) builtin(name string, args []string, in data, want bool) data {
	switch name {
	case "echo", "print":
		return echo(args, want)
	case "printf":
		return m.printf(args, want)
	case "cd", "pushd", "popd":
		m.chdir(name, args)
	case "pwd":
		return data{text: m.cwd}
	case "alias":
		m.alias(args)
	case "eval":
		return m.sourceOut(strings.Join(args, " "), in, want)
	case "source", ".":
		m.sourceFile(args, in)
	case "exec", "builtin", "command", "noglob", "nocorrect":
		return m.prefix(name, args, in, want)
	case "trap":
		if len(args) > 1 && args[0] != "-" && args[0] != "" {
			m.deferred(func() { m.source(args[0], data{tty: true}) })
		}
	case "set":
		m.setBuiltin(args)
	case "shift":
		if len(m.args) > 0 {
			m.args = m.args[1:]
		}
	case "read", "mapfile", "readarray":
		m.readBuiltin(name, args, in)
	case "kill":
		m.kill(args)
	case "fc", "history":
		m.history(name, args)
	case "enable", "complete", "bind", "hash":
		m.loaders(name, args)
	case "export", "declare", "typeset", "readonly", "local":
		m.exports(args)
	case "unset", "let", "test", "[":
		m.tests(name, args)
	case "type":
		return data{text: string(rune(effect.MarkCaller))}
	}
	return data{}
}

func echo(args []string, want bool) data {
	newline, escapes := true, false
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' && strings.Trim(args[0][1:], "neE") == "" {
		newline = newline && strings.IndexByte(args[0], 'n') < 0
		escapes = escapes || strings.IndexByte(args[0], 'e') > 0
		args = args[1:]
	}
	if !want {
		return data{}
	}
	text := plain(strings.Join(args, " "))
	if escapes {
		text = cleanBytes(ansiC(text))
	}
	if newline {
		text += "\n"
	}
	return data{text: text}
}

func (m *machine) printf(args []string, want bool) data {
	if len(args) > 1 && args[0] == "-v" {
		m.arithText(args[1])
		out := formatted(args[2:])
		m.assign(args[1], out)
		return data{}
	}
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if !want || len(args) == 0 {
		return data{}
	}
	return data{text: formatted(args)}
}

// formatted folds printf for the conversions %s, %b, %c, %d and %%.
func formatted(args []string) string {
	if len(args) == 0 {
		return ""
	}
	format := cleanBytes(ansiC(plain(args[0])))
	args = args[1:]
	var b strings.Builder
	for {
		used := 0
		for i := 0; i < len(format); i++ {
			if format[i] != '%' || i+1 == len(format) {
				b.WriteByte(format[i])
				continue
			}
			i++
			arg := ""
			if used < len(args) {
				arg = plain(args[used])
			}
			switch format[i] {
			case '%':
				b.WriteByte('%')
				continue
			case 's', 'd', 'i', 'u':
				b.WriteString(arg)
			case 'b':
				b.WriteString(cleanBytes(ansiC(arg)))
			case 'c':
				b.WriteString(arg[:min(1, len(arg))])
			default:
				return unknown.text
			}
			used++
		}
		if used == 0 || used >= len(args) || b.Len() > maxText {
			return b.String()
		}
		args = args[used:]
	}
}

func (m *machine) chdir(name string, args []string) {
	dir := ""
	for _, a := range args {
		if a != "-P" && a != "-L" && a != "--" && a != "-e" {
			dir = a
		}
	}
	switch {
	case name == "popd" || dir == "-" || strings.HasPrefix(dir, "+"):
		m.cwd = unknown.text
		return
	case dir == "":
		m.cwd = m.p.Home
		return
	}
	m.cwd = m.p.Resolve(m.cwd, dir)
}

func (m *machine) alias(args []string) {
	for _, a := range args {
		if n, v, ok := strings.Cut(a, "="); ok {
			m.aliases = append(m.aliases, binding{name: n, value: v})
		}
	}
}

func (m *machine) sourceFile(args []string, in data) {
	if len(args) == 0 {
		return
	}
	full := m.p.Resolve(m.cwd, args[0])
	if f, ok := m.written(full); ok {
		if !f.known || f.text == "" {
			m.opaque(effect.OpComputed, "a file this line wrote and sources: "+full)
			return
		}
		m.source(f.text, in)
		return
	}
	if full == "/dev/stdin" || strings.HasPrefix(full, "/dev/fd/") || strings.HasPrefix(full, "/proc/self/fd/") {
		m.runStdin(in)
		return
	}
	z, sens, _ := m.p.Where(full)
	m.record(effect.Effect{Kind: effect.Spawn, Op: effect.OpRunFile, Zone: z, Sensitive: sens, Resource: show(full), Program: "source"})
}

// runStdin runs what comes in as shell code.
func (m *machine) runStdin(in data) data {
	if in.tty {
		m.spawn(effect.OpInteractive, m.prog)
		return unknown
	}
	return m.sourceOut(in.text, data{tty: true}, true)
}

func (m *machine) prefix(name string, args []string, in data, want bool) data {
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' {
		flag := args[0]
		args = args[1:]
		if name == "command" && (flag == "-v" || flag == "-V") {
			return data{text: string(rune(effect.MarkCaller))}
		}
		if name == "exec" && strings.HasSuffix(flag, "a") && len(args) > 0 {
			args = args[1:]
		}
	}
	if len(args) == 0 {
		return data{}
	}
	return m.run(args, in, want)
}

func (m *machine) setBuiltin(args []string) {
	for i, a := range args {
		if a == "--" {
			m.args, m.hasArgs = append([]string(nil), args[i+1:]...), true
			return
		}
		if a == "" || a[0] != '-' && a[0] != '+' {
			if i == 0 || args[i-1] != "-o" && args[i-1] != "+o" {
				m.args, m.hasArgs = append([]string(nil), args[i:]...), true
				return
			}
		}
	}
}

func (m *machine) readBuiltin(name string, args []string, in data) {
	v := string(rune(effect.MarkCaller))
	if !in.tty {
		v = unknown.text
		if effect.HasMark(in.text) {
			v = worst(in.text)
		} else if line := strings.TrimSuffix(in.text, "\n"); name == "read" && !strings.Contains(line, "\n") && !strings.ContainsAny(line, " \t") {
			v = line
		}
	}
	skip := false
	for _, a := range args {
		switch {
		case skip:
			skip = false
		case len(a) > 1 && a[0] == '-':
			if strings.HasSuffix(a, "C") {
				m.escape(name + " -C")
			}
			skip = strings.ContainsAny(a[len(a)-1:], "adinNptuC") && !strings.HasSuffix(a, "ra")
			if strings.HasSuffix(a, "a") {
				skip = false
			}
		default:
			m.arithText(a)
			m.assign(a, v)
		}
	}
}

func (m *machine) kill(args []string) {
	if len(args) > 0 && (args[0] == "-l" || args[0] == "-L" || args[0] == "--list" || args[0] == "--table") {
		return
	}
	for i, a := range args {
		if a == "-0" || a == "-s" && i+1 < len(args) && args[i+1] == "0" {
			return
		}
	}
	named := false
	for i, a := range args {
		switch {
		case i == 0 && strings.HasPrefix(a, "-") && a != "--":
			named = a == "-s" || a == "-n"
		case named && i == 1:
		default:
			m.signal(a)
		}
	}
}

func (m *machine) history(name string, args []string) {
	if name == "fc" {
		if len(args) == 0 || !strings.HasPrefix(args[0], "-l") {
			m.escape("fc")
		}
		return
	}
	for _, a := range args {
		if strings.HasPrefix(a, "-") && a != "-r" {
			m.record(effect.Effect{Kind: effect.Delete, Op: effect.OpWipe, Zone: effect.ZoneHome, Protected: true, Resource: "shell history"})
			return
		}
	}
	m.record(effect.Effect{Kind: effect.Read, Op: effect.OpRead, Zone: effect.ZoneHome, Sensitive: true, Resource: "shell history"})
}

func (m *machine) loaders(name string, args []string) {
	switch name {
	case "hash":
		for _, a := range args {
			if strings.HasPrefix(a, "-p") {
				m.escape("hash -p")
			}
		}
	case "enable":
		for _, a := range args {
			if strings.HasPrefix(a, "-f") || strings.HasPrefix(a, "-af") {
				m.escape("enable -f")
			}
		}
	default:
		for i, a := range args {
			if (a == "-C" || a == "-x") && i+1 < len(args) {
				m.deferred(func() { m.source(args[i+1], unknown) })
				m.escape(name + " " + a)
			}
		}
	}
}

func (m *machine) exports(args []string) {
	for _, a := range args {
		if strings.HasPrefix(a, "-") && strings.ContainsAny(a, "nluci\x00") && !strings.HasPrefix(a, "-p") {
			m.escape("declare " + a)
		}
		if n, v, ok := strings.Cut(a, "="); ok {
			m.arithText(n)
			m.environment(n, v)
			m.assign(n, v)
		}
	}
}

func (m *machine) tests(name string, args []string) {
	for i, a := range args {
		if name != "unset" && name != "let" && i > 0 && args[i-1] == "-v" || name == "unset" || name == "let" {
			m.arithText(a)
		}
	}
	if name == "unset" {
		for _, a := range args {
			if a == "HISTFILE" {
				m.record(effect.Effect{Kind: effect.Delete, Op: effect.OpWipe, Zone: effect.ZoneHome, Protected: true, Resource: "shell history"})
			}
			m.vars = append(m.vars, binding{name: a, unset: true})
		}
	}
}

// shell runs sh and its kin: -c LINE, a script, or standard input.
func (m *machine) shell(args []string, in data, want bool) data {
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "--version" || a == "--help":
			return data{}
		case a == "--rcfile" || a == "--init-file":
			m.escape(m.prog + " " + a)
			i++
		case effect.HasMark(a) && strings.HasPrefix(a, "-"):
			m.opaque(effect.OpComputed, "computed option of a shell")
			return unknown
		case strings.HasPrefix(a, "--") && len(a) > 2:
		case a == "-" || a == "--":
		case len(a) > 1 && (a[0] == '-' || a[0] == '+'):
			if strings.IndexByte(a, 'c') > 0 && a[0] == '-' {
				return m.shellLine(args[i+1:], in, want)
			}
			if strings.HasSuffix(a, "o") || strings.HasSuffix(a, "O") {
				i++
			}
			if strings.IndexByte(a, 's') > 0 && a[0] == '-' {
				return m.runStdin(in)
			}
			if strings.IndexByte(a, 'i') > 0 && a[0] == '-' && in.tty {
				m.spawn(effect.OpInteractive, m.prog)
			}
		default:
			return m.shellScript(a, args[i+1:], in, want)
		}
	}
	return m.runStdin(in)
}

func (m *machine) shellLine(args []string, in data, want bool) data {
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' {
		args = args[1:]
	}
	if len(args) == 0 {
		return unknown
	}
	m.spawn(effect.OpRun, m.prog)
	oldArgs, oldHas := m.args, m.hasArgs
	m.args, m.hasArgs = nil, true
	if len(args) > 2 {
		m.args = append([]string(nil), args[2:]...)
	}
	k := m.save()
	if len(args) > 1 {
		m.assign("0", args[1])
	}
	out := m.sourceOut(args[0], in, want)
	m.restore(k)
	m.args, m.hasArgs = oldArgs, oldHas
	return out
}

func (m *machine) shellScript(word string, args []string, in data, want bool) data {
	full := m.p.Resolve(m.cwd, word)
	if full == "/dev/stdin" || full == "/proc/self/fd/0" || full == "/dev/fd/0" {
		return m.runStdin(in)
	}
	if f, ok := m.written(full); ok {
		if !f.known {
			m.opaque(effect.OpComputed, "a file this line wrote and runs: "+full)
			return unknown
		}
		return m.sourceOut(f.text, in, want)
	}
	z, _, _ := m.p.Where(full)
	m.record(effect.Effect{Kind: effect.Spawn, Op: effect.OpRunFile, Zone: z, Resource: show(full)})
	return unknown
}

// env runs env(1): settings, then a command. -S splits a string into words.
func (m *machine) env(args []string, in data, want bool) data {
	k := len(m.vars)
	defer func() {
		if k <= len(m.vars) {
			m.vars = m.vars[:k]
		}
	}()
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "--":
		case a == "-u" || a == "--unset":
			i++
		case a == "-C" || a == "--chdir":
			i++
			if i < len(args) {
				m.cwd = m.p.Resolve(m.cwd, args[i])
			}
		case strings.HasPrefix(a, "--split-string="):
			return m.envSplit(a[len("--split-string="):], args[i+1:], in, want)
		case strings.HasPrefix(a, "--s") && !strings.HasPrefix(a, "--null"):
			return m.envSplit("", args[i+1:], in, want)
		case len(a) > 1 && a[0] == '-' && a[1] != '-' && strings.IndexByte(a, 'S') > 0:
			return m.envSplit(a[strings.IndexByte(a, 'S')+1:], args[i+1:], in, want)
		case len(a) > 1 && a[0] == '-':
			if effect.HasMark(a) {
				m.opaque(effect.OpComputed, "computed option of env")
			}
		case strings.IndexByte(a, '=') > 0:
			n, v, _ := strings.Cut(a, "=")
			m.environment(n, v)
			m.assign(n, v)
			if namesShell(v) {
				m.escape(a)
			}
		default:
			return m.run(args[i:], in, want)
		}
	}
	m.record(effect.Effect{Kind: effect.List, Op: effect.OpEnv, Zone: effect.ZoneCaller, Resource: "environment"})
	return unknown
}

func (m *machine) envSplit(text string, rest []string, in data, want bool) data {
	if text == "" && len(rest) > 0 {
		text, rest = rest[0], rest[1:]
	}
	if effect.HasMark(text) || strings.ContainsAny(text, `\$`) {
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
			if len(a) == 2 && strings.IndexByte(takes, a[1]) >= 0 {
				i++
			}
		case strings.IndexByte(a, '=') > 0:
			n, v, _ := strings.Cut(a, "=")
			m.environment(n, v)
		case name == "su" || name == "sg":
			takes = "" // the user's or group's name
		default:
			return m.run(args[i:], in, want)
		}
	}
	return unknown
}

func (m *machine) dd(args []string, in data) data {
	m.spawn(effect.OpRun, "dd")
	for _, a := range args {
		k, v, _ := strings.Cut(a, "=")
		switch k {
		case "if":
			m.read(v)
		case "of":
			m.write(v, effect.OpCreate)
		default:
			if effect.HasMark(k) {
				m.opaque(effect.OpComputed, "computed operand of dd")
			}
		}
	}
	return unknown
}

func (m *machine) busybox(args []string, in data, want bool) data {
	for len(args) > 0 && strings.HasPrefix(args[0], "--") {
		if args[0] == "--list" || args[0] == "--help" || args[0] == "--list-full" {
			return data{}
		}
		m.escape(m.prog + " " + args[0])
		args = args[1:]
	}
	if len(args) == 0 {
		return data{}
	}
	return m.run(args, in, want)
}
