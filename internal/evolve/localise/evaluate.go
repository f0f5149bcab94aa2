package localise

import (
	"hash/fnv"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Labelled is a failed run whose failing step somebody named.
type Labelled struct {
	Task   string // runs of one task are held out together
	Source string // where it comes from; sources are held out in turn too
	Actors []string
	Case
}

// Folds is in how many parts the tasks are held out.
const Folds = 5

// Accuracy is how often a guess was right: the step itself, at most one and three
// steps away, and the actor of the step.
type Accuracy struct {
	Method string  `json:"method"`
	Exact  float64 `json:"exact"`
	Within float64 `json:"within_1"`
	Near   float64 `json:"within_3"`
	Actor  float64 `json:"actor"`
}

// Table is the accuracy of all methods on the same runs.
type Table struct {
	Source  string     `json:"source"` // empty for all
	Runs    int        `json:"runs"`
	Steps   float64    `json:"steps"` // the mean of a run
	Methods []Accuracy `json:"methods"`
	Paired  Paired     `json:"paired"`
	// Elsewhere is on how many runs MethodForeign was fitted: those of the other
	// sources, less the tasks that this one has too. 0 in the table of all.
	Elsewhere int `json:"fitted_elsewhere"`
}

// Paired compares the clues with the most common step, run by run, on the exact
// step.
type Paired struct {
	Better int     `json:"better"` // runs whose step the clues name alone
	Worse  int     `json:"worse"`  // runs whose step the most common one is alone
	P      float64 `json:"p"`      // of a difference as large if neither were better: exact, two-sided sign test
}

// pair counts the runs on which one of two methods alone is right.
func pair(runs []Labelled, mine []int, clues, common []int) Paired {
	var p Paired
	for _, i := range mine {
		a, b := clues[i] == runs[i].At, common[i] == runs[i].At
		switch {
		case a && !b:
			p.Better++
		case b && !a:
			p.Worse++
		}
	}
	p.P = signTest(p.Better, p.Worse)
	return p
}

// signTest is the exact two-sided sign test (McNemar's test on small counts).
func signTest(a, b int) float64 {
	if a+b == 0 {
		return 1
	}
	fair := distuv.Binomial{N: float64(a + b), P: .5}
	return min(1, 2*fair.CDF(float64(min(a, b))))
}

// The methods of Evaluate, in its order.
const (
	MethodChance  = "any step by chance"
	MethodFirst   = "first step"
	MethodMiddle  = "middle step"
	MethodLast    = "last step"
	MethodCommon  = "most common step, tasks left out"
	MethodClues   = "clues, tasks left out"
	MethodStretch = "clues, middle of the likeliest stretch"
	MethodForeign = "clues, sources left out"
)

// Evaluate measures the clues and what needs none of them on runs whose fault is
// known. Whatever is fitted is fitted without the task, or without the source, that
// it is measured on. The first table is over all runs.
func Evaluate(runs []Labelled) []Table {
	runs = sorted(runs)
	guesses := guess(runs)
	tables := []Table{tabulate("", runs, guesses)}
	sources := sourcesOf(runs)
	if len(sources) > 1 {
		for _, s := range sources {
			tables = append(tables, tabulate(s, runs, guesses))
		}
	}
	return tables
}

// sorted makes sums of floats independent of the order of the logs.
func sorted(runs []Labelled) []Labelled {
	out := slices.Clone(runs)
	slices.SortStableFunc(out, func(a, b Labelled) int {
		for _, c := range []int{compare(a.Source, b.Source), compare(a.Task, b.Task), slices.Compare(a.Actors, b.Actors), a.At - b.At} {
			if c != 0 {
				return c
			}
		}
		return slices.CompareFunc(a.Clues, b.Clues, slices.Compare[[]float64])
	})
	return out
}

func compare(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func sourcesOf(runs []Labelled) []string {
	var out []string
	for i := range runs {
		out = append(out, runs[i].Source)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func fold(task string) int {
	h := fnv.New32a()
	h.Write([]byte(task))
	return int(h.Sum32() % Folds)
}

// guesses are the answers of one method to every run; nil where it has none.
type guesses struct {
	method string
	steps  []int
}

// reach is how far to each side the stretch goes that a reader is sent to.
const reach = 3

// guess asks every method but chance, which has no single answer.
func guess(runs []Labelled) []guesses {
	at := func(f func(n int) int) []int {
		out := make([]int, len(runs))
		for i := range runs {
			out[i] = f(len(runs[i].Clues))
		}
		return out
	}
	all := []guesses{
		{MethodFirst, at(func(int) int { return 0 })},
		{MethodMiddle, at(func(n int) int { return (n - 1) / 2 })},
		{MethodLast, at(func(n int) int { return n - 1 })},
	}
	common, fitted, stretch := make([]int, len(runs)), make([]int, len(runs)), make([]int, len(runs))
	for k := range Folds {
		train, test := parted(runs, func(r *Labelled) bool { return fold(r.Task) == k })
		step, model := mostCommon(train), Fit(train, Ridge)
		for _, i := range test {
			common[i] = min(step, len(runs[i].Clues)-1)
			chances := model.Chances(runs[i].Clues)
			fitted[i], stretch[i] = Likeliest(chances, 0), Likeliest(chances, reach)
		}
	}
	all = append(all, guesses{MethodCommon, common}, guesses{MethodClues, fitted}, guesses{MethodStretch, stretch})
	sources := sourcesOf(runs)
	if len(sources) < 2 {
		return all
	}
	foreign := make([]int, len(runs))
	for _, s := range sources {
		train, test := without(runs, s)
		model := Fit(train, Ridge)
		for _, i := range test {
			if runs[i].Source != s {
				continue
			}
			foreign[i] = Likeliest(model.Chances(runs[i].Clues), 0)
		}
	}
	return append(all, guesses{MethodForeign, foreign})
}

// parted returns the cases to fit on and the indices of those held out.
func parted(runs []Labelled, held func(*Labelled) bool) (train []Case, test []int) {
	for i := range runs {
		if held(&runs[i]) {
			test = append(test, i)
		} else {
			train = append(train, runs[i].Case)
		}
	}
	return train, test
}

// without parts the runs of a source from the others. A task may stand in two
// sources: it is learned from in neither case.
func without(runs []Labelled, source string) (train []Case, test []int) {
	mine := map[string]bool{}
	for i := range runs {
		mine[runs[i].Task] = mine[runs[i].Task] || runs[i].Source == source
	}
	return parted(runs, func(r *Labelled) bool { return mine[r.Task] })
}

func mostCommon(cases []Case) int {
	count := map[int]int{}
	best := 0
	for i := range cases {
		count[cases[i].At]++
	}
	for at, n := range count {
		if n > count[best] || n == count[best] && at < best {
			best = at
		}
	}
	return best
}

func tabulate(source string, runs []Labelled, all []guesses) Table {
	var mine []int
	t := Table{Source: source}
	for i := range runs {
		if source == "" || runs[i].Source == source {
			mine = append(mine, i)
			t.Steps += float64(len(runs[i].Clues))
		}
	}
	t.Runs = len(mine)
	if t.Runs == 0 {
		return t
	}
	t.Steps /= float64(t.Runs)
	chance := Accuracy{Method: MethodChance}
	for _, i := range mine {
		n := len(runs[i].Clues)
		for step := range n {
			chance.add(&runs[i], step, 1/float64(n))
		}
	}
	t.Methods = append(t.Methods, chance.over(t.Runs))
	byMethod := map[string][]int{}
	for _, g := range all {
		byMethod[g.method] = g.steps
		a := Accuracy{Method: g.method}
		for _, i := range mine {
			a.add(&runs[i], g.steps[i], 1)
		}
		t.Methods = append(t.Methods, a.over(t.Runs))
	}
	if source != "" {
		train, _ := without(runs, source)
		t.Elsewhere = len(train)
	}
	t.Paired = pair(runs, mine, byMethod[MethodClues], byMethod[MethodCommon])
	return t
}

func (a *Accuracy) add(r *Labelled, step int, weight float64) {
	off := max(step-r.At, r.At-step)
	a.Exact += weight * truth(off == 0)
	a.Within += weight * truth(off <= 1)
	a.Near += weight * truth(off <= 3)
	a.Actor += weight * truth(r.Actors[step] == r.Actors[r.At])
}

func (a Accuracy) over(n int) Accuracy {
	f := float64(n)
	a.Exact, a.Within, a.Near, a.Actor = a.Exact/f, a.Within/f, a.Near/f, a.Actor/f
	return a
}
