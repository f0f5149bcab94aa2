package gates

import (
	"path"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/names"
)

// This file looks whether files that must not be changed without review lie among those that
// a listing of a directory names.

// guardsBelow is effect.Places.GuardsBelow, nil where the host does not look.
func (s *State) guardsBelow() func(dir, pattern string, tracked bool) bool {
	if s.Names == nil {
		return nil
	}
	g := guardsLook{list: s.Names, roots: s.Roots}
	if len(g.roots) == 0 {
		g.roots = []string{s.Cwd}
	}
	return func(dir, pattern string, tracked bool) bool {
		g := g
		g.pattern, g.tracked, g.left = pattern, tracked, maxWholesale
		return !exact(dir) || g.below(dir)
	}
}

// guardsLook is one such look.
type guardsLook struct {
	list    func(string) []string
	roots   []string
	pattern string
	tracked bool
	left    int // names that are still looked at
}

// below looks at a directory and what lies below it. Where there are too many names to look at
// all of them, only those are that are guarded by themselves.
func (g *guardsLook) below(dir string) bool {
	w := walk{list: g.list, left: &g.left, whole: true, past: true, visit: g.visit}
	hit, _ := w.below(dir)
	return hit
}

func (g *guardsLook) visit(dir, base string, deep bool) course {
	full := path.Join(dir, base)
	switch {
	case base == "" || g.tracked && base == ".git" || base == ".venv" || deep && installedUnder(full+"/"):
	case g.names(base) && names.Guarded(g.within(full)):
		return found
	case deep && (g.left > 0 || base[0] == '.') && !g.innards(full):
		return into
	}
	return next
}

// names says whether the pattern matches a name.
func (g *guardsLook) names(base string) bool {
	return g.pattern == "" || mark.Match(g.pattern, base)
}

// innards says whether a directory is one in which git keeps what nobody reads as text.
func (g *guardsLook) innards(full string) bool {
	return strings.HasSuffix(full, "/.git/objects") || strings.HasSuffix(full, "/.git/logs") || strings.HasSuffix(full, "/.git/refs")
}

// within is the part of a path below its workspace root.
func (g *guardsLook) within(full string) string {
	for _, r := range g.roots {
		if mark.Under(full, r) && full != r {
			return trimPrefix(full[len(r):], "/")
		}
	}
	return full
}
