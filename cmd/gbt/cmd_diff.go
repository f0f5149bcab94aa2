package main

import (
	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/internal/artifacts/review"
)

func diffCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "diff",
		Usage:     "say what a new policy has that an old one has not",
		ArgsUsage: "OLD NEW",
		Description: "Behaviour, gates, settings and evidence that were added, removed or changed, in a reviewer's terms.\n" +
			"A policy that evolves only tightens: a gate that is gone, a raised bound or lost evidence comes first, marked !!!.\n\n" +
			"Example:\n" +
			"   gbt diff old.gbt new.gbt --exit-code",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object, with everything in it"},
			&cli.BoolFlag{Name: "exit-code", Usage: "exit with 1 if the policies differ"},
			&cli.StringSliceFlag{Name: "trust", Usage: "refuse policies not signed by the public key in `FILE` (may be given again)"},
		},
		Action: func(c *cli.Context) error { return runDiff(e, c) },
	}
}

func runDiff(e *env, c *cli.Context) error {
	if c.NArg() != 2 {
		return fail(exitUsage, "diff takes two policies: gbt diff OLD NEW")
	}
	old, oldInfo, err := readPolicy(c.Args().Get(0), c.StringSlice("trust"))
	if err != nil {
		return err
	}
	p, info, err := readPolicy(c.Args().Get(1), c.StringSlice("trust"))
	if err != nil {
		return err
	}
	changes := review.Compare(old, p, oldInfo, info)
	if c.Bool("json") {
		err = printJSON(e, changes)
	} else {
		_, err = e.stdout.Write(changes.Text())
	}
	if err == nil && c.Bool("exit-code") && !changes.Same {
		return &exitError{code: exitFindings} // the changes are printed
	}
	return err
}
