package tree

import (
	"cmp"
	"math"
	"sort"
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
	Sim   Milli // cosine to the state's description; 1000 for a structured call's own state
	Score Milli // eq. (1) of 003: Alpha * fit + Beta * success rate
	Prob  Milli // share of the probability among the children offered
}

// Matches are the children of a position, best first.
type Matches struct {
	Ranked    []Match
	Margin    Milli // lead of the first over the second
	Posterior Milli // probability that the first is right
}

// Weights of matching by words in the default profile, in thousandths of log
// odds. Chosen by cross-validation on the shared corpora (package internal/tree/merge).
const (
	// mentionOdds is what naming one of a state's tools in full adds: agents
	// that say which tool they will call mean it.
	mentionOdds = 3000
	// priorOdds is the weight of a child's share of the evidence.
	priorOdds = 450
)

// Match ranks the children for a proposal. Ties go to the child with more
// evidence, then to the lesser state.
//
// In the reference profile a child's fit is the cosine of the proposal to its
// description. In the default profile it is log odds: the state's Fit, tools
// named in full, and the evidence for the step. Prob is their softmax, within
// each open family and times the family's own probability.
func (t *View) Match(children []Child, prop *Proposal, p *Params) Matches {
	ranked := make([]Match, 0, len(children))
	lower := strings.ToLower(prop.Text)
	all, l := evidence(children), length(prop.Vec)
	for _, c := range children {
		m := Match{Child: c, Sim: t.similarity(c.State, prop, l)}
		fit := m.Sim
		if p.Profile != ReferenceProfile && prop.Key == "" {
			fit = t.logOdds(&c, prop, l, lower, all)
		}
		m.Score = p.Alpha.of(fit) + p.Beta.of(t.rate(&c, p))
		ranked = append(ranked, m)
	}
	t.probabilities(ranked)
	rank := byRank(prop.Key != "", p.Profile == ReferenceProfile)
	sort.SliceStable(ranked, func(i, j int) bool { return rank(ranked[i], ranked[j]) < 0 })
	m := Matches{Ranked: ranked}
	m.Margin, m.Posterior = confidence(ranked, prop, p)
	return m
}

// of returns m times x in thousandths.
func (m Milli) of(x Milli) Milli { return Milli(int64(m) * int64(x) / 1000) }

func (t *View) similarity(state int32, prop *Proposal, l float64) Milli {
	s := &t.States[state]
	if prop.Key != "" {
		if s.Action() == prop.Key || s.Generic && s.Delta == prop.Kind {
			return 1000
		}
		return 0
	}
	best := Milli(0)
	for i, v := range s.Vecs {
		best = max(best, Milli(math.Round(cos(v, t.states[state][i], prop.Vec, l)*1000)))
	}
	return best
}

func evidence(children []Child) uint64 {
	var all uint64
	for _, c := range children {
		all += uint64(c.Count.Tasks) + 1
	}
	return all
}

func (t *View) logOdds(c *Child, prop *Proposal, l float64, lower string, all uint64) Milli {
	s := &t.States[c.State]
	fit := Milli(math.Round(score(&s.Fit, t.fits[c.State], prop.Vec, l))) +
		Milli(math.Round(priorOdds*math.Log(float64(c.Count.Tasks+1)/float64(all))))
	if mentions(lower, s.Tools) {
		fit += mentionOdds
	}
	return fit
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

// probabilities fills in Prob: a softmax of the scores within each family.
// Generic children have none: words cannot mean them.
func (t *View) probabilities(ranked []Match) {
	for from := 0; from < len(ranked); {
		family := t.States[ranked[from].State].Family
		to, top := from, math.Inf(-1)
		for ; to < len(ranked) && t.States[ranked[to].State].Family == family; to++ {
			if ranked[to].Via != ViaGeneric {
				top = max(top, ranked[to].Score.Float())
			}
		}
		sum := 0.0
		for _, m := range ranked[from:to] {
			if m.Via != ViaGeneric {
				sum += math.Exp(m.Score.Float() - top)
			}
		}
		for i := from; i < to; i++ {
			if m := &ranked[i]; m.Via != ViaGeneric {
				m.Prob = Milli(math.Round(m.P.Float() * 1000 * math.Exp(m.Score.Float()-top) / sum))
			}
		}
		from = to
	}
}

// byRank orders matches: by probability, by score in the reference profile.
// Words never choose a generic child before a real one: they can't tell which
// kind of change is meant. A structured call can.
func byRank(structured, literal bool) func(a, b Match) int {
	return func(a, b Match) int {
		generic := cmp.Compare(a.Via/ViaGeneric, b.Via/ViaGeneric)
		ties := cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.Count.Tasks, a.Count.Tasks), cmp.Compare(a.State, b.State))
		switch {
		case structured:
			return cmp.Or(cmp.Compare(b.Sim, a.Sim), generic, cmp.Compare(b.Likelihood(), a.Likelihood()), ties)
		case literal:
			return cmp.Or(generic, ties)
		}
		return cmp.Or(generic, cmp.Compare(b.Prob, a.Prob), ties)
	}
}

// confidence gives the margin of the best child and the probability that it is
// right. A structured proposal is right or it is not.
func confidence(ranked []Match, prop *Proposal, p *Params) (margin, posterior Milli) {
	if len(ranked) == 0 || ranked[0].Via == ViaGeneric && prop.Key == "" {
		return 0, 0
	}
	first, second := ranked[0], Match{}
	if len(ranked) > 1 && ranked[1].Via != ViaGeneric {
		second = ranked[1]
	}
	if prop.Key != "" {
		return first.Sim - second.Sim, first.Sim
	}
	if p.Profile == ReferenceProfile {
		return first.Score - second.Score, first.Sim
	}
	margin = first.Prob - second.Prob
	return margin, p.Judge(first.Prob, margin, first.Sim)
}

// Judge gives the probability that a match by words is right, from the share,
// margin and similarity of the best child: the calibrated logistic function, in
// the reference profile the similarity itself. Its terms are fixed point; only
// the exponential is a float, and its result is rounded to thousandths, far
// coarser than any difference between processors.
func (p *Params) Judge(prob, margin, sim Milli) Milli {
	if p.Profile == ReferenceProfile {
		return sim
	}
	x := p.Posterior[0] + p.Posterior[1].of(prob) + p.Posterior[2].of(margin) + p.Posterior[3].of(sim)
	return Milli(math.Round(1000 / (1 + math.Exp(-x.Float()))))
}
