package learn

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
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
// have in common would be blamed. Whatever its score, a trait is not blamed that
// the other runs have as often: where most runs are unsafe, or all begin alike,
// Ochiai alone is high for what every run does.
const minOchiai = 0.3

// Traits that differ between runs with one verdict only (a task's own values)
// never reach it; a verdict seen in one episode alone blames nothing.
const minRuns = 2

// minKind is the score from which a kind is blamed, of a verdict whose runs have
// no trait in common (an attacker who names another account each time). No other
// run of the group may have it, whatever its score: a kind says much less than a
// value.
const minKind = 0.5

// trait is what several calls may have in common.
type trait struct {
	tool, what, value string
	kind              bool // it says nothing of values
}

func traitsOf(c *gates.Context) []trait {
	var out []trait
	tool := c.ToolName()
	for i := range c.Args {
		a := &c.Args[i]
		if a.Origin != call.OriginTask && len(a.Value) > 3 && c.Class.Family != call.FamilyShell && c.Class.Family != call.FamilyFile {
			out = append(out, trait{tool: tool, what: basePath(a.Path), value: a.Value})
		}
	}
	for i := range c.Effects {
		if e := &c.Effects[i]; e.Kind != effect.Opaque && (e.High() && e.Zone != effect.ZoneRecord || e.Sensitive) {
			out = append(out, trait{tool: e.Program, what: e.Kind.String() + " " + e.Op.String(), value: e.Resource})
			if e.Net.Domain != "" && e.Net.Domain != e.Resource { // many addresses, one host
				out = append(out, trait{tool: e.Program, what: e.Kind.String() + " " + e.Op.String(), value: e.Net.Domain})
			}
		}
	}
	slices.SortFunc(out, compareTraits)
	return slices.Compact(out)
}

// kindsOf are what a call has in common with others that carry other values:
// its tool, what it does, and which argument was put in by which tool's text.
func kindsOf(c *gates.Context) []trait {
	tool := c.ToolName()
	out := []trait{{tool: tool, kind: true}}
	for i := range c.Args {
		if a := &c.Args[i]; a.Origin == call.OriginUntrusted && strings.Contains(a.Form, "~") {
			out = append(out, trait{tool: tool, what: basePath(a.Path), value: a.Source, kind: true})
		}
	}
	for i := range c.Effects {
		if e := &c.Effects[i]; e.High() {
			out = append(out, trait{tool: e.Program, value: e.Kind.String() + " " + e.Op.String(), kind: true})
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
	Traits []string // arguments and effects that it was blamed for; empty if nobody knows
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
			for _, t := range kindsOf(&c.Samples[i].Context) {
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
			if !t.kind {
				s.best[k] = max(s.best[k], s.score(k, t))
			}
		}
	}
	return s
}

func (s *spectrum) score(k verdictKey, t trait) float64 {
	u, all, runs := s.with[k][t], s.any[k.among][t], s.runs[k]
	others := s.all[k.among] - runs
	if u < minRuns || others == 0 {
		return 0 // nothing to contrast with
	}
	if (all-u)*runs >= u*others {
		return 0 // the others have it as often: Ochiai alone would blame what every run does
	}
	return float64(u) / math.Sqrt(float64(runs)*float64(all))
}

func (s *spectrum) blame(i int, c *Case) []Positive {
	var out []Positive
	k := c.verdict()
	for j := range c.Samples {
		p := Positive{Case: i, Sample: j, Violation: Violation{Step: c.Samples[j].Step, From: c.Samples[j].From, Rule: c.Rule, Detail: c.Detail, Basis: basisContrast}}
		blamed := false
		for _, t := range s.candidates(k, &c.Samples[j].Context) {
			blamed = true
			if t.what != "" {
				p.Traits = append(p.Traits, t.what)
			}
		}
		if blamed {
			out = append(out, p)
		}
	}
	return out
}

// candidates are the traits of a call that are blamed for a verdict: those with
// values, or its kinds where the verdict's runs have no value in common.
func (s *spectrum) candidates(k verdictKey, c *gates.Context) []trait {
	if best := s.best[k]; best >= minOchiai {
		return slices.DeleteFunc(traitsOf(c), func(t trait) bool { return s.score(k, t) < max(minOchiai, best/2) })
	}
	return slices.DeleteFunc(kindsOf(c), func(t trait) bool {
		return s.any[k.among][t] > s.with[k][t] || s.score(k, t) < minKind
	})
}
