package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file runs the commands that the user's settings name with -check, when an agent ends
// its turn after it changed something. Nothing else makes the hook run a command.

// checksTime is how long the checks of one end may take together unless -check-time says
// otherwise, and maxChecksTime the most that it may say.
const (
	checksTime    = 5 * time.Minute
	maxChecksTime = time.Hour
)

// ranCheck is a check that was executed, with its literal result.
type ranCheck struct {
	command string
	exit    int // -1: it did not end by itself, or could not be started
	sum     string
	why     string
}

// run executes the checks in the first root. One that fails ends it: the agent is told of one
// thing at a time, and what follows may take long.
func (v *endVerdict) run(c *config, roots []string) {
	ctx, stop := context.WithTimeout(context.Background(), c.checkTime)
	defer stop()
	dir := ""
	if len(roots) > 0 && roots[0] != effect.UnknownRoot {
		dir = roots[0]
	}
	for i, line := range c.checks {
		if dir == "" {
			v.unknown = append(v.unknown, line+" (there is no workspace to run it in)")
			continue
		}
		r, tail := runCheck(ctx, dir, line)
		v.ran = append(v.ran, r)
		if r.exit == 0 {
			continue
		}
		missing, do := fmt.Sprintf("the check %q, which ended with %d", line, r.exit), "Make it pass; run it yourself to see how it ends"
		if r.exit < 0 {
			missing = fmt.Sprintf("the check %q, which did not end: %s", line, r.why)
		}
		v.lacks, v.tail = append(v.lacks, lack{"end/check", missing, do, fmt.Sprintf("check %d, which ended with %d", i+1, r.exit)}), tail
		return
	}
}

// maxTail is how much of a check's output the agent is told: the end of it, where test
// programs say what failed.
const maxTail = 1500

// runCheck executes one command in a shell, with nothing to read, as the user who runs the host.
func runCheck(ctx context.Context, dir, line string) (r ranCheck, tail string) {
	out := tailed{sum: sha256.New()}
	cmd := exec.CommandContext(ctx, "sh", "-c", line)
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = dir, &out, &out, time.Second
	ownGroup(cmd)
	err := cmd.Run()
	r = ranCheck{command: line, exit: -1, sum: hex.EncodeToString(out.sum.Sum(nil))}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		r.why = "its time was over"
	case err == nil:
		r.exit = 0
	case errors.As(err, &exit) && exit.Exited():
		r.exit = exit.ExitCode()
	default:
		r.why = err.Error()
	}
	return r, strings.TrimSpace(strings.ToValidUTF8(string(out.end), "?"))
}

// tailed keeps the end of what is written to it, and its sum.
type tailed struct {
	sum interface {
		Write([]byte) (int, error)
		Sum([]byte) []byte
	}
	end []byte
}

// Write takes output of a check.
func (t *tailed) Write(p []byte) (int, error) {
	t.end = append(t.end, p...)
	t.end = t.end[max(0, len(t.end)-maxTail):]
	return t.sum.Write(p)
}
