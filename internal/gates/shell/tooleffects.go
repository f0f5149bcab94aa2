package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

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

// finish gives the operands their roles and adds what every run does.
func (r *toolRun) finish(in data) {
	m := r.m
	if strings.HasPrefix(r.t.operands, "!") && len(r.operands) == 0 && !r.help && !r.given {
		if in.tty {
			m.spawn(effect.OpInteractive, r.t.name)
		} else {
			m.escape(r.t.name + " runs its input")
		}
	}
	r.giveRoles()
	if r.sends {
		r.sendAll()
	}
	switch {
	case r.help || r.reached && r.t.act == 'F':
		m.spawn(effect.OpRun, m.prog)
	case r.sends:
		m.baseAct('N')
	default:
		m.baseAct(r.t.act)
	}
	if runsTasks(r.t.name) {
		for _, w := range r.operands {
			r.task(w)
		}
	}
	if r.t.asks() && !r.help {
		m.servers()
		if !r.given {
			r.unasked(in)
		}
	}
	if r.dry {
		r.dropWrites()
	}
}

// giveRoles gives each operand the role that the table has for its place.
func (r *toolRun) giveRoles() {
	roles, lastLast := strings.CutPrefix(strings.TrimPrefix(r.t.operands, "!"), "$")
	if r.given { // by an option: then no operand is the expression
		roles = strings.TrimPrefix(roles, "e")
	}
	if roles == "" {
		return
	}
	for i, w := range r.operands {
		at := min(i, len(roles)-1)
		switch {
		case lastLast && i == len(r.operands)-1:
			at = len(roles) - 1
		case lastLast:
			at = 0
		}
		r.operand(roles[at], w)
	}
}

// sendAll lets data go to the URLs that were named before the data, too.
func (r *toolRun) sendAll() {
	for i := min(r.start, len(r.m.effects)); i < len(r.m.effects); i++ {
		if e := &r.m.effects[i]; e.Kind == effect.Network && e.Op == effect.OpFetch {
			e.Op = effect.OpSend
		}
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
	"BUILD", "Build.PL", "CMakeLists.txt", "Cargo.toml", "Containerfile", "Dockerfile", "GNUmakefile", "Gemfile", "Jakefile", "Justfile", "Makefile",
	"Makefile.PL", "Rakefile", "SConstruct", "Taskfile.yml", "WORKSPACE", "build.gradle", "build.ninja", "build.rs",
	"build.sbt", "build.xml", "composer.json", "config.toml", "conftest.py", "dodo.py", "gulpfile.js", "jest.config.js",
	"justfile", "makefile", "meson.build", "noxfile.py", "package.json", "pom.xml", "pyproject.toml", "pytest.ini",
	"setup.cfg", "setup.py", "tox.ini", "tsconfig.json", "vite.config.js", "webpack.config.js",
}

// judgeWritten judges the scripts that this line wrote: what now runs code of
// the workspace may run them.
func (m *machine) judgeWritten() {
	for i := 0; i < len(m.files); i++ {
		f := m.files[i]
		lang := languageByName(f.path)
		if f.seen || lang == "" || f.edited && !f.known {
			continue
		}
		m.files[i].seen = true
		if !f.known || f.net {
			m.opaque(effect.OpComputed, "code this line wrote: "+f.path)
			continue
		}
		m.code(lang, f.text, unknown, false)
	}
}

// ScriptLanguage returns the language of a script by its first line or its
// name, empty if neither tells one.
func ScriptLanguage(path, text string) string {
	if lang := shebang(text); lang != "" {
		return lang
	}
	return languageByName(path)
}

// languageByName returns the language of a script by its extension.
func languageByName(path string) string {
	for _, e := range [...][2]string{{".py", "python"}, {".js", "node"}, {".mjs", "node"}, {".cjs", "node"}, {".rb", "ruby"}, {".pl", "perl"}, {".php", "php"}, {".lua", "lua"}, {".sh", "sh"}, {".bash", "bash"}, {".pth", "pth"}} {
		if strings.HasSuffix(path, e[0]) {
			return e[1]
		}
	}
	return ""
}

// build records a builder's run. One whose instructions this very line wrote
// runs whatever they say.
func (m *machine) build() {
	if len(m.files) > 0 && m.wroteAny(buildFiles...) {
		m.escape(m.prog + " on instructions written by this line")
		return
	}
	m.judgeWritten()
	if z, _, _ := m.p.Where(m.cwd); z != effect.ZoneWorkspace && z != effect.ZoneCaller {
		m.record(effect.Effect{Kind: effect.Spawn, Op: effect.OpRunFile, Zone: z, Resource: show(m.cwd)})
		return
	}
	m.spawn(effect.OpBuild, m.prog)
}

func (r *toolRun) output(args []string, in data) data {
	if out, ok := fold(r.t.name, args, in); ok {
		return out
	}
	if namesFiles(r.t.name, args) {
		return data{text: r.m.filesNamed(r.start)}
	}
	switch r.t.out {
	case 'v':
		return data{text: string(rune(mark.Caller))}
	case 'l':
		return data{text: r.m.listing(r.start)}
	case 's':
		if len(r.operands) <= 1 && !in.tty && mark.Has(in.text) {
			return data{text: worst(in.text)}
		}
	}
	return unknown
}

// namesFiles says whether a search prints only the names of files that match:
// grep -l, rg --files.
func namesFiles(tool string, args []string) bool {
	takes := ""
	switch tool {
	case "grep", "egrep", "fgrep", "git grep":
		takes = "efABCmdD"
	case "rg":
		takes = "efgtTABCmMjrdE"
	case "ag", "ack":
		takes = "GABCmpg"
	default:
		return false
	}
	for _, a := range args {
		switch {
		case a == "--":
			return false
		case a == "--files-with-matches" || a == "--files-without-match" || tool == "rg" && a == "--files":
			return true
		case len(a) > 1 && a[0] == '-' && a[1] != '-':
			letters := a[1:]
			if i := strings.IndexAny(letters, takes); i >= 0 {
				letters = letters[:i]
			}
			if strings.IndexByte(letters, 'l') >= 0 {
				return true
			}
		}
	}
	return false
}

// filesNamed is the marker for names of files that were read since n.
func (m *machine) filesNamed(n int) string {
	for i := min(n, len(m.effects)); i < len(m.effects); i++ {
		if e := &m.effects[i]; e.Kind == effect.Read && e.Zone != effect.ZoneWorkspace && e.Zone != effect.ZoneTemp {
			return unknown.text
		}
	}
	return m.listing(n)
}

// listing is the marker for names that the effects since n list: below the
// workspace, or anywhere.
func (m *machine) listing(n int) string {
	for i := min(n, len(m.effects)); i < len(m.effects); i++ {
		if e := &m.effects[i]; e.Kind == effect.List && e.Zone != effect.ZoneWorkspace && e.Zone != effect.ZoneTemp {
			return unknown.text
		}
	}
	return string(rune(mark.Inside))
}
