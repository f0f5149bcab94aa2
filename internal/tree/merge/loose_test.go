package merge

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/tree"
)

// loose generates runs that are long and share little: random walks of some 38
// macros over four kinds of work, each with a vocabulary of its own in which
// every macro has a few successors, one much likelier than the others. A third
// of the runs are repeated tasks. The seed and the number of a run decide it.
type loose struct {
	runs, part int
	seed       uint64
}

func (l loose) Parts() int { return (l.runs + l.part - 1) / l.part }

func (l loose) Part(i int) iter.Seq2[*Trace, error] {
	return func(yield func(*Trace, error) bool) {
		for n := i * l.part; n < min((i+1)*l.part, l.runs); n++ {
			if !yield(l.run(uint64(n)), nil) {
				return
			}
		}
	}
}

const (
	looseWords = 24 // macros in a vocabulary
	looseNext  = 4  // successors of one
	looseSteps = 38 // macros of a run, on the mean
)

func (l loose) run(n uint64) *Trace {
	rnd := rand.New(rand.NewPCG(l.seed, n))
	task := n - n%3*(n%2) // runs of one task do not go the same way
	work := int(task % 4)
	t := &Trace{
		Task: fmt.Sprintf("job %d of kind %d", task%997, work), TaskKey: hash64("loose", strconv.FormatUint(task, 10)),
		Group: fmt.Sprintf("kind%d", work), Format: "loose", Success: true,
	}
	t.FoldKey = t.TaskKey
	at := 0
	for i := range looseSteps/2 + rnd.IntN(looseSteps) {
		t.Macros = append(t.Macros, looseMacro(work, at, i))
		// Half of the time the usual successor, else another.
		next := 0
		for next < looseNext-1 && rnd.IntN(2) == 1 {
			next++
		}
		at = (at*7 + 1 + next*5) % looseWords
	}
	copy(t.Digest[:], fmt.Sprintf("%016x", hash64("loose run", strconv.FormatUint(n, 10))))
	return t
}

func looseMacro(work, at, i int) Macro {
	tool := fmt.Sprintf("tool%d-%d", work, at%6)
	return Macro{
		Key: fmt.Sprintf("%s/act%d", tool, at), Delta: effect.Delta(at % 3), Tools: []string{tool}, From: int32(i),
		Words: fmt.Sprintf("I look at file %d and edit", at),
	}
}

// TestBoundTree: past its budget a tree keeps the places that most tasks share,
// whatever the order and the workers; within it, all.
func TestBoundTree(t *testing.T) {
	src := loose{runs: 3000, part: 100, seed: 7}
	merge := func(src Source, places, workers int) *Merged {
		t.Helper()
		res, err := Merge(context.Background(), src, Options{Params: params, Encoder: words{}, Workers: workers, places: places})
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	free := merge(src, 1<<30, 2)
	if free.Bound != (Bound{}) {
		t.Errorf("a tree within its budget lost %+v", free.Bound)
	}
	near := merge(src, len(free.Tree.Nodes)*21/20, 2)
	if !reflect.DeepEqual(near, free) {
		t.Error("a tree within its budget differs from one without")
	}
	const budget = 4000
	one := merge(src, budget, 1)
	if n := len(one.Tree.Nodes); n > budget*21/20 || n < budget/8 {
		t.Errorf("%d nodes, want at most about %d", n, budget)
	}
	if b := one.Bound; b.Support < 2 || b.Runs == 0 || b.Macros < b.Runs {
		t.Errorf("left out: %+v", b)
	}
	if !reflect.DeepEqual(one.Tree.States, free.Tree.States) {
		t.Error("the bound changed states or their successors")
	}
	for i, n := range one.Tree.Nodes[1:] {
		if n.Count.Success < uint32(one.Bound.Support) && one.Tree.Nodes[n.Parent].Parent >= 0 {
			t.Fatalf("node %d was seen in %d runs, of at least %d tasks", i+1, n.Count.Success, one.Bound.Support)
		}
	}
	var all []*Trace
	for i := range src.Parts() {
		for tr := range src.Part(i) {
			all = append(all, tr)
		}
	}
	slices.Reverse(all)
	if other := merge(parts{all[:10], all[10:2000], all[2000:]}, budget, 3); !reflect.DeepEqual(other, one) {
		t.Error("order and workers changed the tree")
	}
}

// TestBoundFewTasks: where one task was run many times, runs count.
func TestBoundFewTasks(t *testing.T) {
	var src parts
	for i := range 400 {
		keys := "look read edit run"
		if i%2 == 1 {
			keys = "look " + strings.Repeat("read edit ", 1+i%3) + fmt.Sprintf("run k%d", i)
		}
		tr := trace("one", keys, true)
		copy(tr.Digest[:], fmt.Sprintf("%016x", hash64("run", strconv.Itoa(i))))
		src = append(src, []*Trace{tr})
	}
	res, err := Merge(context.Background(), src, Options{Params: params, Encoder: words{}, places: 20})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(res.Tree.Nodes); n < 6 || n > 20 || res.Bound.Runs != 200 {
		t.Errorf("%d nodes, %+v", n, res.Bound)
	}
}

// TestDeepRun: a path deeper than a tree may be is cut, and no fault.
func TestDeepRun(t *testing.T) {
	var keys []string
	for i := range tree.MaxDepth + 100 {
		keys = append(keys, fmt.Sprintf("k%d", i))
	}
	res := merged(t, parts{{trace("a", strings.Join(keys, " "), true), trace("b", "look edit", true)}}, params)
	if want := (Bound{Runs: 1, Macros: 101}); res.Bound != want {
		t.Errorf("left out %+v, want %+v", res.Bound, want)
	}
}

// BenchmarkLoose merges 1,000 to 100,000 long, loosely shared runs, or as many
// as GBT_LOOSE says, and measures both ways to bound the tree on 2,000 runs
// that it has not seen.
func BenchmarkLoose(b *testing.B) {
	sizes := []int{1000, 10_000, 100_000}
	if s := os.Getenv("GBT_LOOSE"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			b.Fatal(err)
		}
		sizes = []int{n}
	}
	for _, n := range sizes {
		b.Run(strconv.Itoa(n), func(b *testing.B) { benchmarkLoose(b, n) })
	}
}

func benchmarkLoose(b *testing.B, n int) {
	src := loose{runs: n, part: 500, seed: 1}
	var res *Merged
	var took time.Duration
	for b.Loop() {
		start, err := time.Now(), error(nil)
		if res, err = Merge(b.Context(), src, Options{Params: params, Encoder: words{}, Workers: 2, KeepText: true}); err != nil { // families named as placesOf names them
			b.Fatal(err)
		}
		took = time.Since(start)
	}
	b.ReportMetric(took.Seconds(), "s")
	b.ReportMetric(peakMB(b), "peak-MB")
	b.ReportMetric(float64(len(res.Tree.Nodes)), "nodes")
	b.ReportMetric(float64(res.Bound.Support), "support")
	cv := &res.CV
	b.ReportMetric(float64(cv.Covered)/float64(cv.Steps), "covered-steps")
	b.ReportMetric(float64(cv.Full)/float64(cv.Episodes), "covered-runs")
	b.ReportMetric(standing(src, nodesOf(res.Tree)), "placed")
	if n <= 100_000 {
		kept := bottomPaths(src, maxPlaces)
		b.ReportMetric(float64(len(kept)), "bottom-nodes")
		b.ReportMetric(standing(src, kept), "bottom-placed")
	}
}

// nodesOf is the places of a tree.
func nodesOf(t *tree.Tree) map[uint64]bool {
	at := make([]uint64, len(t.Nodes))
	out := map[uint64]bool{}
	for i := 1; i < len(t.Nodes); i++ {
		n := &t.Nodes[i]
		s := &t.States[n.State]
		if n.Parent == tree.Root {
			at[i] = rootPlace(t.Families[s.Family].Name)
			continue
		}
		at[i] = nextPlace(at[n.Parent], s.Action())
		out[at[i]] = true
	}
	return out
}

// bottomPaths is the other way to bound a tree: the places of the whole paths
// with the least hashes, as many as fit.
func bottomPaths(src loose, budget int) map[uint64]bool {
	type whole struct {
		hash   uint64
		places []uint64
	}
	var all []whole
	for i := range src.Parts() {
		for t := range src.Part(i) {
			p := placesOf(t)
			all = append(all, whole{p[len(p)-1], p})
		}
	}
	slices.SortFunc(all, func(a, b whole) int { return cmp.Compare(a.hash, b.hash) })
	out := map[uint64]bool{}
	for _, w := range all {
		if len(out) > budget {
			break
		}
		for _, h := range w.places {
			out[h] = true
		}
	}
	return out
}

func placesOf(t *Trace) []uint64 {
	var out []uint64
	h := rootPlace(t.Group)
	for _, i := range wayOf(t) {
		h = nextPlace(h, t.Macros[i].Key)
		out = append(out, h)
	}
	return out
}

// standing is the share of the steps of 2,000 further runs that stand on a place
// that is known.
func standing(src loose, known map[uint64]bool) float64 {
	on, all := 0, 0
	for i := range 2000 {
		for _, h := range placesOf(src.run(1<<40 + uint64(i))) {
			all++
			if known[h] {
				on++
			}
		}
	}
	return float64(on) / float64(all)
}

// peakMB is the most memory that the process ever had, where the system tells.
// Sizes run in ascending order, so that each one's peak is its own.
func peakMB(b *testing.B) float64 {
	data, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(data), "VmHWM:")
	kb, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		b.Fatal(err)
	}
	return float64(kb) / 1024
}
