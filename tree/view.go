package tree

import (
	"math"
	"sync"

	"github.com/gbt-policy/gbt/tree/text"
)

// View is a tree made ready for walking: children by node and the lengths of
// all vectors are worked out once. A View is immutable and may be shared; it
// costs about 4 bytes a node and 8 a vector beside the tree.
type View struct {
	*Tree
	first     []int32 // first child of a node, -1 for none
	sibling   []int32 // next child of the same parent, -1 for none
	states    [][]float64
	fits      []float64
	families  [][]float64 // prototypes, then the centroid
	routes    []float64
	exemplars [][]float64
	rates     []float64 // of success, by state
	whole     []int32   // the state that each state is split off; itself for most
	ends      []bool    // by state: one of its nodes is a leaf, or one of its whole's

	units func() [][]int32 // unit vectors by state, worked out when one is asked for
}

// NewView makes a view of a tree that Check accepts.
func NewView(t *Tree) *View {
	v := &View{Tree: t}
	v.units = sync.OnceValue(v.unitsOf) // only a walk that may leave its family needs them
	v.links()
	for i := range t.States {
		s := &t.States[i]
		v.states = append(v.states, lengths(s.Vecs))
		v.fits = append(v.fits, length(s.Fit.Vec))
		v.rates = append(v.rates, s.Count.rate(t.clusterRate(s)))
		v.whole = append(v.whole, int32(i))
		if a := s.Action(); a != s.Key {
			if w, ok := v.FindState(s.Family, a); ok {
				v.whole[i] = w
			}
		}
	}
	v.leaves()
	for i := range t.Families {
		f := &t.Families[i]
		var l []float64
		for _, p := range f.Prototypes {
			l = append(l, length(p.Vec))
		}
		v.families = append(v.families, append(l, length(f.Centroid)))
		v.routes = append(v.routes, length(f.Fit.Vec))
		v.exemplars = append(v.exemplars, lengths(f.Exemplars))
	}
	return v
}

// Mean is the direction of the mean of some states, each once for every time it is
// named: Mean of the means of their vectors, which a long walk asks for again and
// again.
func (t *View) Mean(states []int32) Vec {
	units := t.units()
	var sum []int64
	for _, s := range states {
		u := units[s]
		if sum == nil && len(u) > 0 {
			sum = make([]int64, len(u))
		}
		if len(u) != len(sum) {
			continue
		}
		for i, x := range u {
			sum[i] += int64(x)
		}
	}
	return quantise(sum)
}

// unitsOf are the unit vectors of the states' means, in the precision of Mean: no
// coordinate is above 1 there, so that 32 bits hold it.
func (t *View) unitsOf() [][]int32 {
	out := make([][]int32, len(t.States))
	for i := range t.States {
		sum := addUnit(nil, Mean(t.States[i].Vecs...), 1)
		out[i] = make([]int32, len(sum))
		for j, x := range sum {
			out[i][j] = int32(x)
		}
	}
	return out
}

// Whole returns the state that a state is split off, itself for most: two
// states are the same action of the same family if their whole is one.
func (t *View) Whole(state int32) int32 { return t.whole[state] }

// leaves marks the states after which successful runs ended. Parts of a whole
// share it.
func (v *View) leaves() {
	v.ends = make([]bool, len(v.States))
	for i := range v.Leaves {
		if s := v.Nodes[v.Leaves[i].Node].State; s >= 0 {
			v.ends[v.whole[s]] = true
		}
	}
	for s, whole := range v.whole {
		v.ends[s] = v.ends[whole]
	}
}

// links threads the children of every node, in order.
func (v *View) links() {
	n := len(v.Nodes)
	v.first, v.sibling = make([]int32, n), make([]int32, n)
	for i := range v.first {
		v.first[i], v.sibling[i] = -1, -1
	}
	for i := n - 1; i > 0; i-- {
		p := v.Nodes[i].Parent
		v.sibling[i], v.first[p] = v.first[p], int32(i)
	}
}

func lengths(vecs []Vec) []float64 {
	out := make([]float64, len(vecs))
	for i, x := range vecs {
		out[i] = length(x)
	}
	return out
}

func length(v Vec) float64 { return math.Sqrt(float64(text.Dot(v, v))) }

// cos is the cosine of two vectors whose lengths are known.
func cos(a Vec, la float64, b Vec, lb float64) float64 {
	if la == 0 || lb == 0 {
		return 0
	}
	return float64(text.Dot(a, b)) / (la * lb)
}

// score is Fit.Score with known lengths.
func score(f *Fit, lf float64, v Vec, lv float64) float64 {
	return float64(f.Bias) + float64(float64(f.Gain)*cos(f.Vec, lf, v, lv))
}
