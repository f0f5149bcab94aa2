package shell

import (
	"strconv"

	"mvdan.cc/sh/v3/syntax"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file is about brace expansion, by which one word stands for several (bash manual, Brace Expansion).

func hasBrace(w *syntax.Word) bool {
	for _, p := range w.Parts {
		if l, ok := p.(*syntax.Lit); ok && firstByte(l.Value, '{') >= 0 && firstByte(l.Value, '}') > 0 {
			return true
		}
		if _, ok := p.(*syntax.BraceExp); ok {
			return true
		}
	}
	return false
}

// maxBraces bounds the words that one brace expansion makes.
const maxBraces = 256

// maxBraceParts bounds the parts of a word with braces.
const maxBraceParts = 48

func (m *machine) braced(dst []string, w *syntax.Word) []string {
	c := *w
	syntax.SplitBraces(&c)
	if changesName(&c) {
		m.opaque(effect.OpComputed, "braces after a variable's name")
		return append(dst, unknown.text)
	}
	var words []*syntax.Word
	if len(c.Parts) <= maxBraceParts {
		words = expandBraces(nil, &c)
	}
	if len(words) >= maxBraces || len(words) == 0 {
		m.opaque(effect.OpComputed, "brace expansion of too many words")
		return append(dst, unknown.text)
	}
	for _, e := range words {
		dst = m.splitFields(dst, e)
	}
	return dst
}

// changesName says whether a brace expansion follows $name directly: bash
// expands braces first, so they become part of the name.
func changesName(w *syntax.Word) bool {
	for i := 1; i < len(w.Parts); i++ {
		p, ok := w.Parts[i-1].(*syntax.ParamExp)
		if _, brace := w.Parts[i].(*syntax.BraceExp); ok && brace && p.Short {
			return true
		}
	}
	return false
}

func expandBraces(dst []*syntax.Word, w *syntax.Word) []*syntax.Word {
	for i, p := range w.Parts {
		b, ok := p.(*syntax.BraceExp)
		if !ok {
			continue
		}
		elems := b.Elems
		if b.Sequence {
			elems = sequence(elems)
		}
		for _, e := range elems {
			if len(dst) >= maxBraces {
				return dst
			}
			parts := make([]syntax.WordPart, 0, len(w.Parts)+len(e.Parts))
			parts = append(append(append(parts, w.Parts[:i]...), e.Parts...), w.Parts[i+1:]...)
			dst = expandBraces(dst, &syntax.Word{Parts: parts})
		}
		return dst
	}
	return append(dst, w)
}

// sequence expands {x..y}. A long one becomes its first element with a glob in
// place of the rest.
func sequence(elems []*syntax.Word) []*syntax.Word {
	lit := func(s string) *syntax.Word {
		return &syntax.Word{Parts: []syntax.WordPart{&syntax.Lit{Value: s}}}
	}
	from, to := rawText(elems[0]), rawText(elems[1])
	a, err1 := strconv.Atoi(from)
	b, err2 := strconv.Atoi(to)
	char := err1 != nil || err2 != nil
	if char {
		if len(from) != 1 || len(to) != 1 {
			return []*syntax.Word{lit("*")}
		}
		a, b = int(from[0]), int(to[0])
	}
	n, stepBy := b-a, 1
	if n < 0 {
		n, stepBy = -n, -1
	}
	if n > 64 || len(elems) > 2 {
		return []*syntax.Word{lit("*")}
	}
	var out []*syntax.Word
	for v := a; ; v += stepBy {
		if char {
			out = append(out, lit(string(rune(v))))
		} else {
			out = append(out, lit(strconv.Itoa(v)))
		}
		if v == b {
			return out
		}
	}
}
