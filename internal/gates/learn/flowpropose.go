package learn

import (
	"maps"
	"slices"

	"github.com/gbt-policy/gbt/internal/gates/library"
)

// flowProposals are the gates over where arguments came from: the library's, about
// the reach of text into any argument, with the exemptions that logs show; and
// those about the arguments that positives were blamed for.
func (l *learner) flowProposals() []Proposal {
	var out []Proposal
	for _, s := range l.sinks() {
		unsafe, benign := flowExamples(l.ex.Unsafe, &s), flowExamples(l.ex.Benign, &s)
		if len(unsafe) == 0 {
			continue
		}
		// Every positive stays stopped, even where an honest run looked the same;
		// where tasks left out speak against that, without exemptions; and without
		// such positives, which may be sure enough to reject.
		kept := flowGate{sink: s, names: l.names, folds: l.folds}
		kept.learnAccepted(unsafe, benign, true)
		out = append(out, kept.proposal(""))
		if len(kept.allow) > 0 {
			out = append(out, (&flowGate{sink: s}).proposal(" plain"))
		}
		sure := flowGate{sink: s, names: l.names, folds: l.folds}
		sure.learnAccepted(unsafe, benign, false)
		out = append(out, sure.proposal(" sure"))
	}
	return out
}

const flowMessage = "an argument's value comes out of untrusted text, the task does not name it and no benign run has this flow: have the user name it, or take it from a field"

func (g *flowGate) proposal(how string) Proposal {
	p := Proposal{Scope: ScopeGlobal, Expr: g.text(), By: "flow", Bits: g.bits(), Message: flowMessage, Exempt: len(g.allow)}
	if len(g.sink.paths) == 0 {
		written, _ := library.Find(library.Untrusted)
		p.By, p.Library, p.Message = "library", written.Label(), written.Sealed(len(g.allow))
	}
	p.how = p.By + how
	p.fixed = p.By == "library" && how == " plain"
	return p
}

func (g *flowGate) bits() int {
	n := 2*nameBits + g.sink.bits()
	for _, a := range g.allow {
		n += a.bits()
	}
	return n
}

// written are the gates of the library in which nothing is learned.
func (l *learner) written() []Proposal {
	var out []Proposal
	for _, g := range library.All() {
		if g.Name != library.Untrusted && (l.opt.Library == nil || slices.Contains(l.opt.Library, g.Name)) {
			out = append(out, Proposal{Scope: ScopeGlobal, Expr: g.Expr, By: "library", Library: g.Label(), Message: g.Sealed(0), fixed: true})
		}
	}
	return out
}

// sinks are the selections of arguments to try.
func (l *learner) sinks() []sink {
	var out []sink
	if l.opt.Library == nil || slices.Contains(l.opt.Library, library.Untrusted) {
		out = append(out, sink{})
	}
	if paths := l.blamedSinks(); len(paths) > 0 {
		out = append(out, sink{paths: paths})
	}
	return out
}

// positive is an unsafe context as its blamed arguments out of text.
type positive struct{ paths, tasks []string }

// blamedSinks covers the positives with as few blamed arguments as possible, and
// of those that cover as many with the ones that benign runs fill from text the
// least: a subject that an attacker chose as well is no sink. An argument that one
// task alone was blamed for is none either.
func (l *learner) blamedSinks() []string {
	open, usual := l.blamedPaths(), map[string]int{}
	for i := range l.ex.Benign {
		for _, f := range textFlows(l.ex.Benign[i].Context) {
			usual[f.path]++
		}
	}
	var paths []string
	for {
		best := bestSink(open, usual)
		if best == "" {
			slices.Sort(paths)
			return paths
		}
		paths = append(paths, best)
		open = slices.DeleteFunc(open, func(u positive) bool { return slices.Contains(u.paths, best) })
	}
}

func (l *learner) blamedPaths() []positive {
	var out []positive
	for i := range l.ex.Unsafe {
		e := &l.ex.Unsafe[i]
		var mine []string
		for _, f := range textFlows(e.Context) {
			if l.names.shared(argName, f.path) && (len(e.Blamed) == 0 || slices.Contains(e.Blamed, f.path)) {
				mine = append(mine, f.path)
			}
		}
		if len(mine) > 0 {
			out = append(out, positive{mine, e.Tasks})
		}
	}
	return out
}

// bestSink is the argument that covers most for what it costs, ties by name;
// empty if none covers several tasks.
func bestSink(open []positive, usual map[string]int) string {
	score, tasks := map[string]int{}, map[string]map[string]bool{}
	for _, u := range open {
		for _, p := range u.paths {
			score[p] += exceptionBits
			if tasks[p] == nil {
				tasks[p] = map[string]bool{}
			}
			note(tasks[p], u.tasks)
		}
	}
	best := ""
	for _, p := range slices.Sorted(maps.Keys(score)) {
		if len(tasks[p]) >= minTasks && (best == "" || score[p]-usual[p] > score[best]-usual[best]) {
			best = p
		}
	}
	return best
}
