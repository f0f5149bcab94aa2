package mine

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/internal/gates/learn"
	"github.com/gbt-policy/gbt/tree"
)

// family chooses the checks of a family's leaves: from the runs that end there, else from
// those that end with the same macro, else from all of the family.
func (m *miner) family(index int32, all []*record) {
	f := &m.tree.Families[index]
	table := &table{family: f, at: map[tree.Proof]int32{}}
	whole := m.choose(all, all)
	byEnd, byJudge := map[string]chosen{}, map[string][]tree.Proof{}
	for i := range m.tree.Leaves {
		l := &m.tree.Leaves[i]
		s := &m.tree.States[m.tree.Nodes[l.Node].State]
		if s.Family != index {
			continue
		}
		here := at(all, l.Node, m.tree.Nodes[l.Node].Parent)
		action := s.Action()
		if _, ok := byEnd[action]; !ok {
			byEnd[action] = m.choose(ending(all, action), all)
		}
		judges := m.judges(all, l.Node, byJudge)
		for _, c := range []chosen{m.choose(here, here), byEnd[action], whole, {}} {
			own := m.own(merged(c.list, judges), here)
			if l.Proofs = table.add(own); len(l.Proofs) > 0 {
				l.Decides = c.decides && len(m.own(c.list, here)) == len(c.list)
				break
			}
		}
		m.tell(f, l)
	}
	m.found.Checks += len(f.Proofs)
}

func (m *miner) tell(f *tree.Family, l *tree.Leaf) {
	if len(l.Proofs) == 0 {
		return
	}
	m.found.Leaves++
	if slices.ContainsFunc(l.Proofs, func(i int32) bool { return f.Proofs[i].Refuted() }) {
		m.found.Refuted++
	}
	if l.Decides {
		m.found.Decides++
	}
}

// at are the successes that end at a node, and the unsuccessful runs that came by its
// parent.
func at(all []*record, node, parent int32) []*record {
	var out []*record
	for _, r := range all {
		switch {
		case r.success && r.leaf && len(r.way) > 0 && r.way[len(r.way)-1] == node, !r.success && slices.Contains(r.way, parent):
			out = append(out, r)
		}
	}
	return out
}

// ending are the successes that end with an action, and the unsuccessful runs that did it.
func ending(all []*record, action string) []*record {
	var out []*record
	for _, r := range all {
		if r.success && r.last == action || !r.success && r.actions[action] {
			out = append(out, r)
		}
	}
	return out
}

// judges are the commands that the runs judge themselves by which do what runs on the way to
// a node do: whoever runs tests at all mostly runs the same.
func (m *miner) judges(all []*record, node int32, known map[string][]tree.Proof) []tree.Proof {
	var out []tree.Proof
	for ; node > tree.Root; node = m.tree.Nodes[node].Parent {
		action := m.tree.States[m.tree.Nodes[node].State].Action()
		list, ok := known[action]
		if !ok {
			list = m.commands(all, action)
			known[action] = list
		}
		out = merged(out, list)
	}
	return out
}

// commands are those of an action that the runs which do it have in common.
func (m *miner) commands(all []*record, action string) []tree.Proof {
	var here []*record
	for _, r := range all {
		if r.actions[action] {
			here = append(here, r)
		}
	}
	g := &greedy{m: m}
	tasks := map[uint64]bool{}
	for _, r := range here {
		if r.success {
			tasks[r.task] = true
		}
	}
	for key, text := range m.keys {
		p := proofOf(text)
		if p.Kind != tree.ProofCommand || call.ActionOf("bash", argsOf(p.Subject)).Key != action {
			continue
		}
		if c := m.weigh(int32(key), here); c.tasks >= max(m.opt.MinTasks, (len(tasks)+1)/2) && g.fits(c.lost, c.tasks) {
			g.all = append(g.all, c)
		}
	}
	return g.hosted(0)
}

// merged is a list with what it lacks of another, as far as there is room.
func merged(list, more []tree.Proof) []tree.Proof {
	out := slices.Clone(list)
	for _, p := range more {
		same := func(q tree.Proof) bool { return keyOf(&p) == keyOf(&q) }
		if len(out) < tree.MaxLeafProofs && !slices.ContainsFunc(out, same) {
			out = append(out, p)
		}
	}
	return out
}

// own leaves out what most of a leaf's own tasks do not pass.
func (m *miner) own(list []tree.Proof, here []*record) []tree.Proof {
	return slices.DeleteFunc(slices.Clone(list), func(p tree.Proof) bool {
		c := m.weigh(m.at[keyOf(&p)], here)
		return 2*c.passed <= c.tasks && c.tasks > 0
	})
}

// candidate is a check among the runs of a place.
type candidate struct {
	key           int32
	passed, tasks int
	early         int
	lost          map[uint64]bool // tasks that do not pass
	caught        map[*record]bool
	against       int
}

// weigh looks at one check. A call that a run did not show fails there; a command that a run
// did not execute says nothing.
func (m *miner) weigh(key int32, here []*record) candidate {
	c := candidate{key: key, lost: map[uint64]bool{}, caught: map[*record]bool{}}
	hosted := asked(m.keys[key])
	tasks, early := map[uint64]bool{}, map[uint64]bool{}
	for _, r := range here {
		known := !hosted || r.passed[key] || r.failed[key]
		switch {
		case !known:
		case !r.success:
			c.against++
			if !r.passed[key] {
				c.caught[r] = true
			}
		default:
			tasks[r.task] = true
			if !r.passed[key] {
				c.lost[r.task] = true
			}
			if r.early[key] {
				early[r.task] = true
			}
		}
	}
	c.tasks, c.passed, c.early = len(tasks), len(tasks)-len(c.lost), len(early)
	return c
}

// asked says whether a check says nothing of a run that did not ask for it: one that the
// host executes, and one of all values of a kind, which a task may not have.
func asked(key string) bool {
	return key[0] != '0'+byte(tree.ProofCall) || strings.Contains(key, "\x1f{every ")
}

func (m *miner) proof(c *candidate) tree.Proof {
	p := proofOf(m.keys[c.key])
	p.Passed, p.Tasks, p.Failed, p.Against, p.Early = uint32(c.passed), uint32(c.tasks), uint32(len(c.caught)), uint32(c.against), uint32(c.early)
	return p
}

// choose picks the checks of the runs of a place: the successes among here, and the
// unsuccessful runs among them. Where there are none of these, those of wider stand for them.
func (m *miner) choose(here, wider []*record) chosen {
	tasks, failures := map[uint64]bool{}, 0
	for _, r := range here {
		if r.success {
			tasks[r.task] = true
		} else {
			failures++
		}
	}
	if len(tasks) < m.opt.MinTasks {
		return chosen{}
	}
	if failures == 0 {
		here = slices.Clone(here)
		for _, r := range wider {
			if !r.success {
				here = append(here, r)
				failures++
			}
		}
	}
	g := &greedy{m: m, tasks: len(tasks), failures: failures, lost: map[uint64]bool{}, caught: map[*record]bool{}}
	for key := range m.keys {
		if c := m.weigh(int32(key), here); c.tasks >= max(m.opt.MinTasks, (len(tasks)+1)/2) && g.fits(c.lost, c.tasks) {
			g.all = append(g.all, c)
		}
	}
	list := g.pick()
	return chosen{list, len(g.caught) > 0 && m.decides(list, here)}
}

// chosen are the checks of a place.
type chosen struct {
	list    []tree.Proof
	decides bool
}

// decides says whether the checks tell successes from other runs: enough of the tasks with
// a run that passes all of them are successes, as sure as so few allow to say.
func (m *miner) decides(list []tree.Proof, here []*record) bool {
	right, wrong := map[uint64]bool{}, map[uint64]bool{}
	for _, r := range here {
		passes := !slices.ContainsFunc(list, func(p tree.Proof) bool { return !r.passed[m.at[keyOf(&p)]] })
		switch {
		case passes && r.success:
			right[r.task] = true
		case passes:
			wrong[r.task] = true
		}
	}
	n := len(right) + len(wrong)
	return n > 0 && 1-learn.Bound(len(wrong), n) >= m.opt.Sure
}

// greedy chooses checks one by one.
type greedy struct {
	m               *miner
	all             []candidate
	tasks, failures int
	lost            map[uint64]bool
	caught          map[*record]bool
}

// fits says whether, with so many tasks lost, enough pass.
func (g *greedy) fits(lost map[uint64]bool, tasks int) bool {
	return 1-learn.Bound(len(lost), tasks) >= g.m.opt.Least
}

func (g *greedy) pick() []tree.Proof {
	var out []tree.Proof
	for len(out) < tree.MaxLeafProofs {
		best, most := -1, 0.0
		for i := range g.all {
			if gain := g.gain(&g.all[i]); gain > most {
				best, most = i, gain
			}
		}
		if best < 0 {
			break
		}
		out = append(out, g.take(best))
	}
	return append(out, g.hosted(len(out))...)
}

// gain is the share of the unsuccessful runs that a check catches and none before it, less
// the share of the tasks that it loses; nothing where too few would be left.
func (g *greedy) gain(c *candidate) float64 {
	lost, caught := map[uint64]bool{}, 0
	for t := range g.lost {
		lost[t] = true
	}
	before := len(lost)
	for t := range c.lost {
		lost[t] = true
	}
	for r := range c.caught {
		if !g.caught[r] {
			caught++
		}
	}
	if caught == 0 || !g.fits(lost, g.tasks) {
		return 0
	}
	return float64(caught)/float64(g.failures) - float64(len(lost)-before)/float64(g.tasks)
}

func (g *greedy) take(i int) tree.Proof {
	c := g.all[i]
	for t := range c.lost {
		g.lost[t] = true
	}
	for r := range c.caught {
		g.caught[r] = true
	}
	g.all = slices.Delete(g.all, i, i+1)
	return g.m.proof(&c)
}

// maxHosted is how many checks of a place the host executes that catch no run: each may
// take as long as all tests.
const maxHosted = 2

// hosted adds checks that the host executes and that catch nobody: the run itself will
// show whether they can fail.
func (g *greedy) hosted(n int) []tree.Proof {
	slices.SortStableFunc(g.all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.early, a.early), cmp.Compare(b.passed, a.passed))
	})
	var out []tree.Proof
	for i := range g.all {
		p := g.m.proof(&g.all[i])
		if p.Kind != tree.ProofCall && len(out) < maxHosted && n+len(out) < tree.MaxLeafProofs {
			out = append(out, p)
		}
	}
	return out
}

// table is the checks of a family, each once.
type table struct {
	family *tree.Family
	at     map[tree.Proof]int32
}

// add returns where the checks of a list stand; nothing if they have no room.
func (t *table) add(list []tree.Proof) []int32 {
	var out []int32
	fresh := 0
	for _, p := range list {
		if _, ok := t.at[p]; !ok {
			fresh++
		}
	}
	if len(t.family.Proofs)+fresh > tree.MaxProofs {
		return nil
	}
	for _, p := range list {
		i, ok := t.at[p]
		if !ok {
			i = int32(len(t.family.Proofs))
			t.at[p], t.family.Proofs = i, append(t.family.Proofs, p)
		}
		out = append(out, i)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
