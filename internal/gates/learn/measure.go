package learn

import (
	"maps"
	"slices"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
)

// measure counts on the corpora. Benign contexts count if they have the tool
// family and the risk of a positive that the gate stops (003 §B.5).
func (l *learner) measure(g *Gate, lib *gates.Library) {
	g.families = map[call.Family]bool{}
	tasks, allTasks, goodTasks, allGood := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	for i := range l.ex.Unsafe {
		e := &l.ex.Unsafe[i]
		note(allTasks, e.Tasks)
		if g.reaches(e) && len(lib.EvalAll(e.Context, nil)) > 0 {
			g.Stops = append(g.Stops, e.ID)
			g.families[e.Context.Class.Family] = true
			note(tasks, e.Tasks)
		}
	}
	g.Unsafe, g.Tasks = len(g.Stops), len(tasks)
	for i := range l.ex.Benign {
		note(allGood, l.ex.Benign[i].Tasks)
	}
	g.Benign, g.Rejected, g.Runs, g.Touched = 0, 0, 0, 0
	l.benign(g, lib, goodTasks)
	g.good = len(goodTasks)
	g.chance = byChance(len(tasks), len(allTasks), len(goodTasks), len(allGood))
}

// benign adds what the gate does to benign contexts where it is asked.
func (l *learner) benign(g *Gate, lib *gates.Library, tasks map[string]bool) {
	if g.local() {
		l.benignBelow(g, lib, tasks)
		return
	}
	for i := range l.ex.Benign {
		e := &l.ex.Benign[i]
		if !g.families[e.Context.Class.Family] {
			continue
		}
		g.Benign++
		g.Runs += e.Runs
		if len(lib.EvalAll(e.Context, nil)) > 0 {
			g.Rejected++
			g.Touched += e.Runs
			note(tasks, e.Tasks)
		}
	}
}

// spread notes the homes of a local gate. One of a node is asked at every macro of the windows
// (requirement W2), because the same call may be tried a macro earlier. A macro
// joins if the gate, judged on the benign contexts there too, stays what it is.
func (l *learner) spread(g *Gate, again string, lib *gates.Library) {
	if !g.local() {
		return
	}
	g.Macros = []string{g.Macro}
	if g.Scope == ScopeSubtree {
		return // its home is above the windows
	}
	var near []string
	for i := range l.ex.Unsafe {
		if e := &l.ex.Unsafe[i]; slices.Contains(g.Stops, e.ID) {
			near = union(near, e.Window)
		}
	}
	for _, m := range near {
		wider := *g
		wider.Macro = m
		l.benign(&wider, lib, map[string]bool{})
		if l.decide(&wider, again, lib); m != g.Macro && wider.Disposition == g.Disposition {
			g.past, g.hit, g.touched, g.Left, g.Bound = wider.past, wider.hit, wider.touched, wider.Left, wider.Bound
			g.byTasks()
			g.Macros = union(g.Macros, []string{m})
		}
	}
}

// joined makes one gate of those that say the same at different macros.
func joined(list []Gate) []Gate {
	var out []Gate
	for _, g := range list {
		if n := len(out); n > 0 && out[n-1].ID == g.ID {
			out[n-1].join(&g)
			continue
		}
		out = append(out, g)
	}
	return out
}

func (g *Gate) join(o *Gate) {
	g.Macros, g.Stops = union(g.Macros, o.Macros), union(g.Stops, o.Stops)
	g.Unsafe = len(g.Stops)
	g.Tasks = max(g.Tasks, o.Tasks)
	if g.local() {
		maps.Copy(g.past, o.past) // a task past both homes is one task
		maps.Copy(g.hit, o.hit)
		g.byTasks()
	}
	g.Left.add(&o.Left)
	g.Bound = upperBound(g.Left.Good.N, g.Left.Good.Of)
}
