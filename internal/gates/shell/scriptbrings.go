package shell

import "strings"

// plainLibraries are parts of Ruby's library that only compute, whose names scriptLists has
// (docs.ruby-lang.org/en/3.4).
const plainLibraries = "json date time set digest bigdecimal securerandom benchmark pp prime matrix"

// bringsPlainly says whether a name with what follows it brings in a part of Ruby's library
// that only computes, or is PHP's array_map with a function that stands there and is not
// named by a text.
func bringsPlainly(lang, name, after string) bool {
	after = strings.TrimLeft(after, " ")
	switch {
	case lang == "ruby" && name == "require":
		after = strings.TrimLeft(trimPrefix(after, "("), " ")
		if after == "" || after[0] != '"' && after[0] != '\'' {
			return false
		}
		word, rest, ok := cutAt(after[1:], after[:1])
		rest = strings.TrimLeft(trimPrefix(strings.TrimLeft(rest, " "), ")"), " ")
		return ok && word != "" && !strings.Contains(word, " ") && hasWord(plainLibraries, word) && (rest == "" || rest[0] == ';' || rest[0] == '\n')
	case lang == "php" && name == "array_map":
		inner, ok := cutPrefix(after, "(")
		inner = strings.TrimLeft(inner, " ")
		return ok && (strings.HasPrefix(inner, "fn(") || strings.HasPrefix(inner, "function(") || strings.HasPrefix(inner, "function ("))
	}
	return false
}

// after is the code behind the name at i.
func (s *scriptCode) after(i int) string {
	from := s.toks[i].at + len(s.toks[i].text)
	return s.text[min(max(from, 0), len(s.text)):]
}
