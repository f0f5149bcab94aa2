package gates

import (
	"iter"
	"slices"
	"strings"
)

// This file reads the part of TOML (toml.io, 1.0) in which manifests name dependencies: which
// keys have which values, as they are written.

// tomlPair is a key with the tables that it stands in, and the text of its value.
type tomlPair struct {
	path  []string
	value string
}

// tomlPairs are the keys of a text. A table without a key of its own is one with an empty value.
func tomlPairs(text string) []tomlPair {
	var out []tomlPair
	var header []string
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		line := withoutComment(lines[i])
		if strings.HasPrefix(line, "[") {
			header = tomlKeys(strings.Trim(line, "[] \t"))
			out = append(out, tomlPair{path: header})
			continue
		}
		key, value, ok := cutOutside(line, '=')
		if !ok {
			continue
		}
		value = strings.TrimSpace(value)
		for _, quotes := range [...]string{`"""`, "'''"} {
			for strings.HasPrefix(value, quotes) && strings.Count(value, quotes) == 1 && i+1 < len(lines) {
				i++
				value += "\n" + lines[i]
			}
		}
		for openBrackets(value) > 0 && i+1 < len(lines) {
			i++
			value += " " + withoutComment(lines[i])
		}
		out = append(out, tomlPair{append(slices.Clone(header), tomlKeys(key)...), value})
	}
	return out
}

// tomlAttributes are the keys of an inline table; of any other value, itself without a key.
func tomlAttributes(value string) []tomlPair {
	inner, ok := cutPrefix(strings.TrimSpace(value), "{")
	if !ok {
		return []tomlPair{{nil, value}}
	}
	var out []tomlPair
	rest, more := trimSuffix(strings.TrimSpace(inner), "}"), true
	for more {
		var part string
		part, rest, more = cutOutside(rest, ',')
		if key, value, ok := cutOutside(part, '='); ok {
			out = append(out, tomlPair{tomlKeys(key), strings.TrimSpace(value)})
		}
	}
	return out
}

// tomlKeys are the parts of a dotted key.
func tomlKeys(key string) []string {
	var out []string
	for more := true; more; {
		var part string
		part, key, more = cutOutside(key, '.')
		out = append(out, unquoted(strings.TrimSpace(part)))
	}
	return out
}

// cutOutside cuts a text at the first byte of a kind that stands in no quotes and brackets.
func cutOutside(s string, at byte) (before, after string, found bool) {
	depth := 0
	for i, b := range outsideQuotes(s) {
		switch {
		case b == at && depth == 0:
			return s[:i], s[i+1:], true
		case b == '[' || b == '{':
			depth++
		case b == ']' || b == '}':
			depth--
		}
	}
	return s, "", false
}

// openBrackets is how many brackets of a text are open at its end.
func openBrackets(s string) int {
	depth := 0
	for more := true; more; {
		var part string
		part, s, more = cutQuoted(s)
		depth += strings.Count(part, "[") + strings.Count(part, "{") - strings.Count(part, "]") - strings.Count(part, "}")
	}
	return depth
}

// cutQuoted is what stands before the first text in quotes, and what stands behind it.
func cutQuoted(s string) (before, after string, found bool) {
	i := strings.IndexAny(s, `"'`)
	if i < 0 {
		return s, "", false
	}
	for j := i + 1; j < len(s); j++ {
		switch {
		case s[j] == '\\' && s[i] == '"':
			j++
		case s[j] == s[i]:
			return s[:i], s[j+1:], true
		}
	}
	return s[:i], "", false
}

// withoutComment is a line up to a number sign that stands in no quotes.
func withoutComment(line string) string {
	for i, b := range outsideQuotes(line) {
		if b == '#' {
			return strings.TrimSpace(line[:i])
		}
	}
	return strings.TrimSpace(line)
}

// outsideQuotes are the places and bytes of a text that stand in no quotes, those left out.
func outsideQuotes(s string) iter.Seq2[int, byte] {
	return func(yield func(int, byte) bool) {
		quote := byte(0)
		for i := 0; i < len(s); i++ {
			switch b := s[i]; {
			case quote != 0:
				if b == '\\' && quote == '"' {
					i++
				} else if b == quote {
					quote = 0
				}
			case b == '"' || b == '\'':
				quote = b
			case !yield(i, b):
				return
			}
		}
	}
}
