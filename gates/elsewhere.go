package gates

import "slices"

// leftElsewhere is the flow after a call that may have run on another machine, where after
// is the flow if it ran on this one. Nobody knows which, so what lets later calls pass is
// what both have, and what makes them ask is what either has: a file that was written there
// is not there here, and one that was deleted there may still be what it was.
func (c *Context) leftElsewhere(after Flow) Flow {
	before := &c.Flow
	after.Own = slices.DeleteFunc(after.Own, func(s string) bool { return !isAmong(before.Own, s) })
	after.Unvetted = bounded(both(before.Unvetted, after.Unvetted))
	after.Turned = boundedTurns(both(before.Turned, slices.DeleteFunc(after.Turned, func(s string) bool {
		kind := turnOf(s).kind
		return (kind == turnKnown || kind == turnSettled || kind == turnDiff) && !isAmong(before.Turned, s)
	})))
	var made []Made
	for _, m := range after.Made {
		if !slices.Contains(before.Made, m) {
			m.Text, m.Known = "", false
		}
		made = append(made, m)
	}
	for _, m := range before.Made {
		if !slices.ContainsFunc(made, func(n Made) bool { return n.Path == m.Path }) {
			made = append(made, Made{Path: m.Path})
		}
	}
	after.Made = shortened(made)
	return after
}

// both are the entries of two lists, each once.
func both(a, b []string) []string {
	out := slices.Clone(a)
	for _, s := range b {
		if !isAmong(out, s) {
			out = append(out, s)
		}
	}
	return out
}
