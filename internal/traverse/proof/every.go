package proof

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gbt-policy/gbt/internal/traverse/cover"
)

// Any stands for the tools of all calls that are more than words.
const Any = "*"

// The kinds of values of which a run may have to use every one, beside those of cover.
const (
	Quoted  = "quote"   // what stands in quotation marks
	Address = "address" // addresses, dates, times and ids
	Name    = "name"    // words that begin with a capital inside a sentence
	Value   = "value"   // all of these
)

// EveryKinds are the kinds that Every is asked for, the finest first.
var EveryKinds = []string{cover.File, cover.Identifier, cover.Number, Quoted, Address, Name, Value}

// EveryOf is the value of a check that every value of a kind must be used.
func EveryOf(kind string) string { return "{every " + kind + "}" }

var everyRE = regexp.MustCompile(`^\{every ([a-z]+)\}$`)

var (
	quoteRE   = regexp.MustCompile(`"([^"\n]{2,80})"|(?:^|[\s(])'([^'\n]{2,80})'|“([^”\n]{2,80})”|` + "`([^`\n]{2,80})`")
	addressRE = regexp.MustCompile(`[^\s@<>"'(]+@[^\s@<>"',;)]+\w|\b[a-z]+://[^\s<>"')]+\w|\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}:\d{2}\b|#?\b[A-Z]{1,4}\d{3,}\b|\b[A-Z]{2}\d{2}[A-Z0-9]{8,30}\b`)
	nameRE    = regexp.MustCompile(`[\p{Ll}\d,;:)] ((?:\p{Lu}[\p{L}\d]+)(?: \p{Lu}[\p{L}\d]+)*)`)
)

// maxEvery bounds the values of one kind. A task with more is asked about the first.
const maxEvery = 32

// every are the values of a kind, each once, in order of their places.
func (n *Names) every(kind string) []string {
	if list, ok := n.all[kind]; ok {
		return list
	}
	var out []string
	switch kind {
	case Quoted:
		for _, m := range quoteRE.FindAllStringSubmatch(n.text, -1) {
			out = append(out, m[1]+m[2]+m[3]+m[4])
		}
	case Address:
		out = addressRE.FindAllString(n.text, -1)
	case Name:
		for _, m := range nameRE.FindAllStringSubmatch(n.text, -1) {
			out = append(out, m[1])
		}
	case Value:
		for _, k := range EveryKinds[:len(EveryKinds)-1] {
			out = append(out, n.every(k)...)
		}
	default:
		out = n.kinds[kind]
	}
	list := []string{}
	for _, v := range out {
		if v = plain(v); v != "" && !slices.Contains(list, v) && len(list) < maxEvery {
			list = append(list, v)
		}
	}
	n.all[kind] = list
	return list
}

// plain is a text as values are compared: in lower case, with single blanks.
func plain(v string) string { return strings.Join(strings.Fields(strings.ToLower(v)), " ") }

// uses are the places, among the values of a kind, of those that stand in a text as
// whole words.
func (n *Names) uses(kind, text string) []int {
	var out []int
	text = plain(text)
	for i, v := range n.every(kind) {
		if holdsWord(text, v) {
			out = append(out, i)
		}
	}
	return out
}

func holdsWord(text, v string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], v)
		if i < 0 {
			return false
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(v):])
		if !wordRune(before) && !wordRune(after) {
			return true
		}
		from = i + 1
	}
}

func wordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_')
}
