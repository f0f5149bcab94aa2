package traverse

import (
	"maps"
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/tree"
)

// slow is the second traverser: the obvious one. It keeps nothing but the list
// of what happened, and works out every answer from the beginning of the run,
// with linear searches and maps. Routing and matching are package tree's.
type slow struct {
	p      *Policy
	task   Task
	env    Env
	events []event
}

// event is a proposal, a check, or an executed call.
type event struct {
	kind    byte // 'p', 'c', 'o'
	prop    Proposal
	call    Call
	gated   gates.Disposition // of a check: what the gates say, retries left aside
	blocked bool              // it did not let the call pass
	family  string
	kinds   []string // what it is counted as if it passes
	stop    string   // and if it is stopped
	result  Result
}

// spot is a place: states and explicit nodes from the family's root.
type spot struct {
	family int32
	open   []tree.Candidate
	states []int32
	nodes  []int32
	gates  []map[string]bool // in force at each entry
	held   map[string]bool
}

// answer is what one event was answered with.
type answer struct {
	verdict  Verdict
	reason   string
	key      string
	node     int32
	lost     string
	lostAt   int64
	stopped  string
	gates    []string // of a check: the node-local gates to ask
	spine    []string
	up       int
	cost     int64
	way      []string
	rerooted bool
	refused  bool // of a check: no retry was left
}

// run is the state while the events are gone through.
type run struct {
	*slow
	vec          tree.Vec
	steer, guard spot
	routed       bool
	abstained    bool
	late         bool     // far, and not yet shown to be foreign
	began        []string // actions of the macros so far, no two alike in a row
	strange      int      // of the first two, known to no family open then
	steps        int64
	lost         string
	lostAt       int64
	stopped      string
	visits       []int32
	left, gone   map[int32]bool
	executed     []int32 // states of the macros that executed calls led to
	explored     int32
	tools, kinds map[string]uint32
	any          bool // a call was ever checked or executed

	open, proposed, changed, realised bool // of the macro under way
	verdict                           Verdict
	state, node                       int32
	key                               string
	calls, checks                     int

	idle      int
	plateau   int64
	gained    bool // the step under way changed something
	reads     map[int32]bool
	proposals map[string]bool
	window    []string

	since []event // checks since the macro under way began
	told  bool    // since the last proposal

	way   []int32
	at    int
	tries int
	why   string
	done  bool // the macro of the way was realised
}

// last works out the answer to the last event.
func (x *slow) last() answer {
	r := &run{slow: x, vec: x.p.enc.Embed(x.task.Text), left: map[int32]bool{}, gone: map[int32]bool{}, tools: map[string]uint32{}, kinds: map[string]uint32{},
		reads: map[int32]bool{}, proposals: map[string]bool{}, state: -1, node: -1}
	route := x.p.view.Route(&tree.Ask{Vec: r.vec, Known: x.p.enc.Known(x.task.Text), Offered: x.env.Tools}, &x.p.art.Params)
	r.routed, r.abstained, r.late = route.OK(), route.Abstain != "", route.Late
	if !r.routed {
		r.lost = "not-routed"
	}
	for _, s := range []*spot{&r.steer, &r.guard} {
		s.family, s.open, s.held = -1, route.Open, map[string]bool{}
		if len(route.Open) == 1 {
			r.root(s, route.Open[0].Family)
		}
	}
	if !r.routed {
		r.steer = spot{family: -1}
	}
	var a answer
	for _, e := range x.events {
		a = answer{node: -1}
		switch e.kind {
		case 'p':
			r.propose(&e.prop, &a)
		case 'c':
			r.check(&e, &a)
		case 'o':
			r.observe(&e)
		}
	}
	a.lost, a.lostAt, a.stopped = r.lost, r.lostAt, r.stopped
	if r.late && r.routed && len(r.began) < 2 && r.lost == "" {
		a.lost = "not-routed" // steered after one macro, covered after two
	}
	for _, s := range r.visits {
		a.spine = append(a.spine, x.p.view.States[s].Key)
	}
	return a
}

func (r *run) root(s *spot, family int32) {
	f := &r.p.view.Families[family]
	s.family, s.open, s.states, s.nodes = family, nil, []int32{f.Start}, []int32{f.Node}
	s.gates = []map[string]bool{r.gatesOf(s, nil, f.Start, f.Node)}
}

// gatesOf collects gates one by one: of the node and all above it, or of the
// place before; of every node of the same action that has some of its own.
func (r *run) gatesOf(s *spot, before map[string]bool, state, node int32) map[string]bool {
	v, out := r.p.view, map[string]bool{}
	if node < 0 {
		maps.Copy(out, before)
	} else {
		maps.Copy(out, s.held)
		for n := node; n >= 0; n = v.Nodes[n].Parent {
			for _, g := range v.Nodes[n].Gates {
				out[g] = true
			}
		}
	}
	for i := range v.Nodes {
		n := &v.Nodes[i]
		if n.State >= 0 && v.Whole(n.State) == v.Whole(state) {
			for _, g := range n.Gates {
				if !slices.Contains(v.Nodes[n.Parent].Gates, g) {
					out[g] = true
				}
			}
		}
	}
	return out
}

func (r *run) children(s *spot) []tree.Child {
	pos := tree.Pos{Family: s.family, Node: -1, Spine: s.states, Open: s.open}
	if len(s.nodes) > 0 {
		pos.Node = s.nodes[len(s.nodes)-1]
	}
	return r.p.view.Children(&pos, &r.p.art.Params)
}

func (s *spot) adrift() bool { return s.family < 0 && len(s.open) == 0 }

// lead finds where an action leads: "same", "child", "elsewhere", "generic", "".
func (r *run) lead(s *spot, a call.Action) (string, tree.Child) {
	v := r.p.view
	if s.adrift() {
		return "", tree.Child{}
	}
	if n := len(s.states); n > 0 && v.States[s.states[n-1]].Action() == a.Key {
		return "same", tree.Child{State: s.states[n-1], Node: s.nodes[n-1]}
	}
	pick := func(fits func(*tree.State) bool) (best tree.Child, ok bool) {
		for _, c := range r.children(s) {
			if fits(&v.States[c.State]) && (!ok || c.Likelihood() > best.Likelihood()) {
				best, ok = c, true
			}
		}
		return best, ok
	}
	if c, ok := pick(func(x *tree.State) bool { return !x.Generic && x.Action() == a.Key }); ok {
		return "child", c
	}
	family := s.family
	if family < 0 {
		family = s.open[0].Family
	}
	for i := range v.States {
		if x := &v.States[i]; x.Family == family && x.Key == a.Key && !x.Generic {
			return "elsewhere", tree.Child{State: int32(i), Node: -1}
		}
	}
	if c, ok := pick(func(x *tree.State) bool { return x.Generic && x.Delta == a.Delta }); ok {
		return "generic", c
	}
	return "", tree.Child{}
}

func (r *run) enter(s *spot, c tree.Child) {
	if s.family < 0 {
		r.root(s, r.p.view.States[c.State].Family)
	}
	s.gates = append(s.gates, r.gatesOf(s, s.gates[len(s.gates)-1], c.State, c.Node))
	s.states, s.nodes = append(slices.Clone(s.states), c.State), append(slices.Clone(s.nodes), c.Node)
}

func (r *run) loses(why string) {
	if r.lost == "" {
		r.lost, r.lostAt = why, r.steps
	}
}

func (r *run) propose(pr *Proposal, a *answer) {
	r.since, r.told = nil, true
	p := &r.p.art.Params
	if r.stopped == "" || strings.HasPrefix(r.stopped, "stall:") {
		switch {
		case r.steps >= 50:
			r.stopped = "max-steps"
		case r.plateau >= 8:
			r.stopped = "plateau"
		}
	}
	if r.stopped != "" {
		a.verdict, a.reason = Stall, r.stopped
		if strings.HasPrefix(r.stopped, "stall:") { // this one counts all the same
			r.end()
			r.another()
		}
		return
	}
	r.end()
	r.another()
	if r.steps > 1 && (r.steps-1)%int64(p.RouteEvery) == 0 {
		r.reroute(a)
	}
	if r.way != nil && r.forward(a) {
		return
	}
	key := ""
	if pr.Tool != "" {
		act := call.ActionOf(pr.Tool, string(pr.Args))
		if (act.Key != "think" && act.Key != "cd") || pr.Text == "" {
			key = act.Key
		}
	}
	if why := r.stuck(pr, key); why != "" && r.out(why, a) {
		return
	}
	if r.steer.adrift() {
		r.begin(Explore, -1, -1)
		a.verdict, a.reason = Explore, "not-routed"
		return
	}
	r.match(pr, key, a)
}

// another counts a step, and for how many in a row nothing changed.
func (r *run) another() {
	r.plateau++
	if r.gained || r.steps == 0 {
		r.plateau = 0
	}
	r.gained = false
	r.steps++
}

func (r *run) match(pr *Proposal, key string, a *answer) {
	p := &r.p.art.Params
	prop := tree.Proposal{Text: pr.Text, Key: key}
	if key == "" {
		prop.Vec = r.p.enc.Embed(pr.Text)
	} else {
		prop.Kind = call.ActionOf(pr.Tool, string(pr.Args)).Delta
	}
	ms := r.p.view.Match(r.children(&r.steer), &prop, p)
	why := ""
	switch {
	case len(ms.Ranked) == 0:
		why = "no-children"
	case ms.Posterior < p.ThetaLow && key != "":
		why = "unmatched"
	case ms.Posterior < p.ThetaLow:
		why = "below-theta-low"
	}
	if why != "" {
		r.loses(why)
		r.explored++
		if r.explored > p.ExploreBudget && r.out("explore-budget", a) {
			return
		}
		r.begin(Explore, -1, -1)
		a.verdict, a.reason = Explore, why
		return
	}
	c := ms.Ranked[0]
	a.verdict = Advance
	if ms.Posterior < p.ThetaHigh {
		a.verdict, a.reason = Fragile, "below-theta-high"
	}
	if c.Via == tree.ViaGeneric {
		a.verdict, a.reason = Fragile, "generic"
		r.loses("generic")
	}
	a.key, a.node = r.p.view.States[c.State].Key, c.Node
	r.begin(a.verdict, c.State, c.Node)
}

func (r *run) begin(v Verdict, state, node int32) {
	r.open, r.proposed, r.changed, r.realised = true, true, false, false
	r.verdict, r.state, r.node, r.key, r.calls, r.checks = v, state, node, "", 0, 0
}

// end closes the macro under way.
func (r *run) end() {
	if !r.open {
		return
	}
	if r.proposed && r.state >= 0 && !r.any {
		r.realised, r.done = true, true
		r.enter(&r.steer, tree.Child{State: r.state, Node: r.node})
		r.visits = append(r.visits, r.state)
	}
	var at *tree.State
	if n := len(r.guard.states); n > 0 {
		at = &r.p.view.States[r.guard.states[n-1]]
	}
	switch {
	case r.changed:
		r.reads, r.idle, r.proposals = map[int32]bool{}, 0, map[string]bool{}
	case r.calls > 0 && at != nil && at.Delta == effect.DeltaNone && !at.Generic && !r.reads[r.guard.states[len(r.guard.states)-1]]:
		r.reads[r.guard.states[len(r.guard.states)-1]] = true
		r.idle, r.proposals = 0, map[string]bool{}
	default:
		r.idle++
	}
	r.open, r.proposed, r.changed, r.realised = false, false, false, false
	r.state, r.node, r.key, r.calls, r.checks = -1, -1, "", 0, 0
}

func (r *run) stuck(pr *Proposal, key string) string {
	c := canonical(pr, key, r.p.checker)
	again := c != "" && r.proposals[c]
	if c != "" {
		r.proposals[c] = true
	}
	if r.idle >= 3 {
		return "no-delta"
	}
	blocks := map[string]int{}
	for _, f := range r.window[max(0, len(r.window)-5):] {
		if blocks[f]++; f != "" && blocks[f] == 3 {
			return "gate-loop"
		}
	}
	if again {
		return "plan-loop"
	}
	return ""
}

// out looks for a way out of a stall.
func (r *run) out(why string, a *answer) bool {
	r.idle, r.reads, r.proposals, r.window = 0, map[int32]bool{}, map[string]bool{}, nil
	if !r.plan(a) {
		a.verdict, a.reason = Stall, why
		r.stopped = "stall:" + why
		return true
	}
	r.loses("recovery")
	r.why, r.at, r.tries, r.done = why, -1, 0, true
	return r.forward(a)
}

func (r *run) forward(a *answer) bool {
	if r.done {
		r.at, r.tries, r.done = r.at+1, 0, false
	}
	if r.at == len(r.way) {
		r.way = nil
		r.idle, r.reads, r.proposals, r.window = 0, map[int32]bool{}, map[string]bool{}, nil
		return false
	}
	if r.tries++; r.tries > 3 {
		r.way, r.stopped = nil, "stall:recovery-not-followed"
		a.verdict, a.reason = Stall, "recovery-not-followed"
		return true
	}
	n := r.way[r.at]
	s := r.p.view.Nodes[n].State
	r.begin(Recover, s, n)
	a.verdict, a.reason, a.key, a.node = Recover, r.why, r.p.view.States[s].Key, n
	return true
}

// plan tries every leaf from every source, level by level of the spine.
func (r *run) plan(a *answer) bool {
	if r.steer.adrift() {
		return false
	}
	if r.steer.family < 0 {
		r.steer.held = map[string]bool{}
		r.root(&r.steer, r.steer.open[0].Family)
	}
	v := r.p.view
	for up := 0; up < len(r.steer.states); up++ {
		at := len(r.steer.states) - 1 - up
		sources := []int32{r.steer.nodes[at]}
		if sources[0] < 0 {
			sources = nil
			for i := range v.Nodes {
				if v.Nodes[i].State == r.steer.states[at] {
					sources = append(sources, int32(i))
				}
			}
		}
		type found struct {
			cost int64
			sim  int64
			leaf int32
			from int32
			way  []int32
		}
		var all []found
		for _, from := range sources {
			for i := range v.Leaves {
				l := &v.Leaves[i]
				way, cost, ok := r.between(from, l.Node)
				if ok && r.near(l) {
					best := int64(math.MinInt32)
					for _, t := range l.Tasks {
						best = max(best, int64(math.Round(tree.Cos(r.vec, t.Vec)*1000)))
					}
					all = append(all, found{cost, -best, l.Node, from, way})
				}
			}
		}
		if len(all) == 0 {
			continue
		}
		if len(all) > 50 {
			panic("the oracle does not know more than 50 leaves")
		}
		sort.SliceStable(all, func(i, j int) bool {
			x, y := all[i], all[j]
			return slices.Compare([]int64{x.cost, x.sim, int64(x.leaf), int64(x.from)}, []int64{y.cost, y.sim, int64(y.leaf), int64(y.from)}) < 0
		})
		top := all[0]
		r.way = top.way
		a.up, a.cost = up, top.cost+int64(up)*1000
		for _, n := range top.way {
			a.way = append(a.way, v.States[v.Nodes[n].State].Key)
		}
		s := &r.steer
		s.states, s.nodes, s.gates = slices.Clone(s.states[:at+1]), slices.Clone(s.nodes[:at+1]), s.gates[:at+1]
		s.nodes[at] = top.from
		return true
	}
	return false
}

// between is the way down from a node to another, if it is short and feasible.
func (r *run) between(from, to int32) (way []int32, cost int64, ok bool) {
	v, p := r.p.view, &r.p.art.Params
	for n := to; n != from; n = v.Nodes[n].Parent {
		if n < from || n <= 0 {
			return nil, 0, false
		}
		way = append([]int32{n}, way...)
		cost += 1000 + int64(p.Lambda)*int64(v.States[v.Nodes[n].State].Risk)
	}
	if len(way) == 0 || len(way) > int(p.MaxRecovery) {
		return nil, 0, false
	}
	been := map[int32]bool{v.Whole(v.Nodes[from].State): true}
	for _, s := range append(slices.Clone(r.visits), r.steer.states...) {
		been[v.Whole(s)] = true
	}
	for _, n := range way {
		pre := &v.States[v.Nodes[n].State].Pre
		for _, s := range pre.After {
			if !been[v.Whole(s)] {
				return nil, 0, false
			}
		}
		offered := r.env.Tools == nil || len(pre.Tools) == 0
		for _, t := range r.env.Tools {
			offered = offered || slices.Contains(pre.Tools, t)
		}
		if !offered {
			return nil, 0, false
		}
		been[v.Whole(v.Nodes[n].State)] = true
	}
	return way, cost, true
}

// near compares environments.
func (r *run) near(l *tree.Leaf) bool {
	if len(l.Env) == 0 {
		return true
	}
	var count [tree.EnvDims]uint32
	for name, n := range r.tools {
		count[tree.EnvIndex("tool", name)] += n
	}
	for name, n := range r.kinds {
		count[tree.EnvIndex("delta", name)] += n
	}
	top := slices.Max(count[:])
	if top == 0 {
		return true
	}
	var v tree.Vec
	for _, n := range count {
		v = append(v, int8((uint64(n)*127+uint64(top)/2)/uint64(top)))
	}
	return tree.Milli(math.Round(tree.Cos(v, l.Env)*1000)) >= r.p.art.Params.EnvCos
}

// reroute asks the router again, for the steering spot.
func (r *run) reroute(a *answer) {
	if r.abstained {
		return
	}
	if to := r.better(&r.steer, r.visits, r.left); to >= 0 {
		r.loses("re-rooted")
		r.way = nil
		a.rerooted = true
		r.move(&r.steer, to)
	}
}

func (r *run) move(s *spot, to int32) {
	if n := len(s.gates); n > 0 {
		s.held = s.gates[n-1]
	}
	r.root(s, to)
}

// better is the family that a spot should move to, -1 for none.
func (r *run) better(at *spot, visits []int32, left map[int32]bool) int32 {
	v, p := r.p.view, &r.p.art.Params
	vec := r.vec
	if len(visits) > 0 {
		var each []tree.Vec
		for _, s := range visits {
			each = append(each, tree.Mean(v.States[s].Vecs...))
		}
		vec = tree.Blend(r.vec, 2, tree.Mean(each...), 1)
	}
	open := *p
	open.RouteAbstain, open.RouteKeep = 1, 0
	scores := v.RouteScores(vec, r.env.Tools, p)
	share := func(f int32) tree.Milli {
		sum := 0.0
		top := slices.Max(scores)
		for _, s := range scores {
			if !math.IsInf(s, -1) {
				sum += math.Exp((s - top) / p.RouteTemperature.Float())
			}
		}
		if math.IsInf(scores[f], -1) {
			return 0
		}
		return tree.Milli(math.Round(1000 * (math.Exp((scores[f]-top)/p.RouteTemperature.Float()) / sum)))
	}
	to := int32(-1)
	for f := range scores {
		if s := share(int32(f)); s > 0 && (to < 0 || s > share(to)) {
			to = int32(f)
		}
	}
	if to < 0 || share(to) < p.RouteAbstain || left[to] || to == at.family {
		return -1
	}
	if !at.adrift() {
		if at.family < 0 || share(to)-share(at.family) < p.RouteSwitch {
			return -1
		}
		left[at.family] = true
	}
	return to
}

func (r *run) check(e *event, a *answer) {
	act := call.ActionOf(e.call.Tool, string(e.call.Args))
	counted := act.Key != "think" && act.Key != "cd"
	if r.stopped == "" || strings.HasPrefix(r.stopped, "stall:") {
		if begins := counted && !r.told && act.Key != r.key; begins && r.steps >= 50 {
			r.stopped = "max-steps"
		} else if begins && r.plateau >= 8 {
			r.stopped = "plateau"
		}
	}
	var g map[string]bool
	if n := len(r.guard.gates); n > 0 {
		g = r.guard.gates[n-1]
	}
	if counted {
		if how, c := r.lead(&r.guard, act); how != "same" && how != "" {
			g = r.gatesAfter(&r.guard, c, g)
		}
	}
	a.gates = slices.Sorted(maps.Keys(g))
	r.any = true
	r.checks++
	family := ""
	if e.blocked {
		family = e.family
	}
	r.window = append(r.window, family)
	a.refused = r.spent(e)
	r.since = append(r.since, *e)
}

// spent goes through the checks of the macro: four of a kind were stopped since
// one of it was approved.
func (r *run) spent(now *event) bool {
	n := map[string]int{}
	gone := func(e *event) bool { return slices.ContainsFunc(e.kinds, func(k string) bool { return n[k] == 4 }) }
	for i := range r.since {
		e := &r.since[i]
		switch {
		case gone(e):
		case e.gated == gates.Approved:
			for _, k := range e.kinds {
				n[k] = 0
			}
		case e.gated < gates.ApprovedWithConstraints:
			n[e.stop]++
		}
	}
	return gone(now)
}

func (r *run) gatesAfter(s *spot, c tree.Child, now map[string]bool) map[string]bool {
	if s.family >= 0 {
		return r.gatesOf(s, now, c.State, c.Node)
	}
	return r.gatesOf(s, map[string]bool{}, c.State, c.Node)
}

func (r *run) observe(e *event) {
	r.any = true
	act := call.ActionOf(e.call.Tool, string(e.call.Args))
	if act.Key != "think" && act.Key != "cd" {
		r.follow(act)
	}
	r.tools[e.call.Tool]++
	if e.result.Error == "" && act.Delta != effect.DeltaNone {
		r.changed, r.gained = true, true
	}
}

// foreign takes the tree away from a run whose first two macros no family knows, or,
// of a task that is far, one of whose first two is not offered; it says whether the
// first one of such a task gives the run the tree.
func (r *run) foreign(key, how string) bool {
	if !r.routed && !r.late || r.p.art.Params.RouteNear == 0 || len(r.began) > 0 && r.began[len(r.began)-1] == key {
		return false
	}
	r.began = append(r.began, key)
	if len(r.began) > 2 {
		return false
	}
	if r.late {
		if how == "child" {
			return len(r.began) == 1
		}
		r.away()
		r.late = false
		return false
	}
	known := false
	for _, s := range r.p.view.States {
		here := s.Family == r.steer.family
		for _, o := range r.steer.open {
			here = here || s.Family == o.Family
		}
		known = known || here && s.Key == key && !s.Generic
	}
	if known {
		return false
	}
	if r.strange++; r.strange == 2 {
		r.away()
	}
	return false
}

func (r *run) away() {
	r.loses("not-routed")
	r.routed, r.abstained, r.way = false, true, nil
	r.steer = spot{family: -1}
}

func (r *run) follow(a call.Action) {
	if a.Key == r.key {
		r.calls++
		return
	}
	if !r.proposed {
		r.end()
		if !r.told {
			r.another()
			r.since = nil
		}
		r.begin(Explore, -1, -1)
		r.proposed = false
	}
	r.calls++
	r.key = a.Key
	r.kinds[a.Delta.String()]++
	mine := r.state >= 0 && r.p.view.States[r.state].Action() == a.Key
	r.realised = r.realised || mine
	how, c := r.lead(&r.guard, a)
	claimed := r.foreign(a.Key, how)
	if how != "same" && how != "" {
		r.enter(&r.guard, c)
		if claimed {
			r.routed, r.abstained, r.lost, r.lostAt = true, false, "", 0
			r.steer = r.guard
			r.steer.gates = slices.Clone(r.guard.gates)
			r.visits = append(r.visits, c.State)
		}
		r.executed = append(r.executed, c.State)
		if len(r.executed)%int(r.p.art.Params.RouteEvery) == 0 {
			if to := r.better(&r.guard, r.executed, r.gone); to >= 0 {
				r.move(&r.guard, to)
			}
		}
	}
	if r.way != nil {
		if mine && !r.done {
			r.enter(&r.steer, tree.Child{State: r.state, Node: r.node})
			r.visits = append(r.visits, r.state)
			r.done = true
		}
		return
	}
	if claimed {
		return
	}
	how, c = r.lead(&r.steer, a)
	if how == "same" && r.realised && r.state >= 0 && r.calls == 1 {
		how, c = "child", tree.Child{State: r.state, Node: r.node}
	}
	if how != "same" && how != "" {
		r.enter(&r.steer, c)
		r.visits = append(r.visits, c.State)
	}
	if why := map[string]string{"": "unmatched", "elsewhere": "unmatched", "generic": "generic"}[how]; why != "" && r.routed {
		r.loses(why)
	}
}
