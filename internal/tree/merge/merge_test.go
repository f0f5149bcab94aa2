package merge

import (
	"context"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/tree"
)

// words is an encoder for tests: one dimension a word of a fixed list.
type words struct{}

var lexicon = []string{"look", "read", "edit", "run", "send", "mail", "file", "test"}

func (words) Known(string) tree.Milli { return 1000 }

func (words) Embed(s string) tree.Vec {
	v := make(tree.Vec, len(lexicon))
	for i, w := range lexicon {
		v[i] = int8(min(strings.Count(strings.ToLower(s), w), 3))
	}
	return v
}

// parts is a Source in memory.
type parts [][]*Trace

func (p parts) Parts() int { return len(p) }

func (p parts) Part(i int) iter.Seq2[*Trace, error] {
	return func(yield func(*Trace, error) bool) {
		for _, t := range p[i] {
			if !yield(t, nil) {
				return
			}
		}
	}
}

var params = tree.Params{
	Profile: tree.DefaultProfile, ThetaHigh: 780, ThetaLow: 700, Ambiguous: 50, RouteAbstain: 900, RouteKeep: 20, MaxChildren: 100, RouteTemperature: 50,
	Alpha: 1000, AllowedShare: 500, Novelty: 300,
}

// trace makes a trace of macros named by their keys.
func trace(task, keys string, success bool) *Trace {
	t := &Trace{Task: task, TaskKey: hash64("id", task), FoldKey: hash64("id", task), Group: "g", Format: "test", Success: success}
	for i, k := range strings.Fields(keys) {
		m := Macro{Key: k, Delta: effect.DeltaNone, Tools: []string{k}, From: int32(i), Words: "I will " + k + " the file"}
		if k == "edit" {
			m.Delta = effect.DeltaWrite
		}
		t.Macros = append(t.Macros, m)
	}
	copy(t.Digest[:], fmt.Sprintf("%016x", hash64(task, keys, fmt.Sprint(success))))
	return t
}

func merged(t testing.TB, src parts, p tree.Params) *Merged {
	t.Helper()
	res, err := Merge(context.Background(), src, Options{Params: p, Encoder: words{}, Workers: 2, SplitAliased: true})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// paths lists the tree's root-to-node paths with their evidence.
func paths(tr *tree.Tree) []string {
	at := make([]string, len(tr.Nodes))
	var out []string
	for i := 1; i < len(tr.Nodes); i++ {
		n := &tr.Nodes[i]
		at[i] = at[n.Parent] + "/" + tr.States[n.State].Key
		out = append(out, fmt.Sprintf("%s %d+%d-", at[i], n.Count.Success, n.Count.Failure))
	}
	return out
}

func TestMerge(t *testing.T) {
	res := merged(t, parts{{
		trace("a", "look read edit run", true),
		trace("b", "look read edit read edit run", true), // the cycle folds
		trace("c", "look edit", true),
		trace("d", "look read", false),
		trace("e", "look send", false), // send was never part of a success
	}}, params)
	want := []string{
		"/^ 3+2-", "/^/look 3+2-", "/^/look/edit 1+0-", "/^/look/read 2+1-", "/^/look/read/edit 2+0-", "/^/look/read/edit/run 2+0-",
	}
	if got := paths(res.Tree); !reflect.DeepEqual(got, want) {
		t.Errorf("paths\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if res.Success != 3 || res.Failure != 2 || res.Macros != 12 {
		t.Errorf("%d successes, %d failures, %d macros", res.Success, res.Failure, res.Macros)
	}
	if n := len(res.Tree.Leaves); n != 2 {
		t.Errorf("%d success leaves, want 2", n)
	}
	if _, ok := tree.NewView(res.Tree).FindState(0, "send"); ok {
		t.Error("a failure added behaviour")
	}
}

func TestPrecondition(t *testing.T) {
	src := parts{{trace("a", "look edit run", true), trace("b", "look read edit run", true), trace("c", "look edit run", true)}}
	res, err := Merge(context.Background(), src, Options{Params: params, Encoder: words{}, RecoveryFilters: true})
	if err != nil {
		t.Fatal(err)
	}
	i, _ := tree.NewView(res.Tree).FindState(0, "run")
	var after []string
	for _, s := range res.Tree.States[i].Pre.After {
		after = append(after, res.Tree.States[s].Key)
	}
	if got := strings.Join(after, " "); got != "edit look" {
		t.Errorf("run comes after %q in every success, want edit look", got)
	}
	if len(res.Tree.Leaves[0].Env) != tree.EnvDims {
		t.Error("a leaf has no environment signature")
	}
	plain := merged(t, src, params).Tree
	i, _ = tree.NewView(plain).FindState(0, "run")
	if plain.States[i].Pre.After != nil || plain.Leaves[0].Env != nil || len(plain.States[i].Pre.Tools) == 0 {
		t.Errorf("filters are sealed unasked: %+v, %v", plain.States[i].Pre, plain.Leaves[0].Env)
	}
}

func traces() *rapid.Generator[[]*Trace] {
	return rapid.Custom(func(t *rapid.T) []*Trace {
		var out []*Trace
		seen := map[[16]byte]bool{}
		for i := 0; i < rapid.IntRange(1, 12).Draw(t, "n"); i++ {
			// Segmentation never leaves two equal macros next to each other.
			keys := strings.Join(slices.Compact(rapid.SliceOfN(rapid.SampledFrom([]string{"look", "read", "edit", "run"}), 1, 5).Draw(t, "keys")), " ")
			tr := trace(rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f"}).Draw(t, "task"), keys, rapid.Bool().Draw(t, "ok"))
			if !seen[tr.Digest] {
				seen[tr.Digest] = true
				out = append(out, tr)
			}
		}
		return append(out, trace("z", "look edit", true))
	})
}

// TestOrderAndPartsDoNotMatter is invariant 5: the same traces give the same
// tree and calibration in any order and split over any parts.
func TestOrderAndPartsDoNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := traces().Draw(t, "traces")
		p := params
		p.Profile = rapid.SampledFrom([]string{tree.DefaultProfile, tree.ReferenceProfile}).Draw(t, "profile")
		one := mergeAll(t, parts{all}, p)
		shuffled := rapid.Permutation(all).Draw(t, "order")
		src := make(parts, rapid.IntRange(1, 4).Draw(t, "parts"))
		for _, tr := range shuffled {
			i := rapid.IntRange(0, len(src)-1).Draw(t, "part")
			src[i] = append(src[i], tr)
		}
		other := mergeAll(t, src, p)
		if !reflect.DeepEqual(one.Tree, other.Tree) || one.Params != other.Params || !reflect.DeepEqual(one.CVFormats, other.CVFormats) || !reflect.DeepEqual(one.CV, other.CV) {
			t.Fatalf("order changed the result:\n%v\n%v", paths(one.Tree), paths(other.Tree))
		}
	})
}

func mergeAll(t *rapid.T, src parts, p tree.Params) *Merged {
	res, err := Merge(context.Background(), src, Options{Params: p, Encoder: words{}, Workers: 3})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// TestTrainingPathsAreCovered: what was merged can be walked again.
func TestTrainingPathsAreCovered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := traces().Draw(t, "traces")
		p := params
		p.RouteAbstain = 0
		p.AllowedShare = 1000
		res := mergeAll(t, parts{all}, p)
		for _, tr := range all {
			if !tr.Success {
				continue
			}
			c := Cover(tree.NewView(res.Tree), &p, words{}, tr)
			if c.Covered != c.Steps {
				t.Fatalf("path of task %s covered %d of %d steps", tr.Task, c.Covered, c.Steps)
			}
		}
	})
}

func TestCoverageOfTheUnseen(t *testing.T) {
	res := merged(t, parts{{trace("a", "look read edit", true), trace("b", "look edit run", true)}}, params)
	p := params
	p.AllowedShare = 1000
	tests := []struct {
		name, keys       string
		covered, generic int
	}{
		{"a path seen", "look read edit", 3, 3},
		{"a successor shared by the state", "look read edit run", 4, 4},
		{"an earlier choice carried over a read", "look read edit", 3, 3},
		{"a new macro of a known kind is generic", "look grep edit", 2, 3},
	}
	for _, tt := range tests {
		c := Cover(tree.NewView(res.Tree), &p, words{}, trace("new", tt.keys, true))
		if c.Covered != tt.covered || c.Generic != tt.generic {
			t.Errorf("%s: covered %d generic %d, want %d %d", tt.name, c.Covered, c.Generic, tt.covered, tt.generic)
		}
	}
}

func TestSampleIsAUnionOfItsParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hashes := rapid.SliceOf(rapid.Uint64()).Draw(t, "hashes")
		k := rapid.IntRange(1, 8).Draw(t, "k")
		whole, left, right := sample[int]{k: k}, sample[int]{k: k}, sample[int]{k: k}
		for i, h := range hashes {
			whole.add(h, 0, nil)
			if i%2 == 0 {
				left.add(h, 0, nil)
			} else {
				right.add(h, 0, nil)
			}
		}
		right.union(&left, nil)
		if !reflect.DeepEqual(whole.items, right.items) {
			t.Fatalf("%v and %v differ", whole.items, right.items)
		}
	})
}

func TestSampleEstimatesItsSize(t *testing.T) {
	s := sample[int]{k: 64}
	for i := 0; i < 10000; i++ {
		s.add(hash64(fmt.Sprint(i)), 0, nil)
	}
	if n := s.size(); n < 7000 || n > 13000 {
		t.Errorf("10000 items are estimated at %d", n)
	}
}

func TestPosteriorRisesWithTheMargin(t *testing.T) {
	var c Coverage
	for i := range 200 {
		m := tree.Milli(i%20) * 50
		c.points = append(c.points, point{prob: 500, margin: m, sim: 300, right: i%20 > 6 || i%7 == 0})
	}
	if b := fitPosterior([]Coverage{c}); b[2] <= 0 {
		t.Errorf("posterior %v: want a positive weight of the margin", b)
	}
	c.points = c.points[:10]
	if b := fitPosterior([]Coverage{c}); b != uncalibrated {
		t.Errorf("ten points gave %v, want the uncalibrated default", b)
	}
}
