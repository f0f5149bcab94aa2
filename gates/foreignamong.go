package gates

import (
	"path"
	"strings"
)

// replacesAmong are the first files that a redirection to each of the files of a pattern
// replaces: the loop runs over names that are there.
func (c *Context) replacesAmong(pattern string) []string {
	const signs = "*?[]…"
	at := strings.IndexAny(pattern, signs)
	if at < 0 || c.names == nil {
		return nil
	}
	before, after := pattern[:at], pattern[strings.LastIndexAny(pattern, signs):]
	after = strings.TrimLeft(after, signs)
	var out []string
	left := maxWholesale
	w := walk{list: c.names, left: &left, visit: func(dir, base string, deep bool) course {
		full := path.Join(dir, base)
		switch {
		case deep:
			if !apart(dir, base) && (strings.HasPrefix(full, before) || strings.HasPrefix(before, full)) {
				return into
			}
		case strings.HasPrefix(full, before) && strings.HasSuffix(full, after) && c.at(full) == FoundFile && !regenerable(full) && path.Ext(full) != ".log" && !c.knows(full):
			if out = append(out, full); len(out) == maxToldOf {
				return found
			}
		}
		return next
	}}
	if _, over := w.below(path.Dir(before + "x")); over { // nobody knows of the rest
		out = append(out, pattern)
	}
	return out
}
