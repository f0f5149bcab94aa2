package tree

import (
	"math"
	"slices"
	"sort"
)

// Route is the router's answer for a task (requirement R1).
type Route struct {
	Best Candidate   // the likeliest family; Family is -1 if there is none
	Open []Candidate // the families that stay open, likeliest first
	// Abstain says why the policy does not claim the task, "" if it does. Open is
	// then where the task would stand: what guards it, though nothing steers it.
	Abstain string
	Late    bool // the first macros of the run may still claim it
}

// Candidate is a family with its probability.
type Candidate struct {
	Family int32
	P      Milli
}

// OK reports whether the policy may steer the task.
func (r *Route) OK() bool { return len(r.Open) > 0 && r.Abstain == "" }

// fitWeight is the weight of a family's log odds beside its best cosine, both in
// thousandths. Chosen by cross-validation: the cosine is better for families of
// a few tasks, the log odds for families of many (package internal/tree/merge).
const fitWeight = 30

// maxOpen bounds the families that stay open.
const maxOpen = 4

// Route finds the family of a task by the best cosine to one of its prototypes
// (003 §D.2), as a softmax over families. The default profile adds the family's
// centroid and its Fit, and commits only to a clear winner: otherwise the
// likeliest few stay open until the first macro decides between them. Families
// none of whose tools the host offers are left out; offered nil means that the
// host does not say. A task beyond the boundary of what the policy claims to know
// is abstained from.
func (t *View) Route(a *Ask, p *Params) Route {
	r := t.Decide(t.RouteScores(a.Vec, a.Offered, p), p)
	r.Abstain, r.Late = t.Abstain(a, p)
	return r
}

// Decide is the part of Route that depends on the settings: it turns the scores
// of the families into an answer.
func (t *View) Decide(scores []float64, p *Params) Route {
	best := -1
	for i, s := range scores {
		if !math.IsInf(s, -1) && (best < 0 || s > scores[best]) {
			best = i
		}
	}
	if best < 0 {
		return Route{Best: Candidate{Family: -1}}
	}
	all := softmaxAll(scores, best, p.RouteTemperature)
	r := Route{Best: all[0]}
	switch {
	case r.Best.P >= p.RouteAbstain:
		r.Open = all[:1]
	case p.Profile != ReferenceProfile:
		n := 0
		for n < len(all) && n < maxOpen && all[n].P >= p.RouteKeep {
			n++
		}
		r.Open = all[:n]
	}
	return r
}

// RouteScores returns every family's score before the softmax, minus infinity
// for families that are left out.
func (t *View) RouteScores(task Vec, offered []string, p *Params) []float64 {
	scores := make([]float64, len(t.Families))
	l := length(task)
	for i := range t.Families {
		f := &t.Families[i]
		scores[i] = math.Inf(-1)
		if offered != nil && !offers(offered, f.Tools) {
			continue
		}
		scores[i] = t.familyCos(i, task, l, p)
		if p.Profile != ReferenceProfile {
			scores[i] += fitWeight * score(&f.Fit, t.routes[i], task, l) / 1e6
		}
	}
	return scores
}

func (t *View) familyCos(i int, task Vec, l float64, p *Params) float64 {
	f := &t.Families[i]
	s := math.Inf(-1)
	for j, proto := range f.Prototypes {
		s = max(s, cos(proto.Vec, t.families[i][j], task, l))
	}
	if p.Profile != ReferenceProfile {
		s = max(s, cos(f.Centroid, t.families[i][len(f.Prototypes)], task, l))
	}
	return s
}

// softmaxAll returns the probabilities of the scores at a temperature, likeliest
// first, ties by index.
func softmaxAll(scores []float64, best int, temperature Milli) []Candidate {
	sum := 0.0
	weights := make([]float64, len(scores))
	for i, s := range scores {
		weights[i] = math.Exp((s - scores[best]) / temperature.Float())
		sum += weights[i]
	}
	var out []Candidate
	for i, w := range weights {
		if w > 0 {
			out = append(out, Candidate{Family: int32(i), P: Milli(math.Round(1000 * w / sum))})
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].P > out[j].P })
	return out
}

func offers(offered, tools []string) bool {
	return slices.ContainsFunc(offered, func(o string) bool {
		_, ok := slices.BinarySearch(tools, o)
		return ok
	})
}
