package place

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// minNamed is the shortest value that counts as named when it stands in a text:
// shorter ones stand there by chance.
const minNamed = 4

// told gives the call that the verdict's words name: the one with the most of its
// tool and its own values in them, of several a call that could do harm, of these
// the last, because words tell a cause before what came of it.
func (r *Run) told() (Window, bool) {
	best, at := 0, -1
	for i := range r.calls {
		c := &r.calls[i]
		n := 0
		if names(r.words, c.tool, telling(c.tool)) {
			n += 2
		}
		for _, v := range c.own {
			if names(r.words, v, true) {
				n += 2
				break
			}
		}
		if n > 0 && c.risky {
			n++
		}
		if n > 0 && n >= best {
			best, at = n, c.step
		}
	}
	return Window{at, at}, at >= 0
}

// names says whether a text holds a name or a value as words of its own; a name
// that could be any word has to stand in quotes.
func names(text, name string, plain bool) bool {
	if len(name) < minNamed {
		return false
	}
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return false
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(name):])
		if !wordRune(before) && !wordRune(after) && (plain || quoted(before) && quoted(after)) {
			return true
		}
		from = i + len(name)
	}
}

func wordRune(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) || c == '_' }

func quoted(c rune) bool { return strings.ContainsRune("'\"`“”‘’", c) }
