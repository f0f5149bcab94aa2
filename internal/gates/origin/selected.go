package origin

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// Selected ends the form of a value that is the whole of a field in a record that
// the task selected: the only one of its result that has a field which is a name
// out of the task or the argument of a call that the task named, or the one that
// such a call returned. An id in it selects further records.
const Selected = "="

// maxSelect bounds the leaves among which a record is looked for: of more records
// than people read, none is said to be selected.
const maxSelect = 1 << 11

// maxIdentity is the length beyond which a value is no name of a record.
const maxIdentity = 128

// selection is what the task selected of a result: the record around all others
// (a single record, or the wrapper of a list), and one of those in lists.
type selection struct {
	root bool
	item int // 0 for none
}

func (s selection) has(p *pending) bool {
	return p.record == 0 && s.root || p.record > 0 && p.record == s.item
}

// selects finds what the task selected of a result. Where several records of a
// list answer to the task's words, one may be there to do so: none is selected.
func (x *Index) selects(tool string, given, leaves []pending) selection {
	var s selection
	if len(leaves) > maxSelect {
		return s
	}
	keys, single, same := x.keys(given), true, uniform(given, leaves)
	for i := range leaves {
		p := &leaves[i]
		single = single && p.record == 0 && p.path != ""
		if s.has(p) || p.record > 0 && same[p.path] || !x.identifies(p.value) && !slices.Contains(keys, fold(p.value)) {
			continue
		}
		switch {
		case p.record == 0:
			s.root = true
		case s.item == 0:
			s.item = p.record
		default:
			s.item = -1 // several: none, and no further one
		}
	}
	if single && len(keys) > 0 && call.Classify(tool).Verb != effect.VerbSearch {
		s.root = true
	}
	return s
}

// uniform are the fields that tell an argument of the call back in every record that
// has them, of two or more: the channel that all messages were read from tells none
// of them apart. A name that several records have of their own does not: one of them
// may be there to have it, and another word of the task too.
func uniform(given, leaves []pending) map[string]bool {
	first, out := map[string]*pending{}, map[string]bool{}
	for i := range leaves {
		p := &leaves[i]
		f := first[p.path]
		switch {
		case f == nil:
			first[p.path] = p
		case f.value != p.value:
			out[p.path] = false
		case f.record != p.record:
			if _, known := out[p.path]; !known {
				out[p.path] = slices.ContainsFunc(given, func(a pending) bool { return fold(a.value) == fold(p.value) })
			}
		}
	}
	return out
}

// queryKeys are the last words of arguments that look for records rather than name
// one. Sorted.
const queryKeys = "contains filter filters keyword keywords match pattern q queries query search term terms text topic words"

func queries(path string) bool {
	words := call.Words(path)
	if len(words) == 0 {
		return false
	}
	found := mark.Among(queryKeys, words[len(words)-1])
	return found
}

// keys are the arguments, folded, that name a record: the task names them, or a
// record that it selected has them. Who names a page, a file or words to look for
// has selected none.
func (x *Index) keys(given []pending) []string {
	var out []string
	for _, a := range given[:min(len(given), maxOwn)] {
		v := fold(a.value)
		if v == "" || len(v) > maxIdentity || queries(a.path) || locates(v) {
			continue
		}
		if f := x.whole(number(v)); x.identifies(a.value) || f.ok() && f.span.selected {
			out = append(out, v)
		}
	}
	return out
}

// locates says whether a folded value is where a page or a file is.
func locates(v string) bool {
	return strings.Contains(v, "/") || address(v) && !strings.Contains(v, "@")
}

// identifies says whether the task names a value that tells one record from
// another: a name, not an amount or a day.
func (x *Index) identifies(value string) bool {
	if len(value) > maxIdentity || utf8.RuneCountInString(value) < minTelling || strings.IndexFunc(value, unicode.IsLetter) < 0 {
		return false
	}
	return value != "true" && value != "True" && value != "false" && value != "False" && x.inTask(value) && len(dates(value)) == 0
}
