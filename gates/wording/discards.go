package wording

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
)

// This file words what git throws away. Where the host sees which files hold more than the
// session's own work, these are named and no others.

// discards words changes that git overwrites with what was committed.
func (s *subject) discards() []clause {
	if x, ok := s.fact(s.effects[0]); ok {
		return []clause{x}
	}
	names := s.theirWork(s.effects...)
	if names == "" {
		names = s.files(s.effects)
	}
	return []clause{{what: "discards your uncommitted changes in " + names, note: "; cannot be undone"}}
}

// discarded words git putting back what was committed in place of what is there: of which
// files, where the command names them all.
func (s *subject) discarded(_ *gates.Effect, c *command) []clause {
	what := "discards your uncommitted changes"
	if words := c.operands(valuesOf(c)...); len(words) > 0 && (words[len(words)-1] == "." || words[len(words)-1] == ":/") {
		where := ""
		if s.c != nil && s.dirIsRoot() {
			where = " in the whole workspace"
		}
		what = "discards all your uncommitted changes" + where
		if c.program == "git" && len(words) < 3 && !slices.ContainsFunc(c.words, func(w string) bool { return strings.HasPrefix(w, "-") && w != "--" }) {
			what = "discards all your changes" + where + " that are neither staged nor committed" // git-checkout(1), git-restore(1): what is put back is the index's
		}
	}
	return []clause{{what: what, note: noUndo, weight: 5, instead: "Commit or stash them first, or ask for this."}}
}

// dirIsRoot says whether the call runs in a root of the workspace.
func (s *subject) dirIsRoot() bool { return slices.Contains(s.c.Roots, s.c.Cwd) }

// theirWork are the files that effects throw away and that hold more than the session's own work, as
// far as the host sees them; else empty.
func (s *subject) theirWork(effects ...*gates.Effect) string {
	var names []string
	for _, e := range effects {
		if s.c == nil {
			return ""
		}
		d := s.c.Takes(e)
		if !d.Known {
			return ""
		}
		for _, f := range d.Others {
			if n := where(s.c, f); !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	if len(names) > 3 {
		names = append(names[:2:2], count(len(names)-2, "more file"))
	}
	return join(names)
}

// narrowed is what is said of a command, of these files alone.
func narrowed(what, names string) string {
	if _, to, ok := strings.Cut(what, " and sets the branch to "); ok && names != "" {
		return "discards your uncommitted changes in " + names + " and sets the branch to " + to
	}
	switch {
	case names == "":
	case strings.HasSuffix(what, " and discards your uncommitted changes"):
		return "discards your uncommitted changes in " + names
	case strings.HasPrefix(what, "discards "):
		return "discards your uncommitted changes in " + names
	case strings.HasPrefix(what, "deletes ") && strings.Contains(what, "git does not track"):
		return "deletes " + names + ", which git does not hold"
	}
	return what
}
