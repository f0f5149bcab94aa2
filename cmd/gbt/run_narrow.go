package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
)

// importsOf reads --imports: the modules that cells of code may bring in; nil for no list.
func importsOf(c *cli.Context) ([]string, error) {
	if !c.IsSet("imports") {
		return nil, nil
	}
	var out []string
	for entry := range strings.SplitSeq(c.String("imports"), ",") {
		entry = strings.TrimSpace(entry)
		if why := gates.ImportFault(entry); why != "" {
			return nil, fail(exitUsage, "--imports: %q %s", entry, why)
		}
		out = append(out, entry)
	}
	return out, nil
}

// narrowed is a policy with a list of modules beside its own: what both have may be
// brought in.
func narrowed(p *artifacts.Policy, list []string) *artifacts.Policy {
	if len(list) == 0 {
		return p
	}
	out := *p
	out.Guardrail.Rules.Imports = gates.NarrowImports(p.Guardrail.Rules.Imports, list)
	return &out
}
