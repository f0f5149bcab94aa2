package proof

import (
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/origin"
	"github.com/gbt-policy/gbt/internal/traverse/cover"
)

// Task is the slot of any value that the task names.
const Task = "{task}"

// kinds are the kinds of values that have slots by their place in the task.
var kinds = []string{cover.File, cover.Identifier, cover.Number}

// Names are the values that a task names.
type Names struct {
	slots map[string]string // by slot, with its braces
	order []string          // slots by the length of their values, the longest first
	index origin.Index

	text  string
	kinds map[string][]string // by kind of cover: values in order
	all   map[string][]string // what every has found
}

// maxTask bounds the text of a task, in bytes.
const maxTask = 64 << 10

// Of reads a task's text.
func Of(task string) *Names {
	n := &Names{slots: map[string]string{}, text: task[:min(len(task), maxTask)], kinds: map[string][]string{}, all: map[string][]string{}}
	n.index.Task(task)
	seen := map[string]int{}
	for _, p := range cover.Named(task) {
		if !slices.Contains(kinds, p.Kind) {
			continue
		}
		seen[p.Kind]++
		slot := "{" + p.Kind + " " + strconv.Itoa(seen[p.Kind]) + "}"
		n.slots[slot] = p.Text
		n.kinds[p.Kind] = append(n.kinds[p.Kind], p.Text)
		n.order = append(n.order, slot)
	}
	sort.SliceStable(n.order, func(i, j int) bool { return len(n.slots[n.order[i]]) > len(n.slots[n.order[j]]) })
	return n
}

// Named reports whether the task names a value.
func (n *Names) Named(value string) bool {
	value = strings.TrimSpace(value)
	if value == "" {
		return false
	}
	from, _, _ := n.index.Find(value)
	return from == origin.OriginTask || n.index.Number(value) == origin.NumberSame
}

var slotRE = regexp.MustCompile(`\{\{|\{[a-z]+(?: [1-9][0-9]{0,2})?\}`)

// Bind is a template with the task's values in the place of its slots. ok is false where
// the task has no value for one.
func (n *Names) Bind(template string) (text string, ok bool) {
	ok = true
	text = slotRE.ReplaceAllStringFunc(template, func(slot string) string {
		if slot == "{{" {
			return "{"
		}
		value, has := n.slots[slot]
		ok = ok && has
		return value
	})
	return text, ok
}

// word is what a shell reads as one word, and no program as an option.
var word = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./][A-Za-z0-9_@%+=:,./-]*$`)

// BindCommand is Bind for a command line.
func (n *Names) BindCommand(template string) (line string, ok bool) {
	for _, slot := range slotRE.FindAllString(template, -1) {
		if slot != "{{" && !word.MatchString(n.slots[slot]) {
			return "", false
		}
	}
	return n.Bind(template)
}

// Lift takes the files and identifiers that the task names out of a text: the template
// that Bind makes this text of. Numbers stay: they are the same by chance too often.
func (n *Names) Lift(text string) string {
	out := strings.ReplaceAll(text, "{", "{{")
	for _, slot := range n.order {
		if !strings.HasPrefix(slot, "{"+cover.Number) && len(n.slots[slot]) > 1 {
			out = replaceWord(out, strings.ReplaceAll(n.slots[slot], "{", "{{"), slot)
		}
	}
	return out
}

// replaceWord puts a slot in the place of a value where it stands as a whole name.
func replaceWord(text, value, slot string) string {
	var b strings.Builder
	for {
		i := strings.Index(text, value)
		if i < 0 {
			return b.String() + text
		}
		end := i + len(value)
		b.WriteString(text[:i])
		before := b.String()
		inSlot := strings.LastIndexByte(before, '{') > strings.LastIndexByte(before, '}')
		if inSlot || i > 0 && joins(text[i-1]) || end < len(text) && (joins(text[end]) || text[end] == '.' && end+1 < len(text) && joins(text[end+1])) {
			b.WriteString(value)
		} else {
			b.WriteString(slot)
		}
		text = text[end:]
	}
}

// joins says whether a character goes on with a name.
func joins(c byte) bool {
	return c == '_' || c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
