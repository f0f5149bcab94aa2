package gates

import (
	"slices"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file is about files that a program reads by itself if they are there, and is not given.

// ifThere takes reads of such files for what they are where the host does not see the file:
// reads of nothing.
func (c *Context) ifThere() {
	own := false
	for i := range c.Effects {
		if e := &c.Effects[i]; e.Kind == effect.Read && e.Named && e.Sensitive && (c.exists == nil || !c.exists(e.Resource)) {
			if !own {
				c.Effects, own = slices.Clone(c.Effects), true
			}
			c.Effects[i].Sensitive = false
		}
	}
}
