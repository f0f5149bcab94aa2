package main

import (
	"fmt"
	"path/filepath"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
)

func evalBoundaryCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "boundary",
		Usage:     "which tasks a policy claims to know, and which it does not",
		ArgsUsage: "[--foreign LOGS]... LOGS...",
		Description: "Distils a policy without each fifth of the tasks and asks it about those, about the tasks of foreign logs, and\n" +
			"about texts that are no tasks: how many the router abstains from before the first call and after the first two\n" +
			"macros, by the task's text alone and where the host declares its tools (as the logs say, else those that the run\n" +
			"used), and how many runs are not covered. Then it leaves out each whole suite, repository or site. One run of\n" +
			"each task counts. Of tasks left out few should be abstained from, of foreign ones all.\n\n" +
			"Examples:\n" +
			"   gbt eval boundary --foreign other-logs/ logs/\n" +
			"   gbt eval boundary --config no-boundary.yaml logs/ --json",
		Flags: []cli.Flag{
			&cli.StringSliceFlag{Name: "foreign", Usage: "logs of other systems in `LOGS`; may be given again, for a row each"},
			&cli.StringFlag{Name: "config", Usage: "read settings from `FILE`"},
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object"},
			jobsFlag(),
		},
		Action: func(c *cli.Context) error { return runEvalBoundary(e, c) },
	}
}

func runEvalBoundary(e *env, c *cli.Context) error {
	if c.NArg() == 0 {
		return fail(exitUsage, "eval boundary needs logs: gbt eval boundary --foreign OTHER-LOGS LOGS...")
	}
	cfg, err := readConfig(e, c)
	if err != nil {
		return err
	}
	opt := logs.Options{Stdin: e.stdin, Workers: jobs(c)}
	var foreign []distill.ForeignLogs
	for _, path := range c.StringSlice("foreign") {
		foreign = append(foreign, distill.ForeignLogs{Name: filepath.Base(path), Input: logs.Open([]string{path}, opt)})
	}
	ev, err := distill.EvaluateBoundary(c.Context, logs.Open(c.Args().Slice(), opt), foreign, &cfg, jobs(c))
	if err != nil {
		return cannotRead(c.Context, err)
	}
	printProblems(e, ev.Problems)
	if ev.Known.Tasks == 0 {
		return fail(exitInput, "no successful task could be left out: give logs of more tasks")
	}
	if c.Bool("json") {
		return printJSON(e, ev)
	}
	return printBoundary(e, ev)
}

func printBoundary(e *env, ev *distill.BoundaryEvaluation) error {
	fmt.Fprintf(e.stdout, "%d policies, each without a fifth of the tasks; the boundary may cost %.1f%% of the known ones\n\n", ev.Policies, 100*ev.Lost)
	w := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\t\tabstained at start\t\tafter two macros\t\tnot covered\t\t\t")
	fmt.Fprintln(w, "tasks of\ttasks\ttext\ttools\ttext\ttools\ttwo macros\trun\trun, tools\t")
	boundaryRow(w, &ev.Known)
	for i := range ev.Groups {
		boundaryRow(w, &ev.Groups[i])
	}
	for i := range ev.Foreign {
		boundaryRow(w, &ev.Foreign[i])
	}
	return stdoutError(w.Flush())
}

func boundaryRow(w *tabwriter.Writer, r *distill.BoundaryRow) {
	fmt.Fprintf(w, "%s\t%d\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t\n", r.Name, r.Tasks,
		r.Start, r.StartOffered, r.Steps, r.StepsOffered, r.Early, r.End, r.EndOffered)
}
