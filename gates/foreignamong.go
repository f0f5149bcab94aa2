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
	var look func(dir string)
	look = func(dir string) {
		for _, name := range c.names(dir) {
			if len(out) == maxToldOf {
				return
			}
			if left--; left < 0 { // nobody knows of the rest
				out = append(out, pattern)
				return
			}
			full := path.Join(dir, name)
			switch {
			case strings.HasSuffix(name, "/"):
				if name != ".git/" && name != ".venv/" && !installedUnder(full+"/") && (strings.HasPrefix(full, before) || strings.HasPrefix(before, full)) {
					look(full)
				}
			case strings.HasPrefix(full, before) && strings.HasSuffix(full, after) && c.at(full) == FoundFile && !regenerable(full) && path.Ext(full) != ".log" && !c.knows(full):
				out = append(out, full)
			}
		}
	}
	look(path.Dir(before + "x"))
	return out
}
