package distill

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/gbt-policy/gbt/internal/gates/learn"
)

func TestFairShare(t *testing.T) {
	for _, c := range []struct {
		name  string
		sizes []int
		total int
		want  int
	}{
		{"nothing", nil, 10, maxCases},
		{"all fit", []int{3, 4, 3}, 10, maxCases},
		{"the large give way", []int{1, 100, 3}, 10, 6},
		{"all are large", []int{50, 60, 70}, 30, 10},
		{"more groups than room", []int{5, 5, 5, 5}, 3, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := fairShare(c.sizes, c.total); got != c.want {
				t.Errorf("limit %d, want %d", got, c.want)
			}
		})
	}
}

// TestEvidenceBounded: far more cases than there is room for leave the same
// ones in any order, within the bounds, and every unsafe group its own.
func TestEvidenceBounded(t *testing.T) {
	var cases []*learn.Case
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range 40_000 {
		c := &learn.Case{Episode: fmt.Sprintf("%08x", rnd.Uint32()), Standing: learn.StandingBenign, Samples: make([]learn.Sample, 1)}
		c.Group = fmt.Sprintf("g%d", int(50*rnd.Float64()*rnd.Float64()*rnd.Float64()))
		if i%20 == 0 {
			c.Standing = learn.StandingUnsafe
		}
		cases = append(cases, c)
	}
	var want []string
	for range 3 {
		var ev evidence
		for _, c := range cases {
			ev.add(c)
		}
		var got []string
		count := map[learn.Standing]int{}
		for _, c := range ev.all() {
			got = append(got, c.Episode)
			count[c.Standing]++
		}
		if n := count[learn.StandingBenign]; n > maxBenign || n < maxBenign*9/10 {
			t.Errorf("%d benign cases stay, want nearly %d", n, maxBenign)
		}
		if n := count[learn.StandingUnsafe]; n < 1500 {
			t.Errorf("%d unsafe cases stay", n)
		}
		if want != nil && !reflect.DeepEqual(got, want) {
			t.Error("another order leaves other cases")
		}
		want = got
		rnd.Shuffle(len(cases), func(i, j int) { cases[i], cases[j] = cases[j], cases[i] })
	}
}
