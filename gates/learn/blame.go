package learn

import (
	"cmp"
	"math"
	"slices"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
)

// A verdict on a whole episode does not say which call it is about. Blame
// contrasts the episodes with the same verdict (rule, detail and group) with
// all others of their group, as spectrum-based fault localisation contrasts
// failing with passing runs: a trait of a call (a tool's argument with a value
// that the task did not name, or an effect on a resource) is suspicious in the
// measure of Ochiai, u / sqrt(U * (u + b)), u of U episodes with the verdict and
// b others having it (Abreu et al., "On the Accuracy of Spectrum-based Fault
// Localization", 2007).
//
// minOchiai is the score from which a trait is blamed, and a trait must reach
// half of the best one of its verdict. With less, what the runs of one task
// have in common would be blamed.
const minOchiai = 0.3

// Traits that differ between runs with one verdict only (a task's own values)
// never reach it; a verdict seen in one episode alone blames nothing.
const minRuns = 2

// trait is what several calls may have in common.
type trait struct{ tool, what, value string }

func traitsOf(c *gates.Context) []trait {
	var out []trait
	tool := c.ToolName()
	for i := range c.Args {
		a := &c.Args[i]
		if a.Origin != gates.OriginTask && len(a.Value) > 3 && c.Class.Family != gates.FamilyShell && c.Class.Family != gates.FamilyFile {
			out = append(out, trait{tool, basePath(a.Path), a.Value})
		}
	}
	for i := range c.Effects {
		if e := &c.Effects[i]; e.High() && e.Zone != effect.ZoneRecord || e.Sensitive {
			out = append(out, trait{e.Program, e.Kind.String() + " " + e.Op.String(), e.Resource})
		}
	}
	slices.SortFunc(out, compareTraits)
	return slices.Compact(out)
}

func compareTraits(a, b trait) int {
	return cmp.Or(cmp.Compare(a.tool, b.tool), cmp.Compare(a.what, b.what), cmp.Compare(a.value, b.value))
}

// verdictKey is a class of verdicts that are about the same thing. Where a
// checker has nothing to say but unsafe, only runs of one task are alike.
type verdictKey struct{ among, rule, detail string }

func (c *Case) verdict() verdictKey { return verdictKey{c.among(), c.Rule, c.Detail} }

// among is what a case is contrasted with: its group, or its task's other runs.
func (c *Case) among() string {
	if c.Detail == "" {
		return c.Group + "\x00" + c.Task
	}
	return c.Group
}

// Positive is a call that a verdict is about.
type Positive struct {
	Case   int
	Sample int
	Traits []string // what it was blamed for; empty if nobody knows
	Violation
}

// Blame finds the calls that the cases' verdicts are about. lost counts unsafe
// cases for which it found none.
func Blame(cases []*Case) (out []Positive, lost int) {
	spectrum := newSpectrum(cases)
	for i, c := range cases {
		if c.Standing != StandingUnsafe {
			continue
		}
		var blamed []Positive
		if c.Whole {
			blamed = spectrum.blame(i, c)
		}
		found := c.positives(i, blamed)
		if len(found) == 0 {
			lost++
		}
		out = append(out, found...)
	}
	return out, lost
}

// spectrum counts the episodes that have a trait, by group and verdict.
type spectrum struct {
	runs map[verdictKey]int
	with map[verdictKey]map[trait]int
	any  map[string]map[trait]int // by group, and by task
	all  map[string]int           // judged episodes, the same way
	best map[verdictKey]float64
}

func newSpectrum(cases []*Case) *spectrum {
	s := &spectrum{runs: map[verdictKey]int{}, with: map[verdictKey]map[trait]int{}, any: map[string]map[trait]int{}, all: map[string]int{}, best: map[verdictKey]float64{}}
	for _, c := range cases {
		if c.Standing == StandingNone {
			continue
		}
		seen := map[trait]bool{}
		for i := range c.Samples {
			for _, t := range traitsOf(&c.Samples[i].Context) {
				seen[t] = true
			}
		}
		k := c.verdict()
		if c.Standing == StandingUnsafe {
			s.runs[k]++
			if s.with[k] == nil {
				s.with[k] = map[trait]int{}
			}
		}
		s.all[c.Group]++
		s.all[c.Group+"\x00"+c.Task]++
		for t := range seen {
			for _, among := range [...]string{c.Group, c.Group + "\x00" + c.Task} {
				if s.any[among] == nil {
					s.any[among] = map[trait]int{}
				}
				s.any[among][t]++
			}
			if c.Standing == StandingUnsafe {
				s.with[k][t]++
			}
		}
	}
	for k, traits := range s.with {
		for t := range traits {
			s.best[k] = max(s.best[k], s.score(k, t))
		}
	}
	return s
}

func (s *spectrum) score(k verdictKey, t trait) float64 {
	u, all := s.with[k][t], s.any[k.among][t]
	if u < minRuns || s.all[k.among] == s.runs[k] {
		return 0 // nothing to contrast with
	}
	return float64(u) / math.Sqrt(float64(s.runs[k])*float64(all))
}

func (s *spectrum) blame(i int, c *Case) []Positive {
	var out []Positive
	k := c.verdict()
	need := max(minOchiai, s.best[k]/2)
	for j := range c.Samples {
		p := Positive{Case: i, Sample: j, Violation: Violation{Step: c.Samples[j].Step, From: c.Samples[j].From, Rule: c.Rule, Detail: c.Detail, Basis: basisContrast}}
		for _, t := range traitsOf(&c.Samples[j].Context) {
			if s.score(k, t) >= need {
				p.Traits = append(p.Traits, t.what)
			}
		}
		if len(p.Traits) > 0 {
			out = append(out, p)
		}
	}
	return out
}
