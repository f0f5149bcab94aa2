package merge

// Contexts are the tasks at one state: by the action before it, and by the one after
// it, End among them.
type Contexts map[string]map[string]int

// End stands for the end of a run among what came after a state.
const End = endKey

// tasks are the tasks of a state's steps.
func (g trigrams) tasks(mask Mask) Contexts {
	out := Contexts{}
	for before, row := range g {
		out[before] = map[string]int{}
		for next, c := range row {
			out[before][next] = int(c.in(mask).Tasks)
		}
	}
	return out
}

// Dependent are those of a family's states whose successors depend on what came
// before, sorted by their keys: the audit of requirement T8, for whoever has counted
// tasks without folds.
func Dependent(family string, states map[string]Contexts) []Alias {
	var all []Alias
	for _, key := range sortedKeys(states) {
		if tab := newTable(states[key]); tab.all >= aliasTraffic {
			a := Alias{Family: family, Key: key, Tasks: int(tab.all), Before: tab.rows}
			a.Statistic, a.Freedom, a.Information = tab.test()
			all = append(all, a)
		}
	}
	var out []Alias
	for _, a := range all {
		if a.dependent(len(all)) {
			out = append(out, a)
		}
	}
	return out
}

// dependent says whether the audit of so many states finds one aliased.
func (a *Alias) dependent(audited int) bool {
	return a.Information >= aliasShare && rejects(a.Statistic, a.Freedom, aliasLevel/float64(audited))
}
