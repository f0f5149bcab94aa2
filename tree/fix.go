package tree

import (
	"cmp"
	"strings"
)

// The most known fixes, and the most retry bounds, of a family.
const (
	MaxFixes   = 1024
	MaxRetries = 1024
)

// Fix is what successful runs did when a call of an action had failed in some way, before
// the same check passed (package internal/completion/fixes mines them).
type Fix struct {
	Action string // of the call that failed: it holds at every state of this action
	Class  string // how it failed, as package internal/traverse/failure tells it; empty for anyhow
	Does   string // what to do before trying again: an action; that of the call for the call in another form

	Worked uint32 // tasks with a successful run that did it, tried again and passed
	Failed uint32 // tasks with a run of whatever outcome that did it, tried again and failed
}

// CompareFixes orders fixes as policies hold them: by action, class and what they do.
func CompareFixes(a, b *Fix) int {
	return cmp.Or(strings.Compare(a.Action, b.Action), strings.Compare(a.Class, b.Class), strings.Compare(a.Does, b.Does))
}

// Retry says how often an action failed in a row in successful runs.
type Retry struct {
	Action string
	Most   uint32 // failures in a row that a successful run had at most
	Tasks  uint32 // tasks with a successful run that did it
	Advice bool   // seen in too few tasks to end a run by: it is only said
}

// fixes checks the known fixes and retry bounds of a family, and their order.
func (c *checker) fixes(i int, f *Family) {
	if len(f.Fixes) > MaxFixes || len(f.Retries) > MaxRetries {
		c.bad("family %d: %d fixes, %d retry bounds", i, len(f.Fixes), len(f.Retries))
	}
	for j := range f.Fixes {
		x := &f.Fixes[j]
		if x.Action == "" || x.Does == "" || x.Worked == 0 {
			c.bad("family %d: fix %d names no action, or worked in no task", i, j)
		}
		if j > 0 && CompareFixes(&f.Fixes[j-1], x) >= 0 {
			c.bad("family %d: fixes out of order", i)
		}
	}
	for j := range f.Retries {
		x := &f.Retries[j]
		if x.Action == "" || x.Most == 0 || x.Tasks == 0 {
			c.bad("family %d: retry bound %d names no action, or was never seen", i, j)
		}
		if j > 0 && f.Retries[j-1].Action >= x.Action {
			c.bad("family %d: retry bounds out of order", i)
		}
	}
}
