package distill

import (
	"cmp"
	"errors"
	"slices"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/internal/tree/merge"
	"github.com/gbt-policy/gbt/tree"
)

// ErrNoSuccess says that no episode was fit to learn behaviour from.
var ErrNoSuccess = errors.New("no successful episode: nothing to distil")

// Figures are the coverage figures of a set of episodes, as they are printed
// and written as JSON. Shares are 0 to 1. Episodes are the successful ones.
// Those ending in Generic count steps that only a generic child matches: such
// a step is fragile and never covered.
type Figures struct {
	Episodes int     `json:"episodes"`
	Steps    int     `json:"steps"`
	Routed   float64 `json:"routed"` // share of episodes that the router did not abstain on

	EpisodeCoverage        float64 `json:"episode_coverage"`      // routed, and every step covered
	EpisodeCoverageLate    float64 `json:"episode_coverage_late"` // of all, those covered that their first macros claimed
	EpisodeCoverageGeneric float64 `json:"episode_coverage_generic"`
	StepCoverage           float64 `json:"step_coverage"`
	StepCoverageGeneric    float64 `json:"step_coverage_generic"`
	CoveredAndRight        float64 `json:"covered_and_right"` // covered, and the agent's words chose every next macro
	CoveredAndRightGeneric float64 `json:"covered_and_right_generic"`
	CoveredAndConfident    float64 `json:"covered_and_confident"` // covered in the sense of 003 §F.1: every match at or above theta_low

	Top1Text        float64 `json:"top1_text"` // covered steps with words: the words chose the macro that followed
	Top1TextGeneric float64 `json:"top1_text_generic"`
	TextSteps       int     `json:"text_steps"` // covered steps with words

	AllowedChildren        float64 `json:"allowed_children"` // mean children offered at a step
	AllowedShare           float64 `json:"allowed_share"`    // the same over the family's vocabulary
	AllowedChildrenGeneric float64 `json:"allowed_children_generic"`

	// Matching diagnostics (003 table 13), over covered steps with words.
	StepsPerEpisode float64 `json:"steps_per_episode"`
	Similarity      float64 `json:"similarity"`
	Margin          float64 `json:"margin"`
	Posterior       float64 `json:"posterior"`
	Fragile         float64 `json:"fragile"`
	Ambiguous       float64 `json:"ambiguous"`
	Exploration     float64 `json:"exploration"` // share of episodes with a step below the lower threshold

	ByDepth []DepthFigures `json:"by_depth"`
}

// DepthFigures is step coverage at one depth; the last one holds all deeper.
type DepthFigures struct {
	Depth    int     `json:"depth"`
	Steps    int     `json:"steps"`
	Coverage float64 `json:"coverage"`
}

// NewFigures turns sums into figures.
func NewFigures(s *merge.Summary) Figures {
	f := Figures{
		Episodes: s.Episodes, Steps: s.Steps, TextSteps: s.WithText,
		Routed:                 share(s.Routed, s.Episodes),
		EpisodeCoverage:        share(s.Full, s.Episodes),
		EpisodeCoverageLate:    share(s.Late, s.Episodes),
		EpisodeCoverageGeneric: share(s.FullGeneric, s.Episodes),
		StepCoverage:           share(s.Covered, s.Steps),
		StepCoverageGeneric:    share(s.Generic, s.Steps),
		CoveredAndRight:        share(s.Right, s.Episodes),
		CoveredAndRightGeneric: share(s.RightGeneric, s.Episodes),
		CoveredAndConfident:    share(s.Sure, s.Episodes),
		Top1Text:               share(s.Top1, s.WithText),
		Top1TextGeneric:        share(s.Top1+s.GenericTop1, s.WithText+s.GenericText),
		AllowedChildren:        mean(s.Children, s.Steps),
		AllowedShare:           mean(s.Share, s.Steps) / 1000,
		AllowedChildrenGeneric: mean(s.Children+s.GenericChild, s.Steps),
		StepsPerEpisode:        share(s.Steps, s.Episodes),
		Similarity:             mean(s.Sim, s.WithText) / 1000,
		Margin:                 mean(s.Margin, s.WithText) / 1000,
		Posterior:              mean(s.Posterior, s.WithText) / 1000,
		Fragile:                share(s.Fragile, s.WithText),
		Ambiguous:              share(s.Ambiguous, s.WithText),
		Exploration:            share(s.Explored, s.Episodes),
	}
	for i, n := range s.DepthSteps {
		if n > 0 {
			f.ByDepth = append(f.ByDepth, DepthFigures{Depth: i + 1, Steps: n, Coverage: share(s.DepthCovered[i], n)})
		}
	}
	return f
}

func share(n, of int) float64 { return mean(int64(n), of) }

func mean(n int64, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// metrics are the figures that are sealed in the artifact.
func metrics(s *merge.Summary) []artifacts.Metric {
	f := NewFigures(s)
	out := []artifacts.Metric{}
	for _, m := range []struct {
		name  string
		value float64
	}{
		{"cv.allowed_children", f.AllowedChildren}, {"cv.allowed_share", f.AllowedShare},
		{"cv.covered_and_right", f.CoveredAndRight},
		{"cv.episode_coverage", f.EpisodeCoverage}, {"cv.episode_coverage_generic", f.EpisodeCoverageGeneric},
		{"cv.routed", f.Routed}, {"cv.step_coverage", f.StepCoverage}, {"cv.top1_text", f.Top1Text},
	} {
		out = append(out, artifacts.Metric{Name: m.name, Value: tree.Milli(m.value*1000 + 0.5)})
	}
	slices.SortFunc(out, func(a, b artifacts.Metric) int { return cmp.Compare(a.Name, b.Name) })
	return out
}
