package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/internal/replay/monitor"
)

// checkTime bounds one check. A test suite that takes longer is no check to make
// on every run.
const checkTime = 10 * time.Minute

func runChecksFlag() cli.Flag {
	return &cli.BoolFlag{Name: "run-checks", Usage: "run the commands that the configuration's outcomes name, and take them at their word"}
}

// runChecks runs the commands that rules for outcomes ask about, if the user says
// so: logs and ready sets can't name any. Without leave they are left out.
func runChecks(e *env, c *cli.Context, cfg *distill.Config) error {
	checks := cfg.Outcomes.Checks()
	if len(checks) == 0 {
		return nil
	}
	if !c.Bool("run-checks") {
		for _, k := range checks {
			fmt.Fprintf(e.stderr, "gbt: rule %s is left out: it runs a command (%s), which needs --run-checks\n", k.Rule, strings.Join(k.Run, " "))
		}
		return nil
	}
	passed := map[string]bool{}
	for _, k := range checks {
		err := passes(c.Context, &k)
		if c.Context.Err() != nil {
			return fail(exitUsage, "interrupted: nothing was written")
		}
		if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
			return fail(exitInput, "the check of rule %s: %v; give check: {run: [program, argument], in: /directory}", k.Rule, err)
		}
		passed[k.Rule] = err == nil
	}
	cfg.Outcomes.Checked(passed)
	return nil
}

// passes runs one check without a shell; what it prints is not looked at.
func passes(ctx context.Context, k *monitor.Check) error {
	ctx, stop := context.WithTimeout(ctx, checkTime)
	defer stop()
	cmd := exec.CommandContext(ctx, k.Run[0], k.Run[1:]...)
	cmd.Dir = k.Dir
	return cmd.Run()
}
