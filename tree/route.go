package tree

import (
	"math"
	"slices"
)

// Route is the router's answer for a task (requirement R1).
type Route struct {
	Family int32 // index of the best family, -1 if there is none
	P      Milli // its probability
	Cos    Milli // its best cosine
	OK     bool  // P reaches the abstention threshold
}

// Route finds the family of a task by the best cosine to one of its prototypes
// or its centroid (003 §D.2; the centroid is ours: it halves abstention), as a
// softmax over families. Families none of whose tools the host offers are left
// out; offered nil means that the host does not say.
func (t *Tree) Route(task Vec, offered []string, p *Params) Route {
	scores := make([]float64, len(t.Families))
	best := -1
	for i := range t.Families {
		f := &t.Families[i]
		scores[i] = math.Inf(-1)
		if offered != nil && !offers(offered, f.Tools) {
			continue
		}
		scores[i] = t.familyScore(f, task, p)
		if best < 0 || scores[i] > scores[best] {
			best = i
		}
	}
	if best < 0 {
		return Route{Family: -1}
	}
	r := Route{Family: int32(best), Cos: Milli(math.Round(scores[best] * 1000)), P: softmaxAt(scores, best, p.RouteTemperature)}
	r.OK = r.P >= p.RouteAbstain
	return r
}

func (t *Tree) familyScore(f *Family, task Vec, p *Params) float64 {
	s := math.Inf(-1)
	for _, proto := range f.Prototypes {
		s = max(s, Cos(proto.Vec, task))
	}
	if p.Profile != ReferenceProfile {
		s = max(s, Cos(f.Centroid, task))
	}
	return s
}

// softmaxAt returns the probability of one score at a temperature.
func softmaxAt(scores []float64, at int, temperature Milli) Milli {
	sum := 0.0
	for _, s := range scores {
		sum += math.Exp((s - scores[at]) / temperature.Float())
	}
	return Milli(math.Round(1000 / sum))
}

func offers(offered, tools []string) bool {
	return slices.ContainsFunc(offered, func(o string) bool {
		_, ok := slices.BinarySearch(tools, o)
		return ok
	})
}
