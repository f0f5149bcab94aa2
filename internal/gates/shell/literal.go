package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// A string that may hold code (f"{...}", `${...}`, "#{...}", "{$...}", "@{[...]}")
// ends where its language says: code in it may hold quotes of the very kind that
// surrounds it (PEP 701; ECMA-262, template literals; Ruby, double-quoted strings;
// PHP, complex syntax), and an apostrophe in the text between is none. So the code
// is cut out and only that is scanned.

// maxLiterals bounds strings inside code inside strings.
const maxLiterals = 8

// literal reads the string that starts at text[i]. It gives each piece of code in
// it to each, which may be nil, and returns the string's length and whether all of
// it was plain to see.
func (d *dialect) literal(text string, i, depth int, each func(code string)) (int, bool) {
	q, end, coded := text[i], 1, d.coded(text, i)
	if d.name == "python" && strings.HasPrefix(text[i:], strings.Repeat(string(rune(q)), 3)) {
		end = 3
	}
	if depth > maxLiterals {
		return len(text) - i, false
	}
	closing := text[i : i+end]
	for j := i + end; j < len(text); {
		switch {
		case text[j] == '\\':
			j += 2
		case strings.HasPrefix(text[j:], closing):
			return j + end - i, true
		case !coded:
			j++
		case d.name == "python" && strings.HasPrefix(text[j:], "{{"):
			j += 2
		default:
			n := d.opens(text[j:])
			if n == 0 {
				j++
				continue
			}
			k, ok := d.codeEnd(text, j+n, depth, closing)
			if !ok {
				return len(text) - i, false
			}
			if each != nil {
				each(text[j+n : k])
			}
			j = k + 1
		}
	}
	return len(text) - i, false
}

// coded says whether code inside the string at text[i] runs.
func (d *dialect) coded(text string, i int) bool {
	switch q := text[i]; d.name {
	case "python":
		prefix := strings.ToLower(text[max(0, i-2):i])
		return strings.ContainsAny(prefix, "ft") && strings.Trim(prefix[strings.LastIndexAny(prefix, "ft")+1:], "r") == ""
	case "node":
		return q == '`'
	case "ruby", "perl", "php":
		return q == '"'
	}
	return false
}

// opens returns the length of what starts code at the beginning of text, 0 for
// what does not.
func (d *dialect) opens(text string) int {
	start := ""
	switch d.name {
	case "python":
		start = "{"
	case "node":
		start = "${"
	case "ruby":
		start = "#{"
	case "perl":
		start = "@{"
	case "php":
		if strings.HasPrefix(text, "{$") {
			return 1
		}
	}
	if start == "" || !strings.HasPrefix(text, start) {
		start = "${"
		if d.name != "perl" && d.name != "php" {
			return 0
		}
	}
	if strings.HasPrefix(text, start) {
		return len(start)
	}
	return 0
}

// perlSubscript says whether a string of Perl holds a variable with a subscript,
// which is an expression (perlop, "Gory details of parsing quoted constructs").
func perlSubscript(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] != '$' && text[i] != '@' {
			continue
		}
		rest := text[i+1:]
		rest = trimPrefix(rest[nameLen(rest):], "->")
		if rest != "" && (rest[0] == '[' || rest[0] == '{') {
			return true
		}
	}
	return false
}

// maxJoined bounds the constants that are looked at together.
const maxJoined = 32

// reached judges a string by which code may come to a name that is denied where it
// stands for itself: a function of PHP given by its name, a property of Node in
// brackets, a command in Perl's list of files. Constants that are put together count
// as what they make.
func (s *scanner) reached(text string, i int, v string) {
	switch s.d.name {
	case "perl":
		if w := strings.TrimSpace(v); w != "" && (w[0] == '|' || w[len(w)-1] == '|') && strings.Contains(s.text, "<") {
			s.m.escape("inline code of perl may open " + w)
		}
	case "php":
		if before := strings.TrimRight(text[:i], " ("); endsInWord(before, "echo") || endsInWord(before, "print") {
			return
		}
		if w := strings.ToLower(s.d.joined(text, i)); mark.Among(s.d.denied, w) {
			s.m.escape("inline code of php names " + w)
		}
	case "node":
		if w := s.d.joined(text, i); w != v && mark.Among(s.d.denied, w) || strings.HasSuffix(strings.TrimRight(text[:i], " "), "[") && mark.Among(s.d.denied, w) {
			s.m.escape("inline code of node names " + w)
		}
	}
}

func endsInWord(text, word string) bool {
	return strings.HasSuffix(text, word) && (len(text) == len(word) || !isNameByte(text[len(text)-len(word)-1]))
}

// joined returns the value of the constant at text[i] and of those joined to it.
func (d *dialect) joined(text string, i int) string {
	var b strings.Builder
	for n := 0; n < maxJoined && i < len(text) && firstByte(d.quotes, text[i]) >= 0 && b.Len() < 256; n++ {
		n, ok := d.literal(text, i, 0, nil)
		if !ok {
			break
		}
		v, _ := quotedString(text[i:i+n], text[i])
		b.WriteString(v)
		i += n
		rest := strings.TrimLeft(text[i:], " ")
		if rest == "" || rest[0] != '+' && rest[0] != '.' {
			break
		}
		i = len(text) - len(strings.TrimLeft(rest[1:], " "))
	}
	return b.String()
}

// codeEnd returns where the brace closes that code at text[i] is inside of. A
// comment may hold an odd quote or brace, so code with one is not plain. Perl looks
// for the end of the string first. Where a slash may start a pattern, or another sign
// a literal, code with one is not plain either.
func (d *dialect) codeEnd(text string, i, depth int, closing string) (int, bool) {
	open := 0
	for j := i; j < len(text); {
		switch c := text[j]; {
		case d.name == "perl" && strings.HasPrefix(text[j:], closing):
			return 0, false
		case firstByte(d.quotes, c) >= 0:
			n, ok := d.literal(text, j, depth+1, nil)
			if !ok {
				return 0, false
			}
			j += n
		case c == '#', c == '/' && (d.regex || j+1 < len(text) && (text[j+1] == '/' || text[j+1] == '*')), d.regex && d.name != "node" && firstByte("%?`<", c) >= 0:
			return 0, false
		case c == '}' && open == 0:
			return j, true
		case c == '}':
			open--
			j++
		case c == '{':
			open++
			j++
		default:
			j++
		}
	}
	return 0, false
}

// hidesQuotes says whether code has a form of literal or comment that the scan
// does not know and in which an odd quote may stand: PHP's here-documents and text
// outside its tags, and the comments that Node takes from HTML (ECMA-262, B.1.1).
func (d *dialect) hidesQuotes(text string) bool {
	switch d.name {
	case "php":
		return strings.Contains(text, "<<<") || strings.Contains(text, "?>")
	case "node":
		return strings.Contains(text, "<!--") || strings.Contains(text, "-->")
	}
	return false
}
