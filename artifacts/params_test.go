package artifacts

import (
	"errors"
	"testing"

	"github.com/gbt-policy/gbt/tree"
)

// TestParamsCheck goes through what settings may be.
func TestParamsCheck(t *testing.T) {
	good := tree.Params{
		Profile: tree.DefaultProfile, ThetaHigh: 780, ThetaLow: 700, Ambiguous: 50, ExploreBudget: 3,
		RouteAbstain: 550, RouteKeep: 20, MaxChildren: 6, RouteTemperature: 50, RouteEvery: 3, RouteSwitch: 100, Alpha: 1000, Beta: 500,
		EnvCos: 800, Lambda: 500, MaxRecovery: 8, AllowedShare: 500, Novelty: 300,
	}
	for _, c := range []struct {
		name string
		edit func(*tree.Params)
		ok   bool
	}{
		{"as it is", func(*tree.Params) {}, true},
		{"reference", func(p *tree.Params) { p.Profile = tree.ReferenceProfile }, true},
		{"switched off", func(p *tree.Params) { p.Alpha, p.Beta, p.Lambda, p.ExploreBudget, p.Novelty = 0, 0, 0, 0, 0 }, true},
		{"thresholds equal", func(p *tree.Params) { p.ThetaLow = p.ThetaHigh }, true},
		{"threshold 1", func(p *tree.Params) { p.ThetaHigh = 1000 }, true},
		{"unset", func(p *tree.Params) { *p = tree.Params{} }, false},
		{"no profile", func(p *tree.Params) { p.Profile = "" }, false},
		{"thresholds crossed", func(p *tree.Params) { p.ThetaLow = 781 }, false},
		{"threshold above 1", func(p *tree.Params) { p.ThetaHigh = 1001 }, false},
		{"no theta_low", func(p *tree.Params) { p.ThetaLow = 0 }, false},
		{"no ambiguous", func(p *tree.Params) { p.Ambiguous = 0 }, false},
		{"no route_abstain", func(p *tree.Params) { p.RouteAbstain = 0 }, false},
		{"no route_temperature", func(p *tree.Params) { p.RouteTemperature = 0 }, false},
		{"no route_every", func(p *tree.Params) { p.RouteEvery = 0 }, false},
		{"no route_switch", func(p *tree.Params) { p.RouteSwitch = 0 }, false},
		{"no env_cos", func(p *tree.Params) { p.EnvCos = 0 }, false},
		{"no max_recovery", func(p *tree.Params) { p.MaxRecovery = 0 }, false},
		{"no allowed_share", func(p *tree.Params) { p.AllowedShare = 0 }, false},
		{"no boundary", func(p *tree.Params) { p.RouteNear, p.RouteOffered, p.RouteWords = 0, 0, 0 }, true},
		{"the sharpest boundary", func(p *tree.Params) { p.RouteNear, p.RouteOffered, p.RouteWords = 1000, 2000, 1000 }, true},
		{"route_near above 1", func(p *tree.Params) { p.RouteNear = 1001 }, false},
		{"negative route_near", func(p *tree.Params) { p.RouteNear = -1 }, false},
		{"route_offered above 2", func(p *tree.Params) { p.RouteOffered = 2001 }, false},
		{"route_words above 1", func(p *tree.Params) { p.RouteWords = 1001 }, false},
		{"novelty never", func(p *tree.Params) { p.Novelty = 1001 }, true},
		{"novelty beyond never", func(p *tree.Params) { p.Novelty = 1002 }, false},
		{"negative novelty", func(p *tree.Params) { p.Novelty = -1 }, false},
		{"negative lambda", func(p *tree.Params) { p.Lambda = -1 }, false},
		{"negative explore_budget", func(p *tree.Params) { p.ExploreBudget = -1 }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := good
			c.edit(&p)
			k := checker{p: &Policy{Params: p}}
			paramsRecord().check(&k, 0, &k.p.Params)
			if err := errors.Join(k.errs...); (err == nil) != c.ok {
				t.Errorf("error %v, want ok %v", err, c.ok)
			}
		})
	}
}
