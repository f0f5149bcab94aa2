package learn

import (
	"cmp"
	"slices"
)

// flowGate is a gate that stops a high-risk call with an argument whose value
// came out of untrusted text, unless along an allowed flow.
type flowGate struct {
	sink  sink
	allow []argFlow
}

func (g *flowGate) stopped(flows []argFlow) bool {
	return slices.ContainsFunc(flows, func(f argFlow) bool { return !g.allowed(f) })
}

func (g *flowGate) allowed(f argFlow) bool {
	return slices.ContainsFunc(g.allow, func(p argFlow) bool { return p.covers(f) })
}

// learnAllow adds the flows that benign runs show, as long as naming one costs
// less than the exceptions it saves and, with keep, no positive would slip
// through. The
// best bargain goes first; ties go to the more general, then by name.
func (g *flowGate) learnAllow(unsafe, benign []flowExample, keep bool) {
	for {
		var left []flowExample
		for _, b := range benign {
			if g.stopped(b.wide) {
				left = append(left, b)
			}
		}
		best, gain := argFlow{}, 0
		for _, p := range g.candidates(left) {
			saved := exceptionBits*g.cleared(p, left) - p.bits()
			if saved > gain && (!keep || g.keeps(p, unsafe)) {
				best, gain = p, saved
			}
		}
		if gain == 0 {
			slices.SortFunc(g.allow, compareFlows)
			return
		}
		g.allow = slices.DeleteFunc(g.allow, best.covers)
		g.allow = append(g.allow, best)
	}
}

// candidates are the patterns of the flows still stopped, the general ones with
// the support of several tasks.
func (g *flowGate) candidates(left []flowExample) []argFlow {
	seen := map[argFlow]map[string]bool{}
	for _, b := range left {
		for _, f := range b.wide {
			if g.allowed(f) {
				continue
			}
			for _, p := range f.patterns() {
				if seen[p] == nil {
					seen[p] = map[string]bool{}
				}
				note(seen[p], b.tasks)
			}
		}
	}
	var out []argFlow
	for p, tasks := range seen {
		if p.source != "" || len(tasks) >= minGeneral {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b argFlow) int { return cmp.Or(cmp.Compare(a.bits(), b.bits()), compareFlows(a, b)) })
	return out
}

// minGeneral is how many tasks must show a flow before it stands for other
// sources with a field of the same name.
const minGeneral = 3

// cleared counts the runs that pass once p is allowed too. One that needs
// several flows counts for its share, so that none is stuck for needing two.
func (g *flowGate) cleared(p argFlow, left []flowExample) int {
	n := 0
	for _, b := range left {
		open, hit := 0, 0
		for _, f := range b.wide {
			if !g.allowed(f) {
				open++
				if p.covers(f) {
					hit++
				}
			}
		}
		if hit > 0 {
			n += b.runs * hit / open
		}
	}
	return n
}

// keeps says whether every positive is still stopped with p allowed too.
func (g *flowGate) keeps(p argFlow, unsafe []flowExample) bool {
	for _, u := range unsafe {
		if !g.stopped(u.flows) {
			continue
		}
		if !slices.ContainsFunc(u.flows, func(f argFlow) bool { return !g.allowed(f) && !p.covers(f) }) {
			return false
		}
	}
	return true
}
