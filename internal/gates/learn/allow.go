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
	names names // that an allowed flow may have
	folds map[string]int
	wrong map[argFlow]bool // flows that tasks left out spoke against
}

func (g *flowGate) stopped(flows []argFlow) bool {
	return slices.ContainsFunc(flows, func(f argFlow) bool { return !g.allowed(f) })
}

func (g *flowGate) allowed(f argFlow) bool {
	return slices.ContainsFunc(g.allow, func(p argFlow) bool { return p.covers(f) })
}

// maxRelearn bounds how often exemptions are learned anew without those that tasks
// left out spoke against.
const maxRelearn = 3

// learnAccepted learns exemptions that stand on tasks left out in turn: several
// other tasks show each and are worth its naming and, with keep, none lets a task's
// harm pass that it was learned without.
func (g *flowGate) learnAccepted(unsafe, benign []flowExample, keep bool) {
	g.wrong = map[argFlow]bool{}
	for turn := 0; ; turn++ {
		g.allow = nil
		g.learnAllow(unsafe, benign, keep)
		wrong := slices.DeleteFunc(slices.Clone(g.allow), func(p argFlow) bool { return p.stands(benign) })
		if keep {
			wrong = append(wrong, g.slips(unsafe, benign)...)
		}
		if len(wrong) == 0 {
			return
		}
		for _, p := range wrong {
			g.wrong[p] = true
		}
		if turn == maxRelearn {
			g.allow = slices.DeleteFunc(g.allow, func(p argFlow) bool { return g.wrong[p] })
			return
		}
	}
}

// stands says whether, for half at least of the tasks that show an exemption,
// several others do too and save what it takes to write it.
func (f argFlow) stands(benign []flowExample) bool {
	runs, all := map[string]int{}, 0
	for _, e := range benign {
		if slices.ContainsFunc(e.wide, f.covers) {
			all += e.runs
			for _, t := range e.tasks {
				runs[t] += e.runs
			}
		}
	}
	n := 0
	for _, mine := range runs {
		n += count(len(runs) > minTasks && exceptionBits*(all-mine) > f.bits())
	}
	return n > 0 && 2*n >= len(runs)
}

// slips are the exemptions that let a task's harm pass when they are learned
// without it.
func (g *flowGate) slips(unsafe, benign []flowExample) []argFlow {
	var out []argFlow
	plain := flowGate{sink: g.sink}
	for fold := range maxFolds {
		in := func(e flowExample) bool {
			return slices.ContainsFunc(e.tasks, func(t string) bool { return g.folds[t] == fold })
		}
		part := flowGate{sink: g.sink, names: g.names, wrong: g.wrong}
		part.learnAllow(slices.DeleteFunc(slices.Clone(unsafe), in), slices.DeleteFunc(slices.Clone(benign), in), true)
		for _, e := range unsafe {
			if in(e) && plain.stopped(e.flows) && !part.stopped(e.flows) {
				out = append(out, slices.DeleteFunc(slices.Clone(g.allow), func(p argFlow) bool { return !slices.ContainsFunc(e.flows, p.covers) })...)
			}
		}
	}
	return out
}

// learnAllow adds the flows that benign runs show, as long as naming one costs
// less than the exceptions it saves and, with keep, no positive would slip
// through. The
// best bargain goes first; ties go to the more general, then by name.
func (g *flowGate) learnAllow(unsafe, benign []flowExample, keep bool) {
	for {
		left := g.left(benign)
		best, gain := argFlow{}, 0
		for _, p := range g.candidates(left) {
			saved := exceptionBits*cleared(p, left) - p.bits()
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

// stoppedExample is a benign example that the gate still stops, and the flows
// that it stops it for.
type stoppedExample struct {
	open  []argFlow
	tasks []string
	runs  int
}

func (g *flowGate) left(benign []flowExample) []stoppedExample {
	var out []stoppedExample
	for _, b := range benign {
		var open []argFlow
		for _, f := range b.wide {
			if !g.allowed(f) {
				open = append(open, f)
			}
		}
		if len(open) > 0 {
			out = append(out, stoppedExample{open, b.tasks, b.runs})
		}
	}
	return out
}

// candidates are the patterns of the flows still stopped whose names a gate may
// have, the general ones with the support of several tasks.
func (g *flowGate) candidates(left []stoppedExample) []argFlow {
	seen := map[argFlow]map[string]bool{}
	for _, b := range left {
		for _, f := range b.open {
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
		// A flow of no tool in particular would vouch for those that nobody has seen.
		if p.tool != "" && !g.wrong[p] && g.names.flow(p) && (p.source != "" || len(tasks) >= minGeneral) {
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
func cleared(p argFlow, left []stoppedExample) int {
	n := 0
	for i := range left {
		b, hit := &left[i], 0
		for j := range b.open {
			if p.covers(b.open[j]) {
				hit++
			}
		}
		n += b.runs * hit / len(b.open)
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
