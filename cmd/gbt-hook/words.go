package main

import (
	"encoding/json"
	"path"
	"path/filepath"
	"strings"

	"github.com/gbt-policy/gbt/gates"
)

// Limits of the look at a call's words before it is analysed. Longer texts are
// contents, and no command line that a person wrote has more words.
const (
	maxText  = 64 << 10
	maxWords = 2000
)

// preload looks at every word of the call's arguments that may be a path, so
// that the analysis knows the links on it from the start: after "cd link",
// ".." is where the link leads and not where it stands. It returns a word that
// goes up from a link (link/../x), which the file system reads one way and
// everybody who reads the text another, or nothing.
func (l *links) preload(call gates.Request, cwd string) string {
	var v any
	if cwd == "" || json.Unmarshal(call.Args, &v) != nil {
		return ""
	}
	l.init()
	n := 0
	return texts(v, func(s string) string {
		for _, w := range pathWords(s) {
			if n++; n > maxWords {
				return ""
			}
			if up := l.word(w, cwd); up != "" {
				return up
			}
		}
		return ""
	})
}

// texts calls f for every string in a JSON value until it returns something.
func texts(v any, f func(string) string) string {
	switch v := v.(type) {
	case string:
		if len(v) <= maxText {
			return f(v)
		}
	case []any:
		for _, e := range v {
			if s := texts(e, f); s != "" {
				return s
			}
		}
	case map[string]any:
		for _, e := range v {
			if s := texts(e, f); s != "" {
				return s
			}
		}
	}
	return ""
}

// pathWords splits a text where a shell would, with quotes and escapes undone.
func pathWords(s string) []string {
	s = strings.NewReplacer("'", "", `"`, "", `\`, "").Replace(s)
	return strings.FieldsFunc(s, func(r rune) bool { return r <= ' ' || strings.ContainsRune("|&;<>()`={},:$*?[]!#", r) })
}

// word walks one word and says whether it goes up from a link.
func (l *links) word(w, cwd string) string {
	if !path.IsAbs(w) {
		w = cwd + "/" + w
	}
	for rest := w; ; {
		i := strings.Index(rest, "/..")
		if i < 0 {
			break
		}
		before := w[:len(w)-len(rest)+i]
		rest = rest[i+3:]
		if rest != "" && rest[0] != '/' {
			continue // a name that begins with dots
		}
		clean := path.Clean(before)
		real, err := filepath.EvalSymlinks(clean)
		parent, err2 := filepath.EvalSymlinks(path.Dir(clean))
		if err == nil && err2 == nil && path.Dir(real) != parent {
			return w
		}
	}
	l.walk(path.Clean(w))
	return ""
}
