package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/internal/artifacts/trust"
	"github.com/gbt-policy/gbt/internal/hosts"
	"github.com/gbt-policy/gbt/internal/hosts/settings"
	"github.com/gbt-policy/gbt/internal/rulebook"
)

// The words of --ends.
const (
	endsAuto = "auto"
	endsOn   = "on"
	endsOff  = "off"
)

// defaultChecks is how long the commands of --check may take where --check-time is not given:
// the hook's own default.
const defaultChecks = 5 * time.Minute

// endFlags are the flags of install about the end of an agent's turn.
func endFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "ends", Value: endsAuto, Usage: "hold the end of the agent's turn against rules (gbt deny 'end when ...') and the policy's conditions on ends: on, off, or auto (where one of them or --check asks for something)"},
		&cli.StringSliceFlag{Name: "check", Usage: "let the hook run `COMMAND` when the agent ends its turn after a change, and send it back where that fails (may be given again)"},
		&cli.DurationFlag{Name: "check-time", Value: defaultChecks, Usage: "how long the commands of --check may take together, at most 1h"},
	}
}

// setEnds says in the options whether the hook is asked about ends.
func setEnds(e *env, c *cli.Context, o *settings.Options) error {
	how, checks := c.String("ends"), c.StringSlice("check")
	h, ok := hosts.Lookup(c.Args().First())
	if !ok {
		return nil // settings.For says so
	}
	limit := c.Duration("check-time")
	switch {
	case how != endsAuto && how != endsOn && how != endsOff:
		return fail(exitUsage, "--ends is auto, on or off, not %q", how)
	case how == endsOff && len(checks) > 0:
		return fail(exitUsage, "--check is run at ends: leave out --ends off")
	case limit < time.Second || limit > time.Hour:
		return fail(exitUsage, "--check-time %v: give a time from 1s to 1h", limit)
	case how == endsOff:
		return nil
	}
	asked := how == endsOn || len(checks) > 0
	switch {
	case !asked && !asksEnds(c, o.Project):
		return nil
	case !h.AsksEnds():
		with := strings.Join(hosts.NamesOf((*hosts.Host).AsksEnds), ", ")
		if asked {
			return fail(exitUsage, "%s has no hook that can send an agent back at the end of its turn; these have: %s", h.Title, with)
		}
		fmt.Fprintf(e.stderr, "gbt: rules or the policy ask for something at the end; %s has no hook that can send an agent back\n", h.Title)
		return nil
	case c.String("state") == "none" || o.Analyzer:
		if asked {
			return fail(exitUsage, "ends are counted in the session's state, which the hook keeps: leave out --state none and --analyzer")
		}
		return nil
	}
	o.Ends = true
	if len(checks) > 0 {
		o.Checks = int((limit + time.Second - 1) / time.Second)
	}
	return nil
}

// asksEnds says whether the rules that hold in a project, or the policy that the flags name,
// ask for something at an end. A policy that can't be opened asks for nothing here: the hook
// says of every call what is wrong with it.
func asksEnds(c *cli.Context, project string) bool {
	if rulebook.Open([]string{project}).AsksEnds() {
		return true
	}
	name := c.String("policy")
	if name == "" {
		return false
	}
	o := trustOf(c)
	o.Seen = trust.Off
	door, err := trust.New(o, name)
	if err != nil {
		return false
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return false
	}
	p, _, err := artifacts.OpenRules(data, door.Trust)
	if err != nil {
		return false
	}
	k, err := p.Checker()
	return err == nil && len(k.Conditions.Ends()) > 0
}
