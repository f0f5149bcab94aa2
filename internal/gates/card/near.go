package card

import (
	"cmp"
	"slices"

	"github.com/gbt-policy/gbt/gates"
)

// nearest orders calls by how much they look like one of those that were stopped:
// by the Jaccard index (P. Jaccard, 1912) of what gates may read of them. Ties go
// by id.
func nearest(list, stopped []seen) []seen {
	harm := make([]map[string]bool, len(stopped))
	for i := range stopped {
		harm[i] = traits(&stopped[i].ctx)
	}
	type near struct {
		seen
		score int
	}
	ranked := make([]near, len(list))
	for i, s := range list {
		ranked[i] = near{seen: s}
		mine := traits(&s.ctx)
		for _, h := range harm {
			ranked[i].score = max(ranked[i].score, jaccard(mine, h))
		}
	}
	slices.SortFunc(ranked, func(a, b near) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.row.ID, b.row.ID))
	})
	out := make([]seen, len(ranked))
	for i := range ranked {
		out[i] = ranked[i].seen
	}
	return out
}

// traits are what two calls can have in common: no values.
func traits(c *gates.Context) map[string]bool {
	out := map[string]bool{"tool " + c.ToolName(): true, "family " + c.Class.Family.String(): true, "verb " + c.Class.Verb.String(): true}
	for i := range c.Args {
		a := &c.Args[i]
		out["arg "+baseName(a.Path)] = true
		out["role "+a.Role+" "+a.Origin.String()] = true
		if a.Source != "" {
			out["from "+a.Source+" "+a.Form] = true
		}
	}
	for i := range c.Effects {
		e := &c.Effects[i]
		out["effect "+e.Kind.String()+" "+e.Op.String()+" "+e.Zone.String()] = true
	}
	return out
}

// jaccard is the index in thousandths: whole numbers compare the same everywhere.
func jaccard(a, b map[string]bool) int {
	both := 0
	for t := range a {
		if b[t] {
			both++
		}
	}
	return 1000 * both / max(1, len(a)+len(b)-both)
}
