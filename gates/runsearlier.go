package gates

import (
	"path"
	"slices"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about lines that run a file which they write in a part that may not run.

// earlier objects to what a run may find under a name that the call writes in a part of its line that may
// not have run: what lay there before.
func (inlineReader) earlier(c *Context, g *Guardrail, d *Decision) {
	for k := range c.runs {
		r := &c.runs[k]
		for _, file := range r.Earlier {
			if mark.Has(file) {
				continue
			}
			zone, _, _ := c.places.Where(file)
			e := Effect{Kind: effect.Spawn, Op: effect.OpRunFile, Resource: file, Zone: zone}
			at := slices.IndexFunc(c.Effects, func(e Effect) bool { return e.Kind == effect.Write && e.Resource == file })
			if at < 0 {
				continue
			}
			e.Program = path.Base(file)
			if runsUnvetted(c.Flow.Unvetted, &e) {
				d.add(ruleUnvetted, ApprovedWithConstraints, at, &e)
			} else if rule, disp := g.judge(c, &e); disp != Approved && c.exists != nil && c.exists(file) {
				d.add(rule, disp, at, &e)
			}
		}
	}
}
