package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// tool says what a program does, as data. Tables of tools are split by area
// into files named tools_*.go, each sorted by name.
//
// act is what every run of the program does, see baseAct. A slash means that
// the first operand is a subcommand with an entry of its own, "git log".
//
// out is what its output may hold: 'v' a plain value that no outsider chose
// (a date, a count), 'l' names from the directories it lists, 's' lines of its
// input as they are, 0 anything.
//
// operands gives a role to each operand; the last one repeats. A leading '$'
// means that the last operand has the last role ("$rw": copy). A leading '!'
// means that without operands and without input it waits for a person.
//
// opts lists the options that matter, separated by blanks, as NAME:ROLE for an
// option with a value, NAME?ROLE for one with an optional attached value and
// NAME!ROLE for a flag. One letter is a short option, several a long one, and
// a NAME with a dash in front is a long option with a single dash. Options that
// are not listed are flags without effect.
//
// Roles of values and operands:
//
//	n nothing          r file read          w file created       m file changed
//	d removed          D tree removed       l looked at          s searched below
//	x command line     B script run         a rest is a command  A rest is a line
//	u URL fetched      U data sent to URL   h host               p host probed
//	c settings file    o needs review       e expression         k kill target
//	C directory change (later operands are below it)             v variable name
//	f file with the expressions            j key=value that may name a program
//	M file read and changed                t directory listed
//
// Roles of flags: i operands are changed in place, q dry run, h only prints
// help, d operands are removed, E the expression was given, R recursive, and
// o or a capital of baseAct for what the flag adds.
type tool struct {
	name     string
	act      byte
	out      byte
	operands string
	opts     string
}

// toolRun is one run of a tool while its arguments are read.
type toolRun struct {
	m        *machine
	t        *tool
	start    int // effects before the run
	operands []string
	inPlace  bool
	dry      bool
	help     bool
	remove   bool
	given    bool // the expression came by an option
	sends    bool // data goes to the URLs
	reached  bool // a URL was named
	cwd      string
}

func (m *machine) tool(t *tool, argv []string, in data, want bool) data {
	if t.act == '/' {
		return m.subcommand(t, argv, in, want)
	}
	return m.toolArgs(t, argv[1:], in, want)
}

func (m *machine) toolArgs(t *tool, args []string, in data, want bool) data {
	if len(args) == 1 && onlyInforms(t, args[0]) {
		m.spawn(effect.OpRun, m.prog)
		return data{text: string(rune(effect.MarkCaller))}
	}
	r := toolRun{m: m, t: t, start: len(m.effects), cwd: m.cwd}
	var few [12]string
	r.operands = few[:0]
	rest, line := r.options(args)
	r.finish(in)
	m.cwd = r.cwd
	return m.rest(&r, rest, line, args, in, want)
}

func (m *machine) rest(r *toolRun, rest []string, line bool, args []string, in data, want bool) data {
	var out data
	switch {
	case rest != nil && line:
		out = m.sourceOut(strings.Join(rest, " "), in, want)
	case rest != nil:
		out = m.run(rest, in, want)
	case want:
		out = r.output(args, in)
	}
	return out
}

// onlyInforms says whether a tool's only argument makes it print its usage or
// version. shutdown -h and its kin halt the machine.
func onlyInforms(t *tool, arg string) bool {
	switch arg {
	case "--help", "--version", "--usage":
		return true
	case "-V", "-h", "-help", "-version", "-?":
		return t.act != 'S' && t.act != 'p'
	}
	return false
}

// options reads the arguments. It returns the rest that is itself a command,
// or a command line in several words.
func (r *toolRun) options(args []string) (rest []string, line bool) {
	ended := false
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case !ended && a == "--":
			ended = true
		case !ended && len(a) > 1 && a[0] == '-':
			i += r.option(a, args[i+1:])
		default:
			switch role := r.role(len(r.operands)); role {
			case 'a', 'A':
				return args[i:], role == 'A'
			}
			if a != "" && a[0] == effect.MarkUnknown && runsPrograms(r.t.opts) {
				r.m.opaque(effect.OpComputed, "computed argument of "+r.t.name)
			}
			r.operands = append(r.operands, a)
		}
	}
	return nil, false
}

// role returns the role of operand number n, as far as it is known before all
// operands are: launchers decide by it where their command starts.
func (r *toolRun) role(n int) byte {
	roles := r.t.operands
	if roles == "" {
		return 'n'
	}
	if roles[0] == '!' {
		roles = roles[1:]
	}
	if roles == "" || roles[0] == '$' {
		return 'n'
	}
	return roles[min(n, len(roles)-1)]
}

// option applies one argument that starts with a dash and returns how many
// further arguments it takes.
func (r *toolRun) option(a string, next []string) int {
	if strings.HasPrefix(a, "--") {
		return r.longOption(a[2:], next)
	}
	if kind, role, ok := findOpt(r.t.opts, a, false); ok {
		return r.withValue(kind, role, a, "", false, next)
	}
	if i := strings.IndexByte(a, '='); i > 2 {
		if kind, role, ok := findOpt(r.t.opts, a[:i], false); ok {
			return r.withValue(kind, role, a[:i], a[i+1:], true, next)
		}
	}
	for i := 1; i < len(a); i++ {
		kind, role, ok := findOpt(r.t.opts, a[i:i+1], false)
		if !ok {
			if a[i] <= effect.MarkInside {
				r.unknownOption(a)
				return 0
			}
			continue
		}
		switch kind {
		case ':':
			return r.withValue(kind, role, a[:2], a[i+1:], i+1 < len(a), next)
		case '?':
			r.apply(role, a, a[i+1:])
			return 0
		}
		r.apply(role, a, "")
	}
	return 0
}

// runsPrograms says whether any listed option has a role that runs, writes or
// needs review, so that an unknown option may be that one.
func runsPrograms(opts string) bool {
	for i := 2; i <= len(opts); i++ {
		if (i == len(opts) || opts[i] == ' ') && strings.IndexByte("xoBcCwid", opts[i-1]) >= 0 && opts[i-2] != 'n' {
			return true
		}
	}
	return false
}

func (r *toolRun) unknownOption(a string) {
	if runsPrograms(r.t.opts) {
		r.m.opaque(effect.OpComputed, "computed option of "+r.t.name+": "+a)
	}
}

func (r *toolRun) longOption(body string, next []string) int {
	name, value, has := strings.Cut(body, "=")
	if effect.HasMark(name) {
		r.unknownOption(body)
		return 0
	}
	if two := r.namedValue(name, next); two > 0 {
		return two
	}
	kind, role, ok := findOpt(r.t.opts, name, true)
	if !ok {
		return 0
	}
	return r.withValue(kind, role, "--"+name, value, has, next)
}

// namedValue reads jq's options with two values, a name and what it stands for.
func (r *toolRun) namedValue(name string, next []string) int {
	if len(next) < 2 || r.t.operands != "er" {
		return 0
	}
	switch name {
	case "arg", "argjson":
		return 2
	case "slurpfile", "rawfile", "argfile":
		r.m.read(next[1])
		return 2
	}
	return 0
}

func (r *toolRun) withValue(kind, role byte, name, value string, has bool, next []string) int {
	used := 0
	if kind == ':' && !has {
		if len(next) == 0 {
			return 0
		}
		value, used = next[0], 1
	}
	r.apply(role, name, value)
	return used
}

// findOpt finds an option in an option list. A long option may be cut short,
// as getopt_long(3) allows; the first listed one that fits counts.
func findOpt(opts, name string, long bool) (kind, role byte, ok bool) {
	if opts == "" || name == "" {
		return 0, 0, false
	}
	for pos := 0; pos < len(opts); {
		end := strings.IndexByte(opts[pos:], ' ')
		if end < 0 {
			end = len(opts)
		} else {
			end += pos
		}
		tok := opts[pos:end]
		pos = end + 1
		if len(tok) < 3 {
			continue
		}
		n := tok[:len(tok)-2]
		if n == name && (!long || len(n) > 1) {
			return tok[len(tok)-2], tok[len(tok)-1], true
		}
		if long && !ok && len(n) > 1 && len(name) > 1 && n[0] != '-' && strings.HasPrefix(n, name) {
			kind, role, ok = tok[len(tok)-2], tok[len(tok)-1], true
		}
	}
	return kind, role, ok
}

// apply gives an option's value its role.
func (r *toolRun) apply(role byte, name, value string) {
	switch role {
	case 'i':
		r.inPlace = true
	case 'q':
		r.dry = true
	case 'h':
		r.help = true
	case 'E':
		r.given = true
	case 'R', 'n':
	case 'e':
		r.given = true
	case 'f':
		r.given = true
		r.m.read(value)
	case 'j':
		r.judge(name, value)
	case 'o':
		r.m.escape(r.t.name + " " + name + " " + value)
	case 'd':
		if value == "" {
			r.remove = true
			return
		}
		r.m.remove(value, effect.OpRemove)
	default:
		if role == 'N' {
			r.sends = true
			return
		}
		if role >= 'A' && role <= 'Z' && strings.IndexByte("BCMD", role) < 0 {
			r.m.baseAct(role)
			return
		}
		r.operand(role, value)
	}
}

// operand gives a word its role.
func (r *toolRun) operand(role byte, word string) {
	m := r.m
	switch role {
	case 'n', 'e':
	case 'r':
		r.read(word)
		if r.inPlace && !r.dry {
			m.write(word, effect.OpModify)
		}
		if r.remove && !r.dry {
			m.remove(word, effect.OpRemove)
		}
	case 'w':
		m.write(word, effect.OpCreate)
	case 'm':
		m.write(word, effect.OpModify)
	case 'M':
		m.read(word)
		if !r.dry {
			m.write(word, effect.OpModify)
		}
	case 'd':
		m.remove(word, effect.OpRemove)
	case 'D':
		m.remove(word, effect.OpRemoveTree)
	case 'l':
		m.path(effect.List, effect.OpStat, word)
	case 't':
		m.list(word)
	case 's':
		m.path(effect.List, effect.OpSearch, word)
	case 'x':
		m.source(word, unknown)
	case 'u':
		op := effect.OpFetch
		if r.sends {
			op = effect.OpSend
		}
		r.reached = true
		m.url(op, word, "http")
	case 'U':
		m.url(effect.OpSend, word, "http")
	case 'h':
		m.url(effect.OpConnect, word, "")
	case 'p':
		m.url(effect.OpProbe, word, "")
	case 'j':
		r.judge("", word)
	case 'v':
		if effect.SecretVariable(word) {
			m.record(effect.Effect{Kind: effect.Read, Op: effect.OpEnv, Zone: effect.ZoneCaller, Sensitive: true, Resource: "$" + show(word)})
		}
	case 'c':
		m.settings(word)
	case 'C':
		m.list(word)
		m.cwd = m.p.Resolve(m.cwd, word)
	case 'B':
		m.script(word)
	case 'k':
		m.signal(word)
	default:
		m.escape(r.t.name + " " + word)
	}
}

// read reads an operand. Pagers take +COMMAND, compilers @FILE.
func (r *toolRun) read(word string) {
	if r.t.name == "yq" && (strings.Contains(word, "load") || strings.Contains(word, "env") || strings.Contains(word, "system")) {
		r.m.escape("yq " + word)
	}
	if len(word) > 1 && word[0] == '@' {
		r.m.read(word[1:])
	}
	if len(word) > 1 && word[0] == '+' && strings.Trim(word[1:], "0123456789FG") != "" && (r.t.name == "less" || r.t.name == "more") {
		r.m.escape(r.t.name + " " + word)
	}
	r.m.read(word)
}

// judgedWords are parts of key=value settings that name programs to run.
var judgedWords = [...]string{"link", "runner", "wrapper", "plugin", "exec", "command", "hook", "shell", "preload", "extld", "profile-use"}

// judge reviews a key=value setting that may name a program.
func (r *toolRun) judge(name, value string) {
	_, rhs, _ := strings.Cut(value, "=")
	if namesShell(rhs) {
		r.m.escape(r.t.name + " " + name + " " + value)
		return
	}
	for _, w := range judgedWords {
		if r.t.name != "cmake" && strings.Contains(value, w) {
			r.m.escape(r.t.name + " " + name + " " + value)
			return
		}
	}
	if strings.IndexByte(value, effect.MarkUnknown) >= 0 {
		r.m.opaque(effect.OpComputed, "computed setting of "+r.t.name)
	}
}

// namesShell says whether a value is a program that runs whatever it is given:
// a shell or an interpreter, by any path and with any arguments.
func namesShell(value string) bool {
	value = strings.TrimLeft(value, "!|@ \t")
	first, _, _ := strings.Cut(value, " ")
	first = first[strings.LastIndexByte(first, '/')+1:]
	switch strings.TrimRight(first, "0123456789.") {
	case "sh", "bash", "dash", "zsh", "ksh", "ash", "csh", "tcsh", "fish", "busybox", "env", "xargs", "sudo", "perl", "ruby", "php", "nc", "ncat", "socat", "script", "expect":
		return true
	}
	return false
}

// settings reads a file that steers a program: one that the line wrote or that
// lies outside the workspace may make it run anything.
func (m *machine) settings(word string) {
	full := m.p.Resolve(m.cwd, word)
	m.read(word)
	if strings.IndexByte(word, '{') >= 0 {
		m.escape("inline settings " + word)
	}
	_, own := m.written(full)
	if z, _, _ := m.p.Where(full); own || z != effect.ZoneWorkspace && z != effect.ZoneStream {
		m.escape("settings from " + full)
	}
}

// script runs a file with the current program as its interpreter.
func (m *machine) script(word string) {
	full := m.p.Resolve(m.cwd, word)
	if f, ok := m.written(full); ok {
		if !f.known || f.net {
			m.opaque(effect.OpComputed, "a file this line wrote and runs: "+full)
			return
		}
		m.code(m.prog, f.text, unknown, false)
		return
	}
	z, _, _ := m.p.Where(full)
	m.record(effect.Effect{Kind: effect.Spawn, Op: effect.OpRunFile, Zone: z, Resource: show(full)})
}

func (m *machine) signal(word string) {
	if strings.HasPrefix(word, "%") {
		return // a job of this very line
	}
	m.record(effect.Effect{Kind: effect.Signal, Op: effect.OpKill, Resource: show(word)})
}

// finish gives the operands their roles and adds what every run does.
func (r *toolRun) finish(in data) {
	m := r.m
	roles := r.t.operands
	if roles != "" && roles[0] == '!' {
		roles = roles[1:]
		if len(r.operands) == 0 && !r.help && !r.given {
			if in.tty {
				m.spawn(effect.OpInteractive, r.t.name)
			} else {
				m.escape(r.t.name + " runs its input")
			}
		}
	}
	last := -1
	if roles != "" && roles[0] == '$' {
		roles = roles[1:]
		last = len(r.operands) - 1
	}
	if r.given && roles != "" && roles[0] == 'e' {
		roles = roles[1:]
	}
	if roles != "" {
		for i, w := range r.operands {
			role := roles[min(i, len(roles)-1)]
			if last >= 0 {
				role = roles[0]
				if i == last {
					role = roles[len(roles)-1]
				}
			}
			r.operand(role, w)
		}
	}
	switch {
	case r.reached && r.t.act == 'F':
		m.spawn(effect.OpRun, m.prog)
	case r.sends:
		m.baseAct('N')
	default:
		m.baseAct(r.t.act)
	}
	switch {
	case r.help:
		m.effects = m.effects[:min(r.start, len(m.effects))]
		m.spawn(effect.OpRun, m.prog)
	case r.dry:
		r.dropWrites()
	}
}

func (r *toolRun) dropWrites() {
	m := r.m
	kept := m.effects[:min(r.start, len(m.effects))]
	for _, e := range m.effects[len(kept):] {
		if e.Kind != effect.Write && e.Kind != effect.Delete && e.Kind != effect.Setting {
			kept = append(kept, e)
		}
	}
	m.effects = kept
}

// baseAct records what every run of a program does, by its letter.
func (m *machine) baseAct(act byte) {
	switch act {
	case 'p', 0:
		m.spawn(effect.OpRun, m.prog)
	case 'b':
		m.build()
	case 'i', 'I':
		m.spawn(effect.OpInteractive, m.prog)
	case 'x', 'X':
		m.escape(m.prog)
	case 'N':
		m.record(effect.Effect{Kind: effect.Network, Op: effect.OpSend, Resource: m.prog})
	case 'F':
		m.record(effect.Effect{Kind: effect.Network, Op: effect.OpFetch, Resource: m.prog})
	case 'L':
		m.record(effect.Effect{Kind: effect.Network, Op: effect.OpListen, Resource: m.prog})
	case 'P':
		m.record(effect.Effect{Kind: effect.Network, Op: effect.OpProbe, Resource: m.prog})
	case 'K':
		m.record(effect.Effect{Kind: effect.Signal, Op: effect.OpKill, Resource: m.prog})
	default:
		m.record(effect.Effect{Kind: effect.Setting, Op: settingOp(act), Resource: m.prog})
	}
}

func settingOp(act byte) effect.Op {
	switch act {
	case 'G':
		return effect.OpPrivilege
	case 'U':
		return effect.OpAccount
	case 'V':
		return effect.OpService
	case 'H':
		return effect.OpSchedule
	case 'M':
		return effect.OpMount
	case 'T':
		return effect.OpInstall
	case 'D':
		return effect.OpContainer
	}
	return effect.OpSystem
}

// buildFiles are files that builders and test runners read to learn what to
// run. Sorted.
var buildFiles = []string{
	"BUILD", "Build.PL", "CMakeLists.txt", "Cargo.toml", "GNUmakefile", "Gemfile", "Jakefile", "Justfile", "Makefile",
	"Makefile.PL", "Rakefile", "SConstruct", "Taskfile.yml", "WORKSPACE", "build.gradle", "build.ninja", "build.rs",
	"build.sbt", "build.xml", "composer.json", "config.toml", "conftest.py", "dodo.py", "gulpfile.js", "jest.config.js",
	"justfile", "makefile", "meson.build", "noxfile.py", "package.json", "pom.xml", "pyproject.toml", "pytest.ini",
	"setup.cfg", "setup.py", "tox.ini", "tsconfig.json", "vite.config.js", "webpack.config.js",
}

// build records a builder's run. One whose instructions this very line wrote
// runs whatever they say.
func (m *machine) build() {
	if len(m.files) > 0 && m.wroteAny(buildFiles...) {
		m.escape(m.prog + " on instructions written by this line")
		return
	}
	if z, _, _ := m.p.Where(m.cwd); z != effect.ZoneWorkspace {
		m.record(effect.Effect{Kind: effect.Spawn, Op: effect.OpRunFile, Zone: z, Resource: show(m.cwd)})
		return
	}
	m.spawn(effect.OpBuild, m.prog)
}

func (r *toolRun) output(args []string, in data) data {
	if out, ok := fold(r.t.name, args, in); ok {
		return out
	}
	switch r.t.out {
	case 'v':
		return data{text: string(rune(effect.MarkCaller))}
	case 'l':
		return data{text: r.m.listing(r.start)}
	case 's':
		if len(r.operands) <= 1 && !in.tty && effect.HasMark(in.text) {
			return data{text: worst(in.text)}
		}
	}
	return unknown
}

// listing is the marker for names that the effects since n list: below the
// workspace, or anywhere.
func (m *machine) listing(n int) string {
	for i := min(n, len(m.effects)); i < len(m.effects); i++ {
		if e := &m.effects[i]; e.Kind == effect.List && e.Zone != effect.ZoneWorkspace && e.Zone != effect.ZoneTemp {
			return unknown.text
		}
	}
	return string(rune(effect.MarkInside))
}

// subcommand runs a tool by its subcommand's entry.
func (m *machine) subcommand(t *tool, argv []string, in data, want bool) data {
	r := toolRun{m: m, t: t, start: len(m.effects), cwd: m.cwd}
	args := argv[1:]
	for i := 0; i < len(args); i++ {
		a := args[i]
		if len(a) > 1 && a[0] == '-' {
			i += r.option(a, args[i+1:])
			continue
		}
		if len(a) > 1 && a[0] == '+' && t.name == "cargo" {
			continue // +toolchain
		}
		out := m.runSub(t, a, args[i+1:], in, want)
		m.cwd = r.cwd
		return out
	}
	m.cwd = r.cwd
	switch {
	case r.help || len(args) == 1 && (args[0] == "--help" || args[0] == "--version" || args[0] == "-h" || args[0] == "-V" || args[0] == "-v"):
		m.spawn(effect.OpRun, t.name)
	default:
		m.tool(orAsk(lookupTool(t.name+" ")), argv[:1], in, want)
	}
	return unknown
}

var askTool = tool{name: "", act: 'x'}

func orAsk(t *tool) *tool {
	if t == nil {
		return &askTool
	}
	return t
}

func (m *machine) runSub(t *tool, sub string, args []string, in data, want bool) data {
	if effect.HasMark(sub) {
		m.opaque(effect.OpComputed, "computed subcommand of "+t.name)
		return unknown
	}
	s := lookupTool(t.name + " " + sub)
	if s == nil {
		m.escape(t.name + " " + sub)
		return unknown
	}
	if s.act == '/' {
		return m.subcommand(s, append([]string{s.name}, args...), in, want)
	}
	return m.toolArgs(s, args, in, want)
}
