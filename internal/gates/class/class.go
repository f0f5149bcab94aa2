// Package class sorts what a call writes, runs or sends into a few classes:
// credentials, personal data, and code that listens, persists or downloads.
//
// File, Code and Sent return a Set. A class says that a text has the form of
// something, by the rule of whoever defined that form (an RFC, an ISO standard,
// the issuer of a token, a manual page), and never what the text says: no part
// of it is kept. Classes inform gates; they decide nothing here.
//
// Shell code is read by the shell parser. Other code is read by its tokens, so
// that a comment or a sentence that mentions a socket is none. Only the first
// MaxRead bytes are read; a longer text is Unread too. The work is linear in
// that, and the same text gives the same classes everywhere.
//
// What belongs here: classes, and the forms they are told by. What never does:
// names that call something secret (package names), what code does to files and
// hosts (package shell), and what to do about a class (gates).
package class

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// Set is a set of classes.
type Set uint8

// The classes. Unread says that a text is longer than what is read of it, and
// All is every class.
const (
	Credentials Set = 1 << iota
	Downloads
	Listens
	Persists
	Personal
	Unread

	All = Unread<<1 - 1
)

// classNames are the names of the classes by bit, sorted.
var classNames = [...]string{"credentials", "downloads", "listens", "persists", "personal", "unread"}

// Names are the classes by name, sorted; nil for none.
func (s Set) Names() []string {
	var out []string
	for i, n := range classNames {
		if s>>i&1 == 1 {
			out = append(out, n)
		}
	}
	return out
}

// MaxRead bounds what is read of a text. Files that people and agents write are
// shorter, but for data.
const MaxRead = 64 << 10

// bounded returns what is read of a text.
func bounded(text string) (string, Set) {
	if len(text) > MaxRead {
		return text[:MaxRead], Unread
	}
	return text, 0
}

// File sorts what is written to a path.
func File(path, text string, places *effect.Places) Set {
	if lang := language(path, text); lang != "" {
		return codeAt(path, lang, text, places)
	}
	text, out := bounded(text)
	out |= data(text, false)
	if keptPlace(path) || !prose(path) && keepsRunning(text) {
		out |= Persists
	}
	return out
}

// Code sorts code that an interpreter of a language gets.
func Code(lang, text string, places *effect.Places) Set { return codeAt("", lang, text, places) }

func codeAt(path, lang, text string, places *effect.Places) Set {
	text, out := bounded(text)
	if keptPlace(path) {
		out |= Persists
	}
	if shellLanguage(lang) {
		return out | data(text, false) | shellCode(text, places)
	}
	return out | data(text, true) | tokenCode(lang, text, places)
}

// Sent sorts what is sent: data, whatever it would do if it ran.
func Sent(text string) Set {
	text, out := bounded(text)
	return out | data(text, false)
}

// data tells the classes of what a text holds. In code, a secret stands between
// quotes: what has none is an expression.
func data(text string, code bool) Set {
	var out Set
	if credentials(text, code) {
		out |= Credentials
	}
	if personal(text) {
		out |= Personal
	}
	return out
}

// language is the language of a file by its first line or its name, empty for a
// document or data.
func language(path, text string) string {
	if lang := shell.ScriptLanguage(path, text[:min(len(text), MaxRead)]); lang != "" {
		return lang
	}
	for _, e := range [...]string{".c", ".cc", ".cpp", ".cs", ".go", ".java", ".jsx", ".kt", ".ps1", ".rs", ".swift", ".ts", ".tsx"} {
		if strings.HasSuffix(path, e) {
			return e[1:]
		}
	}
	return ""
}

// prose says whether a file is for people by its name: what stands in it shows
// how something is done.
func prose(path string) bool {
	for _, e := range [...]string{".adoc", ".html", ".md", ".rst", ".tex"} {
		if strings.HasSuffix(path, e) {
			return true
		}
	}
	return false
}

func shellLanguage(lang string) bool {
	switch lang {
	case "ash", "bash", "dash", "ksh", "sh", "shell", "zsh":
		return true
	}
	return false
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func digit(c byte) bool { return c >= '0' && c <= '9' }

func alnum(c byte) bool { return letter(c) || digit(c) }
