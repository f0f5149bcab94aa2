package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

func (m *machine) builtin(name string, args []string, in data, want bool) data {
	switch name {
	case "echo":
		return echo(args, want)
	case "print":
		m.print(args)
		return echo(args, want)
	case "printf":
		return m.printf(args, want)
	case "cd", "pushd", "popd":
		m.chdir(name, args)
	case "pwd":
		return data{text: m.ownDir()}
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
			m.trapBetween(args[0], args[1:])
			m.traps = append(m.traps, args[0])
			m.atTrap(args[0])
		}
	case "set":
		if len(args) == 0 {
			return m.dumpEnviron()
		}
		m.setBuiltin(args)
	case "shift":
		m.shift(args)
	case "read", "mapfile", "readarray":
		m.readBuiltin(name, args, in)
	case "kill":
		m.kill(args)
	case "fc", "history":
		m.history(name, args)
	case "enable", "complete", "compgen", "bind", "hash":
		m.loaders(name, args)
	case "export", "declare", "typeset", "readonly", "local":
		if name != "readonly" && name != "local" && !slices.ContainsFunc(args, func(a string) bool { return !listsAll(a) }) {
			return m.dumpEnviron() // command export -p, which is no declaration to the parser
		}
		m.exportWords(args)
	case "unset", "let", "test", "[":
		m.tests(name, args)
	case "getopts", "wait":
		m.variables(name, args)
	case "umask":
		m.umask(args)
	case "shopt":
		if isAmong(args, "dotglob") && flagged(args, "s") {
			m.escape("shopt -s dotglob") // patterns match hidden files from there on (bash(1))
		}
	case "suspend":
		m.signal("this shell")
	case "break", "continue":
		if len(args) == 0 || args[0] == "1" {
			m.breaks++
		} else {
			m.leaves++
		}
	case "return":
		m.leaves++
	case "exit":
		m.trapped(0)
		if m.inner > 0 { // of the line itself nothing comes behind it
			m.leaves++
		}
	case "jobs":
		if len(args) > 1 && args[0] == "-x" {
			return m.run(args[1:], in, want)
		}
	}
	return printed(name)
}

// printed is the output of a builtin: nothing, a word that says no more than what
// the caller's shell is, or text that is not known.
func printed(name string) data {
	switch name {
	case "type", "ulimit", "umask", "times", "whence":
		return data{text: string(rune(mark.Caller))}
	case "alias", "bind", "caller", "compgen", "complete", "dirs", "enable", "export", "declare", "fc", "fg", "hash", "help", "history", "jobs", "kill",
		"popd", "pushd", "readonly", "set", "shopt", "trap", "typeset":
		return unknown
	}
	return data{}
}

func echo(args []string, want bool) data {
	newline, escapes := true, false
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' && strings.Trim(args[0][1:], "neE") == "" {
		newline = newline && firstByte(args[0], 'n') < 0
		escapes = escapes || firstByte(args[0], 'e') > 0
		args = args[1:]
	}
	if !want {
		return data{}
	}
	text := plain(strings.Join(args, " "))
	switch {
	case escapes:
		text = cleanBytes(ansiC(text))
	case echoed(text):
		return unknown
	}
	if newline {
		text += "\n"
	}
	return data{text: text}
}

// print judges what the builtin of zsh does beside printing: expanding a prompt,
// assigning, and putting text where a person's next line is (zshbuiltins(1)).
func (m *machine) print(args []string) {
	for i, a := range args {
		if a == "--" || a == "-" || !strings.HasPrefix(a, "-") {
			break
		}
		switch {
		case isFlag(a, "P") && !tamePrompt(args[i+1:]):
			m.opaque(effect.OpComputed, "a prompt string that is expanded: "+strings.Join(args[i+1:], " "))
		case isFlag(a, "z"), isFlag(a, "s"), isFlag(a, "S"):
			m.escape("print " + a)
		case isFlag(a, "v") && i+1 < len(args):
			m.varName(args[i+1])
			m.assign(args[i+1], unknown.text)
		}
	}
}

func tamePrompt(words []string) bool {
	text := strings.Join(words, " ")
	return !mark.Has(text) && !strings.ContainsAny(text, "$`")
}

func (m *machine) printf(args []string, want bool) data {
	if len(args) > 0 && strings.HasPrefix(args[0], "-v") && len(args[0]) > 2 {
		args = append([]string{"-v", args[0][2:]}, args[1:]...)
	}
	if len(args) > 1 && args[0] == "-v" {
		name, words := args[1], args[2:]
		if len(words) > 0 && words[0] == "--" {
			words = words[1:]
		}
		m.varName(name)
		m.assign(name, formatted(words))
		return data{}
	}
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) > 0 && numbers(plain(args[0])) {
		for _, a := range args[1:] {
			m.arithText(a) // arithmetic in zsh and ksh
		}
	}
	if !want || len(args) == 0 {
		return data{}
	}
	return data{text: formatted(args)}
}

// numbers says whether a format of printf has a conversion of numbers.
func numbers(format string) bool {
	for _, f := range strings.Split(format, "%")[1:] {
		if f = strings.TrimLeft(f, "0123456789.+-# '*"); f != "" && strings.Contains("diouxXeEfFgGaA", f[:1]) {
			return true
		}
	}
	return false
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

func (m *machine) sourceFile(args []string, in data) {
	if len(args) == 0 {
		return
	}
	full := m.p.Resolve(m.cwd, args[0])
	m.inOthers(args[0], func() { m.sourceFile(args, in) })
	if f, ok := m.written(full); ok {
		m.runsEarlier(&f, full)
		if !f.known || f.text == "" {
			m.opaque(effect.OpComputed, "a file this line wrote and sources: "+full)
			return
		}
		if f.maybe { // or it is not there, or what it was
			defer m.join(m.save())
		}
		m.source(f.text, in)
		if o := m.owner(); o != nil && !o.surely(m, full, &f) {
			o.forget(m, f.text)
		}
		return
	}
	if firstInput(full) {
		m.sourceOut(in.text, data{tty: true}, true)
		return
	}
	if m.inputFile(full) {
		m.runsInput()
		return
	}
	m.ranDocument(full, "sh")
	m.madeSettings(full)
	m.otherName(full, "sh")
	own := m.takes(full, in)
	z, sens, _ := m.p.Where(full)
	m.sourced = m.sourced || sens && !own // what the session said itself is no secret
	if sens && m.printing {
		m.path(effect.Read, effect.OpRead, args[0]) // each of its lines is printed
	}
	user := false
	if s, ok := m.p.StartFiles.(starts); ok && len(args) == 1 && !m.printing { // printed, it is read
		user = s.startsShells(m, full)
	}
	m.record(effect.Effect{Kind: effect.Spawn, Op: effect.OpRunFile, Zone: z, Sensitive: sens, Resource: show(full), Program: "source", Named: user})
}

func (m *machine) prefix(name string, args []string, in data, want bool) data {
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' {
		flag := args[0]
		args = args[1:]
		if name == "command" && (flag == "-v" || flag == "-V") {
			return data{text: string(rune(mark.Caller))}
		}
		if name == "exec" && strings.HasSuffix(flag, "a") && len(args) > 0 {
			args = args[1:]
		}
	}
	if len(args) == 0 {
		m.turned = m.turned || name == "exec"
		return data{}
	}
	return m.run(args, in, want)
}

// traces says whether the option at i has a shell print what it reads or runs (set, POSIX.1-2017, -v and -x;
// a letter that stands right behind -o, which takes the next word, too).
func traces(args []string, i int) bool {
	a := args[i]
	return isFlag(a, "x") || isFlag(a, "v") || a == "--verbose" || a == "--xtrace" ||
		(a == "xtrace" || a == "verbose") && i > 0 && strings.HasPrefix(args[i-1], "-") && strings.HasSuffix(args[i-1], "o")
}

func (m *machine) setBuiltin(args []string) {
	m.fishSet(args)
	for i, a := range args {
		m.printing = m.printing || traces(args, i)
		if isFlag(a, "a") || a == "allexport" && i > 0 && args[i-1] == "-o" {
			m.exporting = true
		}
		m.otherMeaning(args, i)
		if a == "history" && i > 0 && args[i-1] == "+o" {
			m.wipeHistory()
			return
		}
		if a == "--" {
			m.args, m.hasArgs, m.lost = append([]string(nil), args[i+1:]...), true, false
			return
		}
		if a == "" || a[0] != '-' && a[0] != '+' {
			if i == 0 || !namesOption(args[i-1]) {
				m.args, m.hasArgs, m.lost = append([]string(nil), args[i:]...), true, false
				return
			}
		}
	}
}

// fishSet judges what set does in fish, where it assigns: set -gx NAME VALUE
// (fish's manual, set).
func (m *machine) fishSet(args []string) {
	exports := false
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		exports = exports || isFlag(args[0], "x") || args[0] == "--export"
		args = args[1:]
	}
	if len(args) < 2 || !syntax.ValidName(args[0]) {
		return
	}
	value := strings.Join(args[1:], ":")
	if exports {
		m.exported(args[0], value)
	} else {
		m.environment(args[0], value)
	}
}

// builtinOptions are the options with a value of builtins (bash(1), SHELL BUILTIN
// COMMANDS; zshbuiltins(1)). zsh's read -k and -q and mapfile's -t are flags.
func builtinOptions(name string) getopt {
	switch name {
	case "read":
		return getopt{valued: "adinNptu"}
	case "mapfile", "readarray":
		return getopt{valued: "dnOsuCc"}
	case "hash":
		return getopt{valued: "p"}
	case "enable":
		return getopt{valued: "f"}
	case "bind":
		return getopt{valued: "mqurfx"}
	}
	return getopt{valued: "oAGWFCXPS"} // complete, compgen
}

func (m *machine) readBuiltin(name string, args []string, in data) {
	v := string(rune(mark.Caller))
	if !in.tty {
		v = unknown.text
		if mark.Has(in.text) {
			v = worst(in.text)
		}
	}
	spec := builtinOptions(name)
	opts, words := spec.read(args)
	for _, o := range opts {
		switch {
		case o.name == "":
			m.opaque(effect.OpComputed, "computed option of "+name)
		case o.name == "C":
			m.escape(name + " -C")
			m.deferred(func() { m.source(o.value, unknown) })
		case o.name == "a", o.name == "A":
			words = append(words, o.value)
		}
	}
	var cols []string
	if name == "read" && m.ifs == " \t\n" && len(words) > 0 && mark.Has(in.text) && !slices.ContainsFunc(opts, func(o option) bool { return o.name != "r" }) {
		cols = columns(in.text, len(words))
	}
	if line := trimSuffix(in.text, "\n"); name == "read" && in.known() && m.ifs == " \t\n" && !strings.ContainsAny(line, "\n\\") && !slices.ContainsFunc(opts, func(o option) bool { return o.name != "r" }) {
		if cols = strings.Fields(line); len(cols) > 1 { // else it is all of the first variable
			cols = nil
		}
	}
	for i, w := range words {
		m.varName(w)
		// The last one holds the rest of the line, which is known as far as its first word.
		if i < len(cols) && (firstByte(cols[i], mark.Unknown) < 0 || i == len(words)-1 && strings.HasPrefix(cols[i], string(rune(mark.Caller))+" ")) {
			m.assign(w, cols[i])
			continue
		}
		m.assign(w, v)
	}
}

func (m *machine) kill(args []string) {
	if len(args) > 0 && (args[0] == "-l" || args[0] == "-L" || args[0] == "--list" || args[0] == "--table") {
		return
	}
	if asksOnly(args) {
		return
	}
	named := false
	for i, a := range args {
		switch {
		case i == 0 && strings.HasPrefix(a, "-") && a != "--":
			named = a == "-s" || a == "-n"
		case named && i == 1:
		case a == "--" && i <= 2:
		default:
			m.signal(a)
		}
	}
}

// asksOnly says whether kill sends the signal that only asks whether there is a process
// (kill(2)). Behind the first one bash takes -s and -n for another.
func asksOnly(args []string) bool {
	line := " " + strings.Join(args, " ") + " "
	return strings.LastIndex(line, " -") == 0 && (strings.HasPrefix(line, " -0 ") || strings.HasPrefix(line, " -s 0 ") || strings.HasPrefix(line, " -n 0 "))
}

// wipeHistory records that the shell's history is removed or no longer kept.
func (m *machine) wipeHistory() {
	m.record(effect.Effect{Kind: effect.Delete, Op: effect.OpWipe, Zone: effect.ZoneHome, Protected: true, Resource: "shell history"})
}

func (m *machine) history(name string, args []string) {
	if name == "fc" && (len(args) == 0 || !strings.HasPrefix(args[0], "-l")) {
		m.escape("fc")
		return
	}
	for _, a := range args {
		if name == "history" && strings.HasPrefix(a, "-") && a != "-r" {
			m.wipeHistory()
			return
		}
	}
	m.record(effect.Effect{Kind: effect.Read, Op: effect.OpRead, Zone: effect.ZoneHome, Sensitive: true, Resource: "shell history"})
}

// loaders runs the builtins that may name code: a file for hash -p and enable -f, a
// line for complete and compgen -C and bind.
func (m *machine) loaders(name string, args []string) {
	spec := builtinOptions(name)
	opts, words := spec.read(args)
	for _, o := range opts {
		switch {
		case o.name == "":
			m.opaque(effect.OpComputed, "computed option of "+name)
		case name == "hash" && o.name == "p", name == "enable" && (o.name == "f" || o.name == "n" && len(words) > 0), name == "bind" && o.name == "f":
			m.escape(name + " -" + o.name + " " + o.value)
		case o.name == "C" || o.name == "x":
			m.deferred(func() { m.source(o.value, unknown) })
			m.escape(name + " -" + o.name + " " + o.value)
		case o.name == "F":
			m.completes(name, o.value)
		case o.name == "W":
			m.arithText(o.value) // its words are expanded once more
		}
	}
	if name == "bind" && len(words) > 0 {
		m.escape("bind " + words[0]) // keys that type a line
	}
}

// completes runs the function that compgen calls, which complete only names.
func (m *machine) completes(name, function string) {
	if _, ok := m.callFunc(function, nil, unknown, false); !ok && name == "compgen" {
		m.escape(name + " -F " + function)
	}
}

func (m *machine) exportWords(args []string) {
	for _, a := range args {
		if strings.HasPrefix(a, "-") && strings.ContainsAny(a, "nluci\x00") && !strings.HasPrefix(a, "-p") {
			m.escape("declare " + a)
		}
		if n, v, ok := cutAt(a, "="); ok {
			m.varName(n)
			m.exported(n, v)
			m.assign(n, v)
		}
	}
}
