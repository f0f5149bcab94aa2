package learn

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
)

// A gate of a node or of a subtree is asked from its home on: at the macro with
// that key and at all that comes after it, because nodes hand their gates on to
// the nodes below them. So what a local gate costs is counted on every benign task
// that came past its home, and not on the calls of one macro: that is where a
// policy asks it. Tasks are counted and not calls: the runs of one task have its
// wording in common, and are no independent evidence (decision 11).

// Place is where a context was recorded.
type Place struct {
	Macro string
	Above []string // keys of the macros before it and of its own, each once, in order
	Tasks []string // sorted
	Runs  int
}

func (p *Place) key() string { return p.Macro + "\x00" + strings.Join(p.Above, "\x00") }

// note adds an occurrence. again says that the episode showed it at this place
// before.
func (e *Example) note(c *Case, s *Sample, again bool) {
	at := Place{Macro: s.Macro, Above: s.Above}
	k, has := slices.BinarySearchFunc(e.Places, at.key(), func(p Place, key string) int { return cmp.Compare(p.key(), key) })
	if !has {
		e.Places = slices.Insert(e.Places, k, at)
	}
	p := &e.Places[k]
	if !again {
		p.Runs++
	}
	if i, ok := slices.BinarySearch(p.Tasks, c.Task); !ok {
		p.Tasks = slices.Insert(p.Tasks, i, c.Task)
	}
}

// places are where an example was recorded. One that says no more than its macro
// is below nothing else.
func (e *Example) places() []Place {
	if len(e.Places) > 0 {
		return e.Places
	}
	return []Place{{Macro: e.Macro, Above: []string{e.Macro}, Tasks: e.Tasks, Runs: e.Runs}}
}

// below are the runs of an example at a home or below it; whole says that it has tasks
// there and was recorded nowhere else.
func (e *Example) below(home string) (runs int, whole bool) {
	var tasks []string
	whole = true
	for _, p := range e.places() {
		if !slices.Contains(p.Above, home) && p.Macro != home {
			whole = false
			continue
		}
		tasks, runs = union(tasks, p.Tasks), runs+p.Runs
	}
	return runs, whole && len(tasks) > 0
}

// local says whether the gate is asked from its home on, and not everywhere.
func (g *Gate) local() bool { return g.Scope == ScopeNode || g.Scope == ScopeSubtree }

// asked are the tasks in which the gate is asked about a benign example, and the
// runs there.
func (g *Gate) asked(e *Example) (tasks []string, runs int) {
	if !g.local() {
		return e.Tasks, e.Runs
	}
	homes := union(g.Macros, []string{g.Macro})
	for _, p := range e.places() {
		if slices.ContainsFunc(homes, func(h string) bool { return p.Macro == h || slices.Contains(p.Above, h) }) {
			tasks, runs = union(tasks, p.Tasks), runs+p.Runs
		}
	}
	return tasks, runs
}

// reaches says whether the gate is asked wherever a positive was recorded.
func (g *Gate) reaches(e *Example) bool {
	if !g.local() {
		return true
	}
	_, whole := e.below(g.Macro)
	return whole
}

// benignBelow counts the benign tasks that came past the home of a local gate with
// a call of the same families, and those of them that it stops. tasks collects
// these.
func (l *learner) benignBelow(g *Gate, lib *gates.Library, tasks map[string]bool) {
	g.past, g.hit = map[string]bool{}, map[string]bool{}
	for i := range l.ex.Benign {
		e := &l.ex.Benign[i]
		here, _ := g.asked(e)
		switch {
		case len(here) == 0:
		case len(lib.EvalAll(e.Context, nil)) > 0:
			note(g.past, here)
			note(g.hit, here)
		case g.families[e.Context.Class.Family]:
			note(g.past, here)
		}
	}
	maps.Copy(tasks, g.hit)
	g.byTasks()
}

// byTasks fills in the counts of a local gate.
func (g *Gate) byTasks() {
	g.Benign, g.Rejected = len(g.past), len(g.hit)
	g.Runs, g.Touched = g.Benign, g.Rejected
}

// The bounds of the search at homes, for its time: homes with the most unsafe
// tasks, and seeds with other literals than those before them.
const (
	maxHomes      = 16
	maxLocalSeeds = 12
)

// homes are the macros from which a local gate might be asked: at or above the
// positives of some tasks. The smallest comes first, the one with the fewest
// benign tasks past it.
func (l *learner) homes(want func(*Example) bool) []string {
	unsafe, benign := map[string]map[string]bool{}, map[string]map[string]bool{}
	countPast(unsafe, l.ex.Unsafe, want)
	countPast(benign, l.ex.Benign, func(*Example) bool { return true })
	var out []string
	for _, h := range slices.Sorted(maps.Keys(unsafe)) {
		if len(unsafe[h]) >= minTasks {
			out = append(out, h)
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return cmp.Compare(len(unsafe[b]), len(unsafe[a])) })
	out = out[:min(len(out), maxHomes)]
	slices.SortFunc(out, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(benign[a]), len(benign[b])), cmp.Compare(len(unsafe[a]), len(unsafe[b])), cmp.Compare(a, b))
	})
	return out
}

// countPast notes the tasks past every macro.
func countPast(tasks map[string]map[string]bool, list []Example, want func(*Example) bool) {
	for i := range list {
		if !want(&list[i]) {
			continue
		}
		for _, p := range list[i].places() {
			for _, h := range p.Above {
				if tasks[h] == nil {
					tasks[h] = map[string]bool{}
				}
				note(tasks[h], p.Tasks)
			}
		}
	}
}

// localPatterns covers what no gate of all places stops. The patterns of all homes
// are compared, so all that were tried stand behind each of them (Gate.accident).
// What stops the most tasks comes first, and of two that stop as many the smaller
// home: the smallest scope that covers its windows.
func (l *learner) localPatterns(s *search) {
	type found struct {
		Proposal
		tasks, at int
	}
	var all []found
	tried := 0
	for at, home := range l.homes(l.isOpen) {
		for _, p := range l.from(s, home) {
			scope, tasks := l.scopeOf(p, s, home)
			if l.opt.takes(scope) {
				all = append(all, found{Proposal{Scope: scope, Macro: home, Expr: p.text(), By: "node", Bits: p.bits, Message: patternMessage}, tasks, at})
			}
		}
		tried += s.tried
	}
	slices.SortStableFunc(all, func(a, b found) int {
		return cmp.Or(cmp.Compare(b.tasks, a.tasks), cmp.Compare(a.at, b.at), cmp.Compare(a.Bits, b.Bits), cmp.Compare(a.Expr, b.Expr))
	})
	for i := range all {
		all[i].Tried = tried
		l.judge(all[i].Proposal)
	}
}

// from are the best patterns at a home, of seeds that are open there.
func (l *learner) from(s *search, home string) []pattern {
	s.open, s.tried, s.runs = nil, 0, nil
	for i := range l.ex.Benign {
		runs, _ := l.ex.Benign[i].below(home)
		s.runs = append(s.runs, runs)
	}
	for i := range l.ex.Unsafe {
		if e := &l.ex.Unsafe[i]; l.isOpen(e) && l.covers(e, home) {
			s.open.add(i)
		}
	}
	var out []pattern
	seeds, tried := map[string]bool{}, map[string]bool{}
	s.open.each(func(i int) {
		lits := s.literals(&l.ex.Unsafe[i])
		if key := fmtLiterals(lits); len(seeds) < maxLocalSeeds && !seeds[key] {
			seeds[key] = true
			if best, ok := s.from(lits); ok && !tried[best.key] {
				tried[best.key] = true
				out = append(out, best)
			}
		}
	})
	return out
}

// covers says whether a gate from a home on covers a positive and its windows: the
// home is at or above each of their macros (requirement W2). Where nodes alone are
// wanted it is the positive's own macro.
func (l *learner) covers(e *Example, home string) bool {
	if _, whole := e.below(home); !whole || !l.opt.takes(ScopeSubtree) && !own(e, home) {
		return false
	}
	if own(e, home) {
		return true // spread goes on to the other macros of the windows
	}
	for _, p := range e.places() {
		from := slices.Index(p.Above, home)
		for _, m := range e.Window {
			if at := slices.Index(p.Above, m); at >= 0 && at < from {
				return false
			}
		}
	}
	return true
}

// own says whether a positive was at one macro, the home itself.
func own(e *Example, home string) bool {
	return !slices.ContainsFunc(e.places(), func(p Place) bool { return p.Macro != home })
}

// scopeOf names the scope of a pattern at a home, that of the node if all it stops
// is at the home itself, and counts the open tasks that it stops.
func (l *learner) scopeOf(p pattern, s *search, home string) (scope string, tasks int) {
	stopped := map[string]bool{}
	scope = ScopeNode
	s.unsafe.match(p).and(s.open).each(func(i int) {
		e := &l.ex.Unsafe[i]
		note(stopped, e.Tasks)
		if !own(e, home) {
			scope = ScopeSubtree
		}
	})
	if !l.opt.takes(ScopeNode) {
		scope = ScopeSubtree
	}
	return scope, len(stopped)
}

// narrowed is a gate of all places in the smallest scope that covers what it
// stops: where it rejects within the bound there, or asks about fewer honest tasks
// than everywhere. Else the gate stays as it is: little evidence at one place is no
// reason to be asked there alone. The pattern is one that learning finds without the
// tasks left out; its home is chosen with all of them, and each home that is tried
// counts (Gate.accident).
func (l *learner) narrowed(g *Gate, again string, lib *gates.Library) {
	if g.By != byPattern || g.Scope != ScopeGlobal {
		return
	}
	stops := func(e *Example) bool { return slices.Contains(g.Stops, e.ID) }
	homes := l.homes(stops)
	for _, home := range homes {
		n := *g
		n.Stops, n.Macro, n.Scope, n.Tried = nil, home, ScopeNode, g.Tried*len(homes)
		for i := range l.ex.Unsafe {
			if e := &l.ex.Unsafe[i]; stops(e) && !own(e, home) {
				n.Scope = ScopeSubtree
			}
		}
		l.measure(&n, lib)
		l.decide(&n, again, lib)
		if !l.opt.takes(n.Scope) || n.Unsafe < g.Unsafe {
			continue
		}
		if n.Disposition == Reject || n.Disposition == g.Disposition && n.good < g.good {
			*g = n
			return
		}
	}
}

func fmtLiterals(lits []literal) string {
	var b strings.Builder
	for _, l := range lits {
		b.WriteString(l.text)
		b.WriteByte(0)
	}
	return b.String()
}
