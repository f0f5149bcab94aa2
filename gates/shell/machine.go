package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"mvdan.cc/sh/v3/syntax"
)

// Limits of one analysis. Real commands stay two orders of magnitude below
// them; whatever exceeds one ends as opaque. Chosen so that the slowest input
// the fuzz target found ends below 50 ms on one core of the build machine.
const (
	maxSteps   = 20000
	maxDepth   = 24
	maxEffects = 400
	maxText    = 64 << 10
	maxFields  = 512
	maxVars    = 1000
)

// Analyze resolves a command line into its effects. places says where it runs
// and must be normal (effect.Places.Normal). What can't be resolved is an
// effect of kind Opaque; a command without effects does nothing.
func Analyze(command string, places *effect.Places) []effect.Effect {
	effects, _ := AnalyzeFiles(command, places)
	return effects
}

// Written is a file that a command line writes, as far as it is known.
type Written struct {
	Path  string // absolute
	Text  string // its contents, if Known
	Known bool
	Net   bool // its contents come over the network
	Part  bool // Text is only a part of the file
}

// AnalyzeFiles is Analyze that also returns the files the line writes whose
// contents are known or come over the network, the last write of each last.
func AnalyzeFiles(command string, places *effect.Places) ([]effect.Effect, []Written) {
	m := machine{p: places, cwd: places.Cwd, ifs: " \t\n"}
	m.effects = make([]effect.Effect, 0, 4)
	m.source(command, data{tty: true})
	m.deferAll()
	var out []Written
	for _, f := range m.files {
		if (f.known || f.net) && !effect.HasMark(f.path) && !strings.HasPrefix(f.path, "/dev/") {
			out = append(out, Written{Path: f.path, Text: f.text, Known: f.known, Net: f.net, Part: f.part})
		}
	}
	return m.effects, out
}

// data is what flows into or out of a command: text with markers where it is
// not known, or the terminal.
type data struct {
	text string
	tty  bool
}

var unknown = data{text: string(rune(effect.MarkUnknown))}

func (d data) known() bool { return !d.tty && !effect.HasMark(d.text) }

// binding is a variable or an alias. Bindings form a log: the last one of a
// name counts, and leaving a subshell cuts the log back.
type binding struct {
	name  string
	value string
	list  []string
	array bool
	unset bool
}

type function struct {
	name string
	body *syntax.Stmt
	used bool
}

// file is a file that the line itself wrote.
type file struct {
	path   string
	text   string // with markers
	known  bool
	net    bool   // its contents came over the network
	part   bool   // text was added to contents that are not known
	fresh  bool   // nothing of an older file of that name is left
	edit   string // the script that changed it
	edited bool   // a program changed a file in place
	seen   bool   // its contents have been judged as code
}

// machine interprets a command line over values that may be unknown.
type machine struct {
	p       *effect.Places
	cwd     string
	ifs     string
	effects []effect.Effect
	vars    []binding
	aliases []binding
	funcs   []function
	files   []file
	args    []string
	hasArgs bool
	steps   int
	depth   int
	quiet   int      // above 0: effects are not recorded (dry runs)
	later   bool     // effects happen later
	odd     []string // variables whose assignments are changed on the way
	stopped bool
	paths   bool // PATH or a lookup table was changed
	prog    string
	parent  string   // the program that runs the current one
	argv    []string // the words of the current program
	scratch []string
}

// step counts work and reports whether there is budget left.
func (m *machine) step() bool {
	m.steps++
	if (m.steps > maxSteps || len(m.vars) > maxVars) && !m.stopped {
		m.stopped = true
		m.record(effect.Effect{Kind: effect.Opaque, Op: effect.OpUnparsed, Resource: "too much work"})
	}
	return !m.stopped
}

// enter counts nesting; every successful enter is followed by m.depth--.
func (m *machine) enter() bool {
	if m.depth >= maxDepth {
		m.opaque(effect.OpUnparsed, "nested too deeply")
		return false
	}
	m.depth++
	return true
}

func (m *machine) record(e effect.Effect) {
	if m.quiet > 0 && e.Kind != effect.Opaque {
		return
	}
	e.Deferred = e.Deferred || m.later
	if e.Program == "" {
		e.Program = m.prog
	}
	if e.Kind == effect.Spawn {
		e.Argv, e.Parent = argvText(m.argv), m.parent
	}
	for i := len(m.effects) - 1; i >= 0 && i >= len(m.effects)-8; i-- {
		if m.effects[i] == e {
			return
		}
	}
	if len(m.effects) >= maxEffects {
		m.stopped = true
		m.effects[maxEffects-1] = effect.Effect{Resource: "too many effects", Op: effect.OpUnparsed}
		return
	}
	m.effects = append(m.effects, e)
}

func (m *machine) opaque(op effect.Op, what string) {
	m.record(effect.Effect{Kind: effect.Opaque, Op: op, Resource: show(what)})
}

func (m *machine) spawn(op effect.Op, program string) {
	m.record(effect.Effect{Kind: effect.Spawn, Op: op, Resource: show(program), Program: program})
}

func (m *machine) escape(what string) {
	m.record(effect.Effect{Kind: effect.Spawn, Op: effect.OpEscape, Resource: show(what)})
}

// argvText writes words so that a shell reads them back, cut at a limit.
func argvText(argv []string) string {
	n := 0
	for _, a := range argv {
		n += len(a) + 3
	}
	b := make([]byte, 0, min(n, effect.MaxArgv+64))
	for i, a := range argv {
		if i > 0 {
			b = append(b, ' ')
		}
		b = appendQuoted(b, a)
		if len(b) > effect.MaxArgv {
			return string(b[:effect.MaxArgv])
		}
	}
	return string(b)
}

func appendQuoted(b []byte, a string) []byte {
	if len(a) > effect.MaxArgv {
		a = a[:effect.MaxArgv]
	}
	a = show(a)
	if a != "" && strings.IndexAny(a, " \t\n'\"\\$`;|&<>()*?[]{}#~!") < 0 {
		return append(b, a...)
	}
	b = append(b, '\'')
	for i := 0; i < len(a); i++ {
		if a[i] == '\'' {
			b = append(b, `'\'`...)
		}
		b = append(b, a[i])
	}
	return append(b, '\'')
}

// show makes a word readable: markers become what they stand for.
func show(s string) string {
	if !effect.HasMark(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == effect.MarkStar || c == effect.MarkOne || c == effect.MarkClass:
			b.WriteByte(globChar(c))
		case c <= effect.MarkInside:
			b.WriteString("…")
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// globChar is the character that a glob marker stands for.
func globChar(mark byte) byte {
	switch mark {
	case effect.MarkStar:
		return '*'
	case effect.MarkOne:
		return '?'
	}
	return '['
}

// plain undoes the marking of glob characters: where nothing is looked up in
// a directory, an unquoted star is a star.
func plain(s string) string {
	if strings.IndexByte(s, effect.MarkStar) < 0 && strings.IndexByte(s, effect.MarkOne) < 0 && strings.IndexByte(s, effect.MarkClass) < 0 {
		return s
	}
	b := []byte(s)
	for i, c := range b {
		if c == effect.MarkStar || c == effect.MarkOne || c == effect.MarkClass {
			b[i] = globChar(c)
		}
	}
	return string(b)
}

// path records an effect on a file.
func (m *machine) path(kind effect.Kind, op effect.Op, word string) {
	full := m.p.Resolve(m.cwd, word)
	z, sens, prot := m.p.Where(full)
	if kind == effect.Write && op == effect.OpCreate && m.isRoot(full) {
		prot = false // making the workspace itself changes nothing in it
	}
	m.record(effect.Effect{Kind: kind, Op: op, Zone: z, Sensitive: sens, Protected: prot,
		Glob: effect.HasMark(full), Resource: show(full)})
}

func (m *machine) isRoot(full string) bool {
	for _, r := range m.p.Roots {
		if full == r {
			return true
		}
	}
	return false
}

func (m *machine) read(word string) {
	if fd := word; fd == "-" || fd == "" {
		return
	}
	if net, ok := m.devNet(word); ok {
		m.net(effect.OpConnect, net)
		return
	}
	m.path(effect.Read, effect.OpRead, word)
}

func (m *machine) list(word string) { m.path(effect.List, effect.OpList, word) }

func (m *machine) write(word string, op effect.Op) {
	if word == "-" || word == "" {
		return
	}
	if net, ok := m.devNet(word); ok {
		m.net(effect.OpSend, net)
		return
	}
	m.path(effect.Write, op, word)
	n := len(m.files)
	m.noteFile(word, unknown, false)
	if n < len(m.files) {
		m.files[n].edited = op == effect.OpModify
	}
}

func (m *machine) remove(word string, op effect.Op) {
	full := m.p.Resolve(m.cwd, word)
	for i := range m.files {
		if m.files[i].fresh && m.files[i].path == full && !effect.HasMark(full) && m.inWorkspace(full) {
			return // the line removes what it made itself
		}
	}
	m.path(effect.Delete, op, word)
}

func (m *machine) inWorkspace(full string) bool {
	z, _, _ := m.p.Where(full)
	return z == effect.ZoneWorkspace || z == effect.ZoneTemp
}

// devNet reads bash's and gawk's network files.
func (m *machine) devNet(word string) (effect.Net, bool) {
	s, ok := strings.CutPrefix(word, "/dev/tcp/")
	scheme := "tcp"
	if !ok {
		if s, ok = strings.CutPrefix(word, "/dev/udp/"); !ok {
			return effect.Net{}, false
		}
		scheme = "udp"
	}
	host, port, _ := strings.Cut(s, "/")
	n, _ := effect.ParseURL(host+":"+port, scheme)
	return n, true
}

func (m *machine) net(op effect.Op, n effect.Net) {
	host := n.Domain
	if host == "" {
		host = n.IP
	}
	m.record(effect.Effect{Kind: effect.Network, Op: op, Net: n, Resource: show(host)})
}

// url records a network effect on a URL or host word.
func (m *machine) url(op effect.Op, word, scheme string) {
	n, ok := effect.ParseURL(word, scheme)
	e := effect.Effect{Kind: effect.Network, Op: op, Net: n, Resource: show(word)}
	if !ok {
		e.Net = effect.Net{Scheme: n.Scheme, Port: n.Port}
	}
	m.record(e)
}

// noteFile remembers what the line wrote to a file.
func (m *machine) noteFile(word string, d data, net bool) {
	full := m.p.Resolve(m.cwd, word)
	if len(m.files) >= 64 {
		return
	}
	m.files = append(m.files, file{path: full, text: d.text, known: d.known(), net: net})
}

// written returns what the line itself wrote to a file, last write first.
func (m *machine) written(full string) (file, bool) {
	for i := len(m.files) - 1; i >= 0; i-- {
		if m.files[i].path == full || effect.HasMark(m.files[i].path) && effect.Match(m.files[i].path, full) {
			return m.files[i], true
		}
	}
	return file{}, false
}

// ownCode returns what the line wrote to a file that it then runs. A file that
// a program only edited is the workspace's own as long as the edit, read as
// code, reaches nothing.
func (m *machine) ownCode(full, lang string) (file, bool) {
	f, ok := m.written(full)
	if !ok || !f.edited || f.known || f.net {
		return f, ok
	}
	d := dialectOf(lang)
	if d == nil {
		return f, true
	}
	n := len(m.effects)
	for _, other := range m.files {
		if other.path != full {
			continue
		}
		if !other.edited || other.known || other.net {
			return f, true
		}
		s := scanner{m: m, d: d, text: other.edit}
		s.names(other.edit)
	}
	return f, len(m.effects) > n
}

// wroteAny says whether the line wrote any file of one of the given names.
func (m *machine) wroteAny(names ...string) bool {
	for i := range m.files {
		base := m.files[i].path[strings.LastIndexByte(m.files[i].path, '/')+1:]
		for _, n := range names {
			if n == base || n == "*" {
				return true
			}
		}
	}
	return false
}

// lookup returns the last binding of a variable.
func (m *machine) lookup(name string) (*binding, bool) {
	for i := len(m.vars) - 1; i >= 0; i-- {
		if m.vars[i].name == name {
			return &m.vars[i], !m.vars[i].unset
		}
	}
	return nil, false
}

func (m *machine) assign(name, value string) {
	if m.isOdd(name) {
		value = string(rune(effect.MarkUnknown))
	}
	if name == "IFS" {
		m.ifs = value
	}
	m.vars = append(m.vars, binding{name: name, value: value})
}

func (m *machine) isOdd(name string) bool {
	for _, o := range m.odd {
		if o == name {
			return true
		}
	}
	return false
}

// mark is a point to which subshell state is cut back.
type mark struct {
	vars, aliases, funcs int
	cwd, ifs             string
	args                 []string
	hasArgs              bool
}

func (m *machine) save() mark {
	return mark{len(m.vars), len(m.aliases), len(m.funcs), m.cwd, m.ifs, m.args, m.hasArgs}
}

func (m *machine) restore(k mark) {
	for i := k.funcs; i < len(m.funcs); i++ {
		if !m.funcs[i].used {
			m.deferred(func() { m.stmt(m.funcs[i].body, data{tty: true}, false) })
			m.funcs[i].used = true
		}
	}
	m.vars, m.cwd, m.ifs, m.args, m.hasArgs = m.vars[:k.vars], k.cwd, k.ifs, k.args, k.hasArgs
	m.funcs = m.funcs[:min(k.funcs, len(m.funcs))]
	m.aliases = m.aliases[:k.aliases]
}

// join replaces the bindings made since mark k by ones that hold whether or
// not the commands since then ran.
func (m *machine) join(k mark) {
	if len(m.vars) > k.vars {
		m.joinVars(m.vars[k.vars:], k.vars)
	}
	if m.cwd != k.cwd {
		m.cwd = m.joinCwd(m.cwd, k.cwd)
	}
}

func (m *machine) joinVars(made []binding, at int) {
	made = append([]binding(nil), made...)
	m.vars = m.vars[:at]
	for i := len(made) - 1; i >= 0; i-- {
		name := made[i].name
		if containsName(made[i+1:], name) {
			continue
		}
		old := string(rune(effect.MarkCaller))
		if b, ok := m.lookup(name); ok {
			old = b.value
		}
		if old == made[i].value && !made[i].array {
			continue
		}
		m.vars = append(m.vars, binding{name: name, value: joinValue(old, made[i])})
	}
	if len(m.vars) > at && m.ifs != " \t\n" {
		m.ifs = " \t\n"
	}
}

func containsName(bs []binding, name string) bool {
	for i := range bs {
		if bs[i].name == name {
			return true
		}
	}
	return false
}

// joinValue is the value of a variable that is either old or b. Two plain
// relative names stay names below the working directory; anything else is
// unknown.
func joinValue(old string, b binding) string {
	if !b.array && !b.unset && localName(b.value) && (localName(old) || old == string(rune(effect.MarkCaller))) {
		return string(rune(effect.MarkInside))
	}
	return string(rune(effect.MarkUnknown))
}

func localName(s string) bool {
	if s == "" || s[0] == '-' || s[0] == '/' || s[0] == '~' || strings.Contains(s, "..") || strings.ContainsAny(s, " \t\n$`;|&") {
		return s == ""
	}
	for i := 0; i < len(s); i++ {
		if s[i] <= effect.MarkInside && s[i] != effect.MarkInside {
			return false
		}
	}
	return !effect.Sensitive("/" + s)
}

func (m *machine) joinCwd(a, b string) string {
	if m.inWorkspace(a) && m.inWorkspace(b) {
		if len(a) < len(b) {
			return a
		}
		return b
	}
	return string(rune(effect.MarkUnknown))
}

// deferred runs f with effects marked as happening later.
func (m *machine) deferred(f func()) {
	was, hadArgs := m.later, m.hasArgs
	m.later, m.hasArgs = true, false
	f()
	m.later, m.hasArgs = was, hadArgs
}

// deferAll analyses what the line leaves behind for later: functions nobody
// called and aliases.
func (m *machine) deferAll() {
	for i := 0; i < len(m.funcs) && !m.stopped; i++ {
		if !m.funcs[i].used {
			m.funcs[i].used = true
			m.deferred(func() { m.stmt(m.funcs[i].body, data{tty: true}, false) })
		}
	}
	for i := 0; i < len(m.aliases) && !m.stopped; i++ {
		a := m.aliases[i].value
		m.deferred(func() { m.source(a, data{tty: true}) })
	}
}
