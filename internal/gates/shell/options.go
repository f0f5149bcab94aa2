package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// onlyInforms says whether a tool's only argument makes it print its usage or
// version. shutdown -h and its kin halt the machine.
func onlyInforms(t *tool, arg string) bool {
	switch arg {
	case "--help", "--version", "--usage":
		return true
	case "-V", "-h", "-help", "-version", "-?":
		if _, role, ok := findOpt(t.opts, strings.TrimLeft(arg, "-"), false); ok && role != roleNothing && role != flagInforms && role != flagInformsAlone {
			return false // the letter is one of its own
		}
		return t.act != doesSystem && t.act != doesRun || informs(t.opts, strings.TrimLeft(arg, "-"), flagInformsAlone)
	}
	return len(arg) > 2 && arg[0] == '-' && informs(t.opts, arg, flagInformsAlone)
}

// options reads the arguments. It returns the rest that is itself a command,
// or a command line in several words.
func (r *toolRun) options(args []string) (rest []string, line bool) {
	ended := false
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case !ended && a == "--" && r.t.has(traitPassesArguments):
			r.m.givenArgs(args[i+1:])
			return nil, false
		case !ended && a == "--" && i+1 < len(args) && r.t.operands != "" && r.t.operands[len(r.t.operands)-1] == roleOwnWords:
			return append([]string{r.program()}, args[i+1:]...), false // they are options again (gotestsum -- -race)
		case !ended && a == "--":
			ended = true
		case !ended && len(a) > 1 && a[0] == '-':
			i += r.option(a, args[i+1:])
		case len(r.operands) == 0 && len(a) > 1 && a[0] == '+' && r.t.has(traitToolchainFirst):
			r.toolchain(a)
		default:
			switch role := r.role(len(r.operands)); role {
			case roleCommand, roleCommandWords:
				return args[i:], role == roleCommandWords
			case roleOwnWords:
				return append([]string{r.program()}, args[i:]...), false
			case roleProgram:
				r.operands = append(r.operands, a)
				r.handOn(args[i+1:])
				return nil, false
			}
			if a != "" && a[0] == mark.Unknown && runsPrograms(r.t.opts) {
				r.m.opaque(effect.OpComputed, "computed argument of "+r.t.name)
			}
			r.operands = append(r.operands, a)
		}
	}
	return r.command, false
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
	if kind, role, ok := findOpt(r.t.opts, a[:min(2, len(a))], false); ok && len(a) > 2 && kind == '?' && role != roleNothing { // ghc -isrc
		return r.withValue(kind, role, a[:2], a[2:], true, next)
	}
	if i := firstByte(a, '='); i > 2 {
		if kind, role, ok := findOpt(r.t.opts, a[:i], false); ok {
			return r.withValue(kind, role, a[:i], a[i+1:], true, next)
		}
	}
	if i := firstByte(a, ':'); i > 2 { // -only-testing:TARGET
		if kind, role, ok := findOpt(r.t.opts, a[:i], false); ok && kind != '!' {
			return r.withValue(kind, role, a[:i], a[i+1:], true, next)
		}
	}
	if begin, role := begins(r.t.opts, a); begin > 0 {
		r.value(role, a[:begin], a[begin:])
		return 0
	}
	if i := strings.LastIndexAny(a, "=:"); i > 2 {
		r.loadsFrom(a[:i], a[i+1:])
	}
	for i := 1; i < len(a); i++ {
		kind, role, ok := findOpt(r.t.opts, a[i:i+1], false)
		if !ok {
			if a[i] <= mark.Inside {
				r.unknownOption(a)
				return 0
			}
			if only(r.t.opts) {
				r.m.unlisted(r.t.name, a, "")
				return 0
			}
			continue
		}
		switch kind {
		case ':', '~':
			return r.withValue(kind, role, a[:2], a[i+1:], i+1 < len(a), next)
		case '?':
			r.value(role, a, a[i+1:])
			return 0
		}
		if lessens(role) && i+1 < len(a) && a[i+1] == '=' && setToNo(role, a[i+2:], true, nil) {
			r.takeBack()
			continue
		}
		r.flag(role, a, "")
	}
	return 0
}

// lists says whether a list has the option of a word.
func lists(opts, word string) bool {
	if len(word) < 2 || word[0] != '-' {
		return false
	}
	name, _, _ := cutAt(word, "=")
	_, _, ok := findOpt(opts, name, false)
	if long, is := cutPrefix(name, "--"); is && !ok {
		_, _, ok = findOpt(opts, long, true)
	} else if !ok {
		_, _, ok = findOpt(opts, word[1:2], false)
	}
	return ok
}

// only says that a tool has no harmless options but those listed: its table
// starts with "=!n". Not inlined, for the size of programs.
//
//go:noinline
func only(opts string) bool { return strings.HasPrefix(opts, "=!n") }

// runningRoles are those of options that run, load, write or remove something.
const runningRoles = "x(oBcCwid20"

// informs says whether an option is listed as one that makes a program only
// show something.
func informs(opts, name string, how byte) bool {
	kind, does, _ := findOpt(opts, name, false)
	return kind == '!' && does == how
}

// runsPrograms says whether any listed option has a role that runs, writes or
// needs review, so that an unknown option may be that one.
func runsPrograms(opts string) bool {
	for i := 2; i <= len(opts); i++ {
		if (i == len(opts) || opts[i] == ' ') && firstByte(runningRoles, opts[i-1]) >= 0 && opts[i-2] != 'n' {
			return true
		}
	}
	return false
}

func (r *toolRun) unknownOption(a string) {
	if runsPrograms(r.t.opts) || only(r.t.opts) {
		r.m.opaque(effect.OpComputed, "computed option of "+r.t.name+": "+a)
	}
}

func (r *toolRun) longOption(body string, next []string) int {
	name, value, has := cutAt(body, "=")
	if mark.Has(name) {
		r.unknownOption(body)
		return 0
	}
	r.takenBack(name, value, has)
	kind, role, ok := findOpt(r.t.opts, name, true)
	if !ok && len(name) > 1 {
		kind, role, ok = r.inherited(name)
	}
	if key, rest, colon := cutAt(body, ":"); !ok && colon {
		if kind, role, ok := findOpt(r.t.opts, key, true); ok { // --define:X=Y
			return r.withValue(kind, role, "--"+key, rest, true, next)
		}
	}
	if !ok {
		kind, role, ok = patterned(r.t.opts, name)
	}
	if !ok && (r.t.has(traitBothSpellings) || r.parent != nil && r.parent.has(traitBothSpellings)) {
		kind, role, ok = r.respelled(name)
	}
	if !ok && r.negates(name, has) {
		return 0
	}
	if takes, plain := r.look(ok, body, next); plain {
		return takes
	}
	if !ok && only(r.t.opts) && (has || !r.t.has(traitRefusesUnknown)) {
		r.m.unlisted(r.t.name, "--"+name, " "+value)
		r.reaches(name, value)
		return 0
	}
	if !ok {
		r.unlisted(name, value)
		return 0
	}
	return r.withValue(kind, role, "--"+name, value, has, next)
}

// inherited finds a long option among those of the program that the run is a subcommand of,
// and of the groups of subcommands between them.
func (r *toolRun) inherited(name string) (kind, role byte, ok bool) {
	if r.parent != nil {
		if kind, role, ok = findOpt(r.parent.opts, name, false); ok {
			return kind, role, ok
		}
	}
	for of := strings.TrimRight(r.t.name, " "); ; {
		i := lastByte(of, ' ')
		if i < 0 {
			return 0, 0, false
		}
		of = of[:i]
		if t := lookupTool(of); t != nil && t.act == doesGroup {
			if kind, role, ok = findOpt(t.opts, name, false); ok {
				return kind, role, ok
			}
		}
	}
}

// begins finds an option with a single dash by how it begins, where the list has a name
// with a star at its end: begin is how long the longest such name is, 0 without one.
func begins(opts, word string) (begin int, role byte) {
	for tok := range strings.FieldsSeq(opts) {
		if tok[0] != '-' && tok[0] != '=' {
			break // those with a dash stand first
		}
		name, ok := cutSuffix(tok[:max(0, len(tok)-2)], "*")
		if ok && len(name) > begin && strings.HasPrefix(word, name) {
			begin, role = len(name), tok[len(tok)-1]
		}
	}
	return begin, role
}

// runningWords are parts of long options that, in the manuals of the listed
// tools, name a program or code to run; writingWords ones that name an output.
var (
	runningWords = [...]string{"exec", "command", "cmd", "shell", "hook", "pager", "editor", "plugin", "wrapper", "preload", "eval", "rsh", "browser", "program", "loader", "interpreter"}
	writingWords = [...]string{"out", "log", "dump", "write", "save", "report", "cache", "trace", "prof", "dest", "target"}
)

// unlisted judges a long option that no table has, by its name and by a value
// that is a path: a gap in a table should cost a question.
func (r *toolRun) unlisted(name, value string) {
	if strings.HasPrefix(name, "no-") {
		return
	}
	if name == "args" && (r.t.name == "gradle" || r.t.name == "gradlew") { // those of the project's program (Gradle's application plugin)
		r.m.givenArgs(quotedFields(value))
		return
	}
	for _, w := range runningWords {
		if strings.Contains(name, w) {
			r.m.unlisted(r.t.name, "--"+name, " "+value)
			return
		}
	}
	r.sourceOption(name, value)
	if !reachesOut(value) {
		r.reaches(name, value)
		return
	}
	if writesTo(name) {
		r.m.write(value, effect.OpCreate)
		return
	}
	r.loadsFrom(name, value)
	r.m.read(value)
}

// reachesOut says whether a word is a path that may leave the workspace.
func reachesOut(word string) bool {
	return word == ".." || strings.HasPrefix(word, "/") && !strings.HasPrefix(word, "//") || strings.HasPrefix(word, "~") || strings.HasPrefix(word, "../") || strings.Contains(word, "/../")
}

// withValue applies an option and returns how many of the next words it takes.
func (r *toolRun) withValue(kind, role byte, name, value string, has bool, next []string) int {
	switch {
	case kind == '!' && lessens(role) && setToNo(role, value, has, next):
		r.takeBack()
		return 0
	case kind == '!':
		r.flag(role, name, value)
		return 0
	case kind == '&': // a name and what it stands for
		if len(next) < 2 {
			return 0
		}
		r.value(role, name, next[1])
		return 2
	case kind == '~' && !has && (len(next) == 0 || strings.HasPrefix(next[0], "-")):
		r.value(role, name, "")
		return 0
	case kind == ':' && !has && role == roleCommand: // develop -c make test
		r.command = next
		return len(next)
	case (kind == ':' || kind == '~') && !has:
		if len(next) == 0 {
			if role == roleListensAt { // the value may be left out: then at all addresses
				r.value(role, name, "")
			}
			return 0
		}
		r.value(role, name, next[0])
		return 1
	}
	r.value(role, name, value)
	return 0
}

// flag applies what a flag adds.
func (r *toolRun) flag(does byte, name, value string) {
	if firstByte(alikeFlags, does) < 0 {
		r.m.tells(name)
	}
	switch does {
	case roleNothing, flagInformsAlone, flagTells:
	case flagInPlace:
		r.inPlace = true
	case flagRemovesOperands:
		r.remove = true
	case flagDryRun:
		r.dryRun(value)
	case flagInforms:
		r.help = !r.live
	case flagExpressionGiven:
		r.given = true
	case flagNamesOnly, flagListsFiles:
		r.given, r.named = r.given || does == flagListsFiles, does == flagListsFiles || !r.live
	case flagRecursive:
		r.recursive = true
	case flagRunsOperands:
		r.runs = true
	case flagReview:
		if !r.redacts() {
			r.m.escape(r.t.name + " " + name + " " + value)
		}
	case doesSend:
		r.sending = true
	case doesUpdate:
		r.updates = true
	case doesInteract:
		if r.t.name != "git rebase" || !r.m.todoKept() {
			r.m.baseAct(does)
		}
	default:
		r.m.baseAct(does)
	}
}

// value gives an option's value its role.
func (r *toolRun) value(role byte, name, value string) {
	if role == roleReads && r.ownVariables(name, value) {
		return
	}
	r.tells(role, name, value)
	switch role {
	case roleNothing:
		if r.t.act == doesBuild && allAddresses(value) {
			r.m.record(effect.Effect{Kind: effect.Network, Op: effect.OpListen, Resource: show(value)})
		}
		if reachesOut(value) && writesTo(name) && !strings.HasSuffix(name, "template") && !r.t.has(traitOfAccount) {
			r.m.write(value, effect.OpCreate) // a gap in a table should cost a question
		}
		r.secretWithin(value)
		r.loadsFrom(name, value)
		r.sourceOption(trimPrefix(name, "--"), value)
	case roleCommandLine:
		r.operand(role, value)
		if more := r.withOperand(value); more != value {
			r.operand(role, more)
		}
	case roleKey, roleTells:
	case roleAmount:
		r.amount = value
	case roleMode:
		r.m.mode(value)
	case roleSelects:
		r.selects(value)
	case roleDryRun:
		r.dryRun(value)
	case roleMethod:
		r.sends, r.method = r.sends || !readsOnly(value), strings.ToUpper(show(value))
	case roleSends:
		r.sends = true
	case roleExpression:
		r.given = true
	case roleExpressionFile:
		r.given = true
		r.m.read(value)
		r.filterFile(value)
	case roleSetting:
		r.judge(name, value)
	case roleDevice:
		r.device(name, value)
	case roleCMakeSetting:
		r.cmakeSetting(name, value)
	case rolePlugin:
		if !strings.HasPrefix(value, "no:") { // one less
			r.m.escape(r.t.name + " " + name + " " + value)
		}
	case roleReview, roleConnection, roleMergeStrategy: // a strategy that is none of git's is a program (git-merge(1), -s)
		if role == roleReview || role == roleConnection && !connects(value) || role == roleMergeStrategy && !hasWord("ort recursive resolve octopus ours subtree", value) {
			r.m.escape(r.t.name + " " + name + " " + value)
		}
	case roleRemoves:
		r.m.remove(value, effect.OpRemove)
	case roleSystem:
		r.m.baseAct(doesSystem)
	default:
		if firstByte(uploadRoles, role) >= 0 {
			r.upload(role, value)
			return
		}
		r.operand(role, value)
	}
}
