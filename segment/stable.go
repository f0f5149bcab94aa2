package segment

import (
	"slices"

	"github.com/gbt-policy/gbt/corpora"
)

// The reference constants of 003 §C.3: how often a trace is looked at anew, and
// the least Jaccard similarity of its boundaries.
const (
	Perturbations = 5
	MinJaccard    = 0.9
)

// Stability is the outcome of the test of requirement X4.
type Stability struct {
	Tested    bool    // the trace is unsafe or touches a high-risk primitive
	Jaccard   float64 // least similarity of two sets of boundaries
	Summaries bool    // every summary stayed equivalent
}

// OK reports whether the trace may feed tree and gates. One that needs no test
// may.
func (s Stability) OK() bool { return !s.Tested || s.Summaries && s.Jaccard >= MinJaccard }

// Stable tests whether an episode's macros mean the same however the episode is
// written down (003 §C.3): an unsafe one, or one that touches a high-risk
// primitive. path is what Segment made of it under p.
//
// The paper words its instructions to a language model anew, five times, and
// asks whether the summaries stay equivalent. Here no model is asked: summaries
// and boundaries are functions of the calls, and two runs over the same bytes
// agree by construction. What can vary is how the same calls are written, so
// that is what is perturbed: each of the five perturbations writes a part of the
// calls anew without changing what they do (rewrite) and leaves out everybody's
// words. Which calls, and how, follows from a hash of their content; together
// the five write every call anew once. Boundaries are compared between every
// two of the six versions. Summaries are equivalent if tags, resources, hard
// touch and the template of the description agree wherever two versions cut the
// same span: the agent's own sentence is for matching, signs nothing, and may
// differ.
//
// A call that is only guessed at, such as a command line that does not parse,
// reads differently when it is written differently. A trace whose macros hang
// on such guesses is unstable.
func Stable(e *corpora.Episode, path *Path, p Profile) Stability {
	s := Stability{Tested: e.Safety == corpora.SafetyUnsafe || path.hard(), Jaccard: 1, Summaries: true}
	if !s.Tested {
		return s
	}
	versions := []*Path{path}
	for _, all := range perturbed(e, path.calls) {
		if !slices.Equal(all, path.calls) { // the same calls give the same macros
			again := cut(all, p)
			versions = append(versions, &again)
		}
	}
	for i, a := range versions {
		for _, b := range versions[:i] {
			s.Jaccard = min(s.Jaccard, jaccard(a.Macros, b.Macros))
			s.Summaries = s.Summaries && equivalent(a, b)
		}
	}
	return s
}

func (path *Path) hard() bool {
	return slices.ContainsFunc(path.Macros, func(m Macro) bool { return m.Hard })
}

// perturbed returns the calls of an episode as each perturbation sees them.
func perturbed(e *corpora.Episode, all []view) [Perturbations][]view {
	var out [Perturbations][]view
	for k := range out {
		out[k] = slices.Clone(all)
	}
	for i := range e.Steps {
		s := &e.Steps[i]
		if s.Status == corpora.StatusBlocked {
			continue
		}
		seed := seedOf(s.Tool, s.Args, i)
		if args, ok := rewrite(s.Tool, s.Args, seed/Perturbations); ok {
			other := *s
			other.Args = args
			out[seed%Perturbations][i] = viewOf(&other)
		}
	}
	return out
}

// jaccard compares the sets of steps at which macros begin. Two paths without
// any are alike.
func jaccard(a, b []Macro) float64 {
	both, i, j := 0, 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i].From < b[j].From:
			i++
		case a[i].From > b[j].From:
			j++
		default:
			both++
			i++
			j++
		}
	}
	union := len(a) + len(b) - both
	if union == 0 {
		return 1
	}
	return float64(both) / float64(union)
}

// equivalent compares the summaries of the macros that two paths cut alike.
// Their steps are the same calls, so their tools are the same.
func equivalent(a, b *Path) bool {
	for i, j := 0, 0; i < len(a.Macros) && j < len(b.Macros); {
		x, y := &a.Macros[i], &b.Macros[j]
		if x.From == y.From && x.To == y.To && (x.Key != y.Key || x.Delta != y.Delta || x.Hard != y.Hard) {
			return false
		}
		if x.From <= y.From {
			i++
		}
		if y.From <= x.From {
			j++
		}
	}
	return true
}
