package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// call runs a simple command.
func (m *machine) call(c *syntax.CallExpr, in data, want bool) data {
	if s, ok := m.p.StartFiles.(starts); ok {
		if program, ok := s.setsUp(m, c); ok {
			return m.settingUp(program)
		}
	}
	start := len(m.scratch)
	asked := m.asksWhetherSet(c)
	telling := m.telling
	m.telling = m.sourced && printsWords(c)
	for _, w := range c.Args {
		if w == asked {
			m.untold(func() { m.scratch = m.fields(m.scratch, w) })
			continue
		}
		m.scratch = m.fields(m.scratch, w)
	}
	m.telling = telling
	argv := m.scratch[start:len(m.scratch):len(m.scratch)]
	k := len(m.vars)
	exporting, assigning := m.exporting, m.assigning
	m.exporting, m.assigning = exporting || len(argv) > 0, assigning || len(c.Assigns) > 0
	for _, a := range c.Assigns {
		m.assignment(a, false)
		if len(argv) > 0 && len(m.vars) > 0 && namesShell(m.vars[len(m.vars)-1].value) {
			m.escape(a.Name.Value + "=" + m.vars[len(m.vars)-1].value)
		}
	}
	m.exporting = exporting
	var out data
	if len(argv) > 0 {
		exports := m.exports
		for _, a := range c.Assigns {
			m.exports = append(m.exports, a.Name.Value)
		}
		m.looksUp = true
		out = m.run(argv, in, want)
		if len(c.Assigns) > 0 {
			m.exports = append(exports, m.exports[min(len(m.exports), len(exports)+len(c.Assigns)):]...)
		}
		if len(c.Assigns) > 0 && k <= len(m.vars) {
			ifs := m.ifs
			m.unassign(c.Assigns, k, argv[0])
			if b, ok := m.lookup("IFS"); ok {
				ifs = b.value
			} else if ifs != " \t\n" {
				ifs = " \t\n"
			}
			m.ifs = ifs
		}
	}
	m.scratch, m.assigning = m.scratch[:start], assigning
	return out
}

// run runs an argument vector: a function, an alias, a builtin, a program.
func (m *machine) run(argv []string, in data, want bool) data {
	own := m.looksUp
	m.looksUp = false
	if len(argv) == 0 || !m.step() || !m.enter() {
		return unknown
	}
	prog, parent, words, input, running := m.prog, m.parent, m.argv, m.in, m.running
	m.parent, m.argv, m.in = prog, argv, in
	if len(words) < len(argv) || !slices.Equal(words[len(words)-len(argv):], argv) { // else the program before starts this one with its own last words
		m.before = len(m.effects)
	}
	n := len(m.runs)
	m.begin(argv)
	from := len(m.effects)
	out := m.runInner(argv, in, want, own)
	m.onDatabase(argv, from)
	m.ended(n)
	m.prog, m.parent, m.argv, m.in, m.running = prog, parent, words, input, running
	m.depth--
	return out
}

// runInner runs a command. own says that the shell itself looks its name up: other programs, and what
// its command and exec start, are never functions or aliases.
func (m *machine) runInner(argv []string, in data, want, own bool) data {
	name := argv[0]
	if mark.Has(name) {
		m.opaque(effect.OpComputed, "computed program name: "+name)
		return unknown
	}
	if name == "" {
		return data{}
	}
	if steers := effect.Steering(argv); steers != "" {
		m.spawn(effect.OpRunUnknown, steers)
	}
	if own && len(m.funcs) > 0 {
		if out, ok := m.callFunc(name, argv[1:], in, want); ok && !isProgram(name) {
			return out
		}
	}
	if m.bats && m.batsCommand(name, argv[1:], in) {
		return unknown
	}
	if own && len(m.aliases) > 0 {
		if out, ok := m.callAlias(name, argv[1:], in, want); ok && !isProgram(name) {
			return out
		}
	}
	if i := lastByte(name, '/'); i >= 0 {
		full := m.p.Resolve(m.cwd, name)
		if !standardDir(full) {
			m.inOthers(name, func() { m.runFile(m.p.Resolve(m.cwd, name), argv, in, false) })
			return m.runFile(full, argv, in, want)
		}
		if f, ok := m.written(full); ok {
			return m.runWritten(f, full, in, want)
		}
		name = full[lastByte(full, '/')+1:]
	} else if m.paths && m.wroteAny(name) {
		m.escape("a program of this line's own making: " + name)
	}
	m.prog, m.account = name, ""
	m.madeOption(argv)
	if out, ok := m.dispatch(name, argv, in, want); ok {
		return out
	}
	if t := lookupTool(name); t != nil {
		return m.tool(t, argv, in, want)
	}
	if t := crossTool(name); t != nil {
		return m.tool(t, argv, in, want)
	}
	if len(argv) == 2 && (argv[1] == "--help" || argv[1] == "--version") && plainName(name) {
		m.spawn(effect.OpRun, name)
		return unknown
	}
	if out, ok := m.inActivated(argv, in, want); ok {
		return out
	}
	if m.says(ofProgram, argv) {
		m.build()
		return unknown
	}
	m.spawn(effect.OpRunUnknown, name)
	m.givenSecrets(argv[1:])
	return unknown
}

// plainName says whether a word is the name of an installed program and nothing else:
// asked for its help or its version alone, it prints that and ends (GNU coding
// standards, "Command-Line Interfaces"). Not inlined, for the size of programs.
//
//go:noinline
func plainName(name string) bool {
	for i := 0; i < len(name); i++ {
		if !isNameByte(name[i]) && name[i] != '-' {
			return false
		}
	}
	return name != "" && name[0] != '-'
}

// standardDir says whether a path lies directly in a directory of installed
// programs.
func standardDir(full string) bool {
	switch full[:lastByte(full, '/')+1] {
	case "/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/", "/usr/local/bin/", "/usr/local/sbin/", "/opt/homebrew/bin/", "/usr/libexec/":
		return true
	}
	return false
}

func (m *machine) callFunc(name string, args []string, in data, want bool) (data, bool) {
	for i := len(m.funcs) - 1; i >= 0; i-- {
		if m.funcs[i].name != name {
			continue
		}
		m.funcs[i].used = true
		m.defined()
		may, k := m.funcs[i].may, m.save()
		n := len(m.files)
		out := m.body(m.funcs[i].body, args, in, want)
		m.branches(n)
		if !may {
			return out, true
		}
		m.join(k) // and what the name meant before
	}
	return data{}, false
}

func (m *machine) callAlias(name string, args []string, in data, want bool) (data, bool) {
	for i := len(m.aliases) - 1; i >= 0; i-- {
		a := m.aliases[i]
		if a.name != name {
			continue
		}
		words := strings.Fields(a.value)
		if strings.ContainsAny(a.value, "'\"\\$`;|&<>()") || len(words) == 0 || words[0] == name {
			if len(words) > 0 && words[0] == name && !strings.ContainsAny(a.value, "'\"\\$`;|&<>()") {
				return data{}, false
			}
			m.defined()
			return m.sourceOut(a.value, in, want), true
		}
		m.defined()
		m.looksUp = true
		return m.run(append(words, args...), in, want), true
	}
	return data{}, false
}

// isProgram says whether a name is that of a program, or of a builtin that runs something. A function or an
// alias of that name may not be in force where it is called: a branch that did not run defined it, it was
// taken away, or the shell expands no aliases (bash(1), ALIASES: one that is not interactive). So what the
// word runs without them counts beside what they do.
func isProgram(name string) bool {
	return firstByte(name, '/') >= 0 || hasWord("awk bash builtin command dash eval exec find ksh node perl php python python3 ruby sed sh source sudo trap xargs zsh .", name) || lookupTool(name) != nil
}

// runFile runs a file as a program: one that the line wrote by its contents,
// any other by where it lies.
func (m *machine) runFile(full string, argv []string, in data, want bool) data {
	if f, ok := m.written(full); ok {
		return m.runWritten(f, full, in, want)
	}
	base := full[lastByte(full, '/')+1:]
	m.prog = base
	z, _, _ := m.p.Where(full)
	if z == effect.ZoneWorkspace || z == effect.ZonePublic {
		switch dir := full[:len(full)-len(base)]; {
		case strings.HasSuffix(dir, "/bin/") || strings.HasSuffix(dir, "/.bin/") || strings.HasSuffix(dir, "/Scripts/"):
			if z == effect.ZoneWorkspace { // the file that it is, which the session may have brought there
				m.record(effect.Effect{Kind: effect.Spawn, Op: effect.OpRunFile, Zone: z, Resource: show(full), Program: base})
			}
			if shellOnly(base) {
				break
			}
			if out, ok := m.dispatch(base, argv, in, want); ok {
				return out
			}
			if t := lookupTool(base); t != nil {
				return m.tool(t, argv, in, want)
			}
		case base == "gradlew" || base == "mvnw":
			if t := lookupTool(base); t != nil {
				return m.tool(t, argv, in, want)
			}
		}
	}
	if dependency(full) && z == effect.ZoneWorkspace {
		if file := m.entryAt(full); file != "" {
			return m.entryFile(file, argv, in, want)
		}
		m.dependencyRun(argv[0], argv[1:], m.settled(full) && m.settledTree(full) || m.says(ofAbsent, append([]string{full}, argv[1:]...)))
		return unknown
	}
	m.console(full, argv[1:])
	m.givenArgs(argv[1:])
	m.ranDocument(full, "sh")
	if base == "configure" {
		for _, a := range argv[1:] {
			if name, value, ok := cutAt(a, "="); ok && name != "" && name[0] != '-' {
				m.exported(name, value)
			}
		}
	}
	m.madeProgram(full)
	m.record(effect.Effect{Kind: effect.Spawn, Op: effect.OpRunFile, Zone: z, Resource: show(full), Program: base})
	return unknown
}

// shellOnly says whether a name is a shell's own and no program's, which a file of that name is not.
func shellOnly(name string) bool {
	switch name {
	case "cd", "pushd", "popd", "alias", "eval", "source", ".", "exec", "builtin", "trap", "set", "shift", "unset", "read", "mapfile", "readarray", "enable", "complete", "bind", "export",
		"declare", "typeset", "readonly", "local", "let", "wait", "noglob", "nocorrect", "history", "fc", "ulimit", "umask", ":", "exit", "return", "break", "continue", "jobs", "fg", "bg", "disown", "dirs", "times",
		"getopts", "shopt", "caller", "logout", "suspend", "setopt", "unsetopt", "unalias", "compgen", "whence", "print", "help", "command", "hash", "type":
		return true
	}
	return false
}

func (m *machine) runWritten(f file, full string, in data, want bool) data {
	m.runsEarlier(&f, full)
	m.prog = full[lastByte(full, '/')+1:]
	if f.built && m.onlyBuilt(full) {
		z, _, _ := m.p.Where(full)
		if z == effect.ZoneTemp && m.done > 0 && slices.ContainsFunc(m.files[m.done-1:], func(w file) bool { return w.path == full }) {
			z = effect.ZoneWorkspace // what is made of the workspace is its own, wherever the compiler put it
		}
		m.record(effect.Effect{Kind: effect.Spawn, Op: effect.OpRunFile, Zone: z, Resource: show(full), Program: m.prog})
		return unknown
	}
	if !f.known || f.net || m.p.OnDrive() && BatchFile(full) {
		m.handed("a file that this line wrote", unknown.text)
		m.record(effect.Effect{Kind: effect.Opaque, Op: effect.OpComputed, Resource: "a file this line wrote and runs: " + show(full)})
		return unknown
	}
	if lang := shebang(f.text); lang != "" {
		return m.code(lang, f.text, in, want)
	}
	return m.anotherShell(m.argv[min(1, len(m.argv)):], false, func() data { return m.sourceOut(f.text, in, want) })
}

// starterLine is what stands behind #! in a script's first line, empty for none.
func starterLine(text string) string {
	line, ok := cutPrefix(text, "#!")
	if !ok {
		return ""
	}
	line, _, _ = cutAt(line, "\n")
	return line
}

// shebang returns the interpreter a script names, or "".
func shebang(text string) string {
	for i, w := range strings.Fields(starterLine(text)) {
		base := w[lastByte(w, '/')+1:]
		if base == "env" || i > 0 && strings.HasPrefix(w, "-") {
			continue
		}
		return base
	}
	return ""
}

// FirstLine is the command line by which the system starts a script, without the script's own
// name: empty where it is no more than an interpreter's.
func FirstLine(text string) string {
	line := strings.TrimSpace(starterLine(text))
	program, rest, _ := cutAt(line, " ")
	if strings.HasSuffix(program, "/env") {
		rest = strings.TrimSpace(rest)
		if split, ok := cutPrefix(rest, "-S"); ok {
			return strings.TrimSpace(trimPrefix(split, "="))
		}
		if !strings.Contains(rest, " ") {
			return ""
		}
		return line
	}
	if rest == "" {
		return ""
	}
	return program[lastByte(program, '/')+1:] + " " + rest
}
