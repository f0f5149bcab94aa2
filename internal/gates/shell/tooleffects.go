package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// namesShell says whether a value is a program that runs whatever it is given:
// a shell or an interpreter, by any path and with any arguments.
func namesShell(value string) bool {
	value = strings.TrimLeft(value, "!|@ \t")
	first, _, _ := cutAt(value, " ")
	first = lastElement(first)
	switch strings.TrimRight(first, "0123456789.") {
	case "sh", "bash", "dash", "zsh", "ksh", "ash", "csh", "tcsh", "fish", "busybox", "env", "xargs", "sudo", "perl", "ruby", "php", "nc", "ncat", "socat", "script", "expect":
		return true
	}
	return false
}

// finish gives the operands their roles and adds what every run does.
func (r *toolRun) finish(in data) {
	m := r.m
	r.runsInput(in)
	if n := len(r.t.operands); !r.commanded && !r.help && n > 0 && r.t.operands[n-1] == roleCommand {
		for _, w := range r.operands { // without quotation marks it may be several words, the command among them
			if firstByte(w, mark.Unknown) >= 0 || firstByte(w, mark.Caller) >= 0 {
				m.opaque(effect.OpComputed, "what "+r.t.name+" runs")
				break
			}
		}
	}
	r.emulates(in)
	r.giveRoles()
	if r.asksInQuery() {
		r.sends = false
	} else if r.asksRepository() {
		r.sends, r.foreign, r.method = false, false, "QUERY"
	}
	if r.sends {
		r.sendAll()
	}
	if r.sending && !r.told { // else it goes to the address that the line names
		m.baseAct(doesSend)
	}
	switch {
	case r.help || r.reached && r.t.act == doesFetch, r.told && (r.t.act == doesRun || r.t.act == doesSend):
		m.spawn(effect.OpRun, m.prog)
	case r.sends:
		m.baseAct(doesSend)
	default:
		r.acts(r.does())
	}
	r.ofRepository()
	r.includes(in)
	r.newVersions()
	if r.t.has(traitTasks) {
		for _, w := range r.operands {
			r.task(w)
		}
	}
	if r.t.has(traitOfEnvironment) && m.aimsAway(r.words) || r.t.has(traitNamedEnvironment) && !r.develops && !m.developsHere() {
		m.escape(r.t.name + " on another environment")
	}
	if r.t.has(traitClient) && !r.help {
		m.servers(r.start)
		if !r.given && !r.asksFile() {
			r.unasked(in)
		}
	}
	if r.dry {
		r.dropWrites()
	}
}

// runsInput judges what comes in where the run is told no words of what it is to run. A shell of an environment reads its
// input whatever it was made of (nix-shell(1), nix develop).
func (r *toolRun) runsInput(in data) {
	m, t := r.m, r.t
	program := strings.HasPrefix(t.operands, "!")
	starts := !program && !in.tty && (t.name == "nix-shell" || t.name == "nix develop") || program && t.operands[len(t.operands)-1] == roleCommand
	if r.help || r.given || r.commanded || !starts && (!program || len(r.operands) > 0) {
		return
	}
	switch {
	case in.tty && r.inQuestion(): // what an option says may take the place of a prompt
	case starts || in.tty:
		m.runStdin(in, nil)
	default:
		m.escape(t.name + " runs its input")
	}
}

// inQuestion says whether something that the run was told is asked about: an option of which
// nobody knows what it does, or by which the program does something else than it would. Then
// it is not said of the run that it waits for a person.
func (r *toolRun) inQuestion() bool { return r.m.escapes > r.escapes }

// acts records what the run does by itself. A builder does not run what it is told to write.
func (r *toolRun) acts(act byte) {
	hide := func(seen bool) {
		for _, i := range r.outputs {
			if i < len(r.m.files) {
				r.m.files[i].seen = seen
			}
		}
	}
	if act == doesInteract && r.inQuestion() {
		act = doesRun
	}
	hide(act == doesBuild)
	r.m.baseAct(act)
	hide(false)
}

// creates records that an option or operand names what the run writes anew.
func (r *toolRun) creates(word string) {
	if scheme, _, address := cutAt(word, "://"); address && scheme != "file" && plainName(scheme) {
		r.m.url(effect.OpSend, word, "") // a gap in a table should cost a question
		return
	}
	n := len(r.m.files)
	r.m.write(word, effect.OpCreate)
	for i := n; i < len(r.m.files); i++ {
		r.outputs = append(r.outputs, i)
	}
}

// expressionRoles are those of an operand that an option can take the place of.
const expressionRoles = string(roleExpression) + string(roleJq)

// giveRoles gives each operand the role that the table has for its place.
func (r *toolRun) giveRoles() {
	roles, lastLast := cutPrefix(trimPrefix(r.t.operands, "!"), "$")
	if r.given { // by an option: then no operand is the expression
		roles = strings.TrimLeft(roles[:min(1, len(roles))], expressionRoles) + roles[min(1, len(roles)):]
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

// dropWrites takes back what the run was said to write. What is left stays that of its runs.
func (r *toolRun) dropWrites() {
	m := r.m
	for i := len(m.effects) - 1; i >= r.start; i-- {
		if k := m.effects[i].Kind; k == effect.Write || k == effect.Delete || k == effect.Setting {
			m.drop(i)
		}
	}
}

// baseAct records what every run of a program does, by its letter.
func (m *machine) baseAct(act byte) {
	switch act {
	case doesRun, 0:
		m.spawn(effect.OpRun, m.prog)
	case doesBuild, doesUpdate:
		m.build()
	case doesInteract:
		m.spawn(effect.OpInteractive, m.prog)
	case doesReview:
		m.escape(m.prog)
	case doesSend:
		m.record(effect.Effect{Kind: effect.Network, Op: effect.OpSend, Resource: m.prog})
	case doesFetch:
		m.record(effect.Effect{Kind: effect.Network, Op: effect.OpFetch, Resource: m.prog + m.ofAccount()})
	case doesListen:
		m.record(effect.Effect{Kind: effect.Network, Op: effect.OpListen, Resource: m.prog})
	case doesProbe:
		m.record(effect.Effect{Kind: effect.Network, Op: effect.OpProbe, Resource: m.prog})
	case doesSignal:
		m.record(effect.Effect{Kind: effect.Signal, Op: effect.OpKill, Resource: m.prog})
	default:
		m.record(effect.Effect{Kind: effect.Setting, Op: settingOp(act), Resource: m.prog})
	}
}

// ofAccount names the account that the line names.
func (m *machine) ofAccount() string {
	if m.account == "" {
		return ""
	}
	return " as " + show(m.account)
}

func settingOp(act byte) effect.Op {
	switch act {
	case doesPrivilege:
		return effect.OpPrivilege
	case doesAccount:
		return effect.OpAccount
	case doesService:
		return effect.OpService
	case doesSchedule:
		return effect.OpSchedule
	case doesMount:
		return effect.OpMount
	case doesInstall:
		return effect.OpInstall
	case doesContainer:
		return effect.OpContainer
	}
	return effect.OpSystem
}

// buildFiles are files that builders and test runners read to learn what to
// run. Sorted.
var buildFiles = []string{
	".mise.toml", "BUILD", "Build.PL", "CMakeLists.txt", "Cargo.toml", "Containerfile", "Dockerfile", "GNUmakefile", "Gemfile", "Jakefile", "Justfile", "Makefile",
	"Makefile.PL", "Rakefile", "SConstruct", "Taskfile.yml", "WORKSPACE", "build.gradle", "build.ninja", "build.rs",
	"build.sbt", "build.xml", "compose.yaml", "compose.yml", "composer.json", "config.toml", "conftest.py", "docker-compose.yaml", "docker-compose.yml", "dodo.py", "gulpfile.js", "jest.config.js",
	"justfile", "makefile", "meson.build", "mise.toml", "noxfile.py", "package.json", "pom.xml", "pyproject.toml", "pytest.ini",
	"setup.cfg", "setup.py", "tox.ini", "tsconfig.json", "vite.config.js", "webpack.config.js",
}

// judgeWritten judges the scripts that this line wrote: what now runs code of
// the workspace may run them. byFiles says that it does so by files of the workspace alone: then
// the file that takes what it prints is none of them, which is filled meanwhile.
func (m *machine) judgeWritten(byFiles bool) {
	for i, n := 0, len(m.files); i < n; i++ { // what the code itself goes on to write is not run by it
		f := m.files[i]
		lang := languageByName(f.path)
		if byFiles && f.path == m.output && m.printedBy(lang) {
			continue
		}
		if f.seen || lang == "" || f.edited && !f.known || m.writtenAgain(i) {
			continue
		}
		m.files[i].seen = true
		if !f.known || f.net {
			m.handed(lang, unknown.text)
			m.opaque(effect.OpComputed, "code this line wrote: "+f.path)
			continue
		}
		m.code(lang, f.text, unknown, false)
	}
}

// printedBy says whether a script in a language that something of the workspace prints was printed
// by what the session did not write: neither a file that may load such a script nor a builder's instructions.
func (m *machine) printedBy(lang string) bool {
	return !slices.ContainsFunc(m.p.Made, func(f effect.Made) bool {
		base := lastElement(f.Path)
		if z, _, _ := m.p.Where(f.Path); z != effect.ZoneWorkspace {
			return false
		}
		if isAmong(buildFiles, base) || languageByName(f.Path) == lang {
			return true
		}
		switch lang {
		case "node":
			return typedScript(base)
		case "sh", "bash":
			return languageByName(f.Path) != "" || !strings.Contains(base, ".")
		}
		return false
	})
}

// typedScript says whether a file is called as a script that is translated to JavaScript.
func typedScript(base string) bool {
	for _, end := range [...]string{".ts", ".tsx", ".mts", ".cts", ".jsx", ".vue", ".svelte"} {
		if strings.HasSuffix(base, end) {
			return true
		}
	}
	return false
}

// writtenAgain says whether the line wrote file i anew after that.
func (m *machine) writtenAgain(i int) bool {
	return slices.ContainsFunc(m.files[i+1:], func(f file) bool { return f.path == m.files[i].path })
}

// ScriptLanguage returns the language of a script by its first line or its
// name, empty if neither tells one.
func ScriptLanguage(path, text string) string {
	if lang := shebang(text); lang != "" {
		return lang
	}
	return languageByName(path)
}

// languageByName returns the language of a script by its extension. Not inlined, for the size of programs.
//
//go:noinline
func languageByName(path string) string {
	for _, e := range [...][2]string{{".py", "python"}, {".js", "node"}, {".mjs", "node"}, {".cjs", "node"}, {".rb", "ruby"}, {".pl", "perl"}, {".php", "php"}, {".lua", "lua"}, {".sh", "sh"}, {".bash", "bash"}, {".pth", "pth"}, {".awk", "awk"}, {".sed", "sed"}} {
		if strings.HasSuffix(path, e[0]) {
			return e[1]
		}
	}
	return ""
}

// build records a builder's run. One whose instructions this very line wrote
// runs whatever they say.
func (m *machine) build() {
	if m.wroteAny(buildFiles...) && !m.tamesManifest() || len(m.files) >= maxFiles {
		m.escape(m.prog + " on instructions written by this line")
		return
	}
	m.judgeWritten(true)
	if z, _, _ := m.p.Where(m.cwd); z != effect.ZoneWorkspace && z != effect.ZoneCaller {
		m.record(effect.Effect{Kind: effect.Spawn, Op: effect.OpRunFile, Zone: z, Resource: show(m.cwd)})
		return
	}
	m.spawn(effect.OpBuild, m.prog)
}

// output is what a tool writes to its standard output.
func (r *toolRun) output(args []string, in data) data {
	return r.m.filtered(r.t.name, args, r.operands, in, r.written(args, in))
}

func (r *toolRun) written(args []string, in data) data {
	if numbers, ok := r.findsProcesses(args, in); ok {
		return data{text: numbers}
	}
	if out, ok := fold(r.t.name, args, in); ok {
		return out
	}
	if out, ok := firstColumn(r.t.name, args, in.text); ok {
		return data{text: out}
	}
	if secret := r.secretsAmong(args, in); secret != "" {
		return data{text: secret}
	}
	if picked, ok := r.picksNames(args, in); ok {
		return data{text: picked}
	}
	if r.t.name == "tr" && keepsShape(args) && mark.Has(in.text) {
		return data{text: string(worstMark(in.text))}
	}
	if r.t.name == "go list" && !slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "-") && a != "-test" && a != "-deps" }) {
		return data{text: string(rune(mark.Caller))} // paths of packages (go help list, without -f)
	}
	if r.named {
		return data{text: r.m.filesNamed(r.start)}
	}
	switch r.t.out {
	case outValue:
		return data{text: string(rune(mark.Caller))}
	case outNames:
		return data{text: r.m.listing(r.start)}
	case outLines:
		if _, ok := listedNames(in.text); ok && len(r.operands) <= 1 {
			return data{text: in.text}
		}
		if len(r.operands) <= 1 && !in.tty && mark.Has(in.text) {
			return data{text: worst(in.text)}
		}
	}
	return unknown
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

// listing is the marker for names that the effects since n list: below the workspace, below
// a directory for temporary files whose paths a pattern gave, or anywhere.
func (m *machine) listing(n int) string {
	out := ""
	for i := min(n, len(m.effects)); i < len(m.effects); i++ {
		e := &m.effects[i]
		if e.Kind != effect.List {
			continue
		}
		text := string(rune(mark.Inside))
		switch {
		case e.Zone == effect.ZoneTemp && e.Glob: // whole paths are told (ls(1))
			at := strings.IndexAny(e.Resource, "*?[…")
			if at < 0 {
				return unknown.text
			}
			text = path.Dir(e.Resource[:at]+"x") + "/" + string(rune(mark.Star))
		case e.Zone == effect.ZoneTemp && path.Ext(e.Resource) != "": // a file's path, or names in a directory
			return unknown.text
		case e.Zone != effect.ZoneWorkspace && e.Zone != effect.ZoneTemp:
			return unknown.text
		}
		if out != "" && out != text {
			return unknown.text
		}
		out = text
	}
	if out == "" {
		return string(rune(mark.Inside))
	}
	return out
}
