package localise

import (
	"slices"

	"github.com/gbt-policy/gbt/tree"
)

// None stands for no state: a step that the policy does not know.
const None int32 = -1

// Step is one choice of a run: what it did, and what is known to follow where it
// stood.
type Step struct {
	Took int32 // the state it went to, or None
	Ways []Way // known successors with their evidence, Took among them if it is one
}

// Way is a successor with how the episodes ended that took it from there. The
// failed run itself is not to be among them: Find adds it.
type Way struct {
	To               int32
	Success, Failure uint32
}

// Options are the bounds of Find. Zero values stand for the defaults.
type Options struct {
	Near  int        // successful paths that are compared, the most alike; 5
	Least tree.Milli // share of the largest gain that makes a step the one; 500
}

// Fault is the step where a run failed.
type Fault struct {
	At    int   // index of the step: the choice to be made otherwise
	To    int32 // the successor that promises most there
	Gain  tree.Milli
	Paths int // successful paths that did otherwise there
	// Gains are those of all steps, in order: what At was chosen by.
	Gains []tree.Milli
}

// Find returns the earliest step at which another successor could have averted the
// failure (requirement S2). A step's gain is the rate of success of the best
// successor that successful paths like this one took there, less the rate of the
// one that was taken, times the share of those paths that parted there, each
// weighted by how alike it is. The first step with at least opt.Least of the
// largest gain is the one: later ones may be its consequences. It reports false
// where no successful path parts from the run with a better chance.
func Find(run []Step, paths [][]int32, opt Options) (Fault, bool) {
	near := nearest(took(run), paths, or(opt.Near, 5))
	f := Fault{At: -1, To: None, Gains: make([]tree.Milli, len(run))}
	best := make([]choice, len(run))
	for i := range run {
		best[i] = promise(&run[i], i, near)
		f.Gains[i] = best[i].gain
	}
	if len(run) == 0 {
		return f, false
	}
	most := slices.Max(f.Gains)
	if most <= 0 {
		return f, false
	}
	least := int64(most) * int64(or(opt.Least, 500))
	for i, g := range f.Gains {
		if g > 0 && int64(g)*1000 >= least {
			f.At, f.To, f.Gain, f.Paths = i, best[i].to, g, best[i].paths
			break
		}
	}
	return f, true
}

func or[T comparable](v, otherwise T) T {
	var zero T
	if v == zero {
		return otherwise
	}
	return v
}

func took(run []Step) []int32 {
	out := make([]int32, len(run))
	for i := range run {
		out[i] = run[i].Took
	}
	return out
}

// choice is the best alternative at a step.
type choice struct {
	to    int32
	gain  tree.Milli
	paths int
}

// promise weighs what the aligned paths did instead of step i.
func promise(s *Step, i int, near []alignment) choice {
	taken := s.rate(s.Took, 1)
	best := choice{to: None}
	var parted, all int64
	top := tree.Milli(-1)
	for k := range near {
		a := &near[k]
		weight := int64(a.alike()) + 1
		all += weight
		to := a.instead(i)
		if to == None || to == s.Took {
			continue
		}
		parted += weight
		best.paths++
		if r := s.rate(to, 0); r > top || r == top && to < best.to {
			top, best.to = r, to
		}
	}
	if parted == 0 || top <= taken {
		return choice{to: None}
	}
	best.gain = tree.Milli(int64(top-taken) * parted / all)
	return best
}

// rate is the success rate of a successor, drawn towards that of the whole place
// with the weight of two episodes, and the place's towards one half (Laplace's rule
// of succession, as tree does). more is how many failures to add.
func (s *Step) rate(to int32, more uint32) tree.Milli {
	var place, way Way
	for _, w := range s.Ways {
		place.Success, place.Failure = place.Success+w.Success, place.Failure+w.Failure
		if w.To == to {
			way = w
		}
	}
	way.Failure += more
	return way.Rate(place.Rate(500))
}

// Rate is the share of successes, drawn towards like with the weight of two
// episodes.
func (w Way) Rate(like tree.Milli) tree.Milli {
	good, all := uint64(w.Success), uint64(w.Success)+uint64(w.Failure)
	return tree.Milli((1000*good + 2*uint64(like)) / (all + 2))
}
