package merge

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/gbt-policy/gbt/tree"
)

// TestGTest holds the statistic to figures worked out by hand.
func TestGTest(t *testing.T) {
	tests := []struct {
		name    string
		n       [][]float64
		g       float64
		freedom int
		share   float64
	}{
		{"dependent", [][]float64{{10, 20}, {30, 5}}, 19.717, 1, 0.228},
		{"independent", [][]float64{{10, 20}, {20, 40}}, 0, 1, 0},
		{"a column that nothing is in does not count", [][]float64{{10, 20, 0}, {30, 5, 0}}, 19.717, 1, 0.228},
		{"one row says nothing", [][]float64{{10, 20}}, 0, 0, 0},
		{"one column says nothing", [][]float64{{10}, {20}}, 0, 0, 0},
		{"fully determined", [][]float64{{10, 0}, {0, 10}}, 27.726, 1, 1},
	}
	for _, tt := range tests {
		tab := table{n: tt.n}
		for _, row := range tt.n {
			for _, x := range row {
				tab.all += x
			}
		}
		g, freedom, share := tab.test()
		if math.Abs(g-tt.g) > 0.0015 || freedom != tt.freedom || math.Abs(share-tt.share) > 0.0015 {
			t.Errorf("%s: %v %v %v, want %v %v %v", tt.name, g, freedom, share, tt.g, tt.freedom, tt.share)
		}
	}
	// Quantiles of the chi-squared distribution (any table): 6.635, 13.277.
	for freedom, limit := range map[int]float64{1: 6.635, 4: 13.277} {
		if rejects(limit, freedom, 0.01) || !rejects(limit+0.002, freedom, 0.01) {
			t.Errorf("the limit for %d degrees of freedom is not %v", freedom, limit)
		}
	}
}

// forked makes n tasks for each path, each task one trace.
func forked(n int, paths ...string) parts {
	var out []*Trace
	for i, keys := range paths {
		for j := range n {
			out = append(out, trace(fmt.Sprintf("task %d of path %d", j, i), keys, true))
		}
	}
	return parts{out}
}

func TestAudit(t *testing.T) {
	tests := []struct {
		name    string
		src     parts
		aliased []string // key and the histories split off
	}{
		{"two things under one name", forked(30, "look edit run", "read edit send"), []string{"edit[look read]"}},
		{"what came before does not matter", forked(30, "look edit run", "look edit send", "read edit run", "read edit send"), nil},
		{"too little traffic", forked(4, "look edit run", "read edit send"), nil},
		{"a split would cost a held-out step", append(forked(30, "look edit run", "read edit send"),
			[]*Trace{trace("the only one", "look edit send", true)}), []string{"edit[read]"}},
		{"the end is a successor too", forked(30, "look edit run", "read edit"), []string{"edit[read]"}},
	}
	for _, tt := range tests {
		res := merged(t, tt.src, params)
		var got []string
		for _, a := range res.Audit.Aliased {
			if a.Key == "edit" {
				got = append(got, fmt.Sprint(a.Key, a.Split))
			}
		}
		if !slices.Equal(got, tt.aliased) {
			t.Errorf("%s: %v, want %v; audit %+v", tt.name, got, tt.aliased, res.Audit)
		}
	}
}

func TestSplit(t *testing.T) {
	src := forked(30, "look edit run", "read edit send")
	p := params
	p.Novelty, p.AllowedShare = 1000, 0
	for _, split := range []bool{false, true} {
		res, err := Merge(context.Background(), src, Options{Params: p, Encoder: words{}, SplitAliased: split})
		if err != nil {
			t.Fatal(err)
		}
		v := tree.NewView(res.Tree)
		var keys []string
		for i := range v.States {
			s := &v.States[i]
			if s.Action() != "edit" {
				continue
			}
			keys = append(keys, s.Key)
			whole := &v.States[v.Whole(int32(i))]
			if whole.Key != "edit" || s.Desc != whole.Desc || len(s.Vecs) != len(whole.Vecs) || s.Fit.Gain != whole.Fit.Gain {
				t.Errorf("%s is matched unlike the whole", s.Key)
			}
			if s != whole && (len(s.Next) != 1 || s.Count.Tasks != 30) {
				t.Errorf("%s: %d successors, %d tasks, want 1 and 30", s.Key, len(s.Next), s.Count.Tasks)
			}
		}
		want := []string{"edit"}
		if split {
			want = []string{"edit", "edit|look", "edit|read"}
		}
		if !slices.Equal(keys, want) {
			t.Errorf("split %v: states %q, want %q", split, keys, want)
		}
		// Sharing successors is what a split takes away, and nothing else. An edit
		// with a history of its own ("edit run") is the whole, which knows both.
		for keys, covered := range map[string]int{"look edit run": 3, "read edit send": 3, "look edit send": 3, "edit run": 1} {
			if split && keys == "look edit send" {
				covered = 2
			}
			if c := Cover(v, &p, words{}, trace("new", keys, true)); c.Covered != covered {
				t.Errorf("split %v, %s: %d steps covered, want %d", split, keys, c.Covered, covered)
			}
		}
	}
}
