package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/names"
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
	maxRuns    = MaxRuns
)

// MaxRuns bounds the runs of a line: what starts behind as many is no run of its own.
const MaxRuns = 256

// Analyze resolves a command line into its effects. places says where it runs
// and must be normal (effect.Places.Normal). What can't be resolved is an
// effect of kind Opaque; a command without effects does nothing.
func Analyze(command string, places *effect.Places) []effect.Effect {
	effects, _, _ := Parse(command).Analyze(places)
	return effects
}

// data is what flows into or out of a command: text with markers where it is
// not known, or the terminal.
type data struct {
	text    string
	tty     bool
	dump    int  // 1 + the effect that says it is a dump of the environment, or of a plan of Terraform; 0 for none
	endless bool // it never ends: yes, cat /dev/zero
	made    made // what it would be if files of earlier calls are as they were left
}

var unknown = data{text: string(rune(mark.Unknown))}

// known says whether a text is one that the words tell. Not inlined, for the size of programs.
//
//go:noinline
func (d data) known() bool { return !d.tty && !mark.Has(d.text) }

type function struct {
	name string
	body *syntax.Stmt
	used bool
	may  bool // it may not be in force
}

// machine interprets a command line over values that may be unknown.
type machine struct {
	escapes    int // how often something was asked about, whether it was new or not
	p          *effect.Places
	cwd        string
	ifs        string
	effects    []effect.Effect
	vars       []binding
	aliases    []binding
	looksUp    bool // the next command is one that the shell itself looks up
	funcs      []function
	procs      []string // what the numbers of processes on the line are numbers of, see processids.go
	files      []file
	moves      []move      // what the line moved and linked, see movedaway.go
	done       int         // 1 + the first of the files whose writing has succeeded, 0 for none
	built      []builtFile // writes of compilers, see markBuilt
	args       []string
	hasArgs    bool
	bats       bool   // the line is of a test of Bats
	lost       bool   // the arguments are others on some ways to here
	self       string // the script whose text runs, by the name with which it is run; empty for none
	steps      int
	depth      int
	quiet      int      // above 0: effects are not recorded (dry runs)
	later      bool     // effects happen later
	odd        []string // variables whose assignments are changed on the way
	stopped    bool
	cell       bool     // code of a session that earlier code has left names in
	whole      bool     // but all of a program: none has
	listed     bool     // names were listed that are relative to where the line began
	exporting  bool     // what is assigned goes to programs
	keeping    bool     // files that are there are not written over
	exports    []string // variables that programs are given
	locals     []string // variables that end with the function that runs, nil where none does
	leaves     int      // how often a function or a shell may have been left before its end
	breaks     int      // and a round of a loop
	inner      int      // above 0: in a shell whose end is not the line's
	alt        []string // where else the line may be
	failed     string   // where it is if the last command, a cd, failed; empty if it did not
	traps      []string // what runs at the end of the shell, or at some signal
	handsFuncs bool     // shells that the line starts have its functions
	rewired    bool     // where the tools of the repository connect to was changed
	switched   bool     // another branch may be checked out
	paths      bool     // PATH or a lookup table was changed
	prog       string
	account    string      // whose account the program reads from, where a word names one
	parent     string      // the program that runs the current one
	argv       []string    // the words of the current program
	served     bool        // clients of Python stand in the code as a module, see pyhere.go
	alone      bool        // code of Python is judged without what it runs
	records    bool        // code of Python has the records of Django's models
	starts     []pyStart   // what inline code starts, until that is judged
	foreign    bool        // inline code has used a module that nobody has read
	linked     *linkedCode // of code of Python that is put together, see pylinks.go
	loads      ownLoads    // what an interpreter is told to load of the workspace
	before     int         // how many effects came before it, and before what starts it with its words
	packed     string      // where git packed its last archive, see gitPacks
	in         data        // what the current program reads
	scratch    []string
	judged     []string // files of earlier calls that were read as code, each once
	runs       []effect.Run
	cells      []effect.Cell
	ends       *endings // what is noted of how programs end, see ends.go
	running    int      // 1 + the run that effects belong to; 0 for none
	assigning  bool     // the current program has variables of its own
	sourced    bool     // the line has taken variables from a file of secrets
	printing   bool     // the shell prints the lines that it runs
	telling    bool     // the word that is evaluated is printed
	unsettled  bool     // a line may give variables values in ways that sets does not see
	took       string   // a file from which the line has taken variables that nobody knows
	unseen     bool     // a line may set variables whose names do not stand on it
	traces     bool     // what runs may be printed with its values
	output     string   // the file into which the command that is running writes what it prints
	asking     bool     // of the word that is evaluated only is told whether it is empty
	turned     bool     // where the line prints to was changed for all that follows
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

// enter counts nesting; every successful enter is followed by m.depth--. Not inlined, for the size of programs.
//
//go:noinline
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
	if m.ends != nil {
		m.ends.effects = append(m.ends.effects, e)
	}
	if e.Kind == effect.Spawn {
		e.Argv, e.Parent = argvText(m.argv), m.parent
	}
	for i := len(m.effects) - 1; i >= 0 && i >= len(m.effects)-8; i-- {
		if m.effects[i] == e {
			m.own(i)
			return
		}
	}
	if len(m.effects) >= maxEffects {
		m.stopped = true
		m.effects[maxEffects-1] = effect.Effect{Resource: "too many effects", Op: effect.OpUnparsed}
		return
	}
	m.effects = append(m.effects, e)
	m.own(len(m.effects) - 1)
}

// own notes that an effect is one of the current run.
func (m *machine) own(i int) {
	if m.running == 0 {
		return
	}
	r := &m.runs[m.running-1]
	if n := len(r.Effects); n == 0 || r.Effects[n-1] < i {
		r.Effects = append(r.Effects, i)
	} else if !slices.Contains(r.Effects, i) {
		r.Effects = append(slices.Clone(r.Effects), i)
		for k := n; k > 0 && r.Effects[k-1] > i; k-- { // no sort, for the size of programs
			r.Effects[k-1], r.Effects[k] = i, r.Effects[k-1]
		}
	}
}

// drop takes an effect out of the list, and out of the runs that count it as theirs.
func (m *machine) drop(at int) {
	m.effects = append(m.effects[:at], m.effects[at+1:]...)
	for i := range m.runs {
		r := &m.runs[i]
		var own []int
		for _, e := range r.Effects {
			if e > at {
				own = append(own, e-1)
			} else if e < at {
				own = append(own, e)
			}
		}
		r.Effects = own
	}
}

// disown takes their effects from runs that have some from a place in the list on, which
// may be others' now.
func (m *machine) disown(from int) {
	for i := range m.runs {
		if own := m.runs[i].Effects; len(own) > 0 && own[len(own)-1] >= from {
			m.runs[i].Effects = nil
		}
	}
}

// begin notes a program that runs, with what is known of its surroundings.
func (m *machine) begin(argv []string) {
	if m.quiet > 0 || len(m.runs) >= maxRuns {
		return
	}
	given := m.assigning || m.paths || len(m.exports) > 0 || slices.ContainsFunc(m.vars, func(b binding) bool { return b.name != "" && b.name[0] <= 'Z' })
	run := effect.Run{Words: slices.Clone(argv), Cwd: m.cwd, Given: given}
	run.Whole = !m.paths && !m.unseen && !m.sourced && m.took == "" && m.handsOn()
	if given {
		whole := false
		run.Sets = m.sets()
		run.Values, whole = m.values()
		run.Whole = run.Whole && whole
	}
	run.Telling = m.toldAround()
	m.runs = append(m.runs, run)
	m.begins(m.running)
	m.running = len(m.runs)
}

// noteRow notes which row of the table the current run has.
func (m *machine) noteRow(r *toolRun) {
	if m.running > 0 && m.quiet == 0 {
		run := &m.runs[m.running-1]
		run.Tool, run.Names = r.t.name, slices.Clone(r.operands)
	}
}

// unlisted asks about an option or a subcommand of the current run that the table does not
// have.
func (m *machine) unlisted(of, word, value string) {
	if m.running > 0 && m.quiet == 0 {
		run := &m.runs[m.running-1]
		run.Unlisted = append(run.Unlisted, show(word))
	}
	m.escape(of + " " + word + value)
}

func (m *machine) opaque(op effect.Op, what string) {
	m.record(effect.Effect{Kind: effect.Opaque, Op: op, Resource: show(what)})
}

func (m *machine) spawn(op effect.Op, program string) {
	m.record(effect.Effect{Kind: effect.Spawn, Op: op, Resource: show(program), Program: program})
}

func (m *machine) escape(what string) {
	m.escapes++
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
	if a != "" && !strings.ContainsAny(a, " \t\n'\"\\$`;|&<>()*?[]{}#~!") {
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
	if !mark.Has(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == mark.Star || c == mark.One || c == mark.Class:
			b.WriteByte(globChar(c))
		case c <= mark.Inside:
			b.WriteString("…")
		case c == '%' && strings.HasPrefix(s[i:], processWord): // a marker follows its number
			i += len(processWord) - 1
			for i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '9' {
				i++
			}
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// globChar is the character that a glob marker stands for.
func globChar(b byte) byte {
	switch b {
	case mark.Star:
		return '*'
	case mark.One:
		return '?'
	}
	return '['
}

// plain undoes the marking of glob characters: where nothing is looked up in
// a directory, an unquoted star is a star.
func plain(s string) string {
	if firstByte(s, mark.Star) < 0 && firstByte(s, mark.One) < 0 && firstByte(s, mark.Class) < 0 {
		return s
	}
	b := []byte(s)
	for i, c := range b {
		if c == mark.Star || c == mark.One || c == mark.Class {
			b[i] = globChar(c)
		}
	}
	return string(b)
}

// path records an effect on a file.
func (m *machine) path(kind effect.Kind, op effect.Op, word string) {
	full := m.p.Resolve(m.cwd, word)
	listed, ok := listedAt(full)
	full = m.within(full)
	z, sens, prot := m.p.Where(full)
	switch {
	case kind == effect.Read:
		sens = sens || (z == effect.ZoneWorkspace || z == effect.ZoneKept) && names.HiddenGlob(full)
	case kind == effect.List && sens && mark.Has(full): // names, which whoever wrote the pattern knows
		_, sens, _ = m.p.Where(strings.TrimRight(full[:lastByte(full, '/')+1], "/"))
	}
	switch {
	case ok && kind == effect.Write:
		prot = prot || m.guardsAmong(listed)
	case ok && op == effect.OpRemove:
		op = effect.OpRemoveTree // at any depth, as find -delete
	case ok && kind == effect.Read && z == effect.ZoneWorkspace:
		full = string(rune(mark.Inside)) + below(listed.name) // some of what is listed
	}
	if kind == effect.Write && op == effect.OpCreate && m.isRoot(full) {
		prot = false // making the workspace itself changes nothing in it
	}
	m.record(effect.Effect{Kind: kind, Op: op, Zone: z, Sensitive: sens, Protected: prot,
		Glob: mark.Has(full), Resource: show(full)})
	if kind == effect.Delete {
		m.deletesMoved(op, full)
	}
	m.inOthers(word, func() {
		also := m.within(m.p.Resolve(m.cwd, word))
		if az, as, ap := m.p.Where(also); az != z || as && !sens || ap && !prot || az != effect.ZoneWorkspace { // it counts for more there, or is another one
			m.path(kind, op, word)
		}
	})
}

// within is a path that a listing of the working directory has told: where that is not the
// workspace's, the names are some of its.
func (m *machine) within(full string) string {
	if full != "" && full[0] == '/' {
		return unlisted(full)
	}
	if full == "" || full[0] != mark.Inside || m.cwd != "" && m.cwd[0] == mark.Inside {
		return full
	}
	if !strings.HasPrefix(m.cwd, "/") {
		return unknown.text
	}
	if z, _, _ := m.p.Where(m.cwd); z == effect.ZoneWorkspace || z == effect.ZoneTemp {
		return full
	}
	return trimSuffix(m.cwd, "/") + "/" + string(rune(mark.Star)) + full[1:]
}

//go:noinline
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

//go:noinline
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
	if _, wrote := m.written(m.p.Resolve(m.cwd, word)); wrote && m.prog == "touch" {
		return // what it holds is what it held, or nothing (POSIX, touch)
	}
	n := len(m.files)
	m.noteFile(word, unknown, false)
	if n < len(m.files) {
		m.files[n].edited = op == effect.OpModify || m.prog == "touch"
	}
}

func (m *machine) remove(word string, op effect.Op) {
	full := m.p.Resolve(m.cwd, word)
	for i := range m.files {
		if m.files[i].fresh && m.files[i].path == full && !mark.Has(full) && m.inWorkspace(full) {
			m.deletesMoved(op, full)
			return // the line removes what it made itself
		}
	}
	m.path(effect.Delete, op, word)
}

//go:noinline
func (m *machine) inWorkspace(full string) bool {
	z, _, _ := m.p.Where(full)
	return z == effect.ZoneWorkspace || z == effect.ZoneTemp
}

// devNet reads bash's and gawk's network files.
func (m *machine) devNet(word string) (effect.Net, bool) {
	s, ok := cutPrefix(word, "/dev/tcp/")
	scheme := "tcp"
	if !ok {
		if s, ok = cutPrefix(word, "/dev/udp/"); !ok {
			return effect.Net{}, false
		}
		scheme = "udp"
	}
	host, port, _ := cutAt(s, "/")
	n, _ := effect.ParseURL(host+":"+port, scheme)
	return n, true
}
