package tree

import (
	"errors"
	"fmt"
)

// noNovelty is the setting of Novelty that no estimate reaches.
const noNovelty = 1001

// Check reports settings that are missing or make no sense. Alpha, Beta, Lambda
// and ExploreBudget may be zero, which switches their part off, and Novelty may
// be zero, which is always reached; no other setting has a zero with a meaning.
func (p *Params) Check() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if p.Profile != DefaultProfile && p.Profile != ReferenceProfile {
		bad("unknown profile %.80q", p.Profile)
	}
	for _, s := range p.shares() {
		if s.value < 1 || s.value > 1000 {
			bad("setting %s is %d, want 1 to 1000 thousandths", s.name, s.value)
		}
	}
	if p.Novelty < 0 || p.Novelty > noNovelty {
		bad("setting novelty is %d, want 0 to %d thousandths", p.Novelty, noNovelty)
	}
	if p.ThetaLow > p.ThetaHigh {
		bad("setting theta_low is above theta_high")
	}
	if p.MaxChildren < 1 {
		bad("setting max_children is too small")
	}
	if p.ExploreBudget < 0 || p.RouteEvery < 1 || p.MaxRecovery < 1 {
		bad("setting explore_budget, route_every or max_recovery is too small")
	}
	if p.Alpha < 0 || p.Beta < 0 || p.Lambda < 0 {
		bad("setting alpha, beta or lambda is negative")
	}
	return errors.Join(errs...)
}

// share is a setting above 0 and at most 1.
type share struct {
	name  string
	value Milli
}

func (p *Params) shares() []share {
	return []share{
		{"theta_high", p.ThetaHigh},
		{"theta_low", p.ThetaLow},
		{"ambiguous", p.Ambiguous},
		{"route_abstain", p.RouteAbstain},
		{"route_keep", p.RouteKeep},
		{"route_temperature", p.RouteTemperature},
		{"route_switch", p.RouteSwitch},
		{"env_cos", p.EnvCos},
		{"allowed_share", p.AllowedShare},
		{"theta_sig", p.ThetaSig},
		{"theta_merge", p.ThetaMerge},
	}
}
