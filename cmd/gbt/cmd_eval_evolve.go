package main

import (
	"fmt"
	"maps"
	"slices"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/evolve"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
)

func evalEvolveCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "evolve",
		Usage:     "what evolving a policy gains on tasks left out",
		ArgsUsage: "LOGS...",
		Description: "Splits the tasks in five folds, distils a policy from two, evolves it by the runs of two others and judges\n" +
			"both on the successes of the fifth; each fold is judged once. 'covered' is the share of their steps that the\n" +
			"policy offers, 'next' the share of the steps with words that it names, 'top-1' the same of those it covers,\n" +
			"'lasting' of those that both cover: top-1 falls where steps are covered for the first time.\n" +
			"Tasks with more of their steps covered, or named, stand beside those with fewer, with the two-sided sign test\n" +
			"of them; in --json also the mean difference by task with its 95% bootstrap interval.\n" +
			"Rows: an eighth, a quarter and half of the new tasks, all of them, and with all of them each of: no successors\n" +
			"imported from successes like a failed run, no success rates in matching (tree.beta 0; before and after), every\n" +
			"edit accepted untested, and old and new runs distilled together, as gbt distill would. Gates take no part.\n\n" +
			"Examples:\n" +
			"   gbt eval evolve logs/\n" +
			"   gbt eval evolve logs/ --json",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "config", Usage: "read settings from `FILE`"},
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object"},
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "no progress on standard error"},
			jobsFlag(),
		},
		Action: func(c *cli.Context) error { return runEvalEvolve(e, c) },
	}
}

func runEvalEvolve(e *env, c *cli.Context) error {
	if c.NArg() == 0 {
		return fail(exitUsage, "eval evolve needs logs: gbt eval evolve LOGS...")
	}
	cfg, err := readConfigFile(c)
	if err != nil {
		return err
	}
	bar := newProgress(e, c.Bool("quiet") || c.Bool("json"))
	defer bar.Done()
	in := logs.Open(c.Args().Slice(), logs.Options{Stdin: e.stdin, Workers: jobs(c)})
	ev, err := evolve.Evaluate(c.Context, in, &cfg, jobs(c), bar)
	switch {
	case err != nil && c.Context.Err() != nil:
		return fail(exitUsage, "interrupted")
	case err != nil:
		return fail(exitInput, "%v", err)
	}
	bar.Done()
	printProblems(e, ev.Problems)
	if ev.Rows[0].Before.Steps == 0 {
		return fail(exitInput, "no success is left to judge by: give logs of more tasks, some of which succeeded")
	}
	if c.Bool("json") {
		return printJSON(e, ev)
	}
	return printEvolution(e, ev)
}

func printEvolution(e *env, ev *evolve.Evaluation) error {
	w := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\tedits\t\tcovered\t\ttasks\t\t\tnext\t\ttasks\t\t\ttop-1\t\tlasting\t\t")
	fmt.Fprintln(w, "arm\tapplied\trefused\tbefore\tafter\tmore\tless\tp\tbefore\tafter\tmore\tless\tp\tbefore\tafter\tbefore\tafter\t")
	for _, r := range ev.Rows {
		fmt.Fprintf(w, "%s\t%d\t%d\t%.3f\t%.3f\t%d\t%d\t%.3g\t%.3f\t%.3f\t%d\t%d\t%.3g\t%.3f\t%.3f\t%.3f\t%.3f\t\n", r.Arm, r.Applied, r.Refused,
			r.Before.Coverage(), r.After.Coverage(), r.Steps.Better, r.Steps.Worse, r.Steps.P,
			r.Before.Next(), r.After.Next(), r.Named.Better, r.Named.Worse, r.Named.P, r.Before.Top1(), r.After.Top1(), r.Lasting.Top1Before(), r.Lasting.Top1After())
	}
	if err := w.Flush(); err != nil {
		return stdoutError(err)
	}
	full := ev.Rows[slices.IndexFunc(ev.Rows, func(r *evolve.Row) bool { return r.Arm == "evolve" })]
	fmt.Fprintf(e.stdout, "\nby family of the old policy, evolved by all new runs (%d successes judged):\n", full.Before.Episodes)
	w = tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "family\tepisodes\tcovered\t\tnext\t\ttop-1\t\tlasting\t\t")
	for _, name := range slices.Sorted(maps.Keys(full.Families)) {
		f := full.Families[name]
		fmt.Fprintf(w, "%s\t%d\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t\n", name, f.Before.Episodes, f.Before.Coverage(), f.After.Coverage(),
			f.Before.Next(), f.After.Next(), f.Before.Top1(), f.After.Top1(), f.Lasting.Top1Before(), f.Lasting.Top1After())
	}
	return stdoutError(w.Flush())
}
