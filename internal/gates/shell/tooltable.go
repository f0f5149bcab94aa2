package shell

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// tool says what a program or a subcommand ("git log") does, as data. The table
// (tools_gen.go) is compiled from one file a program; programs/FORMAT.md says what
// the files mean, and package programs which letter a word has in the table.
//
// act is what every run of the program does, see baseAct. A slash means that
// the first operand is a subcommand with an entry of its own; the entry with a
// blank behind the name is for a run without one.
//
// out is what its output may hold: 'v' a plain value, 'l' names from the
// directories it lists, 's' lines of its input as they are, 0 anything.
//
// operands gives a role to each operand; the last one repeats. A leading '$'
// means that the last operand has the last role ("$rw": copy). A leading '!'
// means that without operands and without input it waits for a person.
//
// opts lists the options, separated by blanks, as NAME:ROLE for an option with a
// value, NAME?ROLE for one with an optional attached value and NAME!ROLE for a
// flag. One letter is a short option, several a long one, and a NAME with a dash
// in front stands behind a single dash and by itself. Options that are not listed
// are flags without effect, or need review where the list starts with =!n.
type tool struct {
	name     string
	act      byte
	out      byte
	traits   uint32
	operands string
	opts     string
}

// has says whether the program has one of the traits. Not inlined, for the size of programs.
//
//go:noinline
func (t *tool) has(traits uint32) bool { return t.traits&traits != 0 }

// toolRun is one run of a tool while its arguments are read.
type toolRun struct {
	m         *machine
	t         *tool
	parent    *tool // whose long options hold after the subcommand too
	start     int   // effects before the run
	escapes   int   // what was asked about before the run
	outputs   []int // of the files that the line wrote, those that this run writes anew
	operands  []string
	words     []string // all behind the program's name and its subcommand's
	inPlace   bool
	dry       bool
	develops  bool // an environment was named that developers have
	help      bool
	runs      bool // operands that are read run
	live      bool // what makes a run do less was taken back
	remove    bool
	recursive bool
	given     bool // the expression came by an option
	commanded bool // it is told the command that it runs
	named     bool // only names of files are printed
	generates bool // the next input of FFmpeg is a filter that makes it
	here      bool // it was told to listen at this machine alone
	dump      int  // as in data
	amount    string
	sends     bool     // data goes to the URLs
	reached   bool     // a URL was named
	told      bool     // where data goes was named
	sending   bool     // a flag says that something is sent
	foreign   bool     // a repository that is not the workspace's own was named
	vague     bool     // what was named is known only at run time
	remote    string   // of the repository's own configuration
	place     string   // the repository or address that was named
	method    string   // of a request, in capitals
	command   []string // what an option says that all further words are
	cwd       string
	took      string   // a file of variables for what it starts
	updates   bool     // new versions of dependencies come in
	updated   []string // of these alone
}

func (m *machine) tool(t *tool, argv []string, in data, want bool) data {
	if t.act == doesGroup {
		return m.subcommand(t, argv, in, want)
	}
	return m.toolArgs(t, nil, argv[1:], in, want)
}

func (m *machine) toolArgs(t, parent *tool, args []string, in data, want bool) data {
	if len(args) == 1 && onlyInforms(t, args[0]) {
		m.spawn(effect.OpRun, m.prog)
		return data{text: string(rune(mark.Caller))}
	}
	r := toolRun{m: m, t: t, parent: parent, start: len(m.effects), escapes: m.escapes, cwd: m.cwd}
	args = r.switches(r.madeArguments(args))
	r.words = args
	files := len(m.files)
	var few [12]string
	r.operands = few[:0]
	rest, line := r.options(args)
	r.commanded = r.commanded || rest != nil
	m.noteRow(&r)
	r.finish(in)
	r.sentFiles(args, in)
	if t.has(traitOfAccount) {
		r.fromAccount()
	}
	r.fills(in)
	r.readsEndless(in)
	r.stateSecrets(args)
	r.composeSecrets(args)
	r.givenValues()
	r.narrow(in, args)
	if t.act == doesBuild {
		m.unnamedOutputs(args, r.operands)
		m.markBuilt(files, r.start, r.operands)
	}
	m.cwd = r.cwd
	return m.rest(&r, rest, line, args, in, want)
}

func (m *machine) rest(r *toolRun, rest []string, line bool, args []string, in data, want bool) data {
	var out data
	if r.took == "" && (r.t.name == "dotenv " || r.t.name == "dotenv run" || r.t.name == "dotenv") {
		r.took = ".env"
	}
	if was := m.took; r.took != "" {
		m.took = r.took
		defer func() { m.took = was }()
	}
	switch {
	case rest != nil && !line:
		if out = r.launch(rest, args, in, want); !r.handsDump() {
			out.dump = 0
		}
	case rest != nil:
		out = m.sourceOut(strings.Join(rest, " "), in, want)
	case want:
		out = r.output(args, in)
		out.endless = r.endless(in)
		if r.dump > 0 {
			out.dump = r.dump
		}
	}
	return out
}

// judgedWords are parts of key=value settings that name programs to run.
var judgedWords = [...]string{"link", "runner", "wrapper", "plugin", "exec", "command", "hook", "shell", "preload", "PRELOAD", "codegen-backend", "extld", "profile-use", "javaagent", "agentlib", "agentpath", "ext.class.path", "BuildEvent", "buildevent", "showPasswords"}

// judge reviews a key=value setting that may name a program.
func (r *toolRun) judge(name, value string) {
	key, rhs, valued := cutAt(value, "=")
	if (r.t.name == "mvn" || r.t.name == "mvnw") && (name == "" && !valued && r.mavenGoal(value) || name != "" && (mavenPlain(key, rhs) || r.m.localRepository(key, rhs))) || r.t.name == "sbt" && hasWord(sbtShown, key) && scalar(rhs) {
		return
	}
	if namesShell(rhs) {
		r.m.escape(r.t.name + " " + name + " " + value)
		return
	}
	if slices.ContainsFunc(judgedWords[:], func(w string) bool { return strings.Contains(value, w) }) || deploys(value) {
		r.m.escape(r.t.name + " " + name + " " + value)
		return
	}
	r.computedSetting(value)
	r.settingPlaces(key, rhs)
}

// settings reads a file that steers a program: one that the line wrote or that
// lies outside the workspace may make it run anything.
func (m *machine) settings(word string) {
	full := m.p.Resolve(m.cwd, word)
	m.read(word)
	m.madeLoaded(word)
	if m.isInput(word) {
		m.runsInput()
		return
	}
	if firstByte(word, '{') >= 0 || strings.Contains(word, "://") {
		m.escape("inline or remote settings " + word)
	}
	_, own := m.written(full)
	if z, _, _ := m.p.Where(full); own || z != effect.ZoneWorkspace && z != effect.ZoneStream {
		m.escape("settings from " + full)
	}
}

// subcommand runs a tool by its subcommand's entry.
func (m *machine) subcommand(t *tool, argv []string, in data, want bool) data {
	r := toolRun{m: m, t: t, start: len(m.effects), escapes: m.escapes, cwd: m.cwd}
	args, rest := argv[1:], []string(nil)
	if len(args) == 1 && (args[0] == "--help" || args[0] == "--version") {
		m.spawn(effect.OpRun, t.name)
		return unknown
	}
	for i := 0; i < len(args); i++ {
		a := args[i]
		if a == "--" {
			rest = args[i:] // words of the program without a subcommand
			break
		}
		if alone := lookupTool(t.name + " "); t.has(traitAloneTakesWords) && alone != nil && !lists(t.opts, a) && lists(alone.opts, a) {
			return m.toolArgs(alone, t, args[i:], in, want) // no subcommand can follow
		}
		if len(a) > 1 && a[0] == '-' {
			i += r.option(a, args[i+1:])
			continue
		}
		if len(a) > 1 && a[0] == '+' && t.has(traitToolchainFirst) {
			r.toolchain(a)
			continue
		}
		if r.help && t.has(traitOptionsAnswer) {
			for _, w := range args[i:] { // what is asked about
				if strings.HasPrefix(w, "-") {
					r.option(w, nil)
				} else {
					r.word(roleName, w)
				}
			}
			break
		}
		out := m.runSub(t, a, args[i+1:], in, want)
		m.cwd = r.cwd
		if r.dry {
			r.dropWrites()
		}
		return out
	}
	defer func() { m.cwd = r.cwd }()
	switch {
	case r.help || len(args) == 1 && (args[0] == "-h" || args[0] == "-V" || args[0] == "-v"):
		m.spawn(effect.OpRun, t.name)
	default:
		m.tool(orAsk(lookupTool(t.name+" ")), append(argv[:1:1], rest...), in, want)
	}
	return unknown
}

func (m *machine) runSub(t *tool, sub string, args []string, in data, want bool) data {
	if mark.Has(sub) {
		m.opaque(effect.OpComputed, "computed subcommand of "+t.name)
		return unknown
	}
	if out, ok := m.runnerSub(t.name, sub, args, in, want); ok {
		return out
	}
	s := lookupTool(t.name + " " + sub)
	if (s == nil || s.act == doesGroup) && len(args) == 1 && (args[0] == "--help" && t != &gitTool || args[0] == "-help" && informs(t.opts, args[0], flagInforms)) {
		m.spawn(effect.OpRun, t.name) // git's opens a manual page, see gitSub
		return unknown
	}
	if s == nil && t.has(traitAloneTakesWords) {
		return m.toolArgs(orAsk(lookupTool(t.name+" ")), t, append([]string{sub}, args...), in, want)
	}
	if s == nil {
		if out, ok := m.projectTask(t, sub, args, in, want); ok {
			return out
		}
		if words := append([]string{sub}, args...); m.says(ofSubcommand, words) && t != &gitTool {
			m.build() // it may be the word of an extension, or of a task
			return unknown
		}
		m.unlisted(t.name, sub, "")
		return unknown
	}
	if s.act == doesGroup {
		return m.subcommand(s, append([]string{s.name}, args...), in, want)
	}
	return m.toolArgs(s, t, args, in, want)
}

// program is the program of the run, without its subcommands.
func (r *toolRun) program() string {
	name, _, _ := cutAt(r.t.name, " ")
	return name
}
