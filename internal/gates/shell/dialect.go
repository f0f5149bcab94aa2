package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about what a line means in other shells than bash: which one a host
// runs is not known, so a line passes only if it means the same in all of them.

// zshCode says whether a pattern in parentheses runs code where zsh reads it as glob
// qualifiers: e and a delimiter before code, + before a function's name
// (zshexpn(1), Glob Qualifiers).
func zshCode(p *syntax.ExtGlob) bool {
	text := p.Pattern.Value
	if strings.Contains(text, "+") {
		return true
	}
	for i := 0; i+1 < len(text); i++ {
		if text[i] == 'e' && !isNameByte(text[i+1]) && !strings.ContainsRune("|*?.)-", rune(text[i+1])) {
			return true
		}
	}
	return false
}

// otherwise records that a line is another one in some shell. Not inlined, for the size of programs.
//
//go:noinline
func (m *machine) otherwise(what string) {
	m.opaque(effect.OpComputed, what)
}

// fishQuote says whether a string in single quotes ends elsewhere in fish, where a
// backslash keeps the quote that follows it (fish language, Quotes).
func fishQuote(p *syntax.SglQuoted) bool {
	n := len(p.Value) - len(strings.TrimRight(p.Value, `\`))
	return !p.Dollar && n%2 == 1
}

// zshClobber says whether a redirection goes to the word that follows it: >! of zsh
// (zshmisc(1), Redirection), >? of fish (fish's manual, redirections).
func zshClobber(r *syntax.Redirect) bool {
	return (r.Op == syntax.RdrOut || r.Op == syntax.AppOut || r.Op == syntax.RdrAll || r.Op == syntax.AppAll) && (r.Word.Lit() == "!" || r.Word.Lit() == "?")
}

// otherWords records what is another word in zsh or fish.
func (m *machine) otherWords(w *syntax.Word) {
	for i, p := range w.Parts {
		l, ok := p.(*syntax.Lit)
		switch {
		case !ok:
		case i == 0 && zshPath(l.Value):
			m.otherwise("zsh puts the path of a program for " + l.Value)
		case fishEscape(l.Value):
			m.otherwise("fish reads other characters in " + l.Value)
		}
	}
}

// zshPath says whether zsh puts the path of a program for a word: =ls (zshexpn(1),
// = expansion).
func zshPath(word string) bool {
	return len(word) > 1 && word[0] == '=' && (isNameByte(word[1]) && (word[1] < '0' || word[1] > '9'))
}

// fishEscape says whether a word has an escape outside of quotes that is another
// character in fish than the one that follows the backslash: one by its number
// (fish's manual, Escaping Characters).
func fishEscape(word string) bool {
	for i := 0; i+2 < len(word); i++ {
		if word[i] != '\\' {
			continue
		}
		i++
		c, hex := word[i], firstByte("0123456789abcdefABCDEF", word[i+1]) >= 0
		if hex && firstByte("xXuU", c) >= 0 || c >= '0' && c <= '7' && word[i+1] >= '0' && word[i+1] <= '7' {
			return true
		}
	}
	return false
}

// echoed says whether echo prints something else in sh and zsh, which replace
// backslash escapes unasked (POSIX echo, XSI; zshbuiltins(1)).
func echoed(text string) bool {
	for i := 0; i+1 < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		if firstByte("abcefnrtvx0", text[i+1]) >= 0 {
			return true
		}
		i++
	}
	return false
}

// extended is what an extended pattern may be: a part of a name, or anything where it spells the dot that a
// name begins with, for before bash 5.2 it then matches dot-dot (bash, CHANGES, 5.2).
func extended(p *syntax.ExtGlob) byte {
	if text := p.Pattern.Value; strings.HasPrefix(text, ".") || strings.Contains(text, "|.") || strings.Contains(text, "(.") {
		return mark.Unknown
	}
	return mark.Star
}
