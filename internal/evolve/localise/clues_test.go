package localise

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
)

func TestClues(t *testing.T) {
	run := []Message{
		{Actor: "coder", Text: "We count the rows.\n```sql\nselect 1\n```"},
		{Actor: "shell", Text: "status 1\nerror: no such table"},
		{Actor: "coder", Text: "There must be 42 rows."},
		{Actor: "shell", Text: "status 0\n17"},
		{Actor: "judge", Text: "There must be 42 rows."},
	}
	got := Clues("How many rows are there?", run)
	for _, c := range []struct {
		clue string
		want []float64
	}{
		{"first step", []float64{1, 0, 0, 0, 0}},
		{"last step", []float64{0, 0, 0, 0, 1}},
		{"place, of the whole", []float64{0, .2, .4, .6, .8}},
		{"first of its actor", []float64{1, 1, 0, 0, 1}},
		{"last of its actor", []float64{0, 0, 1, 1, 1}},
		{"share of its actor", []float64{.4, .4, .4, .4, .2}},
		{"opens as its actor does", []float64{0, 1, 0, 1, 0}},
		{"same actor before", []float64{0, 0, 0, 0, 0}},
		{"holds code", []float64{1, 0, 0, 0, 0}},
		{"answers code", []float64{0, 1, 0, 0, 0}},
		{"holds an error", []float64{0, 1, 0, 0, 0}},
		{"an error follows", []float64{1, 0, 0, 0, 0}},
		{"an error came before", []float64{0, 0, 1, 0, 0}},
		{"the last error follows", []float64{1, 0, 0, 0, 0}},
		{"like an earlier message", []float64{0, 1. / 12, 1. / 11, 1. / 8, 1}},
		{"words that are new", []float64{6. / 7, 5. / 6, 3. / 5, 2. / 3, 0}},
		{"words of the task", []float64{.2, 0, .4, 0, .4}},
		{"numbers from nowhere", []float64{math.Log1p(1), 0, math.Log1p(1), math.Log1p(2), 0}},
		{"the last numbers come from here", []float64{0, 0, 1, 0, 0}},
	} {
		k := slices.Index(ClueNames(), c.clue)
		if k < 0 {
			t.Errorf("no clue is called %q", c.clue)
			continue
		}
		for i, want := range c.want {
			if math.Abs(got[i][k]-want) > 1e-9 {
				t.Errorf("%s of message %d: %v, want %v", c.clue, i, got[i][k], want)
			}
		}
	}
}

// TestResultsApart reads a log that keeps results apart from words: words about
// errors are none.
func TestResultsApart(t *testing.T) {
	r := newRecord("", []Message{
		{Text: "handle the error", Result: "done"},
		{Text: "run", Result: "error: broken"},
		{Text: "run", Failed: true},
	})
	for i, want := range []bool{false, true, true} {
		if r.failed(i) != want {
			t.Errorf("message %d failed: %v", i, !want)
		}
	}
}

func TestCluesOfNothing(t *testing.T) {
	if got := Clues("", nil); len(got) != 0 {
		t.Errorf("%v", got)
	}
	for _, row := range Clues("", []Message{{}}) {
		for k, v := range row {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Errorf("%s is %v", ClueNames()[k], v)
			}
		}
	}
}

// cases are runs of random clues. The step with the largest second clue is the
// fault, but for every tenth run; with chance set any step is.
func cases(rng *rand.Rand, n int, chance bool) []Labelled {
	out := make([]Labelled, n)
	for i := range out {
		l := Labelled{Task: strconv.Itoa(i), Source: []string{"a", "b"}[i%2]}
		for s := range 8 {
			row := make([]float64, len(clues))
			for k := range row {
				row[k] = rng.NormFloat64()
			}
			l.Clues, l.Actors = append(l.Clues, row), append(l.Actors, strconv.Itoa(s%3))
			if row[1] > l.Clues[l.At][1] {
				l.At = s
			}
		}
		if chance || i%10 == 0 {
			l.At = rng.IntN(8)
		}
		out[i] = l
	}
	return out
}

// TestFitIsTheMaximum holds the fit to the penalised likelihood, worked out the
// slow way: no small step of any weight raises it.
func TestFitIsTheMaximum(t *testing.T) {
	var train []Case
	for _, l := range cases(rand.New(rand.NewPCG(1, 2)), 60, false) {
		train = append(train, l.Case)
	}
	m := Fit(train, 4)
	value := func() float64 {
		sum := 0.0
		for _, w := range m.Weights {
			sum -= 4 * w * w / 2
		}
		for _, c := range train {
			sum += math.Log(m.Chances(c.Clues)[c.At])
		}
		return sum
	}
	best := value()
	for k := range m.Weights {
		for _, by := range []float64{-.01, .01} {
			m.Weights[k] += by
			if v := value(); v >= best {
				t.Errorf("weight %d by %v: %v, not below %v", k, by, v, best)
			}
			m.Weights[k] -= by
		}
	}
}

func TestFitOfNothing(t *testing.T) {
	got := Fit(nil, 1).Chances([][]float64{{1}, {2}})
	if !slices.Equal(got, []float64{.5, .5}) {
		t.Errorf("%v", got)
	}
}

func TestLikeliest(t *testing.T) {
	chances := []float64{.4, 0, 0, .2, .2, .2}
	for _, c := range []struct{ reach, want int }{{0, 0}, {1, 4}, {5, 0}} {
		if got := Likeliest(chances, c.reach); got != c.want {
			t.Errorf("reach %d: step %d, want %d", c.reach, got, c.want)
		}
	}
}

func method(t *testing.T, table Table, name string) Accuracy {
	t.Helper()
	for _, m := range table.Methods {
		if m.Method == name {
			return m
		}
	}
	t.Fatalf("no method %q", name)
	return Accuracy{}
}

func TestEvaluate(t *testing.T) {
	runs := cases(rand.New(rand.NewPCG(5, 6)), 160, false)
	tables := Evaluate(runs)
	if len(tables) != 3 || tables[0].Runs != 160 || tables[1].Runs != 80 || tables[1].Source != "a" || tables[0].Steps != 8 {
		t.Fatalf("%+v", tables)
	}
	if a := method(t, tables[0], MethodChance); math.Abs(a.Exact-1./8) > 1e-9 {
		t.Errorf("chance names %v of the steps", a.Exact)
	}
	for _, name := range []string{MethodClues, MethodForeign} {
		if a := method(t, tables[0], name); a.Exact < .7 || a.Within < a.Exact || a.Near < a.Within || a.Actor < a.Exact {
			t.Errorf("%s: %+v", name, a)
		}
	}
	slices.Reverse(runs)
	for i, again := range Evaluate(runs) {
		if !slices.Equal(again.Methods, tables[i].Methods) {
			t.Errorf("%v in one order, %v in another", tables[i].Methods, again.Methods)
		}
	}
}

// TestNoLeak gives every run a fault by chance: whatever finds it more often than
// chance does was fitted on what it is measured on.
func TestNoLeak(t *testing.T) {
	table := Evaluate(cases(rand.New(rand.NewPCG(8, 9)), 200, true))[0]
	for _, name := range []string{MethodClues, MethodForeign, MethodCommon} {
		if a := method(t, table, name); a.Exact > .2 {
			t.Errorf("%s names %v of faults that fell by chance", name, a.Exact)
		}
	}
}

// TestTaskInTwoSources holds a task out of the fit wherever its runs stand: each
// task here has a clue of its own to its fault.
func TestTaskInTwoSources(t *testing.T) {
	var runs []Labelled
	for k := range len(clues) {
		l := Labelled{Task: strconv.Itoa(k), Actors: []string{"x", "x", "x"}}
		for s := range 3 {
			l.Clues = append(l.Clues, make([]float64, len(clues)))
			l.Clues[s][k] = []float64{0, 1, 0}[s]
		}
		l.At = 1
		for _, source := range []string{"a", "b"} {
			l.Source = source
			runs = append(runs, l)
		}
	}
	if a := method(t, Evaluate(runs)[0], MethodForeign); a.Exact > 0 {
		t.Errorf("the other source's runs of the same task name %v of the faults", a.Exact)
	}
	if n := Evaluate(runs[1:])[2].Elsewhere; n != 0 {
		t.Errorf("fitted on %d runs of tasks that both sources have", n)
	}
	if n := Evaluate(runs[1:])[1].Elsewhere; n != 1 {
		t.Errorf("fitted on %d runs, want the one whose task the source does not have", n)
	}
}

func TestSortedDependsOnNoOrder(t *testing.T) {
	runs := cases(rand.New(rand.NewPCG(2, 2)), 20, false)
	for i := range runs {
		runs[i].Task = "same"
	}
	want := sorted(runs)
	slices.Reverse(runs)
	for i, l := range sorted(runs) {
		if !slices.EqualFunc(l.Clues, want[i].Clues, slices.Equal[[]float64]) {
			t.Fatalf("run %d is another one in another order", i)
		}
	}
}

func TestAccuracy(t *testing.T) {
	run := &Labelled{Actors: []string{"a", "b", "a", "b", "a"}, Case: Case{At: 0}}
	for _, c := range []struct {
		step int
		want Accuracy
	}{
		{0, Accuracy{Exact: 1, Within: 1, Near: 1, Actor: 1}},
		{1, Accuracy{Within: 1, Near: 1}},
		{3, Accuracy{Near: 1}},
		{4, Accuracy{Actor: 1}},
	} {
		var a Accuracy
		if a.add(run, c.step, 1); a != c.want {
			t.Errorf("step %d: %+v, want %+v", c.step, a, c.want)
		}
	}
}

func TestPair(t *testing.T) {
	runs := make([]Labelled, 6) // each failed at step 0
	got := pair(runs, []int{0, 1, 2, 3, 4}, []int{0, 0, 0, 1, 0, 0}, []int{1, 1, 1, 0, 0, 1})
	// 3 of 4 by a fair coin, both sides: 2 * (1+4)/16.
	if want := (Paired{Better: 3, Worse: 1, P: .625}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if p := signTest(0, 0); p != 1 {
		t.Errorf("of nothing: %v", p)
	}
}
