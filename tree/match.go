package tree

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Proposal is what an executor proposes to do next: words, their embedding, or
// a structured call, which is preferred where there is one.
type Proposal struct {
	Text string
	Vec  Vec
	Key  string // action key of the proposed call; "" if only words are given
	Kind Delta  // coarse change of the proposed call, with Key
}

// Match is a child with how well a proposal fits it.
type Match struct {
	Child
	Sim   Milli // text similarity in thousandths; 1000 for the structured call's own state
	Score Milli // eq. (1) of 003: Alpha * Sim + Beta * success rate
}

// Matches are the children of a position, best first.
type Matches struct {
	Ranked    []Match
	Margin    Milli // score of the first over the second
	Posterior Milli // probability that the first is right
}

// mentionBonus is what naming one of a state's tools in full adds to its
// similarity: agents that say which tool they will call mean it. Chosen by
// cross-validation on the shared corpora (package tree/merge).
const mentionBonus = 300

// Match ranks the children for a proposal. Ties go to the child with more
// evidence, then to the lesser state.
func (t *Tree) Match(children []Child, prop *Proposal, p *Params) Matches {
	var m Matches
	lower := strings.ToLower(prop.Text)
	for _, c := range children {
		s := &t.States[c.State]
		sim := t.similarity(s, prop, lower)
		score := p.Alpha.of(sim) + p.Beta.of(Milli(s.Count.Rate()*1000))
		m.Ranked = append(m.Ranked, Match{Child: c, Sim: sim, Score: score})
	}
	slices.SortStableFunc(m.Ranked, byRank(prop.Key != ""))
	m.Margin, m.Posterior = t.confidence(m.Ranked, prop, p)
	return m
}

// byRank orders matches. Words never choose a generic child before a real one:
// they can't tell which kind of change is meant. A structured call can.
func byRank(structured bool) func(a, b Match) int {
	return func(a, b Match) int {
		generic := cmp.Compare(a.Via/ViaGeneric, b.Via/ViaGeneric)
		fit := cmp.Compare(b.Score, a.Score)
		if structured {
			fit, generic = cmp.Compare(b.Sim, a.Sim), cmp.Or(generic, fit)
		} else {
			fit, generic = generic, fit
		}
		return cmp.Or(fit, generic, cmp.Compare(b.Tasks, a.Tasks), cmp.Compare(a.State, b.State))
	}
}

// of returns m times x in thousandths.
func (m Milli) of(x Milli) Milli { return Milli(int64(m) * int64(x) / 1000) }

func (t *Tree) similarity(s *State, prop *Proposal, lower string) Milli {
	if prop.Key != "" {
		if s.Key == prop.Key || s.Generic && s.Delta == prop.Kind {
			return 1000
		}
		return 0
	}
	best := Milli(0)
	for _, v := range s.Vecs {
		best = max(best, Milli(Cos(v, prop.Vec)*1000))
	}
	if mentions(lower, s.Tools) {
		best += mentionBonus
	}
	return best
}

// mentions reports whether a lower-case text names one of the tools in full.
// Only names of several words count: "search_emails", not "search".
func mentions(lower string, tools []Use) bool {
	for _, u := range tools {
		if strings.ContainsRune(u.Name, '_') && strings.Contains(lower, strings.ToLower(u.Name)) {
			return true
		}
	}
	return false
}

// confidence gives the margin of the best child and the probability that it is
// right. A structured proposal is right or it is not.
func (t *Tree) confidence(ranked []Match, prop *Proposal, p *Params) (margin, posterior Milli) {
	if len(ranked) == 0 || ranked[0].Via == ViaGeneric && prop.Key == "" {
		return 0, 0
	}
	first := ranked[0]
	margin = first.Score
	if len(ranked) > 1 && ranked[1].Via != ViaGeneric {
		margin -= ranked[1].Score
	}
	if prop.Key != "" || p.Profile == ReferenceProfile {
		return margin, first.Sim
	}
	return margin, p.posterior(first, margin, ranked)
}

// posterior evaluates the calibrated logistic function. Its terms are fixed
// point; only the exponential is a float, and its result is rounded to
// thousandths, far coarser than any difference between processors.
func (p *Params) posterior(first Match, margin Milli, ranked []Match) Milli {
	x := float64(p.Posterior[0]) + float64(p.Posterior[1].of(first.Sim)) +
		float64(p.Posterior[2].of(margin)) + float64(p.Posterior[3].of(Prior(ranked)))
	return Milli(math.Round(1000 / (1 + math.Exp(-x/1000))))
}

// Prior is the best child's share of the evidence among its siblings, smoothed.
func Prior(ranked []Match) Milli {
	var all uint64
	for _, r := range ranked {
		all += uint64(r.Tasks) + 1
	}
	return Milli((uint64(ranked[0].Tasks) + 1) * 1000 / all)
}
