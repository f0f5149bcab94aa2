package main

import (
	"fmt"
	"os"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/artifacts/trust"
	"github.com/gbt-policy/gbt/internal/rulebook"
)

// policy is what calls are checked under.
type policy struct {
	checker *gates.Checker
	book    *rulebook.Book // of the call's roots, once they are known
	roots   []string
	digest  string // empty for the built-in guardrail
	gates   bool   // it has gates, which may ask where values come from
}

// load opens the policy, or sets up the built-in guardrail where none is named.
// A policy that can't be used is an error, never less policy.
func (c *config) load() (*policy, error) {
	profile, err := c.profileValue()
	if err != nil {
		return nil, err
	}
	if c.policy == "" {
		k := &gates.Checker{Guardrail: gates.Guardrail{Profile: profile}}
		for _, d := range c.allow {
			k.Guardrail.Egress = append(k.Guardrail.Egress, gates.Egress{Domain: d})
		}
		return &policy{checker: k}, nil
	}
	door, err := trust.New(c.trust, c.policy)
	if err != nil {
		return nil, fmt.Errorf("the policy %s: %w", c.policy, err)
	}
	data, err := os.ReadFile(c.policy)
	if err != nil {
		return nil, fmt.Errorf("the policy: %w", err)
	}
	p, info, err := artifacts.OpenRules(data, door.Trust) // the tree has no part in judging one call
	if err != nil {
		return nil, fmt.Errorf("the policy %s: %w", c.policy, door.Refused(err))
	}
	k, err := p.Checker()
	if err == nil {
		_, err = door.Opened(info)
	}
	if err != nil {
		return nil, fmt.Errorf("the policy %s: %w", c.policy, err)
	}
	if err := c.tighten(k, profile, p.Guardrail.Roots); err != nil {
		return nil, err
	}
	return &policy{checker: k, roots: p.Guardrail.Roots, digest: info.Digest, gates: len(p.Gates)+len(p.Guardrail.Conditions) > 0}, nil
}

// tighten applies what the command line adds to a policy. It may only add.
func (c *config) tighten(k *gates.Checker, profile gates.Profile, roots []string) error {
	if len(c.roots) > 0 && len(roots) > 0 {
		return fmt.Errorf("the hook's command line: -root can't replace the roots of the policy")
	}
	if c.profile == "" {
		return nil
	}
	if rank(profile) < rank(k.Guardrail.Profile) {
		return fmt.Errorf("the hook's command line: -profile %s is looser than the policy's %s", profile, k.Guardrail.Profile)
	}
	k.Guardrail.Profile = profile
	return nil
}

// rank orders the profiles from loose to strict.
func rank(p gates.Profile) int {
	switch p {
	case gates.ProfileObserve:
		return 0
	case gates.ProfileApps:
		return 1
	case gates.ProfileWorkspace:
		return 2
	}
	return 3
}
