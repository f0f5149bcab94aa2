package merge

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/tree"
	"github.com/gbt-policy/gbt/tree/text"
)

func TestQuantile(t *testing.T) {
	for _, tt := range []struct {
		name   string
		scores []tree.Milli
		share  tree.Milli
		want   tree.Milli
	}{
		{"nothing", nil, 60, 0},
		{"one task: a sixteenth of the way to it", []tree.Milli{500}, 60, 60},
		{"nine: not yet the first", []tree.Milli{400, 500, 500, 500, 500, 500, 500, 500, 500}, 60, 240},
		{"nineteen at one in twenty: the first", append([]tree.Milli{100}, make19(700)...), 50, 100},
		{"between two ranks", []tree.Milli{100, 200, 300}, 375, 150},
		{"all lost", []tree.Milli{100, 200, 300}, 1000, 300},
		{"none lost", []tree.Milli{100, 200, 300}, 0, 0},
	} {
		if got := quantile(tt.scores, tt.share); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

func make19(x tree.Milli) (out []tree.Milli) {
	for range 18 {
		out = append(out, x)
	}
	return out
}

func TestCentres(t *testing.T) {
	vecs := []tree.Vec{{127, 0}, {126, 1}, {0, 127}, {1, 126}, {127, 0}}
	for k, want := range map[int][]int{0: nil, 1: {0}, 2: {0, 2}, 9: {0, 2, 1, 3, 4}} {
		if got := centres(vecs, k); !reflect.DeepEqual(got, want) {
			t.Errorf("%d of them: %v, want %v", k, got, want)
		}
	}
}

func TestFill(t *testing.T) {
	for _, tt := range []struct {
		sizes []int
		want  int
	}{{[]int{3}, tree.MaxExemplars}, {[]int{512}, tree.MaxExemplars}, {[]int{512, 512, 512, 512}, 256}, {[]int{512, 512, 512, 512, 512, 24}, 200}} {
		var tasks [][]taskText
		for _, n := range tt.sizes {
			tasks = append(tasks, make([]taskText, n))
		}
		if got := fill(tasks); got != tt.want {
			t.Errorf("%v: %d each, want %d", tt.sizes, got, tt.want)
		}
	}
}

// tableWords is the shipped embedder.
type tableWords struct{ t *text.Table }

func (e tableWords) Embed(s string) tree.Vec   { return e.t.Vec(nil, nil, s) }
func (e tableWords) Known(s string) tree.Milli { return tree.Milli(e.t.Known(nil, s)) }

// desk is logs of two systems of one policy: tasks put together from a few words
// each, so that unseen ones are new and alike.
func desk(n int) parts {
	names := strings.Fields("Smith Jones Taylor Brown Walker Green Turner Baker Cooper Hill Ward Wright")
	kinds := []struct {
		group, task, keys string
		about             []string
	}{
		{"tickets", "Answer the ticket of customer %s about %s", "find open reply", []string{"the late parcel", "a broken lamp", "the wrong invoice", "a lost password", "the refund"}},
		{"reports", "Write the weekly report for team %s on %s", "query chart save", []string{"sales", "new staff", "support calls", "shipping costs", "the budget"}},
	}
	var out []*Trace
	for i := range n {
		for _, k := range kinds {
			tr := trace(fmt.Sprintf(k.task, names[i%len(names)], k.about[i%len(k.about)]), k.keys, true)
			tr.Group = k.group
			out = append(out, tr)
		}
	}
	return parts{out}
}

func boundedMerge(t testing.TB, src parts, workers int, late tree.Milli) *Merged {
	t.Helper()
	res, err := Merge(context.Background(), src, Options{Params: params, Encoder: tableWords{text.Default()}, Workers: workers, Abstain: DefaultAbstain, Late: late, Folds: Folds})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func TestBoundary(t *testing.T) {
	res := boundedMerge(t, desk(40), 2, DefaultAbstain)
	v := tree.NewView(res.Tree)
	for _, tt := range []struct {
		name, task string
		offered    []string
		keys       string
		want       string
	}{
		{"a known task", "Answer the ticket of customer Smith about the late parcel", nil, "find open reply", ""},
		{"a new one of its kind", "Answer the ticket of customer Green about a broken lamp", nil, "find open reply", ""},
		{"with its tools", "Answer the ticket of customer Smith about the late parcel", []string{"find", "open", "pay", "reply"}, "find open reply", ""},
		{"empty", "", nil, "find open reply", tree.AbstainEmpty},
		{"nonsense", "asdf qwer zxcv", nil, "find open reply", tree.AbstainWords},
		{"foreign", "Fix the segmentation fault in the parser of the compiler", nil, "find open reply", tree.AbstainFar},
		{"a known task among foreign tools", "Answer the ticket of customer Smith about the late parcel", []string{"compile", "debug", "link"}, "", tree.AbstainFar},
		{"its words, foreign steps", "Answer the ticket of customer Smith about the late parcel", nil, "compile link find", tree.AbstainSteps},
		{"one foreign step", "Answer the ticket of customer Smith about the late parcel", nil, "compile find open", ""},
	} {
		tr := trace(tt.task, tt.keys, true)
		tr.Offered = tt.offered
		c := Cover(v, &res.Params, tableWords{text.Default()}, tr)
		if c.Abstain != tt.want || c.Routed != (tt.want == "") {
			t.Errorf("%s: abstains for %q, routed %v; want %q", tt.name, c.Abstain, c.Routed, tt.want)
		}
	}
	b := res.Boundary
	if b.Tasks != 80 || len(b.Families) != 2 || len(b.Curve) != len(curveShares) {
		t.Fatalf("%+v", b)
	}
	for _, f := range b.Families {
		if f.Lost > 0.1 || f.CaughtOffered < 1 {
			t.Errorf("family %+v", f)
		}
	}
	for i := 1; i < len(b.Curve); i++ {
		if b.Curve[i].Lost < b.Curve[i-1].Lost || b.Curve[i].Caught < b.Curve[i-1].Caught {
			t.Errorf("the curve falls: %+v", b.Curve)
		}
	}
	// Two standard errors: the tasks are eighty.
	share, n := DefaultAbstain.Float(), float64(res.CV.Episodes)
	if lost := 1 - float64(res.CV.Routed)/n; lost > share+2*math.Sqrt(share*(1-share)/n) {
		t.Errorf("%.3f of the tasks left out are abstained from", lost)
	}
}

// TestTheFirstMacrosClaim: a far task is claimed where its first two macros are what
// a family offers, and a step further on takes nothing away.
func TestTheFirstMacrosClaim(t *testing.T) {
	const far = "Fix the segmentation fault in the parser of the compiler"
	res := boundedMerge(t, desk(40), 2, 0)
	v := tree.NewView(res.Tree)
	for _, tt := range []struct {
		keys, want string
		late, full bool
	}{
		{"find open reply", "", true, true},
		{"find", tree.AbstainFar, false, false},
		{"find find", tree.AbstainFar, false, false},
		{"find open link", "", true, false},
		{"find link", tree.AbstainFar, false, false},
		{"link find open", tree.AbstainFar, false, false},
		{"", tree.AbstainFar, false, false},
	} {
		c := Cover(v, &res.Params, tableWords{text.Default()}, trace(far, tt.keys, true))
		if c.Abstain != tt.want || c.Late != tt.late || c.Routed != tt.late || c.Full() != tt.full {
			t.Errorf("%q: abstains for %q, late %v, routed %v, covered %v", tt.keys, c.Abstain, c.Late, c.Routed, c.Full())
		}
	}
}

// TestTheEndIsAMacro: a far run of one macro is claimed where successful runs end
// after it, and not where they go on.
func TestTheEndIsAMacro(t *testing.T) {
	src := desk(40)
	for _, tr := range src[0] {
		if tr.Group == "tickets" && strings.HasSuffix(tr.Task, "the refund") {
			*tr = *inGroup(trace(tr.Task, "count", true), tr.Group)
		}
	}
	res := boundedMerge(t, src, 2, 0)
	v := tree.NewView(res.Tree)
	for keys, want := range map[string]bool{"count": true, "count count": true, "find": false, "count link": false} {
		c := Cover(v, &res.Params, tableWords{text.Default()}, trace("Fix the segmentation fault in the parser of the compiler", keys, true))
		if c.Routed != want || c.Late != want || (c.Abstain == "") != want {
			t.Errorf("%q: abstains for %q, late %v, routed %v", keys, c.Abstain, c.Late, c.Routed)
		}
	}
}

// A boundary keeps vectors, and none where nobody asked for one.
func TestNoBoundary(t *testing.T) {
	res := merged(t, desk(10), params)
	if p := res.Params; p.RouteNear != 0 || p.RouteOffered != 0 || p.RouteWords != 0 {
		t.Errorf("limits %d %d %d", p.RouteNear, p.RouteOffered, p.RouteWords)
	}
	for _, f := range res.Tree.Families {
		if len(f.Exemplars) > 0 {
			t.Errorf("family %s has %d exemplars", f.Name, len(f.Exemplars))
		}
	}
}

func TestBoundaryDoesNotDependOnOrderOrWorkers(t *testing.T) {
	src := desk(30)
	var turned parts
	for _, tr := range src[0] {
		turned = append([][]*Trace{{tr}}, turned...)
	}
	a, b := boundedMerge(t, src, 1, DefaultLate), boundedMerge(t, turned, 2, DefaultLate)
	if !reflect.DeepEqual(a.Params, b.Params) || !reflect.DeepEqual(a.Boundary, b.Boundary) || !reflect.DeepEqual(a.Tree.Families, b.Tree.Families) {
		t.Errorf("%+v\n%+v", a.Boundary, b.Boundary)
	}
}

// Runs of one task are one unit: what they share says nothing about unseen tasks.
func TestARunDoesNotVouchForItsTask(t *testing.T) {
	var all []*Trace
	for i, words := range []string{"fix the parser", "write a poem", "count the sheep", "paint my house"} {
		for run := range 3 {
			tr := trace(words+" "+strings.Repeat("please ", run), "find open", true)
			tr.TaskKey, tr.FoldKey = hash64("id", fmt.Sprint(i)), hash64("id", fmt.Sprint(i))
			all = append(all, tr)
		}
	}
	res := boundedMerge(t, parts{all}, 1, DefaultLate)
	// The wordings of one task are nearly alike; the tasks have nothing in common.
	if near := res.Boundary.Limits.Near; near > 300 {
		t.Errorf("near %d: a task was compared with its own runs", near)
	}
	if math.Abs(res.Boundary.Lost-DefaultAbstain.Float()) > 1e-9 {
		t.Errorf("lost %v", res.Boundary.Lost)
	}
}
