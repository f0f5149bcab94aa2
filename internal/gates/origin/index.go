package origin

import (
	"slices"
	"strings"
)

// MaxText bounds the bytes that an Index keeps. The longest episode of the
// shared corpora has results of under 2 MiB.
const MaxText = 4 << 20

// maxSpans bounds the leaves, so that many tiny ones cost no more than a few
// large ones.
const maxSpans = 1 << 16

// Index knows what an episode has seen. Its zero value has seen nothing.
type Index struct {
	task     [][]byte // folded texts of the task
	text     []byte   // the leaves of all results, folded, with a zero byte before and after each
	bare     []byte   // the same, letters and digits only
	spans    []span
	sources  []string
	paths    []string
	followed []string // addresses that calls were given, folded
	results  int
	size     int
	dropped  bool
	limit    int // of size; 0 for MaxText
}

// span is one leaf of one result.
type span struct {
	at, bare int // where it begins in text and in bare
	result   int
	source   int
	path     int
	free     bool // text rather than a field: a value equal to it is still a part of text
	asked    bool // the task named an argument of the call
	prose    bool // all of a value below a key of prose; free as well
	selected bool // in a record that the task selected
}

type pending struct {
	path     string
	value    string
	free     bool
	asked    bool
	prose    bool
	selected bool
	record   int
}

// Task notes a text of the user's. Hosts call it again when the user says more.
func (x *Index) Task(text string) {
	folded := foldTask(text)
	x.name(folded)
	if apart := parted(text); apart != text {
		x.name(foldTask(apart)) // a blank more is not folded away
	}
	for _, d := range dates(folded) {
		x.name(d)
	}
}

// name adds a text that names values. A task that is not known names nothing:
// that errs towards untrusted.
func (x *Index) name(text string) {
	if text != "" && x.size+len(text) <= x.bound() {
		x.size += len(text)
		x.task = append(x.task, []byte(text))
	}
}

// SetLimit lowers the bound on what the index keeps from MaxText to n bytes. It is
// a setting and not part of the encoding.
func (x *Index) SetLimit(n int) { x.limit = n }

func (x *Index) bound() int {
	if x.limit > 0 {
		return min(x.limit, MaxText)
	}
	return MaxText
}

// Size is how many bytes of task and results the index keeps.
func (x *Index) Size() int { return x.size }

// Drop says that a text was seen and is not kept: from now on a value that is
// found nowhere is untrusted.
func (x *Index) Drop() { x.dropped = true }

// Observe notes the result of a call whose arguments are not known.
func (x *Index) Observe(tool string, result []byte) { x.ObserveCall(tool, nil, result) }

// ObserveCall notes the result of a call. args is its JSON: if the task names
// one of them, it asked for this very result (a file, a page, a mailbox).
func (x *Index) ObserveCall(tool string, args, result []byte) {
	x.ObserveText(tool, string(args), string(result[:min(len(result), MaxText+1)]))
}

// ObserveText is ObserveCall for a result that is a string already, as logs hold
// it.
func (x *Index) ObserveText(tool, args, result string) {
	x.results++
	src := intern(&x.sources, tool)
	leaves := leavesOf(tool, result[:min(len(result), MaxText)])
	given := arguments(args)
	x.follow(tool, given)
	asked, own, selected := x.given(tool, given, leaves)
	x.dropped = x.dropped || len(result) > MaxText
	for _, p := range leaves {
		p.asked, p.selected = asked, selected.has(&p)
		if p.prose && slices.Contains(own, fold(p.value)) {
			p.free, p.prose = false, false
		}
		x.add(src, p)
		for _, d := range append(decoded(p.value), dates(p.value)...) {
			x.add(src, pending{path: p.path, value: d, free: true, asked: asked})
		}
	}
}

// given says what a call's arguments make of its result: whether the task asked
// for it, what of its prose is the agent's own, and which record the task selected.
// Looking values up is most of the work that a result takes, and most results have
// no prose.
func (x *Index) given(tool string, given, leaves []pending) (asked bool, own []string, s selection) {
	if len(leaves) == 0 {
		return false, nil, s
	}
	if slices.ContainsFunc(leaves, func(p pending) bool { return p.prose }) {
		own = x.own(given)
	}
	return x.asked(given), own, x.selects(tool, given, leaves)
}

func (x *Index) add(src int, p pending) {
	folded := number(fold(p.value))
	if folded == "" {
		return
	}
	if x.size+len(folded) > x.bound() || len(x.spans) >= maxSpans {
		x.dropped = true
		return
	}
	x.size += len(folded)
	x.spans = append(x.spans, span{
		at: len(x.text), bare: len(x.bare), result: x.results,
		source: src, path: intern(&x.paths, p.path), free: p.free, asked: p.asked, prose: p.prose, selected: p.selected,
	})
	x.frame(folded)
}

// frame appends a folded leaf to both texts.
func (x *Index) frame(folded string) {
	x.text = append(append(append(x.text, 0), folded...), 0)
	x.bare = append(appendBare(append(x.bare, 0), folded), 0)
}

// intern returns the index of a name. Names are few: tools, and paths of fields.
func intern(list *[]string, s string) int {
	for i, have := range *list {
		if have == s {
			return i
		}
	}
	if len(*list) >= maxNames {
		return maxNames - 1
	}
	if len(*list) == maxNames-1 {
		s = "*" // all further names are one
	}
	*list = append(*list, s)
	return len(*list) - 1
}

// maxNames bounds the tools and the paths that are told apart.
const maxNames = 1 << 10

// minAsked is the length from which a word of the task that is an argument too
// says that the task asked for the call: shorter ones meet by chance.
const minAsked = 3

// arguments are the values that a call was given.
func arguments(args string) []pending {
	p := literal{s: args}
	if p.space(); p.i == len(p.s) || !p.value(place{}) {
		return nil
	}
	return p.l.out
}

// maxOwn bounds the arguments that a result may tell back: more than a mail or an
// event has. What comes after them is text as anybody else's.
const maxOwn = 32

func (x *Index) asked(given []pending) bool {
	return slices.ContainsFunc(given, func(a pending) bool {
		return len(a.value) >= minAsked && strings.Trim(a.value, "0123456789.+-:TZ ") != "" && x.inTask(a.value)
	})
}

// own are the values that the agent gave a call before any result held them. A
// result that tells one back whole (the subject of the mail just sent) has
// nothing in it that anybody else wrote.
func (x *Index) own(given []pending) []string {
	var out []string
	for _, a := range given[:min(len(given), maxOwn)] {
		if v := fold(a.value); v != "" && !slices.Contains(out, v) {
			if origin, _, _ := x.Find(a.value); origin != OriginUntrusted {
				out = append(out, v)
			}
		}
	}
	return out
}
