package redact

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"unicode"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
)

// Context returns a copy of c without what may be secret. Values become a digest
// with their type in front: equal values stay equal, and nothing else of them
// is left. Paths keep their directories and names, unless a name looks like a
// token; URLs and addresses keep scheme and host; numbers and short constants
// stay. Tools, programs, provenance and everything else that gates are learned
// over stay as they are. Redacting twice changes nothing.
//
// The digests are no encryption: whoever guesses a value can check the guess.
func Context(c *gates.Context) gates.Context {
	out := *c
	out.Apart()
	out.Command = ""
	out.Args = slices.Clone(c.Args)
	for i := range out.Args {
		a := &out.Args[i]
		if role, _ := effect.ParseRole(a.Role); role == effect.RoleSecret {
			a.Value = redactSecret(a.Value)
		} else {
			a.Value = redactValue(a.Value)
		}
	}
	out.Effects = slices.Clone(c.Effects)
	for i := range out.Effects {
		e := &out.Effects[i]
		e.Resource = redactResource(e.Resource, e.Program)
		e.Argv = redactArgv(e.Argv)
		e.Deed, e.Ref = redactWords(e.Deed), redactWords(e.Ref)
	}
	out.History = slices.Clone(c.History)
	for i := range out.History {
		out.History[i].Resource = redactResource(out.History[i].Resource, "")
		out.History[i].Time = 0 // a time of day tells two equal contexts apart for nothing
	}
	out.Flow.Derived = redactAll(c.Flow.Derived)
	out.Flow.Unvetted = redactAll(c.Flow.Unvetted)
	out.Flow.Made = nil // texts of files are nobody's to keep
	return out
}

func redactAll(list []string) []string {
	out := slices.Clone(list)
	for i := range out {
		out[i] = redactResource(out[i], "")
	}
	return out
}

// redactResource keeps what is the name of a program or a fixed phrase of the
// analysis; both are words in lower case.
func redactResource(s, program string) string {
	if s == program || plainPhrase(s) {
		return s
	}
	return redactValue(s)
}

func plainPhrase(s string) bool {
	for _, p := range [...]string{"web search", "page", "page element", "agent", "session", "no command line"} {
		if s == p {
			return true
		}
	}
	return strings.HasPrefix(s, "tool ") || strings.HasPrefix(s, "arguments of ")
}

// redactWords redacts each of several words: paths of an interface, names of branches.
func redactWords(s string) string {
	words := strings.Split(s, " ")
	for i := range words {
		words[i] = redactResource(words[i], "")
	}
	return strings.Join(words, " ")
}

func redactArgv(s string) string {
	words := strings.Fields(s)
	for i, w := range words {
		if i > 0 {
			words[i] = redactWord(w)
		}
	}
	return strings.Join(words, " ")
}

// attached says whether a short option has its value attached, as mysql takes
// passwords. Names of options are letters (find -executable); what has another
// character in it, or is longer than any such name, is a value.
func attached(w string) bool {
	const longest = 13
	return len(w) > 5 && w[1] != '-' && w[1] < 0x80 && (len(w) > longest || strings.Trim(w[2:], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_,") != "")
}

// redactWord redacts a word of a command line: options keep their names.
func redactWord(w string) string {
	if strings.HasPrefix(w, "-") {
		if k, v, ok := strings.Cut(w, "="); ok {
			return k + "=" + redactValue(v)
		}
		if attached(w) {
			return w[:2] + redactValue(w[2:])
		}
		if len(w) <= 24 {
			return w
		}
	}
	return redactValue(w)
}

// maxPlain is the length up to which digits alone are a number, not an account.
const maxPlain = 6

// redactSecret redacts what its role calls a password or a key: whatever it looks
// like, only its digest stays.
func redactSecret(s string) string {
	if s == "" || digested(s) {
		return s
	}
	if plainName(s) {
		return "name-" + letters(s)
	}
	return "word:" + digest(s)
}

func redactValue(s string) string {
	switch {
	case s == "" || s == "true" || s == "false" || s == "null" || digested(s):
		return s
	case isNumber(s) && digits(s) <= maxPlain && len(s) <= maxPlain+3:
		return s
	case strings.Contains(s, "://") && !strings.ContainsAny(s, " \t\n"):
		return redactURL(s)
	case strings.ContainsAny(s, " \t\r\n"):
		return "text:" + digest(s)
	case strings.Contains(s, "@"):
		local, domain, _ := strings.Cut(s, "@")
		if strings.Contains(domain, ".") && !strings.ContainsAny(domain, "@/") {
			return "mail:" + digest(local) + "@" + domain
		}
		return "word:" + digest(s)
	case strings.Contains(s, "/") || strings.HasPrefix(s, "~"):
		return redactPath(s)
	}
	if plainName(s) {
		return "name-" + letters(s)
	}
	return "word:" + digest(s)
}

// plainName says whether s is letters, hyphens and underscores alone. Its digest
// is too: a gate that looks for the characters of addresses sees none in either.
func plainName(s string) bool {
	for _, r := range s {
		if !unicode.IsLetter(r) && r != '-' && r != '_' {
			return false
		}
	}
	return true
}

// letters is a digest in letters.
func letters(s string) string {
	if rest, ok := strings.CutPrefix(s, "name-"); ok && len(rest) == digestSize && strings.Trim(rest, "ghijklmnopqrstuv") == "" {
		return rest
	}
	out := []byte(digest(s))
	for i, c := range out {
		out[i] = 'g' + c - '0'
		if c >= 'a' {
			out[i] = 'q' + c - 'a'
		}
	}
	return string(out)
}

func redactURL(s string) string {
	scheme, rest, _ := strings.Cut(s, "://")
	i := strings.IndexAny(rest, "/?#")
	if i < 0 {
		i = len(rest)
	}
	host, tail := rest[:i], rest[i:]
	if j := strings.LastIndexByte(host, '@'); j >= 0 {
		host = "user:" + digest(host[:j]) + host[j:]
		if digested(rest[:j]) {
			host = rest[:i]
		}
	}
	if len(tail) > 1 && !digested(tail[1:]) {
		tail = "/rest:" + digest(tail)
	}
	return scheme + "://" + host + tail
}

func redactPath(s string) string {
	parts := strings.Split(s, "/")
	for i, p := range parts {
		if token(p) {
			parts[i] = "name:" + digest(p)
		}
	}
	return strings.Join(parts, "/")
}

// token says whether a name looks made by chance: long, of letters and digits
// in turn. Keys, tokens and digests do; names that people give do not.
func token(p string) bool {
	if len(p) < 20 || digested(p) {
		return false
	}
	turns, last := 0, 0
	for _, r := range p {
		kind := 0
		switch {
		case unicode.IsDigit(r):
			kind = 1
		case unicode.IsUpper(r):
			kind = 2
		case unicode.IsLetter(r):
			kind = 3
		}
		if kind != last && kind != 0 {
			turns++
		}
		last = kind
	}
	return turns >= len(p)/4
}

func digits(s string) int {
	n := 0
	for _, r := range s {
		if r >= '0' && r <= '9' {
			n++
		}
	}
	return n
}

func isNumber(s string) bool {
	for _, r := range s {
		if (r < '0' || r > '9') && r != '.' && r != '-' {
			return false
		}
	}
	return true
}

// digestSize is the length of a digest in hex: 64 bits tell all values of a
// corpus apart.
const digestSize = 16

func digest(s string) string {
	sum := sha256.Sum256([]byte("gbt value 1\x00" + s))
	return hex.EncodeToString(sum[:])[:digestSize]
}

// digested says whether s is what redaction made.
func digested(s string) bool {
	kind, rest, ok := strings.Cut(s, ":")
	if !ok || len(rest) < digestSize {
		return false
	}
	switch kind {
	case "text", "word", "rest", "name", "user":
		return len(rest) == digestSize && isHex(rest)
	case "mail":
		return isHex(rest[:digestSize]) && strings.HasPrefix(rest[digestSize:], "@")
	}
	return false
}

func isHex(s string) bool {
	return strings.Trim(s, "0123456789abcdef") == ""
}
