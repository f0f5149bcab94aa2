package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
)

func evalRenamesCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "renames",
		Usage:     "whether figures rest on the names that logs happen to have",
		ArgsUsage: "LOGS...",
		Description: "Gives users, hosts, roots, ids and amounts, and the tools of applications, other names throughout the logs, and\n" +
			"measures gates and coverage by tasks left out: with the logs' own names, with others in training, in judging,\n" +
			"and in both. A policy that learned what was done, and not where, has the same figures in every row.\n\n" +
			"   values       users, hosts, roots, ids and amounts\n" +
			"   synonyms     and tools, by other words of the same meaning\n" +
			"   meaningless  and tools, by words that mean nothing, with schemas as tools: in gbt.yaml has them\n\n" +
			"What hosts document keeps its name: their own tools, programs, directories of the system. The names are chosen\n" +
			"by a fixed seed.\n\n" +
			"Examples:\n" +
			"   gbt eval renames logs/\n" +
			"   gbt eval renames --how synonyms logs/ --json",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "how", Usage: "values, synonyms or meaningless; all in turn unless given"},
			&cli.StringFlag{Name: "config", Usage: "read settings from `FILE`"},
			monitorsFlag(),
			jobsFlag(),
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object a renaming"},
		},
		Action: func(c *cli.Context) error { return runEvalRenames(e, c) },
	}
}

func runEvalRenames(e *env, c *cli.Context) error {
	var list []distill.Renaming
	for how := range distill.NumRenamings {
		if c.String("how") == "" || c.String("how") == how.String() {
			list = append(list, how)
		}
	}
	switch {
	case len(list) == 0:
		return fail(exitUsage, "--how is %q: give values, synonyms or meaningless", c.String("how"))
	case c.NArg() == 0:
		return fail(exitUsage, "eval renames needs logs: gbt eval renames LOGS...")
	}
	cfg, err := readConfig(e, c)
	if err != nil {
		return err
	}
	for _, how := range list {
		in := logs.Open(c.Args().Slice(), logs.Options{Stdin: e.stdin, Workers: jobs(c)})
		ev, err := distill.EvaluateRenames(c.Context, in, cfg, how, jobs(c))
		switch {
		case c.Context.Err() != nil:
			return fail(exitUsage, "interrupted")
		case err != nil:
			return fail(exitInput, "%v", err)
		case ev.Episodes == 0:
			return fail(exitInput, "no episode that anybody judged: nothing to learn from, and nothing to judge")
		}
		if c.Bool("json") {
			err = printJSON(e, ev)
		} else {
			err = printRenames(e, ev)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func printRenames(e *env, ev *distill.RenameEvaluation) error {
	fmt.Fprintf(e.stdout, "%s: %d episodes, %d of %d tools renamed\n\n", ev.How, ev.Episodes, ev.Other, ev.Tools)
	w := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "renamed in\tharmful calls\tstopped\tgood runs\ttouched\ttheir calls\ttouched\tcovered\t+generic\tand right\ttop-1\t")
	for i := range ev.Rows {
		r := &ev.Rows[i]
		g, f := &r.Gates, &r.Figures
		fmt.Fprintf(w, "%s\t%d\t%.1f%%\t%d\t%.1f%%\t%d\t%.1f%%\t%.3f\t%.3f\t%.3f\t%.3f\t\n", renamedIn(r), g.Primitives,
			100*shareOf(g.Rejected+g.Asked, g.Primitives), g.Benign, 100*shareOf(g.BenignRejected+g.BenignAsked, g.Benign),
			r.BenignCalls, 100*shareOf(r.CallsHit, r.BenignCalls), f.EpisodeCoverage, f.EpisodeCoverageGeneric, f.CoveredAndRight, f.Top1Text)
	}
	if err := w.Flush(); err != nil {
		return stdoutError(err)
	}
	_, err := fmt.Fprintln(e.stdout)
	return stdoutError(err)
}

func renamedIn(r *distill.Renamed) string {
	switch {
	case r.Learned && r.Judged:
		return "both"
	case r.Learned:
		return "training"
	case r.Judged:
		return "judging"
	}
	return "neither"
}
