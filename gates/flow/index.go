package flow

import (
	"bytes"
	"sort"
	"strings"
)

// MaxText bounds the bytes that an Index keeps. The longest episode of the
// shared corpora has results of under 2 MiB.
const MaxText = 4 << 20

// maxSpans bounds the leaves, so that many tiny ones cost no more than a few
// large ones.
const maxSpans = 1 << 16

// The origins that Find returns.
const (
	OriginAgent     = "agent"
	OriginTask      = "task"
	OriginUntrusted = "untrusted"
)

// Dropped is the source of values that nobody can tell the origin of, because
// results were dropped.
const Dropped = "dropped"

// Index knows what an episode has seen. Its zero value has seen nothing.
type Index struct {
	task    [][]byte // folded texts of the task
	text    []byte   // the leaves of all results, folded, with a zero byte before and after each
	bare    []byte   // the same, letters and digits only
	spans   []span
	sources []string
	paths   []string
	results int
	size    int
	dropped bool
}

// span is one leaf of one result.
type span struct {
	at, bare int // where it begins in text and in bare
	result   int
	source   int
	path     int
	free     bool // text rather than a field: a value equal to it is still a part of text
	asked    bool // the task named an argument of the call
}

type pending struct {
	path  string
	value string
	free  bool
	asked bool
}

// Task notes a text of the user's. Hosts call it again when the user says more.
func (x *Index) Task(text string) {
	if text = foldTask(text); text == "" {
		return
	}
	if x.size+len(text) > MaxText {
		return // a task that is not known names nothing: that errs towards untrusted
	}
	x.size += len(text)
	x.task = append(x.task, []byte(text))
	for _, d := range dates(text) {
		if x.size+len(d) <= MaxText {
			x.size += len(d)
			x.task = append(x.task, []byte(d))
		}
	}
}

// Observe notes the result of a call whose arguments are not known.
func (x *Index) Observe(tool string, result []byte) { x.ObserveCall(tool, nil, result) }

// ObserveCall notes the result of a call. args is its JSON: if the task names
// one of them, it asked for this very result (a file, a page, a mailbox).
func (x *Index) ObserveCall(tool string, args, result []byte) {
	x.results++
	asked := x.asked(args)
	if len(result) > MaxText {
		x.dropped = true
		result = result[:MaxText]
	}
	src := intern(&x.sources, tool)
	for _, p := range leavesOf(string(result)) {
		p.asked = asked
		x.add(src, p)
		for _, d := range append(decoded(p.value), dates(p.value)...) {
			x.add(src, pending{path: p.path, value: d, free: true, asked: asked})
		}
	}
}

func (x *Index) add(src int, p pending) {
	folded := number(fold(p.value))
	if folded == "" {
		return
	}
	if x.size+len(folded) > MaxText || len(x.spans) >= maxSpans {
		x.dropped = true
		return
	}
	x.size += len(folded)
	x.spans = append(x.spans, span{
		at: len(x.text), bare: len(x.bare), result: x.results,
		source: src, path: intern(&x.paths, p.path), free: p.free, asked: p.asked,
	})
	x.text = frame(x.text, folded)
	x.bare = frame(x.bare, strip(folded))
}

func frame(b []byte, s string) []byte {
	return append(append(append(b, 0), s...), 0)
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

// found is where a value stands.
type found struct {
	result int
	span   *span
	part   bool
}

func (f *found) ok() bool { return f.span != nil }

// before says whether f is the better answer than g: it was seen earlier, or in
// the same result and in text. A short value, "13" say, stands in some text by
// chance, so of these a field comes first.
func (f *found) before(g *found, short bool) bool {
	if !g.ok() || !f.ok() {
		return f.ok()
	}
	if f.result != g.result {
		return f.result < g.result
	}
	return f.part != g.part && f.part != short
}

// at returns the leaf that holds position i of text or bare.
func (x *Index) at(i int, start func(*span) int) *span {
	n := sort.Search(len(x.spans), func(j int) bool { return start(&x.spans[j]) > i })
	return &x.spans[n-1]
}

func inText(s *span) int { return s.at }
func inBare(s *span) int { return s.bare }

// lookup finds where a value was first seen.
func (x *Index) lookup(value string) found {
	v := fold(value)
	if v == "" {
		return found{}
	}
	best, b := found{}, strip(v)
	take := func(f found) {
		if f.before(&best, len(b) < minBare) {
			best = f
		}
	}
	take(x.whole(number(v)))
	if d := yearless(v); d != "" {
		take(x.whole(d))
	}
	take(x.word(v))
	if len(b) >= minBare {
		take(x.inside(b))
		take(x.inside(reverse(b)))
	}
	return best
}

// minBare is the length from which letters and digits alone, without the word
// boundaries around them, are no chance match: eight of them are over 40 bits.
const minBare = 8

// whole finds v as all of a leaf.
func (x *Index) whole(v string) found {
	i := bytes.Index(x.text, []byte("\x00"+v+"\x00"))
	if i < 0 {
		return found{}
	}
	s := x.at(i, inText)
	return found{result: s.result, span: s, part: s.free}
}

// word finds v between word boundaries in a leaf that is longer.
func (x *Index) word(v string) found {
	for from := 0; ; {
		i := indexWord(x.text, v, from)
		if i < 0 {
			return found{}
		}
		s := x.at(i, inText)
		if s.free || x.text[i-1] != 0 || x.text[i+len(v)] != 0 {
			return found{result: s.result, span: s, part: true}
		}
		from = i + len(v)
	}
}

// inside finds the letters and digits of a value in a longer leaf.
func (x *Index) inside(b string) found {
	for from := 0; ; {
		i := bytes.Index(x.bare[from:], []byte(b))
		if i < 0 {
			return found{}
		}
		i += from
		s := x.at(i, inBare)
		if s.free || x.bare[i-1] != 0 || x.bare[i+len(b)] != 0 {
			return found{result: s.result, span: s, part: true}
		}
		from = i + len(b)
	}
}

// Asked ends the form of a value out of the text of a result that the task
// asked for by name.
const Asked = "?"

// minAsked is the length from which a word of the task that is an argument too
// says that the task asked for the call: shorter ones meet by chance.
const minAsked = 3

func (x *Index) asked(args []byte) bool {
	p := literal{s: string(args)}
	if p.space(); p.i == len(p.s) || !p.value(place{}) {
		return false
	}
	for _, a := range p.l.out {
		if len(a.value) >= minAsked && strings.Trim(a.value, "0123456789.+-:TZ ") != "" && x.named(a.value) {
			return true
		}
	}
	return false
}

// Find says where a value came from: see the package comment.
func (x *Index) Find(value string) (origin, source, form string) {
	if x.named(value) {
		return OriginTask, "", ""
	}
	f := x.lookup(value)
	mark := ""
	if !f.ok() {
		f, mark = x.parts(value)
	}
	if !f.ok() {
		if x.dropped && fold(value) != "" {
			return OriginUntrusted, Dropped, "~"
		}
		return OriginAgent, "", ""
	}
	form = x.paths[f.span.path]
	if f.part {
		form += "~"
	}
	if f.part || mark == Joined {
		form += mark
	}
	if f.part && f.span.asked {
		form += Asked
	}
	return OriginUntrusted, x.sources[f.span.source], form
}

// named says whether the task names the value.
func (x *Index) named(value string) bool {
	v := foldTask(value)
	if v == "" {
		return false
	}
	for _, t := range x.task {
		for _, w := range [...]string{v, number(v), bareURL(v)} {
			if indexWord(t, w, 0) >= 0 {
				return true
			}
		}
		if d := yearless(v); d != "" && string(t) == d {
			return true
		}
	}
	return false
}
