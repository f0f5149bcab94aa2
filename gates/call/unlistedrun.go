package call

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// runOptions are arguments of the tools that run command lines, code and
// statements which only say how long, where its output goes and in which of the
// tool's own sessions: they can neither run nor load nor send anything. From the
// hosts' own documentation and source, as roletable.go names it. In lower case,
// sorted.
const runOptions = "background block blocking database db detach fireandforget format hidden initial_wait is_background is_input is_static isbackground keep_prompt lang language limit login " +
	"max_output_tokens max_rows params prefix_rule read_only readonly reset restart risklevel run_in_background runtime safe_to_auto_run safetoautorun schema session session_id " +
	"session_name sessionid shell_id timeout timeout_ms timeout_seconds tty wait wait_ms_before_async yield_time_ms"

// runWords are the names under which hosts let the model say, beside any of their
// tools, what a call is for (roletable.go has them for each tool). In lower case.
var runWords = [...]string{"description", "explanation", "goal", "justification", "reason", "summary", "thought", "thoughts"}

// runTexts are the names under which a tool that runs something takes it, beside
// those of a shell (commandKeys). They are judged where they stand.
var runTexts = [...]string{"action", "cell", "code", "python_code", "q", "query", "source", "sql", "statement"}

// UnlistedArgument begins the resource of the effect that an argument which nobody
// knows has.
const UnlistedArgument = "unlisted argument "

// unlistedOptions asks about arguments that a tool which runs something is given
// and nobody knows: an interpreter, an environment, a file to load. What they do
// is not known, and they may be all that matters.
func (b *builder) unlistedOptions() {
	switch b.c.Class.Family {
	case FamilyShell, FamilyCode, FamilySQL:
	default:
		return
	}
	if b.c.Class.Verb != effect.VerbExecute || b.doc.kind != objectValue || slices.ContainsFunc(b.c.Effects, unreadable) {
		return
	}
	last := "\x00" // no name
	for i := range b.c.Args {
		a := &b.c.Args[i]
		key, _, nested := strings.Cut(a.Path, ".")
		if key == last || a.Role != "" || b.knownOption(key, nested, a.Value) {
			continue
		}
		last = key
		b.add(effect.Effect{Kind: effect.Opaque, Op: effect.OpComputed, Resource: UnlistedArgument + shown(key) + " of " + Name(b.call.Tool)})
	}
}

// unreadable says whether an effect already keeps its call from being approved,
// whatever else it is given.
func unreadable(e effect.Effect) bool { return e.Kind == effect.Opaque && e.Op == effect.OpUnparsed }

func (b *builder) knownOption(key string, nested bool, value string) bool {
	if b.schema == nil && (slices.Contains(commandKeys[:], key) || slices.Contains(runTexts[:], key) || b.isWorkdir(key)) {
		return true
	}
	if b.schema == nil && !nested && slices.Contains(runWords[:], strings.ToLower(key)) {
		return true
	}
	if key == "params" || key == "prefix_rule" {
		return true // values for the places of a statement; a rule that the host asks its user about
	}
	ok := mark.Among(runOptions, strings.ToLower(key))
	return ok && !nested && plainOption(value)
}

// isWorkdir says whether workdir reads an argument as the directory to run in.
func (b *builder) isWorkdir(key string) bool {
	return slices.Contains(workdirKeys[:], key) && b.c.Class.Family == FamilyShell
}

// plainOption says whether a value is a number, a truth or a name.
func plainOption(v string) bool {
	if len(v) > 64 {
		return false
	}
	for i := 0; i < len(v); i++ {
		if c := v[i]; !isLetter(c) && (c < '0' || c > '9') && !strings.ContainsRune("_.-:", rune(c)) {
			return false
		}
	}
	return true
}

// shown is a name as a reason may show it.
func shown(name string) string {
	if len(name) > 40 {
		name = name[:40]
	}
	return strings.ToValidUTF8(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, name), "")
}
