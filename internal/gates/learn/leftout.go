package learn

import (
	"maps"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
)

// maxFolds is in how many parts the tasks are left out in turn. What a gate does
// to the tasks that proposed it says nothing about the next one: on the shared
// logs a gate that stopped 6% of the benign runs it was learned from stopped 56%
// of those of other tasks.
const maxFolds = 5

// Left is what learning the same way without a task would do to that task.
type Left struct {
	Harm  Share // of the tasks whose harm the gate stops, those whose harm is still stopped
	Good  Share // of the benign tasks with calls of the same tool families and a gate learned without them, those with a call that is stopped
	Calls Share // of the recorded calls of benign runs of these families, those that are stopped
}

// foldsOf deals the tasks out into parts. Tasks are digests: their order is a lot
// that depends on nothing else.
func foldsOf(ex *Examples) map[string]int {
	tasks := map[string]bool{}
	for _, list := range [][]Example{ex.Unsafe, ex.Benign} {
		for i := range list {
			note(tasks, list[i].Tasks)
		}
	}
	out := map[string]int{}
	for i, t := range slices.Sorted(maps.Keys(tasks)) {
		out[t] = i % maxFolds
	}
	return out
}

// part is what learning comes to without the tasks of a part. It judges on what it
// was given alone; only what it proposes counts.
type part struct {
	*learner
	searched bool // for patterns, which takes longest
}

// leaveOut learns once without each part.
func (l *learner) leaveOut() {
	for f := range maxFolds {
		p := part{learner: &learner{
			ex: &Examples{Unsafe: l.outside(l.ex.Unsafe, f), Benign: l.outside(l.ex.Benign, f)}, all: l.all, names: l.names, folds: l.folds,
			opt: l.opt, res: &Learned{}, stopped: map[string]int{}, local: map[string]bool{}, made: map[string]*gates.Library{}, onlyAsk: l.onlyAsk,
		}}
		if !l.onlyAsk {
			p.flows()
		}
		l.parts = append(l.parts, p)
	}
}

// outside are the examples as the tasks that are in no part show them. Who made
// how many of the runs is not on record: each task counts for as many.
func (l *learner) outside(list []Example, fold int) []Example {
	in := func(t string) bool { return l.folds[t] == fold }
	var out []Example
	for _, e := range list {
		all := len(e.Tasks)
		if e.Tasks = without(e.Tasks, in); len(e.Tasks) == 0 {
			continue
		}
		e.Runs = max(1, e.Runs*len(e.Tasks)/max(1, all))
		var places []Place
		for _, p := range e.Places {
			if p.Tasks = without(p.Tasks, in); len(p.Tasks) > 0 {
				places = append(places, p)
			}
		}
		e.Places = places
		out = append(out, e)
	}
	return out
}

func without(tasks []string, in func(string) bool) []string {
	return slices.DeleteFunc(slices.Clone(tasks), in)
}

// again is what a proposal is found again by: how it is made, or for a pattern
// its text. Empty for one that was not made of the examples.
func (p *Proposal) again(canonical string) string {
	if p.fixed {
		return ""
	}
	if p.how == "" {
		return p.Scope + "\x00" + p.Macro + "\x00" + canonical
	}
	return p.how
}

// version is the gate as it is learned without a part; nil if it is not.
func (l *learner) version(fold int, again string, lib *gates.Library) *gates.Library {
	if again == "" || l.made != nil {
		return lib
	}
	if l.parts == nil {
		l.leaveOut()
	}
	p := &l.parts[fold]
	if lib := p.made[again]; lib != nil {
		return lib
	}
	if !p.searched && strings.Contains(again, "\x00") { // only a pattern's text is searched for
		p.searched = true
		p.patterns()
	}
	return p.made[again]
}

// leave judges a gate on tasks left out in turn, and notes the benign examples
// that it stops there.
func (l *learner) leave(g *Gate, again string, lib *gates.Library) {
	harm, good := map[string]bool{}, map[string]bool{}
	var calls Share
	g.touched = set{}
	for i := range l.ex.Unsafe {
		e := &l.ex.Unsafe[i]
		if slices.Contains(g.Stops, e.ID) {
			l.stops(e.Context, e.Tasks, again, lib, harm, true)
		}
	}
	for i := range l.ex.Benign {
		e := &l.ex.Benign[i]
		tasks, runs := g.asked(e)
		if len(tasks) == 0 || !g.families[e.Context.Class.Family] && !(g.local() && len(lib.EvalAll(e.Context, nil)) > 0) {
			continue
		}
		calls.Of += runs
		if l.stops(e.Context, tasks, again, lib, good, false) {
			calls.N += runs
			g.touched.add(i)
		}
	}
	g.Left = Left{Harm: shareOf(harm), Good: shareOf(good), Calls: calls}
	g.Bound = upperBound(g.Left.Good.N, g.Left.Good.Of)
}

// stops notes of each task of a context whether the version without it stops the
// context, and says whether any does. Where the gate is not learned without the
// task, its harm is not stopped, and its benign calls show nothing.
func (l *learner) stops(c *gates.Context, tasks []string, again string, lib *gates.Library, of map[string]bool, harm bool) bool {
	any := false
	for _, t := range tasks {
		v := l.version(l.folds[t], again, lib)
		if v == nil && !harm {
			continue
		}
		stopped := v != nil && len(v.EvalAll(c, nil)) > 0
		of[t] = of[t] || stopped
		any = any || stopped
	}
	return any
}

func shareOf(tasks map[string]bool) Share {
	s := Share{Of: len(tasks)}
	for _, yes := range tasks {
		s.N += count(yes)
	}
	return s
}

// affordable says whether a gate that asks stays within the budget of questions
// that all gates have together.
func (l *learner) affordable(g *Gate) bool {
	n := 0
	l.asked.or(g.touched).each(func(i int) { n += l.ex.Benign[i].Runs })
	return float64(n) <= l.opt.ask()*float64(l.ex.calls())
}

// add joins the rates of two places where one gate is asked.
func (f *Left) add(o *Left) {
	f.Harm = Share{max(f.Harm.N, o.Harm.N), max(f.Harm.Of, o.Harm.Of)}
	f.Good = Share{f.Good.N + o.Good.N, max(f.Good.Of, o.Good.Of)}
	f.Calls = Share{f.Calls.N + o.Calls.N, f.Calls.Of + o.Calls.Of}
}

// calls is the number of calls of the benign runs. Where nobody counted them, it
// is that of the recorded ones.
func (ex *Examples) calls() int {
	if ex.Calls > 0 {
		return ex.Calls
	}
	n := 0
	for i := range ex.Benign {
		n += ex.Benign[i].Runs
	}
	return n
}

// Keep drops the benign examples that are not on record, and as large a part of
// the calls of their runs.
func (ex *Examples) Keep(recorded func(id string) bool) {
	all := 0
	for i := range ex.Benign {
		all += ex.Benign[i].Runs
	}
	ex.Benign = slices.DeleteFunc(ex.Benign, func(e Example) bool { return !recorded(e.ID) })
	kept := 0
	for i := range ex.Benign {
		kept += ex.Benign[i].Runs
	}
	if all > 0 {
		ex.Calls = ex.Calls * kept / all
	}
}
