package localise

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gbt-policy/gbt/tree"
)

func TestAlign(t *testing.T) {
	for _, c := range []struct {
		name      string
		run, path []int32
		with      []int
		alike     tree.Milli
		instead   []int32 // for each step of the run
	}{
		{"equal", []int32{1, 2}, []int32{1, 2}, []int{0, 1}, 1000, []int32{None, None}},
		{"one step otherwise", []int32{1, 9, 3}, []int32{1, 2, 3}, []int{0, -1, 2}, 666, []int32{None, 2, None}},
		{"a step too many", []int32{1, 9, 2}, []int32{1, 2}, []int{0, -1, 1}, 800, []int32{None, 2, None}},
		{"a step left out", []int32{1, 3}, []int32{1, 2, 3}, []int{0, 2}, 800, []int32{None, None}},
		{"parted at the start", []int32{8, 9}, []int32{1, 2}, []int{-1, -1}, 0, []int32{1, 2}},
		{"the earliest of two equal steps is shared", []int32{1, 1}, []int32{1}, []int{0, -1}, 666, []int32{None, None}},
		{"past the end of the path", []int32{1, 2}, []int32{1}, []int{0, -1}, 666, []int32{None, None}},
		{"an unknown step", []int32{None, 2}, []int32{1, 2}, []int{-1, 1}, 500, []int32{1, None}},
	} {
		a := align(c.run, c.path)
		if !slices.Equal(a.with, c.with) || a.alike() != c.alike {
			t.Errorf("%s: with %v alike %d, want %v and %d", c.name, a.with, a.alike(), c.with, c.alike)
		}
		for i, want := range c.instead {
			if got := a.instead(i); got != want {
				t.Errorf("%s: instead of step %d: %d, want %d", c.name, i, got, want)
			}
		}
	}
}

func TestFind(t *testing.T) {
	good := func(to int32) Way { return Way{To: to, Success: 8, Failure: 0} }
	bad := func(to int32) Way { return Way{To: to, Success: 0, Failure: 8} }
	even := func(to int32) Way { return Way{To: to, Success: 4, Failure: 4} }
	for _, c := range []struct {
		name  string
		run   []Step
		paths [][]int32
		at    int
		to    int32
		found bool
	}{
		{"the step that others took otherwise",
			[]Step{{1, []Way{good(1)}}, {9, []Way{good(2), bad(9)}}, {3, []Way{even(3)}}}, [][]int32{{1, 2, 3}}, 1, 2, true},
		{"the earlier of two such",
			[]Step{{9, []Way{good(1), bad(9)}}, {8, []Way{good(2), bad(8)}}}, [][]int32{{1, 2}}, 0, 1, true},
		{"not where others did no better",
			[]Step{{9, []Way{bad(1), good(9)}}, {8, []Way{good(2), bad(8)}}}, [][]int32{{1, 2}}, 1, 2, true},
		{"a small gain early does not hide a large one",
			[]Step{{9, []Way{{1, 50, 50}, {9, 49, 50}}}, {8, []Way{good(2), bad(8)}}}, [][]int32{{1, 2}}, 1, 2, true},
		{"no successful path", []Step{{1, []Way{good(1)}}}, nil, -1, None, false},
		{"the paths did the same", []Step{{1, []Way{good(1)}}}, [][]int32{{1}}, -1, None, false},
		{"no steps", nil, [][]int32{{1}}, -1, None, false},
		{"a step that the policy does not know",
			[]Step{{None, []Way{good(1)}}}, [][]int32{{1}}, 0, 1, true},
	} {
		f, found := Find(c.run, c.paths, Options{})
		if f.At != c.at || f.To != c.to || found != c.found {
			t.Errorf("%s: at %d to %d, %v, want %d, %d, %v (gains %v)", c.name, f.At, f.To, found, c.at, c.to, c.found, f.Gains)
		}
	}
}

func TestStepsAndPathOfTree(t *testing.T) {
	edge := tree.Edge{To: 2, Count: tree.Count{Tasks: 3, Success: 2, Failure: 1}}
	tr := &tree.Tree{
		Families: []tree.Family{{Name: "f", Node: 1}},
		States:   []tree.State{{Key: "^", Next: []tree.Edge{edge}}, {Key: "a"}, {Key: "b", Next: []tree.Edge{{To: 1}}}},
		Nodes:    []tree.Node{{Parent: -1, State: -1}, {Parent: 0}, {Parent: 1, State: 2}, {Parent: 2, State: 1}},
	}
	if got := PathTo(tr, 3); !slices.Equal(got, []int32{2, 1}) {
		t.Errorf("path %v, want b, a", got)
	}
	steps := Steps(tr, 0, []int32{2, None, 1})
	if len(steps) != 3 || len(steps[0].Ways) != 1 || steps[0].Ways[0] != (Way{To: 2, Success: 2, Failure: 1}) {
		t.Errorf("steps %+v", steps)
	}
	if steps[1].Took != None || len(steps[1].Ways) != 1 || len(steps[2].Ways) != 0 {
		t.Errorf("nothing is known after an unknown step: %+v", steps)
	}
}

// world is a task of several steps at each of which one choice is right, with one
// step that some leave out. A wrong choice fails seven runs of eight.
type world struct {
	rng   *rand.Rand
	steps int
	ways  map[int32][]Way // by the state that was left
	paths [][]int32
}

const choices = 3 // at each place; choice 0 is right

func (w *world) state(step, choice int) int32 { return int32(step*choices + choice) }

// run walks once and says at which step of it the first wrong choice was made, -1
// for none.
func (w *world) run() (states []int32, fault int) {
	fault = -1
	skip := w.rng.IntN(w.steps)
	for i := range w.steps {
		if i == skip && i > 0 && w.rng.IntN(2) == 0 {
			continue
		}
		choice := 0
		if w.rng.IntN(w.steps) == 0 {
			choice = 1 + w.rng.IntN(choices-1)
			if fault < 0 {
				fault = len(states)
			}
		}
		states = append(states, w.state(i, choice))
	}
	return states, fault
}

// learn adds a run and how it ended to what is known.
func (w *world) learn(states []int32, success bool) {
	from := int32(-2)
	for _, to := range states {
		list := w.ways[from]
		i := slices.IndexFunc(list, func(x Way) bool { return x.To == to })
		if i < 0 {
			i, list = len(list), append(list, Way{To: to})
		}
		if success {
			list[i].Success++
		} else {
			list[i].Failure++
		}
		w.ways[from], from = list, to
	}
	if success {
		w.paths = append(w.paths, states)
	}
}

func (w *world) known(states []int32) []Step {
	out, from := make([]Step, len(states)), int32(-2)
	for i, to := range states {
		out[i], from = Step{Took: to, Ways: w.ways[from]}, to
	}
	return out
}

// TestPlantedFaults localises planted faults in made-up worlds, and holds the
// answer to more than twice what the first step, the last and chance reach.
func TestPlantedFaults(t *testing.T) {
	var all, found, first, last int
	chance := 0.0
	for seed := range uint64(20) {
		w := &world{rng: rand.New(rand.NewPCG(seed, 1)), steps: 8, ways: map[int32][]Way{}}
		for range 60 {
			states, fault := w.run()
			w.learn(states, fault < 0 || w.rng.IntN(8) == 0)
		}
		for range 20 {
			states, fault := w.run()
			if fault < 0 {
				continue
			}
			all++
			f, _ := Find(w.known(states), w.paths, Options{})
			found += one(f.At == fault)
			first += one(fault == 0)
			last += one(fault == len(states)-1)
			chance += 1 / float64(len(states))
		}
	}
	t.Logf("planted faults: %d of %d found; first step %d, last step %d, chance %.0f", found, all, first, last, chance)
	if found*10 < all*8 || found < 2*max(first, last, int(chance)) {
		t.Errorf("%d of %d planted faults found; first step %d, last step %d, chance %.0f", found, all, first, last, chance)
	}
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestFindDependsOnNoOrder(t *testing.T) {
	w := &world{rng: rand.New(rand.NewPCG(7, 7)), steps: 8, ways: map[int32][]Way{}}
	for range 60 {
		states, fault := w.run()
		w.learn(states, fault < 0)
	}
	for range 20 {
		states, _ := w.run()
		want, _ := Find(w.known(states), w.paths, Options{})
		w.rng.Shuffle(len(w.paths), func(i, j int) { w.paths[i], w.paths[j] = w.paths[j], w.paths[i] })
		for _, ways := range w.ways {
			w.rng.Shuffle(len(ways), func(i, j int) { ways[i], ways[j] = ways[j], ways[i] })
		}
		got, _ := Find(w.known(states), w.paths, Options{})
		if got.At != want.At || got.To != want.To || !slices.Equal(got.Gains, want.Gains) {
			t.Fatalf("%v: %+v in one order, %+v in another", states, want, got)
		}
	}
}

func BenchmarkFind(b *testing.B) {
	w := &world{rng: rand.New(rand.NewPCG(1, 1)), steps: 30, ways: map[int32][]Way{}}
	for len(w.paths) < 50 {
		states, fault := w.run()
		w.learn(states, fault < 2)
	}
	states, _ := w.run()
	run := w.known(states)
	for b.Loop() {
		Find(run, w.paths, Options{})
	}
}
