package gates

import (
	"slices"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file is about discards that take nothing but the session's own work, as the host sees it.

// Discards is what a run takes away that throws changes away or deletes files.
type Discards struct {
	Known   bool     // the host sees all of it; else the rest says nothing
	Changes []string // files that it changes or deletes, absolute, sorted
	Others  []string // those of them that hold what is neither committed nor the session's own work
	Guarded bool     // a file is among Changes that decides what runs or what calls may do
}

// Takes is what the run of an effect throws away, for explanations, too.
func (c *Context) Takes(e *Effect) (d Discards) {
	if c.discards != nil && (e.Kind == effect.Delete || e.Program == "git") {
		d = c.discards(c, e)
	}
	return d
}

// undoes says whether the run of an effect takes only the session's own work, or what others made.
func (c *Context) undoes(g *Guardrail, e *Effect) (own, others bool) {
	if g.Profile == ProfileStrict {
		return false, false
	}
	d := c.Takes(e)
	n := len(d.Others)
	return d.Known && n == 0 && !d.Guarded, d.Known && n > 0 && e.Program == "git" && !regenerable(e.Resource)
}

// deletesBy says whether a program of the call is known to throw something away.
func (c *Context) deletesBy(program string) bool {
	return slices.ContainsFunc(c.Effects, func(e Effect) bool { return e.Kind == effect.Delete && e.Program == program })
}

// Guards says whether a file is among some of which each decides what others run, or what calls
// may do: putting one back is a change of that, which people may have agreed to.
func (g *Guardrail) Guards(c *Context, files []string) bool {
	return slices.ContainsFunc(files, func(file string) bool {
		x := Effect{Kind: effect.Write, Op: effect.OpModify, Resource: file}
		x.Zone, x.Sensitive, x.Protected = c.places.Where(file)
		return x.Protected || matchesAny(g.Protected, c, &x, false)
	})
}
