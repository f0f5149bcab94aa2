package tree

import (
	"errors"
	"fmt"
)

// Check reports settings that are missing or make no sense. Alpha, Beta, Lambda,
// ExploreBudget and Novelty may be zero, which switches their part off; no other
// setting has a zero with a meaning.
func (p *Params) Check() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if p.Profile != DefaultProfile && p.Profile != ReferenceProfile {
		bad("unknown profile %.80q", p.Profile)
	}
	for _, s := range p.shares() {
		if s.value < s.least || s.value > 1000 {
			bad("setting %s is %d, want %d to 1000 thousandths", s.name, s.value, s.least)
		}
	}
	if p.ThetaLow > p.ThetaHigh {
		bad("setting theta_low is above theta_high")
	}
	if p.ExploreBudget < 0 || p.RouteEvery < 1 || p.MaxRecovery < 1 {
		bad("setting explore_budget, route_every or max_recovery is too small")
	}
	if p.Alpha < 0 || p.Beta < 0 || p.Lambda < 0 {
		bad("setting alpha, beta or lambda is negative")
	}
	return errors.Join(errs...)
}

// share is a setting between least and 1.
type share struct {
	name         string
	value, least Milli
}

func (p *Params) shares() []share {
	return []share{
		{"theta_high", p.ThetaHigh, 1},
		{"theta_low", p.ThetaLow, 1},
		{"ambiguous", p.Ambiguous, 1},
		{"route_abstain", p.RouteAbstain, 1},
		{"route_temperature", p.RouteTemperature, 1},
		{"route_switch", p.RouteSwitch, 1},
		{"env_cos", p.EnvCos, 1},
		{"allowed_share", p.AllowedShare, 1},
		{"novelty", p.Novelty, 0},
		{"theta_sig", p.ThetaSig, 1},
		{"theta_merge", p.ThetaMerge, 1},
	}
}
