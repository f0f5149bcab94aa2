package wording

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/names"
)

func decimal[T ~uint16 | ~int](n T) string { return strconv.Itoa(int(n)) }

// unaskingParts are parts of options by which agents and installers do without the consent
// of people (the manuals of Claude Code, Codex, Gemini CLI, Aider and others).
var unaskingParts = [...]string{"dangerously", "skip-permissions", "bypass-approvals", "bypasspermissions", "yolo", "full-auto", "yes-always", "auto-approve", "allow-all-tools", "no-confirm", "danger-full-access"}

// unknownProgram is said behind a program that has no table.
const unknownProgram = ", a program that gbt does not know"

// able is said of what nobody can bound.
const able = "; it can do whatever you can"

// unasking is an option of a program by which it asks nobody, or nothing.
func (s *subject) unasking(e *gates.Effect) string {
	for _, c := range s.of(e.Program) {
		for i, w := range c.words {
			option, value := strings.HasPrefix(w, "-"), strings.ToLower(w)
			if !option && (i == 0 || !strings.HasPrefix(c.words[i-1], "-")) || strings.ContainsAny(w, " \t\n") || len(w) > 60 {
				continue
			}
			never := value == "never" && (c.words[max(i-1, 0)] == "-a" || c.words[max(i-1, 0)] == "--ask-for-approval") // Codex
			if never || slices.ContainsFunc(unaskingParts[:], func(p string) bool { return strings.Contains(value, p) }) {
				if !option {
					w = c.words[i-1] + " " + w
				}
				return clean(w)
			}
		}
	}
	return ""
}

// toolless says whether an agent is started with an empty list of its built-in tools
// (https://code.claude.com/docs/en/cli-reference: --tools).
func (s *subject) toolless(e *gates.Effect) bool {
	r := s.runOf(e)
	if r == nil {
		return false
	}
	lists, empty := 0, 0
	for i, w := range r.Words {
		switch {
		case w == "--tools" && i+1 < len(r.Words):
			if lists++; r.Words[i+1] == "" {
				empty++
			}
		case strings.HasPrefix(w, "--tools="):
			if lists++; w == "--tools=" {
				empty++
			}
		}
	}
	return lists == 1 && empty == 1
}

// starts words programs that run, settings of the machine and signals.
func (s *subject) starts() []clause {
	switch s.rule {
	case "spawn/setting":
		return s.settings()
	case "spawn/signal":
		return s.signals()
	case "spawn/escape":
		return s.escapes()
	}
	return s.each(func(e *gates.Effect) clause {
		if facts := s.facts(e); len(facts) > 0 {
			return facts[0]
		}
		switch s.rule {
		case "spawn/unknown":
			return s.unlisted(e)
		case "spawn/elsewhere":
			return s.elsewhere(e)
		case "spawn/file":
			return s.foreign(e)
		case "spawn/interactive":
			if from := s.inputOf(e); from != "" {
				return clause{what: "runs " + name(e.Resource) + " with its input from " + from + ", which gbt has not read", note: able, weight: 2, instead: "Say what stands there and what it changes, and ask for this run."}
			}
			return clause{what: "starts " + name(e.Resource) + " and waits for somebody to type", note: "; the agent cannot, and may hang"}
		case "spawn/guard":
			return clause{what: "changes what the guard itself lets pass, with " + name(e.Program), note: "; only you answer its questions"}
		case "spawn/denied":
			return clause{what: "runs " + name(e.Resource) + ", which your settings deny"}
		}
		return clause{what: "runs " + name(e.Resource)}
	})
}

// unlisted words a program that no table has, an agent, and a tool or inline code that nobody can judge.
func (s *subject) unlisted(e *gates.Effect) clause {
	if x, ok := s.registryRead(e); ok {
		return x
	}
	says, stranger := s.suggests(e), s.stranger(e)
	shown := s.shownBy(e, says)
	if r := s.runOf(e); r != nil && writingStatement.MatchString(strings.Join(r.Words, " ")) { // what exec is given may be for a database
		text := strings.Join(r.Words, " ")
		return clause{what: "runs a statement that can change or delete data (" + words(text, statementWords(text)) + "), or a program of that name", note: noUndo, weight: 4, instead: "Use a statement that only reads, or say which data this one changes and ask for it."}
	}
	option := s.unasking(e)
	if option != "" && !names.Agent(e.Resource) {
		if x, ok := says.byName(shown, stranger+", with "+option+", by which it asks nobody"); ok {
			return x
		}
	}
	if option != "" {
		return clause{what: "starts " + name(e.Resource) + " with " + option + ": it asks nobody before it acts", note: able, weight: 3, instead: "Leave " + option + " out, or say what it is to do unasked and ask for that."}
	}
	if names.Agent(e.Resource) {
		if s.toolless(e) {
			return clause{what: "starts " + name(e.Resource) + " without its built-in tools (--tools \"\"), an agent of its own", note: "; hooks and servers of its settings it starts all the same", weight: 2, instead: "Do it with your own tools, or say what that agent is to answer and ask for it."}
		}
		return clause{what: "starts " + name(e.Resource) + ", an agent of its own", note: "; what it may read, change and run, its own settings and options decide", weight: 2, instead: "Do it with your own tools, or say what that agent is to do and ask for it."}
	}
	if tool, server := toolName(e.Resource); server != "" {
		return clause{what: "runs code or a command with the tool " + tool + " of " + server, note: able, weight: 1, instead: "Say what that code reads, changes and sends, and ask for it."}
	}
	if uses, ok := s.codeHanded(e); ok && says.query == "" && !says.serious() {
		return s.inCode(e, languageOf(e.Resource), uses, stranger, false)
	}
	if x, ok := s.helpAsked(e); ok {
		return x
	}
	if x, ok := says.byName(shown, stranger); ok {
		return x
	}
	x := clause{what: "runs " + shown + s.filesNamed(e, shown) + stranger, note: able, weight: 1}
	if s.c != nil && strings.Contains(s.c.Command, "`"+e.Resource+"`") { // in a text that was to show it
		x.what += " (it stands between backticks)"
		x.instead = "If it is meant as text, put the text in single quotes or write \\` for each backtick; else say what it does and ask."
	}
	return x
}

// inputOf is the file that a line gives the program of an effect for its input; empty for none.
func (s *subject) inputOf(e *gates.Effect) string {
	if s.c == nil || !plainWord(e.Resource) {
		return ""
	}
	m := regexp.MustCompile(`(?:^|[\s;&|(/])` + regexp.QuoteMeta(e.Resource) + `\s[^|;&<>]*<\s*([A-Za-z0-9_./-]+)`).FindStringSubmatch(s.c.Command)
	if m == nil {
		return ""
	}
	return where(s.c, m[1])
}

// uses shows a package that a file uses which a run starts or loads; empty for none.
func (s *subject) uses(e *gates.Effect) string {
	if s.c == nil {
		return ""
	}
	for _, file := range append([]string{e.Resource}, s.c.Loads()...) {
		if pkg := s.c.Uses(file); pkg != "" {
			return "which uses " + name(pkg) + ", a package that gbt does not know"
		}
	}
	return ""
}

// worksIn says whether a run of the line works in a directory, or on all packages of Go below it.
func (s *subject) worksIn(dir string) bool {
	return s.c != nil && slices.ContainsFunc(s.c.Runs(), func(r effect.Run) bool {
		return r.Cwd == dir || slices.ContainsFunc(r.Words, func(w string) bool {
			below, ok := strings.CutSuffix(w, "/...")
			return ok && r.Words[0] == "go" && (below == dir || path.Join(r.Cwd, below) == dir)
		})
	})
}

// foreign words a program outside the workspace, and one that the call makes first.
func (s *subject) foreign(e *gates.Effect) clause {
	x := clause{what: "runs " + where(s.c, e.Resource) + ", a file that does not belong to the workspace", note: able, weight: 1}
	switch {
	case strings.Contains(e.Resource, unknown):
		x.what = "runs " + where(s.c, e.Resource) + ", a file whose place is known only when it runs"
	case s.packed(e) != "":
		return clause{what: "downloads the archive of " + s.packed(e) + " from npm's registry into " + where(s.c, e.Resource) + placeOf(e.Zone), note: "; it runs nothing of it, and goes by the settings of npm that lie there", weight: 1}
	case s.worksIn(e.Resource):
		x.what = "runs code of the directory " + where(s.c, e.Resource) + ", which does not belong to the workspace"
	}
	if e.Zone == effect.ZoneDevice {
		x = clause{what: "lets " + s.shownCall(e) + " use the device " + where(s.c, e.Resource), note: "; what is on it may change or be lost", weight: 3, instead: "Say what it does with that device, and ask for it."}
		if says := s.suggests(e); says.m != nil && says.m.device {
			x, _ = says.byName(s.shownBy(e, says), "")
		}
		return x
	}
	if says := s.suggests(e); says.serious() && says.m != nil {
		if y, ok := says.byName(strings.TrimPrefix(x.what, "runs "), ""); ok {
			x.what, x.note, x.weight = y.what, y.note, max(x.weight, y.weight)
		}
	}
	if slices.ContainsFunc(s.d.Effects, func(o gates.Effect) bool { return o.Kind == effect.Write && o.Resource == e.Resource }) {
		x.what = "runs " + where(s.c, e.Resource) + ", which this call makes outside the workspace"
		x.instead = "Make it below the workspace and run it from there, or say what it does and ask."
	}
	return x
}

// loaded shows up to three files that a run loads beside the one that it starts; empty for
// none.
func (s *subject) loaded(started string) string {
	var names []string
	for _, f := range s.c.Loads() {
		if f != started {
			names = append(names, where(s.c, f))
		}
	}
	if len(names) > 3 {
		names = append(names[:2:2], count(len(names)-2, "more file"))
	}
	return join(names)
}

// settings words changes of the machine's or an account's state, by kind.
func (s *subject) settings() []clause {
	return s.each(func(e *gates.Effect) clause {
		if e.Updates() {
			return s.newVersions(e)
		}
		if facts := s.facts(e); len(facts) > 0 {
			return facts[0]
		}
		if x, ok := exhausts(s.c, e); ok {
			return x
		}
		x := settingOf(e.Op)
		if e.Op == effect.OpContainer && slices.Contains(clusters[:], e.Program) {
			x = clause{what: "changes what runs in a cluster, or how, with %", note: "; it holds until somebody changes it back", weight: 5, instead: sayCluster}
		}
		if e.Op == effect.OpPrivilege && slices.Contains(owning[:], e.Program) {
			x = clause{what: "changes who owns files, or may use them, with %", note: "; it holds until somebody changes it back", weight: 5}
		}
		if strings.HasPrefix(e.Resource, "chmod") {
			x = clause{what: "changes rights of files so that others can read, change or run them (%)", note: "; it holds until somebody changes it back", weight: 5}
		}
		if y, ok := s.settingByName(e, x.weight); ok {
			return y
		}
		x.what = strings.ReplaceAll(x.what, "%", s.shownSetting(e))
		return x
	})
}

// exhausts words a run that takes all there is of something of this machine.
func exhausts(c *gates.Context, e *gates.Effect) (clause, bool) {
	const note = "; other programs fail then, and this machine may stop answering"
	instead := "Bound it (a size, a count, an end), and run it again."
	if file, ok := strings.CutPrefix(e.Resource, "fills the disk: "); ok {
		what := "fills the disk with "
		if devicePath.MatchString(file) {
			what, instead = "fills the device ", "Say which device it is and what is written there, and ask for it."
		}
		return clause{what: what + where(c, file), note: note, weight: 6, instead: instead}, true
	}
	for _, of := range [...]string{"starts processes without an end", "fills the memory from a stream without an end", "runs without an end"} {
		if strings.HasSuffix(e.Resource, of) {
			return clause{what: of + by(e), note: note, weight: 6, instead: instead}, true
		}
	}
	return clause{}, false
}

// settingByName words a change of the machine's state by what the words of the run say, where
// that is worse than what is known of the kind of change.
func (s *subject) settingByName(e *gates.Effect, weight uint8) (clause, bool) {
	says := s.suggests(e)
	if slices.Contains(clusters[:], e.Program) {
		return clause{}, false // it says what runs where
	}
	if says.m != nil && says.m.weight >= seriousWeight && (says.m.weight > weight || e.Op == effect.OpMount || e.Op == effect.OpContainer) {
		return says.byName(s.shownBy(e, says), "")
	}
	if says.device != "" && e.Op == effect.OpSystem {
		return clause{what: "changes the device " + says.device + " with " + name(e.Program), note: "; what is on it may be lost", weight: 6, instead: "Say which device it is and what changes there, and ask for it."}, true
	}
	return clause{}, false
}

// newVersions words a run that brings in new versions of what a project depends on, the same for
// all that do.
func (s *subject) newVersions(e *gates.Effect) clause {
	what := "what " + s.project(e.Resource) + " depends on"
	if e.Ref != "" {
		var list []string
		for dep := range strings.SplitSeq(e.Ref, ", ") {
			list = append(list, name(dep))
		}
		what = join(list) + ", which " + s.project(e.Resource) + " depends on"
	}
	if e.Deed == "resolve" {
		return clause{
			what: "brings in what " + s.project(e.Resource) + " depends on, with " + name(e.Program) + ", in versions that no lock file holds", note: "; that is code which nobody here has chosen, and it runs when it is installed, built or tested", weight: 2, // a package that the call names goes first
			instead: "Ask for it, and let the lock file that comes of it be committed.",
		}
	}
	return clause{
		what: "brings in new versions of " + what + ", with " + name(e.Program), note: "; that is code which nobody here has seen, and it runs when it is installed, built or tested", weight: 3,
		instead: "Keep the locked versions, or say which of them have to be newer and why, and ask for it.",
	}
}

// project is what a directory that a project is in is called.
func (s *subject) project(dir string) string {
	if s.c != nil && slices.Contains(s.c.Roots, dir) {
		return "this project"
	}
	return "the project in " + where(s.c, dir)
}

// shownSetting is what changes a setting: the program with its command, where it is known.
func (s *subject) shownSetting(e *gates.Effect) string {
	if list := s.of(e.Program); e.Resource == e.Program && len(list) == 1 && slices.Contains(clusters[:], e.Program) {
		return s.shownCluster(&list[0])
	} else if e.Resource == e.Program && len(list) == 1 {
		return shownWords(append([]string{e.Program}, list[0].words...), nil)
	}
	return name(e.Resource)
}

// shownCluster is a command of a cluster with the first names behind it, and the namespace.
func (s *subject) shownCluster(c *command) string {
	out := []string{name(c.program)}
	for _, w := range c.operands(valuesOf(c)...) {
		if !plainWord(w) || len(out) > maxSaying {
			break
		}
		out = append(out, name(w))
	}
	return strings.Join(out, " ") + s.givenTo(c)
}

// owning are programs that change whose files are, and who may use them beside their owner.
var owning = [...]string{"chattr", "chgrp", "chown", "setcap", "setfacl"}

// clusters are programs that work on a cluster and not on containers of this machine.
var clusters = [...]string{"argocd", "flux", "helm", "kubectl", "oc"}

func settingOf(op effect.Op) clause {
	switch op {
	case effect.OpPrivilege:
		return clause{what: "runs something as another user or the administrator, with %", note: "; it can change anything on this machine", weight: 7}
	case effect.OpAccount:
		return clause{what: "changes who is logged in or may do what, with %", note: "; it holds until somebody changes it back", weight: 6}
	case effect.OpService:
		return clause{what: "starts, stops or changes services of this machine, with %", note: "; it holds until somebody changes it back", weight: 4}
	case effect.OpSchedule:
		return clause{what: "changes what runs by the clock, with %", note: "; it goes on running after this session", weight: 5}
	case effect.OpPersist:
		return clause{what: "makes something run again by itself, with %", note: "; it goes on running after this session", weight: 5}
	case effect.OpMount:
		return clause{what: "changes which disks or file systems are in use, with %", note: "; files can appear or go away", weight: 5}
	case effect.OpInstall:
		return clause{what: "installs, removes or publishes packages with %", note: "; installing runs code of whoever wrote them", weight: 3}
	case effect.OpContainer:
		return clause{what: "changes containers, images or a cluster, with %", note: "; containers can be given all files of this machine", weight: 4}
	}
	return clause{what: "changes settings of this machine with %", note: "; they hold until somebody changes them back", weight: 2}
}

// signals words processes that are stopped.
func (s *subject) signals() []clause {
	var ids, others []string
	for _, e := range s.effects {
		if _, err := strconv.Atoi(strings.TrimPrefix(e.Resource, "-")); err == nil {
			ids = append(ids, e.Resource)
		} else {
			others = append(others, e.Resource)
		}
	}
	var out []clause
	const note = "; what it has not saved is lost"
	if len(ids) > 0 {
		out = append(out, clause{what: "stops or signals the running " + plural(len(ids), "process", "processes") + " " + join(ids), note: note})
	}
	for _, o := range others {
		what := "stops or signals running programs"
		if of, ok := strings.CutPrefix(o, "name "); ok {
			out = append(out, clause{what: what + " whose command line has “" + strings.Trim(name(of), "“”") + "” in it", note: note, weight: 1})
			continue
		}
		if strings.Contains(o, unknown) || strings.HasPrefix(o, "%") {
			out = append(out, clause{what: what + " that are known only when it runs", note: note, weight: 1})
			continue
		}
		if c := s.of(o); len(c) > 0 && len(c[0].operands("-s", "--signal", "-n")) > 0 {
			what += " that are called " + name(strings.Join(c[0].operands("-s", "--signal", "-n"), " "))
		}
		out = append(out, clause{what: what + " (" + name(o) + ")", note: note, weight: 1})
	}
	return unique(out)
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// words shows the first words of a description, without values.
func words(s string, n int) string {
	var out []string
	for _, w := range strings.Fields(s) {
		if len(out) == n {
			break
		}
		if key, _, ok := strings.Cut(w, "="); ok {
			w = key + "=" + unknown
		}
		out = append(out, name(w))
	}
	return shorten(strings.Join(out, " "), maxObject)
}

// showsGuard words what gbt prints of what it goes by, where its words say no more than that.
func (s *subject) showsGuard(_ *gates.Effect, c *command) []clause {
	if s.c == nil || len(c.words) == 0 || slices.ContainsFunc(s.c.Runs(), func(r effect.Run) bool { return effect.Steering(r.Words) != "" }) {
		return nil
	}
	what := ""
	switch c.words[0] {
	case "approvals":
		what = "the calls that wait for the user's answer"
	case "consent":
		what = "what the user agreed to in sessions"
	case "explain":
		what = "what gbt says of a call, which is not made"
	case "log":
		what = "what gbt asked and what was answered"
	case "rules":
		what = "the rules that gbt goes by here"
	}
	return []clause{{what: "prints " + what, note: "; nothing is changed", weight: 1}}
}
