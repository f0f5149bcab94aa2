package main

import (
	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
)

// eachFold reads the logs that an evaluation with --cv alone names, and hands each
// policy, distilled without one of five folds of the tasks, with that fold's runs to each.
// It says how many episodes were read.
func eachFold(e *env, c *cli.Context, each func(*distill.Fold) error) (distill.Counts, error) {
	cfg, err := readConfig(e, c)
	if err != nil {
		return distill.Counts{}, err
	}
	if name := c.Command.Name; !c.Bool("cv") || c.NArg() == 0 {
		return distill.Counts{}, fail(exitUsage, "eval %s needs --cv and logs: gbt eval %s --cv LOGS...", name, name)
	}
	held, counts, problems, err := distill.ReadLeftOut(c.Context, logs.Open(c.Args().Slice(), logs.Options{Stdin: e.stdin, Workers: jobs(c)}), &cfg, true)
	if err != nil {
		return counts, fail(exitUsage, "%v", err)
	}
	printProblems(e, problems)
	for f, err := range distill.CrossValidate(c.Context, held, &cfg, jobs(c)) {
		if err != nil {
			return counts, fail(exitInput, "%v", err)
		}
		if err := each(&f); err != nil {
			return counts, err
		}
	}
	return counts, nil
}
