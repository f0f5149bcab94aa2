package gates

import (
	"path"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// A path pattern of the settings is one of
//
//	/srv/data, ~/.ssh   that path and what lies below it
//	config/prod         the same below a workspace root
//	*.pem, .env         a file or directory of that name anywhere
//
// with *, ? and [...] inside a name as in path.Match, and ** for any number of
// names. What matches a pattern's names is matched with all that lies below it.

// CheckPattern says whether a pattern can match anything.
func CheckPattern(pattern string) bool {
	if strings.Trim(pattern, "/") == "" && pattern != "/" || mark.Has(pattern) {
		return false
	}
	for _, name := range strings.Split(pattern, "/") {
		if _, err := path.Match(name, ""); err != nil || name == ".." {
			return false
		}
	}
	return true
}

// matchesAny says whether an effect's resource matches a pattern. A resource that
// is itself a pattern, from a glob in a command, matches if it may stand for a
// path that does; above says that a directory that holds such a path counts.
func matchesAny(patterns []string, c *Context, e *Effect, above bool) bool {
	for _, p := range patterns {
		switch {
		case strings.HasPrefix(p, "~/"):
			if c.Home != "" && pathMatches(c.Home+p[1:], e, above) {
				return true
			}
		case strings.HasPrefix(p, "/"):
			if pathMatches(p, e, above) {
				return true
			}
		case strings.Contains(trimSuffix(p, "/"), "/"):
			for _, root := range c.Roots {
				if pathMatches(trimSuffix(root, "/")+"/"+p, e, above) {
					return true
				}
			}
		case nameListed(trimSuffix(p, "/"), e):
			return true
		}
	}
	return false
}

// nameListed says whether a pattern for one name matches any name of a path.
func nameListed(pattern string, e *Effect) bool {
	for rest, name := e.Resource, ""; rest != ""; {
		name, rest, _ = cutAt(rest, "/")
		if nameMatches(pattern, name, e.Glob) {
			return true
		}
	}
	return false
}

// nameMatches matches one name. Where the name is a glob too, two globs may
// meet if the text before their first and after their last star agrees.
func nameMatches(pattern, name string, glob bool) bool {
	if name == "" {
		return pattern == ""
	}
	if ok, _ := path.Match(pattern, name); ok {
		return true
	}
	if !glob || !strings.ContainsAny(name, "*?[") {
		return false
	}
	i, j := strings.IndexAny(pattern, "*?["), strings.IndexAny(name, "*?[")
	if i < 0 {
		i = len(pattern)
	}
	if a, b := pattern[:i], name[:j]; !strings.HasPrefix(a, b) && !strings.HasPrefix(b, a) {
		return false
	}
	a, b := pattern[strings.LastIndexAny(pattern, "*?]")+1:], name[strings.LastIndexAny(name, "*?]")+1:]
	return strings.HasSuffix(a, b) || strings.HasSuffix(b, a)
}

// pathMatches says whether a full pattern matches the resource or a directory
// above it; with above also, whether what it matches may lie below the resource.
func pathMatches(pattern string, e *Effect, above bool) bool {
	pattern = mark.Clean(pattern)
	if !strings.ContainsAny(pattern, "*?[") && !e.Glob {
		return mark.Under(e.Resource, pattern) || above && mark.Under(pattern, e.Resource)
	}
	if above && mark.Under(literalDir(pattern), e.Resource) {
		return true
	}
	ps, ns := strings.Split(pattern, "/"), strings.Split(e.Resource, "/")
	// The usual matching of a star by going back, over names: ** is the star.
	// Names that are left over lie below a match.
	star, back := -1, 0
	for p, n := 0, 0; ; {
		switch {
		case p == len(ps):
			return true
		case ps[p] == "**":
			star, back = p, n
			p++
			continue
		case n < len(ns) && nameMatches(ps[p], ns[n], e.Glob):
			p, n = p+1, n+1
			continue
		case n == len(ns) && above: // the resource is a directory above a match
			return true
		case star < 0 || back >= len(ns):
			return false
		}
		back++
		p, n = star+1, back
	}
}

// literalDir is the directory part of a pattern before its first glob.
func literalDir(pattern string) string {
	i := strings.IndexAny(pattern, "*?[")
	if i < 0 {
		return pattern
	}
	return mark.Clean(pattern[:lastByte(pattern[:i], '/')+1])
}
