package conditions

import (
	"cmp"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/gbt-policy/gbt/gates"
)

// Drawn are conditions on the same calls and arguments, whose needs are drawn by chance
// from what runs did.
func Drawn(list []gates.Condition, runs []Run, seed uint64) []gates.Condition {
	acts, args := doneIn(runs)
	random := rand.New(rand.NewPCG(seed, 1))
	list = slices.Clone(list)
	for i := range list {
		c := &list[i]
		c.Needs = slices.Clone(c.Needs)
		for k := range c.Needs {
			n := &c.Needs[k]
			if n.How == gates.HowSaid || len(acts) == 0 {
				continue
			}
			if n.Act = acts[random.IntN(len(acts))]; n.How == gates.HowSame {
				n.Arg = args[n.Act][random.IntN(len(args[n.Act]))]
			}
		}
	}
	return list
}

// doneIn lists what ended well in runs, and with which arguments.
func doneIn(runs []Run) (acts []string, args map[string][]string) {
	seen := map[slot]bool{}
	args = map[string][]string{}
	for i := range runs {
		for k := range runs[i].Steps {
			s := &runs[i].Steps[k]
			if s.Fact == nil {
				continue
			}
			for _, a := range s.args() {
				seen[slot{s.Act, a}] = true
			}
		}
	}
	for _, k := range slices.SortedFunc(maps.Keys(seen), compareSlots) {
		if k.arg == "" {
			acts = append(acts, k.act)
		}
		args[k.act] = append(args[k.act], k.arg)
	}
	return acts, args
}

// Predecessors are conditions as counting alone makes them: that what stood most often right
// before a call was done at all.
func Predecessors(runs []Run, least int) []gates.Condition {
	before := map[string]map[string]int{}
	tasks := map[string]map[uint64]bool{}
	for i := range runs {
		r := &runs[i]
		for k := range r.Steps {
			s := &r.Steps[k]
			if !r.Success || !s.Changes {
				continue
			}
			if before[s.Act] == nil {
				before[s.Act], tasks[s.Act] = map[string]int{}, map[uint64]bool{}
			}
			tasks[s.Act][r.Task] = true
			if k > 0 && r.Steps[k-1].Act != s.Act {
				before[s.Act][r.Steps[k-1].Act]++
			}
		}
	}
	var out []gates.Condition
	for _, act := range slices.Sorted(maps.Keys(before)) {
		if n := before[act]; len(tasks[act]) >= least && len(n) > 0 {
			top := slices.MaxFunc(slices.Sorted(maps.Keys(n)), func(a, b string) int { return cmp.Compare(n[a], n[b]) })
			out = append(out, gates.Condition{Act: act, Needs: []gates.Need{{How: gates.HowDid, Act: top}}})
		}
	}
	return out
}
