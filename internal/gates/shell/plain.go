package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// plainWord returns a word's text where quotes and escapes are all it holds.
func plainWord(w *syntax.Word) (string, bool) {
	if len(w.Parts) == 1 {
		return plainPart(w.Parts[0])
	}
	var b strings.Builder
	for _, p := range w.Parts {
		s, ok := plainPart(p)
		if !ok {
			return "", false
		}
		b.WriteString(s)
	}
	return b.String(), true
}

func plainPart(p syntax.WordPart) (string, bool) {
	switch p := p.(type) {
	case *syntax.Lit:
		if firstByte(p.Value, '\\') < 0 {
			return p.Value, true
		}
		return unescape(p.Value), true
	case *syntax.SglQuoted:
		if p.Dollar {
			return ansiC(p.Value), true
		}
		return p.Value, true
	case *syntax.DblQuoted:
		if len(p.Parts) == 0 {
			return "", true
		}
		if len(p.Parts) == 1 {
			if l, ok := p.Parts[0].(*syntax.Lit); ok {
				return unescapeQuoted(l.Value), true
			}
		}
	}
	return "", false
}

// Literal is the text of a word that is constant, with the escapes that it is written with; empty
// for one with expansions, or with more than one way of quoting, in it.
func Literal(word *syntax.Word) string {
	if s := word.Lit(); s != "" || len(word.Parts) != 1 {
		return s
	}
	switch p := word.Parts[0].(type) {
	case *syntax.SglQuoted:
		return p.Value
	case *syntax.DblQuoted:
		if len(p.Parts) == 1 {
			if l, ok := p.Parts[0].(*syntax.Lit); ok {
				return l.Value
			}
		}
	}
	return ""
}
