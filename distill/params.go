package distill

import (
	"fmt"
	"math"

	"github.com/gbt-policy/gbt/internal/tree/merge"
	"github.com/gbt-policy/gbt/tree"
)

// setting ties a key of gbt.yaml to its place in tree.Params, its range and its
// values in the two profiles.
type setting struct {
	key             string
	value           *float64
	into            *tree.Milli
	normal, literal float64
	lowest, highest float64
}

// Params returns the settings of a policy. Reference values are those of 003
// (§D.2, §D.3, §E.3, §F.1, §F.3, §G); default values were chosen by
// cross-validation by task, see package internal/tree/merge.
func (c *Config) Params() (tree.Params, error) {
	p := tree.Params{Profile: c.Profile, RouteTemperature: 50}
	s := &c.Tree
	for _, x := range []setting{
		{"theta_high", s.ThetaHigh, &p.ThetaHigh, 0.78, 0.78, 0, 1},
		{"theta_low", s.ThetaLow, &p.ThetaLow, 0.70, 0.70, 0, 1},
		{"ambiguous", s.Ambiguous, &p.Ambiguous, 0.05, 0.05, 0, 1},
		{"route_abstain", s.RouteAbstain, &p.RouteAbstain, 0.90, 0.55, 0, 1},
		{"route_keep", s.RouteKeep, &p.RouteKeep, 0.02, 1, 0, 1},
		{"route_switch", s.RouteSwitch, &p.RouteSwitch, 0.10, 0.10, 0, 1},
		{"alpha", s.Alpha, &p.Alpha, 1, 1, 0, 10},
		{"beta", s.Beta, &p.Beta, 0.25, 0.5, 0, 10},
		{"env_cos", s.EnvCos, &p.EnvCos, 0.80, 0.80, 0, 1},
		{"lambda", s.Lambda, &p.Lambda, 0.5, 0.5, 0, 100},
		{"allowed_share", s.AllowedShare, &p.AllowedShare, 0.45, 1, 0, 1},
		{"novelty", s.Novelty, &p.Novelty, 0.3, 1, 0, 1},
	} {
		if err := x.apply(c.Profile); err != nil {
			return tree.Params{}, err
		}
	}
	if _, _, err := c.abstain(); err != nil {
		return tree.Params{}, err
	}
	for _, x := range []struct {
		key    string
		value  *int32
		into   *int32
		normal int32
	}{
		{"max_children", s.MaxChildren, &p.MaxChildren, 5},
		{"explore_budget", s.ExploreBudget, &p.ExploreBudget, 3},
		{"route_every", s.RouteEvery, &p.RouteEvery, 3},
		{"max_recovery", s.MaxRecovery, &p.MaxRecovery, 8},
	} {
		*x.into = x.normal
		if x.value != nil {
			if *x.value < 0 || *x.value > 1000 {
				return tree.Params{}, fmt.Errorf("tree.%s is %d: give 0 to 1000", x.key, *x.value)
			}
			*x.into = *x.value
		}
	}
	if p.ThetaLow > p.ThetaHigh {
		return tree.Params{}, fmt.Errorf("tree.theta_low %.3f is above theta_high %.3f", p.ThetaLow.Float(), p.ThetaHigh.Float())
	}
	return p, nil
}

// abstain is the share of known tasks that the claim boundary may cost, in
// thousandths. The policy keeps the limits that are fitted to it.
//
// late is the share that first macros cannot win back.
func (c *Config) abstain() (lost, late tree.Milli, err error) {
	for _, x := range []setting{
		{"abstain", c.Tree.Abstain, &lost, merge.DefaultAbstain.Float(), 0, 0, 0.5},
		{"abstain_late", c.Tree.AbstainLate, &late, merge.DefaultLate.Float(), 0, 0, 0.5},
	} {
		if err := x.apply(c.Profile); err != nil {
			return 0, 0, err
		}
	}
	return lost, late, nil
}

func (x setting) apply(profile string) error {
	v := x.normal
	if profile == tree.ReferenceProfile {
		v = x.literal
	}
	if x.value != nil {
		v = *x.value
	}
	if math.IsNaN(v) || v < x.lowest || v > x.highest {
		return fmt.Errorf("tree.%s is %v: give a number from %v to %v", x.key, v, x.lowest, x.highest)
	}
	*x.into = tree.Milli(math.Round(v * 1000))
	return nil
}
