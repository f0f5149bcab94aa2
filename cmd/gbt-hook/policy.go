package main

import (
	"fmt"
	"os"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
)

// policy is what calls are checked under.
type policy struct {
	checker *gates.Checker
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
	trust, err := c.readTrust()
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(c.policy)
	if err != nil {
		return nil, fmt.Errorf("the policy: %w", err)
	}
	p, info, err := artifacts.OpenRules(data, trust) // the tree has no part in judging one call
	if err != nil {
		return nil, fmt.Errorf("the policy %s: %w", c.policy, err)
	}
	k, err := p.Checker()
	if err != nil {
		return nil, fmt.Errorf("the policy %s: %w", c.policy, err)
	}
	if err := c.tighten(k, profile, p.Guardrail.Roots); err != nil {
		return nil, err
	}
	return &policy{checker: k, roots: p.Guardrail.Roots, digest: info.Digest, gates: len(p.Gates) > 0}, nil
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

func (c *config) readTrust() (artifacts.Trust, error) {
	var t artifacts.Trust
	for _, name := range c.trust {
		data, err := os.ReadFile(name)
		if err != nil {
			return t, fmt.Errorf("the trusted key: %w", err)
		}
		key, err := artifacts.ParsePublicKey(data)
		if err != nil {
			return t, fmt.Errorf("the trusted key %s: %w", name, err)
		}
		t.Keys = append(t.Keys, key)
	}
	return t, nil
}
