package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
)

func evalConditionsCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "conditions",
		Usage:     "what successful runs always had before their calls and their end, on runs of other tasks",
		ArgsUsage: "--cv LOGS...",
		Description: "Mines conditions from the runs of four fifths of the tasks (what an observed result had established before every\n" +
			"call of successful runs that changes something, and after their last call of an action) and judges the runs of\n" +
			"the other fifth, in turn. 'sent back' counts calls of successful runs that lack a fact, 'stopped' successful\n" +
			"runs with such a call or end: false alarms. 'named' counts unsuccessful runs that violate a condition. One row\n" +
			"for each least rate that a condition must have (exact lower bound over tasks); policies send back at " + fmt.Sprintf("%.1f", distill.ConditionRate()) + ".\n" +
			"Below them: the same conditions with needs drawn by chance, and what came most often right before a call.\n\n" +
			"Examples:\n" +
			"   gbt eval conditions --cv logs/\n" +
			"   gbt eval conditions --cv logs/ --json",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "cv", Usage: "cross-validate on the logs"},
			&cli.StringFlag{Name: "config", Usage: "read settings from `FILE`"},
			runChecksFlag(),
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object"},
			jobsFlag(),
		},
		Action: func(c *cli.Context) error { return runEvalConditions(e, c) },
	}
}

// conditionsReport is the JSON of gbt eval conditions.
type conditionsReport struct {
	*distill.Conditions
	Mined []conditionWords `json:"mined"` // from all runs
}

// conditionWords is a condition for people and programs.
type conditionWords struct {
	Says   string `json:"says"`
	End    bool   `json:"end,omitempty"`
	Advice bool   `json:"advice,omitempty"` // it is said, and stops nothing
	Action string `json:"action,omitempty"`
	Arg    string `json:"argument,omitempty"`
	Tasks  uint32 `json:"tasks"`
	Held   uint32 `json:"held"`
	Chance uint32 `json:"chance_thousandths"`
}

func wordsOfConditions(list []gates.Condition) []conditionWords {
	out := []conditionWords{}
	for i := range list {
		c := &list[i]
		out = append(out, conditionWords{c.String(), c.End, c.Advice, c.Act, c.Arg, c.Tasks, c.Held, c.Chance})
	}
	return out
}

func runEvalConditions(e *env, c *cli.Context) error {
	switch {
	case !c.Bool("cv"):
		return fail(exitUsage, "eval conditions cross-validates: gbt eval conditions --cv LOGS...")
	case c.NArg() == 0:
		return fail(exitUsage, "eval conditions needs logs: gbt eval conditions --cv LOGS...")
	}
	cfg, err := readConfig(e, c)
	if err != nil {
		return err
	}
	r, err := distill.EvaluateConditions(c.Context, logs.Open(c.Args().Slice(), logs.Options{Stdin: e.stdin, Workers: jobs(c)}), &cfg)
	if err != nil {
		return cannotRead(c.Context, err)
	}
	printProblems(e, r.Problems)
	if r.Folds == 0 || r.Rows[0].Succeeded == 0 {
		return fail(exitInput, "no successful runs of several tasks: %s", whyNothing(&r.Counts))
	}
	if c.Bool("json") {
		return printJSON(e, conditionsReport{r, wordsOfConditions(r.Mined)})
	}
	return printConditions(e, r)
}

func printConditions(e *env, r *distill.Conditions) error {
	first := &r.Rows[0]
	fmt.Fprintf(e.stdout, "%d folds by task, %d tasks: %d runs succeeded, with %d calls that change something, %d did not\n\n",
		r.Folds, r.Tasks, first.Succeeded, first.Calls, first.Failed)
	w := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "conditions\tof a fold\ton ends\tcalls sent back\tshare\tsuccesses stopped\tshare\tfailures named\tshare\t")
	for i := range r.Rows {
		x := &r.Rows[i]
		name := x.Name
		if x.Least > 0 {
			name += fmt.Sprintf(", rate from %.2f", x.Least)
		}
		fmt.Fprintf(w, "%s\t%.1f\t%.1f\t%.0f\t%.4f\t%.0f\t%.4f\t%.0f\t%.4f\t\n", name, x.Conditions, x.Ends, x.Back, partOf(x.Back, x.Calls),
			x.Alarmed, partOf(x.Alarmed, x.Succeeded), x.Named, partOf(x.Named, x.Failed))
	}
	if err := w.Flush(); err != nil {
		return stdoutError(err)
	}
	fmt.Fprintln(e.stdout, "\nmined from all runs:")
	writeConditions(e.stdout, r.Mined)
	return nil
}

func partOf(n float64, of int) float64 { return n / float64(max(of, 1)) }

// writeConditions lists conditions with their evidence, one a line.
func writeConditions(w io.Writer, list []gates.Condition) {
	if len(list) == 0 {
		fmt.Fprintln(w, "  none has enough evidence")
	}
	for i := range list {
		c := &list[i]
		kind := "required"
		if c.Advice {
			kind = "advice"
		}
		fmt.Fprintf(w, "  %s  %s (in %d of %d tasks; by chance .%03d)\n", kind, c, c.Held, c.Tasks, min(c.Chance, 999))
	}
}
