package origin

import (
	"bytes"
	"sort"
	"unicode/utf8"
)

// The origins that Find returns.
const (
	OriginAgent     = "agent"
	OriginTask      = "task"
	OriginUntrusted = "untrusted"
)

// Text ends the place of a value that a text holds.
const Text = "~"

// Repeated is the form of a value that the task names and a text repeats, and of
// one too short to tell. It ends in Asked where only texts that the task asked
// for do.
const Repeated = "repeated"

// minTelling is the length below which a value stands in some text by chance.
const minTelling = 3

// Dropped is the source of values that nobody can tell the origin of, because
// results were dropped.
const Dropped = "dropped"

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

// Find says where a value came from: see the package comment.
func (x *Index) Find(value string) (origin, source, form string) {
	if x.inTask(value) {
		return OriginTask, "", x.echo(value)
	}
	f := x.lookup(value)
	mark := ""
	if !f.ok() {
		f, mark = x.parts(value)
	}
	if !f.ok() {
		if x.dropped && fold(value) != "" {
			return OriginUntrusted, Dropped, Text
		}
		return OriginAgent, "", ""
	}
	return OriginUntrusted, x.sources[f.span.source], x.form(&f, value, mark)
}

// form writes where an untrusted value was found.
func (x *Index) form(f *found, value, mark string) string {
	form := x.paths[f.span.path]
	if mark == "" && f.part && utf8.RuneCountInString(value) < minTelling {
		mark = Number
	}
	if f.part {
		if note(value, mark) {
			form += Note
		}
		form += Text
	}
	if f.part || mark == Joined {
		form += mark
	}
	switch {
	case f.part && f.span.asked:
		form += Asked
	case !f.part && mark == "" && f.span.selected:
		form += Selected
	}
	return form
}

// echo says whether some text repeats a value that the task names: whoever wrote
// it may want the value where the task does not. A text that the task asked for
// counts less than another.
func (x *Index) echo(value string) (form string) {
	v := fold(value)
	if utf8.RuneCountInString(v) < minTelling {
		return Repeated
	}
	for _, w := range [...]string{number(v), bareURL(v), yearless(v)} {
		for from, n := 0, 0; w != ""; n++ {
			i := indexWord(x.text, w, from)
			if i < 0 {
				break
			}
			s := x.at(i, inText)
			// An event's title says the name of the event and nothing else: it
			// makes the task's own words no less the task's.
			whole := x.text[i-1] == 0 && x.text[i+len(w)] == 0 && (s.prose || !s.free)
			switch {
			case n == maxHits || !s.asked && !whole:
				return Repeated
			case !whole:
				form = Repeated + Asked
			}
			from = i + len(w)
		}
	}
	return form
}

// inTask says whether the task names the value.
func (x *Index) inTask(value string) bool {
	v := foldTask(value)
	if v == "" {
		return false
	}
	n, u, d := number(v), bareURL(v), yearless(v)
	for _, t := range x.task {
		if indexWord(t, v, 0) >= 0 || n != v && indexWord(t, n, 0) >= 0 || u != v && indexWord(t, u, 0) >= 0 {
			return true
		}
		if d != "" && string(t) == d {
			return true
		}
	}
	return false
}
