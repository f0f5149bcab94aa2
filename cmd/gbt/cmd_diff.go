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
			"The first screen says whether NEW is weaker than OLD, and where; everything in full follows, what weakens first, marked !!!.\n" +
			"A policy that evolves only tightens: gates gone or narrowed, looser settings, lost evidence, another signer, bolder claims are found\n" +
			"from the two files alone.\n" +
			"Exit status with --exit-code: 0 no difference, 1 differences and none weakens, 3 NEW is weaker.\n\n" +
			"Example:\n" +
			"   gbt diff old.gbt new.gbt --exit-code",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object, with everything in it"},
			&cli.BoolFlag{Name: "exit-code", Usage: "exit with 1 if the policies differ, with 3 if the new one is weaker"},
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
	if err == nil && c.Bool("exit-code") {
		return diffStatus(changes)
	}
	return err
}

// diffStatus is the exit status of a comparison; the changes are printed.
func diffStatus(c *review.Changes) error {
	switch {
	case len(c.Weakens) > 0:
		return &exitError{code: exitReadmitted}
	case !c.Same:
		return &exitError{code: exitFindings}
	}
	return nil
}
