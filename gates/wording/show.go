package wording

import (
	"path"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/gates/class"
)

// unknown stands for what only the run time knows, as effects have it.
const unknown = "…"

// clean replaces what could move a terminal's cursor, hide text or begin a new line.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Zl, r), unicode.Is(unicode.Zp, r), r == utf8.RuneError:
			return '?'
		}
		return r
	}, s)
}

// shorten cuts a text to n bytes and says so.
func shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	n = max(n-len(unknown), 0)
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + unknown
}

// upper begins a sentence.
func upper(s string) string {
	if s != "" && s[0] >= 'a' && s[0] <= 'z' {
		return string(s[0]-'a'+'A') + s[1:]
	}
	return s
}

// lower continues one.
func lower(s string) string {
	if len(s) > 1 && s[0] >= 'A' && s[0] <= 'Z' && s[1] >= 'a' && s[1] <= 'z' {
		return string(s[0]-'A'+'a') + s[1:]
	}
	return s
}

func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}

// name shows a word of the call: a branch, a program, a tool. One that may be a secret
// is not shown.
func name(s string) string {
	s = clean(s)
	if secret(s) {
		return unknown
	}
	return quote(middle(s, maxObject))
}

// quote puts what could be taken for words of the sentence between quotation marks.
func quote(s string) string {
	if s == "" || strings.ContainsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(";,\"“”()[]", r) }) {
		return "“" + strings.NewReplacer("“", "'", "”", "'").Replace(s) + "”"
	}
	return s
}

// middle cuts a long name in its middle, because both ends of a path say something.
func middle(s string, n int) string {
	if len(s) <= n {
		return s
	}
	head, tail := n/3, len(s)-(n-n/3-len(unknown))
	for head > 0 && !utf8.RuneStart(s[head]) {
		head--
	}
	for tail < len(s) && !utf8.RuneStart(s[tail]) {
		tail++
	}
	return s[:head] + unknown + s[tail:]
}

// secretParts are the shortest runs of letters and digits that can be a key of 80 bits
// in one case (80 / log2 36); names that people give are shorter or have other signs.
const secretParts = 16

// secret says whether a word has the form of a token or a password in an address, or is
// as random as one. The digests of commits are not.
func secret(s string) bool {
	if class.Sent(s)&class.Credentials != 0 {
		return true
	}
	run, digits, letters, hex := 0, 0, 0, true
	end := func() bool {
		bad := run >= secretParts && digits > 2 && letters > 2 && !(hex && (run == 40 || run == 64))
		run, digits, letters, hex = 0, 0, 0, true
		return bad
	}
	for _, r := range s {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case r >= 'a' && r <= 'f':
			letters++
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z':
			letters++
			hex = false
		default:
			if end() {
				return true
			}
			continue
		}
		run++
	}
	return end()
}

// Secret says whether something may be a secret and is not shown: it has the form of a
// token or of a password in an address, or is as random as one.
func Secret(s string) bool { return secret(clean(s)) }

// where shows a path: below a workspace root by its path there, below the home with ~.
func where(c *gates.Context, p string) string {
	p = clean(p)
	if secret(p) {
		elems := strings.Split(p, "/")
		for i, e := range elems {
			if secret(e) {
				elems[i] = unknown
			}
		}
		p = strings.Join(elems, "/")
	}
	shown := place(c, p)
	drive, ofWindows := windowsPath(shown)
	if ofWindows {
		shown = drive
	}
	if ofWindows || strings.HasPrefix(p, shown) || strings.HasSuffix(p, shown) || strings.HasPrefix(shown, "~/") {
		return quote(middle(shown, maxObject))
	}
	return place(c, p) // in our words
}

// windowsPath is a canonical path on a drive or of another machine's share as Windows writes it
// (package effect); ok is false for all others.
func windowsPath(p string) (shown string, ok bool) {
	if len(p) > 2 && p[0] == '/' && p[2] == ':' && (len(p) == 3 || p[3] == '/') {
		return strings.ToUpper(p[1:2]) + `:\` + strings.ReplaceAll(strings.TrimPrefix(p[3:], "/"), "/", `\`), true
	}
	if rest, share := strings.CutPrefix(p, "/{share}/"); share {
		return `\\` + strings.ReplaceAll(rest, "/", `\`), true
	}
	return "", false
}

func place(c *gates.Context, p string) string {
	if c == nil || !path.IsAbs(p) {
		return p
	}
	if len(c.Roots) > 0 { // the others are work trees and directories beside it
		if p == c.Roots[0] {
			return "the whole workspace"
		}
		if rest, ok := below(p, c.Roots[0]); ok {
			return rest
		}
	}
	if p == c.Home && path.IsAbs(p) {
		return "your whole home directory"
	}
	if rest, ok := below(p, c.Home); ok {
		return "~/" + rest
	}
	if p == "/" {
		return "the whole file system"
	}
	return p
}

func below(p, dir string) (string, bool) {
	if !path.IsAbs(dir) || dir == "/" {
		return "", false
	}
	return strings.CutPrefix(p, strings.TrimSuffix(dir, "/")+"/")
}

// join lists things as people do, and no more than three.
func join(list []string) string {
	switch n := len(list); n {
	case 0:
		return ""
	case 1:
		return list[0]
	case 2, 3:
		return strings.Join(list[:n-1], ", ") + " and " + list[n-1]
	default:
		return strings.Join(list[:2], ", ") + " and " + strconv.Itoa(n-2) + " more"
	}
}
