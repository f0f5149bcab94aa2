package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
)

func evalSelectionCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "selection",
		Usage:     "what success rates add to the choice of the next macro",
		ArgsUsage: "LOGS...",
		Description: "Distils a policy without each fifth of the tasks and asks it for the next macro at each covered step of\n" +
			"those before which the agent said something, under several weights of the success rate (tree.beta; the\n" +
			"reference profile has 0.5). A rate that says something names what successful runs did more often, and what\n" +
			"failed runs did less. 'gained' and 'lost' are steps against a weight of 0. The last row takes for each fifth\n" +
			"the weight that was best on the others.\n\n" +
			"Examples:\n" +
			"   gbt eval selection logs/\n" +
			"   gbt eval selection --profile reference logs/ --json",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "config", Usage: "read settings from `FILE`"},
			&cli.StringFlag{Name: "profile", Usage: "default or reference"},
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object"},
			jobsFlag(),
		},
		Action: func(c *cli.Context) error { return runEvalSelection(e, c) },
	}
}

func runEvalSelection(e *env, c *cli.Context) error {
	if c.NArg() == 0 {
		return fail(exitUsage, "eval selection needs logs: gbt eval selection LOGS...")
	}
	cfg, err := readConfig(e, c)
	if err != nil {
		return err
	}
	sel, err := distill.EvaluateSelection(c.Context, logs.Open(c.Args().Slice(), logs.Options{Stdin: e.stdin, Workers: jobs(c)}), &cfg, jobs(c))
	switch {
	case err != nil && c.Context.Err() != nil:
		return fail(exitUsage, "interrupted")
	case err != nil:
		return fail(exitInput, "%v", err)
	}
	printProblems(e, sel.Problems)
	if sel.Chosen.Succeeded.Steps == 0 {
		return fail(exitInput, "no covered step of a task left out has words: give logs of more tasks, in which agents say what they do")
	}
	if c.Bool("json") {
		return printJSON(e, sel)
	}
	return printSelection(e, sel)
}

func printSelection(e *env, sel *distill.Selection) error {
	w := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\tsuccessful runs\t\t\t\tfailed runs\t\t\t\t")
	fmt.Fprintln(w, "beta\tsteps\tnamed\tgained\tlost\tsteps\tnamed\tgained\tlost\t")
	for i := range sel.Rows {
		selectionRow(w, fmt.Sprintf("%.2f", sel.Rows[i].Beta), &sel.Rows[i])
	}
	selectionRow(w, fmt.Sprintf("chosen on other folds (mean %.2f)", sel.Chosen.Beta), &sel.Chosen)
	return stdoutError(w.Flush())
}

func selectionRow(w *tabwriter.Writer, name string, r *distill.SelectionRow) {
	a, b := &r.Succeeded, &r.Failed
	fmt.Fprintf(w, "%s\t%d\t%.3f\t%d\t%d\t%d\t%.3f\t%d\t%d\t\n", name, a.Steps, shareOf(a.Same, a.Steps), a.Gained, a.Lost,
		b.Steps, shareOf(b.Same, b.Steps), b.Gained, b.Lost)
}
