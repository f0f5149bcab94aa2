package decisions

import (
	"slices"
	"strings"
	"unicode"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/rules"
	"github.com/gbt-policy/gbt/gates/wording"
)

// maxRules bounds the rules of an entry, in bytes.
const maxRules = 1000

// answering are the rules that would have answered a question, as rules.Propose tried
// them on the very call; none where one of them would say more of the call than the log
// may hold.
func (e *Entry) answering(c *gates.Context, d *gates.Decision) []string {
	list := rules.Propose(c, d)
	size := 0
	for _, text := range list {
		if size += len(text); size > maxRules || !e.mayHold(c, text) {
			return nil
		}
	}
	return list
}

// mayHold says whether the log may hold a rule: paths and tools are named in it anyway,
// and of a command line the program and what the person reads of it, no other word.
func (e *Entry) mayHold(c *gates.Context, text string) bool {
	if wording.Secret(text) || strings.ContainsFunc(text, unicode.IsControl) || strings.ContainsRune(text, unicode.ReplacementChar) {
		return false
	}
	what := strings.TrimPrefix(text, "allow ")
	switch kind, _, _ := strings.Cut(what, " "); kind {
	case "read", "write", "delete", "tool":
		return true
	case "fetch", "send":
		what = what[len(kind):]
	default:
		what = withoutProgram(c, what)
	}
	shown := wordsOf(e.Asked + " " + strings.Join(e.Scope, " "))
	return !slices.ContainsFunc(strings.Fields(what), func(w string) bool {
		if _, rest, ok := strings.Cut(w, "://"); ok {
			w = strings.TrimSuffix(strings.TrimSuffix(rest, "*"), "/")
		}
		return w != "*" && !slices.Contains(shown, w)
	})
}

// withoutProgram takes a known program and its subcommand off the front of a line.
func withoutProgram(c *gates.Context, line string) string {
	for _, run := range c.Runs() {
		if rest, ok := strings.CutPrefix(line, run.Tool); ok && run.Tool != "" && (rest == "" || rest[0] == ' ') {
			return rest
		}
	}
	return line
}

// wordsOf are the words of a sentence, without its marks.
func wordsOf(s string) []string {
	list := strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(";,()[]“”", r) })
	for i, w := range list {
		list[i] = strings.TrimRight(w, ".:/")
	}
	return list
}
