package main

import (
	"crypto/ed25519"
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/evolve"
	"github.com/gbt-policy/gbt/internal/artifacts/trust"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
)

func evolveCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "evolve",
		Usage:     "improve a policy from new logs",
		ArgsUsage: "POLICY --logs LOGS...",
		Description: "Walks new runs down the policy and writes its successor: counts that follow what happened since, steps and\n" +
			"macros that runs succeeded with and the policy did not offer, places and success leaves, tasks that it did\n" +
			"not claim. The logs that the policy was made from are not needed, and should not be given again:\n" +
			"what is read counts as new.\n\n" +
			"Each change is an edit with its evidence, and is judged on recorded successes of other tasks than those it\n" +
			"came from, replayed through the traverser: it is accepted only if at most 2 of 100 of those that pass\n" +
			"through its place are served worse (--tolerance). Nothing is ever taken out of the policy;\n" +
			"what it offers at a place is bounded, so that a rare step may give way to new ones. All gates stay,\n" +
			"new places inherit them, and the successor is proved to stop all that the policy stops; if not, nothing is\n" +
			"written and the exit status is 3.\n\n" +
			"Gates that people rejected (POLICY.decisions.jsonl) are not proposed again.\n\n" +
			"Where --env, --workspace or --mcp names an environment, successes that it reproduces are run again there under the\n" +
			"successor, which then has to leave at most --tolerance of them worse; of all others the log is what judges. The output\n" +
			"says of each run which of the two it was, and lists every verdict that changed.\n\n" +
			"With --diagnose a model is asked too about each failed run that the policy covered: which step it was, and what in its\n" +
			"place. It sees the task without its secrets, the names of the run's macros and of those that successes like it had. An\n" +
			"answer that is no step of the run, or names what no success did, is dropped with its reason; an edit by it is judged\n" +
			"like any other, with the digests of model and question in its evidence.\n\n" +
			"--suite DIR keeps a regression suite (see gbt replay): an edit under which a case fails that passes without it is\n" +
			"refused, and what was learned is added as cases: minimal unsafe windows, the benign calls next to them, and paths\n" +
			"of successes. Cases that are there stay. With --list the suite judges, and nothing is added.\n\n" +
			"--list shows the edits and writes nothing. --only ID and --except ID apply some of them. If no edit is\n" +
			"applied, -o gets the policy's own bytes.\n\n" +
			"Examples:\n" +
			"   gbt evolve policy.gbt --logs new-logs/ -o next.gbt\n" +
			"   gbt evolve policy.gbt --logs new-logs/ --list\n" +
			"   gbt evolve policy.gbt --logs new-logs/ -o next.gbt --except 9c6a25f0c0d5b6ff --key team.pem --trust team.pub\n" +
			"   gbt evolve policy.gbt --logs new-logs/ -o next.gbt --suite suite/\n" +
			"   gbt evolve policy.gbt --logs new-logs/ -o next.gbt --workspace repo/\n" +
			"   gbt evolve policy.gbt --logs new-logs/ -o next.gbt --json",
		Flags: append(append(liveFlags(), diagnoseFlags()...),
			&cli.StringSliceFlag{Name: "logs", Usage: "read new runs from `LOGS` (files, directories, globs, -); may be repeated", Required: true},
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write the successor to `FILE`"},
			&cli.StringFlag{Name: "suite", Usage: "judge by the regression suite in `DIR` too, and add to it"},
			&cli.BoolFlag{Name: "list", Usage: "show the edits, write nothing"},
			&cli.StringSliceFlag{Name: "only", Usage: "apply the edit `ID` alone; may be repeated"},
			&cli.StringSliceFlag{Name: "except", Usage: "do not apply the edit `ID`; may be repeated"},
			&cli.Float64Flag{Name: "tolerance", Usage: "share of the successes at a place that an edit may degrade", Value: 0.02},
			&cli.StringFlag{Name: "config", Usage: "read labels, outcomes and monitors from `FILE` (see gbt init); all else is the policy's"},
			monitorsFlag(),
			runChecksFlag(),
			decisionsFlag(),
			reviewerFlag(),
			trustFlag("a policy"), needFlag(),
			&cli.StringFlag{Name: "key", Usage: "sign with the private key in `FILE` (see gbt keygen)"},
			jobsFlag(),
			&cli.BoolFlag{Name: "json", Usage: "print the edits and what became of them as one JSON object"},
			&cli.BoolFlag{Name: "timings", Usage: "say on standard error how long each stage took"},
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "no progress on standard error"},
		),
		Action: func(c *cli.Context) error { return runEvolve(e, c) },
	}
}

func runEvolve(e *env, c *cli.Context) error {
	name, out := c.Args().First(), c.String("output")
	switch {
	case c.NArg() != 1:
		return fail(exitUsage, "evolve needs one policy: gbt evolve policy.gbt --logs LOGS -o next.gbt")
	case out == "" && !c.Bool("list"):
		return fail(exitUsage, "give -o FILE to write the successor, or --list to see the edits alone")
	case out != "" && c.Bool("list"):
		return fail(exitUsage, "--list writes nothing: leave out -o, or leave out --list")
	case !(c.Float64("tolerance") > 0 && c.Float64("tolerance") <= 1):
		return fail(exitUsage, "--tolerance %v is not a share: give a number above 0 and at most 1", c.Float64("tolerance"))
	}
	if err := spareSuite(c.String("suite"), c.StringSlice("logs")); err != nil {
		return err
	}
	if err := evolveFiles(c, out); err != nil {
		return err
	}
	cfg, err := readEvolveConfig(e, c)
	if err != nil {
		return err
	}
	var key ed25519.PrivateKey
	if file := c.String("key"); file != "" {
		if key, err = readPrivateKey(file); err != nil {
			return err
		}
	}
	parent, data, err := openParent(e, name, trustOf(c))
	if err != nil {
		return err
	}
	fresh, res, err := evolveLogs(e, c, cfg, parent)
	if err != nil {
		return err
	}
	return finishEvolve(e, c, fresh, res, data, key)
}

// evolveFiles says early what cannot be read or written.
func evolveFiles(c *cli.Context, out string) error {
	if out == "" {
		return nil
	}
	ins := append(trusted(c), namedFile{"--key", c.String("key")}, namedFile{"--config", c.String("config")}, namedFile{"--diagnose-answers", c.String("diagnose-answers")})
	for _, log := range c.StringSlice("logs") {
		ins = append(ins, namedFile{"a log", log})
	}
	if err := apart([]namedFile{{"-o", out}, {"the contexts beside -o", contextsBeside(out)}}, ins); err != nil {
		return err
	}
	// The old policy may be replaced in place, with its contexts, and by nothing else.
	name := c.Args().First()
	if err := apart([]namedFile{{"-o", out}}, []namedFile{{"the contexts of the policy", contextsBeside(name)}}); err != nil {
		return err
	}
	if err := apart([]namedFile{{"the contexts beside -o", contextsBeside(out)}}, []namedFile{{"the policy", name}}); err != nil {
		return err
	}
	outs := []output{{"-o", out, markPolicy}, {"the contexts beside -o", contextsBeside(out), markContexts}}
	if err := spareLogs(c.Context, outs, c.StringSlice("logs")); err != nil {
		return err
	}
	return writable(out)
}

// readEvolveConfig reads the settings that say what logs mean.
func readEvolveConfig(e *env, c *cli.Context) (distill.Config, error) {
	cfg, err := readConfigFile(c)
	if err != nil {
		return cfg, err
	}
	if err := readMonitors(e, c, &cfg); err != nil {
		return cfg, err
	}
	return cfg, runChecks(e, c, &cfg)
}

// openParent opens a policy that is to have a successor, with its contexts and the
// bytes of its file.
func openParent(e *env, name string, o trust.Options) (*distill.Parent, []byte, error) {
	p, info, data, err := readPolicyBytes(name, o)
	if err != nil {
		return nil, nil, err
	}
	sayOrigin(e, name, info)
	out := &distill.Parent{Policy: p, Digest: info.Digest}
	if len(p.Corpora) > 0 {
		if out.Contexts, err = pinnedContexts(p, name, ""); err != nil {
			return nil, nil, err
		}
	}
	return out, data, nil
}

func evolveLogs(e *env, c *cli.Context, cfg distill.Config, parent *distill.Parent) (*distill.FreshLogs, *evolve.Result, error) {
	bar := newProgress(e, c.Bool("quiet") || c.Bool("json"))
	defer bar.Done()
	stages := newTimings(bar)
	in := logs.Open(c.StringSlice("logs"), logs.Options{Stdin: e.stdin, Workers: jobs(c)})
	decided, err := parentDecisions(c, c.Args().First())
	if err != nil {
		return nil, nil, err
	}
	sayUntrusted(e, c, c.Args().First(), decided)
	asks, keep, err := openDiagnoser(c)
	if err != nil {
		return nil, nil, err
	}
	live, err := openEnv(c)
	if err != nil {
		return nil, nil, err
	}
	if live != nil {
		defer live.Close()
	}
	fresh, err := distill.ReadFresh(c.Context, in, parent.Policy, distill.Options{Config: cfg, Workers: jobs(c), Progress: stages,
		Env: live, EnvJudges: c.String("env") != "", Cold: c.Bool("cold"), Loose: c.Bool("loose")})
	if err != nil {
		return nil, nil, evolveError(c, err)
	}
	printProblems(e, fresh.Problems)
	if len(fresh.Episodes) == 0 {
		return nil, nil, fail(exitInput, "%s; %s", whyNothing(&fresh.Counts), hintNothing(&fresh.Counts))
	}
	res, err := evolve.Evolve(c.Context, parent, fresh, evolve.Options{
		Config: cfg, Rejected: decided.Rejected, Workers: jobs(c), Tolerance: c.Float64("tolerance"), Only: listFlag(c, "only"), Except: c.StringSlice("except"), Progress: stages,
		Suite: judgedBy(c.Context, e, c.String("suite")), Env: live, Loose: c.Bool("loose"), Diagnoser: asks,
	})
	if err == nil {
		err = keep()
	}
	if c.Bool("timings") {
		stages.print(e.stderr)
	}
	return fresh, res, evolveError(c, err)
}

// listFlag is the list that a flag names, nil where it is not given.
func listFlag(c *cli.Context, name string) []string {
	if !c.IsSet(name) {
		return nil
	}
	return c.StringSlice(name)
}

func evolveError(c *cli.Context, err error) error {
	if err == nil {
		return nil
	}
	if bad := (*distill.ErrReadmitted)(nil); errors.As(err, &bad) {
		return fail(exitReadmitted, "%v; nothing was written", bad)
	}
	if bad := (*distill.ErrLooser)(nil); errors.As(err, &bad) {
		return fail(exitReadmitted, "%v; nothing was written", bad)
	}
	if unknown := (*evolve.ErrUnknownEdit)(nil); errors.As(err, &unknown) {
		return fail(exitUsage, "%v; gbt evolve --list shows the ids", unknown)
	}
	if c.Context.Err() != nil {
		return fail(exitUsage, "interrupted: nothing was written")
	}
	return unlessCoded(err)
}

// finishEvolve writes both files or none, and prints what became of the edits.
func finishEvolve(e *env, c *cli.Context, fresh *distill.FreshLogs, res *evolve.Result, data []byte, key ed25519.PrivateKey) error {
	out, added := c.String("output"), 0
	var err error
	if res.Changed {
		if data, err = sealPolicy(res.Policy, key); err != nil {
			return err
		}
	}
	if out != "" {
		var files []newFile
		if res.Contexts != nil {
			if files, err = contextsFile(out, &distill.Gates{Contexts: res.Contexts}); err != nil {
				return err
			}
		}
		kept, err := keptDecisions(c, c.Args().First())
		if err != nil {
			return err
		}
		if res.Changed {
			cases, err := suiteFiles(c.String("suite"), res.Policy, res.Contexts)
			if err != nil {
				return err
			}
			kept, added = append(kept, cases...), addedCases(cases)
		}
		if err := writeFiles(append(append(files, kept...), newFile{out, data, 0o644})); err != nil {
			return err
		}
	}
	sum := newEvolveSummary(fresh, res, data)
	sum.Suite = newEvolveSuite(c.String("suite"), res, added)
	if c.Bool("json") {
		return printJSON(e, sum)
	}
	_, err = e.stdout.Write(sum.text(out))
	return stdoutError(err)
}

// sealPolicy encodes a policy, and signs it with a key.
func sealPolicy(p *artifacts.Policy, key ed25519.PrivateKey) ([]byte, error) {
	data, err := artifacts.Encode(p)
	if err != nil {
		return nil, fmt.Errorf("encode policy: %w", err)
	}
	if key == nil {
		return data, nil
	}
	if data, err = artifacts.Sign(data, key); err != nil {
		return nil, fmt.Errorf("sign policy: %w", err)
	}
	return data, nil
}
