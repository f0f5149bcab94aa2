package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file follows secrets within a line to where copies and archives take them: what a run reads
// below a copy, or out of an archive, is what the copy was made of.

// carried are the secrets that lie at places which the line's runs have written so far.
type carried struct {
	c    *Context
	left *int
	at   []carriedAt
}

type carriedAt struct {
	place   string
	secrets []string
	archive bool // the place is a file that holds them all
}

// note notes what a run copies or packs, and returns the secrets that it prints of what earlier
// ones copied or packed.
func (k *carried) note(r *effect.Run) (shown []string) {
	program := path.Base(r.Words[0])
	moves := packs(program) || copies(program)
	var took []string
	for _, i := range r.Effects {
		e := &k.c.Effects[i]
		switch {
		case e.Kind == effect.Read:
			shown = append(shown, k.under(r, e)...)
			if moves && exact(e.Resource) && !e.Sensitive {
				took = append(took, k.c.secretsBelow(e.Resource, true, k.left)...)
			}
		case program == "mv" && e.Kind == effect.Write && exact(e.Resource): // its sources are written, too
			took = append(took, k.c.secretsBelow(e.Resource, true, k.left)...)
		}
	}
	switch {
	case tellsNone(program) || namesMembers(r.Words):
		return nil
	case !moves || !k.c.writesFile(r):
		return shown
	}
	if took = append(took, shown...); len(took) == 0 {
		return nil
	}
	for _, i := range r.Effects {
		if e := &k.c.Effects[i]; e.Kind == effect.Write && exact(e.Resource) {
			at := carriedAt{e.Resource, took, packs(program)}
			if path.Base(e.Resource) == "unpacked" { // what lies in an archive
				at.place, at.archive = path.Dir(e.Resource), false
			}
			k.at = append(k.at, at)
		}
	}
	return nil
}

// under are the secrets among what a run reads at or below such a place.
func (k *carried) under(r *effect.Run, e *Effect) []string {
	var out []string
	for _, at := range k.at {
		dir, pattern := e.Resource, ""
		if e.Glob {
			i := markOf(dir)
			dir, pattern = path.Dir(dir[:i]+"x"), path.Base(dir)
		}
		search, searches := shell.SearchOf(r.Words)
		switch {
		case at.archive && e.Resource == at.place:
			out = append(out, at.secrets...)
		case at.archive || !mark.Under(dir, at.place) && !mark.Under(at.place, dir):
		case searches && search.Walks, packs(path.Base(r.Words[0])), copies(path.Base(r.Words[0])):
			out = append(out, at.secrets...)
		case pattern != "":
			out = append(out, slices.DeleteFunc(slices.Clone(at.secrets), func(s string) bool {
				fits, err := path.Match(pattern, path.Base(s))
				return err == nil && !fits || hiddenIn(path.Base(s)) && pattern[0] != '.'
			})...)
		}
	}
	return out
}

// namesMembers says whether a run prints the names in an archive alone (tar(1), unzip(1)).
func namesMembers(words []string) bool {
	for i, w := range words[1:] {
		short := len(w) > 1 && w[0] == '-' && w[1] != '-'
		switch path.Base(words[0]) {
		case "tar", "gtar", "bsdtar":
			if w == "--list" || (short || i == 0 && !strings.HasPrefix(w, "-")) && strings.ContainsRune(w, 't') {
				return true
			}
		case "unzip":
			if short && strings.ContainsAny(w, "lvtZz") {
				return true
			}
		}
	}
	return false
}
