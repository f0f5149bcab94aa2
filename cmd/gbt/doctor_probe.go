package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/gbt-policy/gbt/internal/hosts"
	"github.com/gbt-policy/gbt/internal/hosts/settings"
)

// prober runs one installed hook as its host would.
type prober struct {
	ctx  context.Context
	host hosts.Host
	hook settings.Installed
	dir  string
	home string
}

// probeLimit ends a hook that does not end by itself: the hosts' limits are
// longer, and nobody waits for them.
const probeLimit = 15 * time.Second

// wanted is what a case must come to: "asks" includes a block.
type wanted uint8

const (
	wantBlocked wanted = iota
	wantStopped        // blocked or asked
	wantProceeds
	wantUnblocked // proceeds or asked
)

var wantedNames = [...]string{"blocked", "blocked or asks", "proceeds", "proceeds or asks"}

func (w wanted) met(got hosts.Outcome) bool {
	switch w {
	case wantProceeds:
		return got == hosts.Proceeds
	case wantStopped:
		return got != hosts.Proceeds
	case wantUnblocked:
		return got != hosts.Blocks
	}
	return got == hosts.Blocks
}

// all runs every case.
func (p *prober) all() []caseCheck {
	if p.hook.After || p.hook.End {
		return p.notes()
	}
	var out []caseCheck
	for _, s := range samplesFor(p.host, p.hook.Event, p.dir, p.home) {
		out = append(out, p.check(s.name, s.want, p.run(strings.NewReader(s.input))))
	}
	for _, c := range []struct {
		name  string
		input string
		more  []string
	}{
		{"no input", "", nil},
		{"input cut off", `{"hook_event_name": "PreToo`, nil},
		{"input that is a list", `[]`, nil},
		{"a policy that can't be read", "{}", []string{"-policy", filepath.Join(p.dir, "no-such-policy.gbt")}},
		{"an argument the hook does not know", "{}", []string{"-no-such-flag"}},
	} {
		out = append(out, p.check(c.name, wantBlocked, p.run(strings.NewReader(c.input), c.more...)))
	}
	// The input never comes, so only the hook's own time limit ends it.
	never, hold := io.Pipe()
	out = append(out, p.check("no decision in time", wantBlocked, p.run(never, "-timeout", "200ms")))
	hold.Close()
	killed, missing := hosts.Process{Died: true}, hosts.Process{Exit: 127, Stderr: "not found"}
	if p.hook.OrBlock {
		killed, missing = p.broken("sh -c 'kill -9 $$'"), p.broken("/nonexistent/gbt-hook")
	}
	return append(out,
		p.hostCase("the hook is killed", killed),
		p.hostCase("the hook can't be started", missing),
		p.hostCase("the host's time limit ends it", hosts.Process{Died: true}),
	)
}

// broken runs the command line with another program in the hook's place.
func (p *prober) broken(program string) hosts.Process {
	_, end := settings.SplitEnd(p.hook.Command)
	return p.line(strings.NewReader("{}"), program+end)
}

// notes are the cases of a hook that notes what ran, or that is asked about ends: it must take the host's
// events, and block nothing whatever it is given, because at some of these
// events a block hides a result or throws the user's message away.
func (p *prober) notes() []caseCheck {
	var out []caseCheck
	good := "what ran is noted"
	if p.hook.End {
		good = "an end of nothing done is let go"
	}
	for _, c := range []struct {
		name, input string
		exit        int
	}{
		{good, p.host.SampleEvent(p.hook.Event, p.dir), 0},
		{"no input blocks nothing", "", 1},
		{"input cut off blocks nothing", `{"hook_event_name": "Post`, 1},
	} {
		got := p.run(strings.NewReader(c.input))
		check := caseCheck{Name: c.name, Wanted: fmt.Sprintf("exit %d", c.exit), Got: fmt.Sprintf("exit %d", got.Exit), OK: !got.Died && got.Exit == c.exit && !(p.hook.End && p.host.SentBack(got))}
		if line, _, _ := strings.Cut(strings.TrimSpace(got.Stderr), "\n"); !check.OK && line != "" {
			check.Detail = " (" + line + ")"
		}
		out = append(out, check)
	}
	return out
}

func (p *prober) check(name string, want wanted, got hosts.Process) caseCheck {
	outcome := p.host.Reading(p.hook.Event, got)
	c := caseCheck{Name: name, Wanted: wantedNames[want], Got: outcome.String(), OK: want.met(outcome), Blocked: outcome == hosts.Blocks}
	if !c.OK {
		if line, _, _ := strings.Cut(strings.TrimSpace(got.Stderr), "\n"); line != "" {
			c.Detail = " (" + line + ")"
		}
	}
	return c
}

// hostCase is what the host makes of a hook that gives no answer. It is a
// finding only where a setting of the host would have blocked.
func (p *prober) hostCase(name string, got hosts.Process) caseCheck {
	got.FailClosed = p.hook.FailClosed
	c := p.check(name, wantBlocked, got)
	got.FailClosed = true
	if !c.OK && p.host.Reading(p.hook.Event, got) != hosts.Blocks {
		c.OK, c.Host, c.Detail = true, true, ""
	} else if !c.OK {
		c.Detail = " (set onFailure to block, or failClosed to true: gbt hook install does)"
	}
	return c
}

// run starts the configured command line with more arguments behind the hook's.
func (p *prober) run(stdin io.Reader, more ...string) hosts.Process {
	if len(p.hook.Argv) > 0 {
		return p.start(stdin, append(append([]string{}, p.hook.Argv...), more...))
	}
	line, end := settings.SplitEnd(p.hook.Command)
	for _, m := range more {
		line += " '" + strings.ReplaceAll(m, "'", `'\''`) + "'"
	}
	return p.line(stdin, line+end)
}

func (p *prober) line(stdin io.Reader, line string) hosts.Process {
	return p.start(stdin, []string{"sh", "-c", line})
}

func (p *prober) start(stdin io.Reader, argv []string) hosts.Process {
	ctx, cancel := context.WithTimeout(p.ctx, probeLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	var stdout, stderr bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = p.dir, &stdout, &stderr
	if name := p.host.ProjectEnv; name != "" {
		cmd.Env = append(os.Environ(), name+"="+p.dir)
	}
	cmd.WaitDelay = time.Second
	in, err := cmd.StdinPipe()
	if err != nil {
		return hosts.Process{Died: true, Stderr: err.Error(), FailClosed: p.hook.FailClosed}
	}
	if err := cmd.Start(); err != nil {
		return hosts.Process{Died: true, Stderr: err.Error(), FailClosed: p.hook.FailClosed}
	}
	go func() {
		io.Copy(in, stdin) // the hook may end before it has read everything
		in.Close()
	}()
	err = cmd.Wait()
	out := hosts.Process{Stdout: stdout.String(), Stderr: stderr.String(), FailClosed: p.hook.FailClosed}
	var exit *exec.ExitError
	switch {
	case err == nil:
	case errors.As(err, &exit) && exit.Exited():
		out.Exit = exit.ExitCode()
	default:
		out.Died, out.Stderr = true, out.Stderr+err.Error()
	}
	return out
}
