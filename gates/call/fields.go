package call

import (
	"encoding/json"
	"strings"
)

// textField returns the value of a string field of a JSON object, without decoding
// the others: arguments of edits hold whole files. ok is false if there is no
// such field, or if it is no string.
func textField(args, key string) (string, bool) {
	i := strings.IndexByte(args, '{') + 1
	for i > 0 && i < len(args) {
		i = skipSpace(args, i)
		if i >= len(args) || args[i] != '"' {
			return "", false
		}
		end := stringEnd(args, i)
		name := args[i+1 : max(end-1, i+1)]
		i = skipSpace(args, end)
		if i >= len(args) || args[i] != ':' {
			return "", false
		}
		i = skipSpace(args, i+1)
		end = valueEnd(args, i)
		if name == key {
			return unquote(args[i:end])
		}
		i = skipSpace(args, end)
		if i >= len(args) || args[i] != ',' {
			return "", false
		}
		i++
	}
	return "", false
}

func unquote(raw string) (string, bool) {
	if len(raw) < 2 || raw[0] != '"' || raw[len(raw)-1] != '"' {
		return "", false
	}
	if strings.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1], true
	}
	var s string
	err := json.Unmarshal([]byte(raw), &s)
	return s, err == nil
}

//go:noinline
func skipSpace(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\n' || s[i] == '\t' || s[i] == '\r') {
		i++
	}
	return i
}

// stringEnd returns the index after the string literal that starts at i.
func stringEnd(s string, i int) int {
	for i++; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s)
}

// valueEnd returns the index after the JSON value that starts at i.
func valueEnd(s string, i int) int {
	depth := 0
	for i < len(s) {
		switch s[i] {
		case '"':
			i = stringEnd(s, i)
			if depth == 0 {
				return i
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth <= 0 {
				return i + max(0, depth+1)
			}
		case ',':
			if depth == 0 {
				return i
			}
		}
		i++
	}
	return len(s)
}

// Resource returns the path, URL or record that a call names, or "". It serves
// grouping and descriptions; decisions use the effects of a Call.
func Resource(args string) string {
	for _, key := range [...]string{"path", "file_path", "absolute_path", "notebook_path", "filename", "url", "channel", "recipient", "recipients", "to", "id", "file_id"} {
		if s, ok := textField(args, key); ok {
			return s
		}
	}
	return ""
}
