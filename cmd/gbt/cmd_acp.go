package main

import (
	"context"
	"errors"
	"os"
	"os/exec"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/scope"
	"github.com/gbt-policy/gbt/internal/acp"
	"github.com/gbt-policy/gbt/internal/gates/source"
)

func acpCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "acp",
		Usage:     "put gates between an editor and a coding agent that speak the Agent Client Protocol",
		ArgsUsage: "-- AGENT [ARGS...]",
		Description: "Starts the agent and passes messages on. What the agent asks permission for is judged first: what gbt rejects never reaches\n" +
			"you, and what it asks about shows its reason in the editor's own question. Files and terminals that the agent uses through\n" +
			"the editor are asked about where gbt asks, with the editor's question, and a yes can hold for the session where it may.\n" +
			"Name gbt as the agent's command in the editor's settings. docs/hooks.md says what it does not see.\n\n" +
			"Example:\n   gbt acp -- gemini --experimental-acp",
		Flags:  checkerFlags(),
		Action: func(c *cli.Context) error { return runACP(e, c) },
	}
}

func runACP(e *env, c *cli.Context) error {
	if c.NArg() == 0 {
		return fail(exitUsage, "acp needs the agent's command: gbt acp -- AGENT [ARGS...]")
	}
	j, err := newJudge(e, c)
	if err != nil {
		return err
	}
	home, _ := os.UserHomeDir()
	if j.home != "" {
		home = j.home
	}
	ctx, stop := context.WithCancel(c.Context)
	defer stop()
	cmd := exec.CommandContext(ctx, c.Args().First(), c.Args().Tail()...)
	cmd.Stderr = e.stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return fail(exitInput, "%v", err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return fail(exitInput, "%v", err)
	}
	if err := cmd.Start(); err != nil {
		return fail(exitUsage, "the agent: %v", err)
	}
	p := acp.Proxy{Checker: j.checker, State: gates.State{Naming: scope.Naming{}, Home: home, Roots: j.roots, UID: os.Getuid(), GID: os.Getgid(), Exists: existsHere, Compiled: source.Reader{}}, Log: e.stderr}
	err = p.Run(ctx, e.stdin, e.stdout, out, in)
	stop()
	_ = cmd.Wait() // it was ended
	if err != nil && !errors.Is(err, context.Canceled) {
		return fail(exitInput, "%v", err)
	}
	return nil
}

// existsHere says whether a path is there.
func existsHere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
