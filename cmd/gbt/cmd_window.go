package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/corpora/contexts"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
	"github.com/gbt-policy/gbt/internal/replay/monitor"
	"github.com/gbt-policy/gbt/internal/replay/place"
	"github.com/gbt-policy/gbt/replay"
)

// This file is not named cmd_windows.go because the go command would build it for
// Windows only.

func windowsCommand(e *env) *cli.Command {
	spec := &cli.StringFlag{Name: "spec", Usage: "read the monitors from `FILE` (default: what gbt windows spec prints)"}
	workers := jobsFlag()
	return &cli.Command{
		Name:  "windows",
		Usage: "find and explain the calls that did harm",
		Subcommands: []*cli.Command{
			{
				Name: "show", Usage: "explain the minimal unsafe window of every episode", ArgsUsage: "LOGS...",
				Description: "Replays each episode from its log, judges every call that ran by the monitors, and shrinks the first\n" +
					"violation to the smallest run of calls that draws it. Episodes that the log calls safe are left out\n" +
					"unless --judged is given; of those it calls unsafe without saying why, the monitors find the call.\n" +
					"With --policy it also says which gate or guardrail rule of that policy would stop each call, and whether its\n" +
					"context is on record with the policy.\n" +
					"With --env, --workspace or --mcp the calls are run again; a replay that gives another result than the log\n" +
					"is reported with its first step that differs, and is no evidence.\n\n" +
					"Examples:\n" +
					"   gbt windows show logs/ --episode run-17\n" +
					"   gbt windows show logs/ --spec monitors.yaml --policy policy.gbt --json",
				Flags: append(append(liveFlags(), spec, workers),
					&cli.StringFlag{Name: "episode", Usage: "only episodes whose id is or begins with `ID`"},
					&cli.StringFlag{Name: "policy", Usage: "say what the policy in `FILE` would stop"},
					trustFlag("a policy"), needFlag(),
					&cli.BoolFlag{Name: "every", Usage: "a window for every violating call, not only for the first"},
					&cli.BoolFlag{Name: "judged", Usage: "also look at episodes that the log calls safe"},
					&cli.BoolFlag{Name: "json", Usage: "print each window as one line of JSON"},
					&cli.BoolFlag{Name: "full", Usage: "show texts in full"},
					&cli.BoolFlag{Name: "exit-code", Usage: "exit with 1 if there is a window"},
				),
				Action: func(c *cli.Context) error { return runWindowsShow(e, c) },
			},
			{
				Name: "stats", Usage: "count what the monitors find, by layout and label", ArgsUsage: "LOGS...",
				Description: "Counts, for every layout and every label of the logs, the episodes with a window, how long the windows are,\n" +
					"and why the remaining unsafe episodes have none. Then places every episode that the log calls unsafe: on a\n" +
					"call, with what names it, the surest first (" + basisNames() + "),\n" +
					"or nowhere, with the reason. Only what was replayed, labelled or found by a monitor teaches gates.\n\n" +
					"Example:\n" +
					"   gbt windows stats logs/ --spec monitors.yaml",
				Flags:  append(append(liveFlags(), spec, workers), &cli.BoolFlag{Name: "json", Usage: "print one JSON object"}),
				Action: func(c *cli.Context) error { return runWindowsStats(e, c) },
			},
			{
				Name: "spec", Usage: "print the monitors that are used without --spec, as a file to start from", Description: examples("gbt windows spec > monitors.yaml"),
				Action: func(*cli.Context) error {
					_, err := e.stdout.Write(monitor.DefaultYAML)
					return err
				},
			},
		},
	}
}

// readSpec reads the monitors' file, or returns nil for the default.
func readSpec(e *env, c *cli.Context) (*monitor.Spec, error) {
	name := c.String("spec")
	if name == "" {
		return monitor.Default(), nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fail(exitInput, "%v", err)
	}
	s, problems := monitor.Parse(name, data)
	return s, specProblems(e, name, problems)
}

// specProblems lists what is wrong with a file of monitors, if anything is.
func specProblems(e *env, name string, problems []corpora.Problem) error {
	for _, p := range problems {
		fmt.Fprintf(e.stderr, "gbt: %s: %s: %s\n", p.Origin, p.Code, p.Sentence)
	}
	if len(problems) > 0 {
		return fail(exitUsage, "%s: %d problems; gbt windows spec prints a file to start from", name, len(problems))
	}
	return nil
}

// policyGates is a policy as far as it stops calls.
type policyGates struct {
	checker *gates.Checker
	gates   map[string]*artifacts.Gate
	at      map[string][]string // ids of node gates by the macro that asks them, sorted
	corpus  *contexts.Corpus    // nil if it does not stand beside the policy
}

func readPolicyGates(e *env, c *cli.Context) (*policyGates, error) {
	name := c.String("policy")
	if name == "" {
		return nil, trustNeedsPolicy(c)
	}
	p, _, err := openPolicy(e, name, trustOf(c))
	if err != nil {
		return nil, err
	}
	k, err := artifacts.NewChecker(p)
	if err != nil {
		return nil, fail(exitInput, "%s: %v", name, err)
	}
	g := &policyGates{checker: k, gates: map[string]*artifacts.Gate{}, at: distill.AskedAt(p)}
	if hasContexts(name) && len(p.Corpora) > 0 {
		if g.corpus, err = pinnedContexts(p, name, ""); err != nil {
			return nil, err
		}
	}
	for i := range p.Gates {
		g.gates[p.Gates[i].ID] = &p.Gates[i]
	}
	return g, nil
}

// found is one result of the search for windows, in the order of the input.
type found struct {
	record  logs.Record
	finding *replay.Finding
	run     *place.Run // what placing keeps of it
	err     error
}

// findWindows replays what the arguments name: each episode from its log, or one
// after the other in the one environment there is.
func findWindows(e *env, c *cli.Context, opts replay.Options, yield func(*found) error) error {
	live, err := openEnv(c)
	if err != nil {
		return err
	}
	workers := jobs(c)
	if live != nil {
		defer live.Close()
		workers = 1
	}
	in := logs.Open(c.Args().Slice(), logs.Options{Stdin: e.stdin, Workers: workers})
	want := c.String("episode")
	find := func(_ *logs.Unit, r logs.Record) found {
		if r.Episode == nil {
			return found{record: r}
		}
		if !strings.HasPrefix(r.Episode.ID, want) {
			return found{record: r, run: place.Read(r.Episode, nil, &opts, false)}
		}
		f, ran, err := findWindow(c.Context, live, r.Episode, opts)
		if err != nil {
			return found{record: r, err: err}
		}
		return found{r, f, place.Read(r.Episode, f, &opts, ran), nil}
	}
	for f := range logs.Map(c.Context, in, find) {
		if f.err != nil && c.Context.Err() == nil {
			return fail(exitInput, "%v", f.err)
		}
		if err := yield(&f); err != nil {
			return err
		}
	}
	if c.Context.Err() != nil {
		return fail(exitUsage, "interrupted")
	}
	return nil
}

// findWindow replays one episode in the environment there is, or from its log
// where there is none or it does not know the episode's task. live says which.
func findWindow(ctx context.Context, env replay.Env, ep *corpora.Episode, opts replay.Options) (f *replay.Finding, live bool, err error) {
	if env != nil {
		f, err = replay.Find(ctx, env, ep, opts)
		if !errors.Is(err, replay.ErrUnknownTask) {
			return f, true, err
		}
	}
	f, err = replay.Find(ctx, &replay.Recorded{}, ep, opts)
	return f, false, err
}
