package call

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file reads tools that are for many things and are told by an argument which
// of them to do: manage_links with the operation list. Their name says no more than
// that; the word of the argument says what a tool's name says elsewhere.

// operated lowers such a tool to reading where the one word that it is told to do
// reads, and no name of another argument is a verb that changes something. What the
// word says beyond a reading name is added by asksFor.
func (b *builder) operated() {
	c := &b.c.Class
	if c.Basis > BasisName || b.schema != nil || b.doc.kind != objectValue || !manages(wordsOf(Name(b.call.Tool), b.call.Tool)) {
		return
	}
	word := ""
	for i := range b.c.Args {
		a := &b.c.Args[i]
		key := strings.ToLower(a.Path)
		switch {
		case slices.Contains(verbKeys[:], key) && word == "" && a.Value != "":
			word = a.Value
		case slices.Contains(verbKeys[:], key), saysChange(words(a.Path)):
			return
		}
	}
	ws := words(word)
	if len(ws) == 0 || len(ws) > maxNameWords || saysChange(ws) {
		return
	}
	if v, ok := verbWord(ws[0]); !ok || v != effect.VerbRead && v != effect.VerbSearch {
		return
	}
	*c, b.operation = b.readingClass(), true
}

// manages says whether a name says no more than that something is worked with: it
// begins with such a verb, or is made of nothing but nouns.
func manages(ws []string) bool {
	if len(ws) == 0 || len(ws) > maxNameWords {
		return false
	}
	_, at := verbOf(ws)
	if at >= 0 {
		return (ws[at] == "manage" || ws[at] == "handle") && !slices.ContainsFunc(ws[at+1:], conjunction) && !saysChange(ws[at+1:])
	}
	return !slices.ContainsFunc(ws, func(w string) bool {
		return !hasNounWord(w) && !hasNoun([]string{w}, attributes[:]) && !hasNoun([]string{w}, told[:])
	})
}

// saysChange says whether a word is a verb that changes something. Not inlined, for the size of programs.
//
//go:noinline
func saysChange(ws []string) bool {
	return slices.ContainsFunc(ws, func(w string) bool {
		v, ok := verbWord(w)
		return ok && v.Record().Changes()
	})
}
