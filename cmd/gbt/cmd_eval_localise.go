package main

import (
	"fmt"
	"path/filepath"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
	"github.com/gbt-policy/gbt/internal/evolve/localise"
)

func evalLocaliseCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "localise",
		Usage:     "how well the failing step of a run is found without a model",
		ArgsUsage: "LOGS...",
		Description: "Takes failed runs whose logs name the step that failed them (Who&When), and guesses that step from facts of the\n" +
			"messages: who acts, errors, code, repetition, numbers that no earlier message has, what the last numbers rest on.\n" +
			"Their weights are fitted without the tasks, and once more without the whole folder, that they are measured on.\n" +
			"Printed beside guesses that look at nothing: how often the step is named exactly, at most one and three steps\n" +
			"away, and its actor.\n\n" +
			"Example:\n" +
			"   gbt eval localise whowhen/ --json",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object, with the weights"},
			jobsFlag(),
		},
		Action: func(c *cli.Context) error { return runEvalLocalise(e, c) },
	}
}

// localiseReport is the JSON of gbt eval localise.
type localiseReport struct {
	Runs    int              `json:"runs"`
	Folds   int              `json:"folds"`
	Skipped int              `json:"skipped"` // episodes that name no failing step
	Tables  []localise.Table `json:"tables"`
	Weights []clueWeight     `json:"weights"`
}

// clueWeight is the weight of one clue in the model of all runs.
type clueWeight struct {
	Clue   string  `json:"clue"`
	Weight float64 `json:"weight"`
}

func runEvalLocalise(e *env, c *cli.Context) error {
	if c.NArg() == 0 {
		return fail(exitUsage, "eval localise needs logs: gbt eval localise LOGS...")
	}
	var runs []localise.Labelled
	r := &localiseReport{Folds: localise.Folds}
	problems := newImportSummary()
	in := logs.Open(c.Args().Slice(), logs.Options{Stdin: e.stdin, Workers: jobs(c)})
	for rec := range in.Records(c.Context) {
		switch {
		case rec.Problem != nil:
			problems.problem(rec.Problem)
		case rec.Episode != nil:
			if run, ok := labelled(rec.Episode); ok {
				runs = append(runs, run)
			} else {
				r.Skipped++
			}
		}
	}
	if err := c.Context.Err(); err != nil {
		return cannotRead(c.Context, err)
	}
	problems.printProblems(e.stderr)
	if len(runs) == 0 {
		return fail(exitInput, "no failed run says at which step it failed; Who&When logs do (mistake_step)")
	}
	r.Runs, r.Tables = len(runs), localise.Evaluate(runs)
	r.Weights = weightsOf(runs)
	if c.Bool("json") {
		return printJSON(e, r)
	}
	return printLocalise(e, r)
}

// labelled is an episode whose log names the step that failed it.
func labelled(ep *corpora.Episode) (localise.Labelled, bool) {
	out := localise.Labelled{Task: ep.TaskID, Source: filepath.Base(filepath.Dir(ep.Origin.File))}
	out.At = -1
	for _, v := range ep.Verdicts {
		if v.Rule == logs.MistakeRule && v.Step >= 0 && v.Step < len(ep.Steps) {
			out.At = v.Step
		}
	}
	if out.At < 0 || ep.Outcome == corpora.OutcomeSuccess {
		return out, false
	}
	if out.Task == "" {
		out.Task = ep.Task
	}
	messages := make([]localise.Message, len(ep.Steps))
	for i := range ep.Steps {
		messages[i] = messageOf(&ep.Steps[i])
		out.Actors = append(out.Actors, messages[i].Actor)
	}
	out.Clues = localise.Clues(ep.Task, messages)
	return out, true
}

func messageOf(s *corpora.Step) localise.Message {
	m := localise.Message{Actor: s.Actor, Text: s.Text, Result: s.Result, Failed: s.Error != "" || s.HasExit && s.ExitCode != 0}
	if m.Text == "" {
		m.Text = s.Tool + " " + s.Args
	}
	if s.Error != "" {
		m.Result += "\n" + s.Error
	}
	return m
}

func weightsOf(runs []localise.Labelled) []clueWeight {
	cases := make([]localise.Case, len(runs))
	for i := range runs {
		cases[i] = runs[i].Case
	}
	m := localise.Fit(cases, localise.Ridge)
	var out []clueWeight
	for i, name := range localise.ClueNames() {
		out = append(out, clueWeight{name, m.Weights[i]})
	}
	return out
}

// published is what localisers that ask a model name as their share of exact steps,
// each where it was read: a review of the first at paperhub.cn/paper/GazlTYxZss, the
// abstract of the second, the README of the third.
const published = "Published for Who&When, by asking a model, exact step (not run here, and on their own choice of runs):\n" +
	"  best of three ways, arXiv 2505.00212           all .142\n" +
	"  judge and evaluators in turns, arXiv 2509.06822v3   Algorithm-Generated over .50, Hand-Crafted over .20\n" +
	"  github.com/ResearAI/A2P                        Algorithm-Generated .475\n"

func printLocalise(e *env, r *localiseReport) error {
	fmt.Fprintf(e.stdout, "%d failed runs that name their failing step; %d episodes without one. Weights are fitted in %d folds by task: no figure is\n"+
		"measured on a task that it was fitted on.\n\n%s", r.Runs, r.Skipped, r.Folds, published)
	w := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', 0)
	for _, t := range r.Tables {
		name := t.Source
		if name == "" {
			name = "all"
		}
		fmt.Fprintf(w, "\n%s: %d runs of %.1f steps\texact\twithin 1\twithin 3\tactor\n", name, t.Runs, t.Steps)
		for _, m := range t.Methods {
			method := m.Method
			if t.Source != "" && method == localise.MethodForeign {
				method += fmt.Sprintf(" (fitted on %d)", t.Elsewhere)
			}
			fmt.Fprintf(w, "  %s\t%.3f\t%.3f\t%.3f\t%.3f\n", method, m.Exact, m.Within, m.Near, m.Actor)
		}
		fmt.Fprintf(w, "  clues alone name the step of %s, the most common step alone %d (p = %.3f, sign test)\n", count(t.Paired.Better, "run"), t.Paired.Worse, t.Paired.P)
	}
	return stdoutError(w.Flush())
}
