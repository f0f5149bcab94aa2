package main

import (
	"cmp"
	"encoding/json"

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
			"from the two files alone. Where OLD.contexts.parquet stands beside OLD, the calls on record are decided under both: how many that\n" +
			"were stopped are let through (re-admitted), how many more are stopped, and how many benign ones among them.\n" +
			"Gates that were added, removed or changed have their cards (gbt gates show), with --on also what they would have done on logs of your own.\n" +
			"Exit status with --exit-code: 0 no difference, 1 differences and none weakens, 3 NEW is weaker.\n\n" +
			"Example:\n" +
			"   gbt diff old.gbt new.gbt --exit-code\n" +
			"   gbt diff old.gbt new.gbt --markdown --sarif gbt.sarif --at policies/support.gbt",
		Flags: append(cardFlags(),
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object, with everything in it"},
			&cli.BoolFlag{Name: "markdown", Usage: "print Markdown for a pull request"},
			&cli.StringFlag{Name: "sarif", Usage: "write what weakens to `FILE` as SARIF 2.1.0 too (- for standard output, and nothing else)"},
			&cli.StringFlag{Name: "at", Usage: "name NEW as `PATH` in the SARIF, from the root of the repository (default: NEW)"},
			&cli.StringFlag{Name: "contexts", Usage: "OLD's contexts on record in `FILE` (default: beside OLD, if they are there)"},
			&cli.IntFlag{Name: "mutations", Usage: "audit `N` more contexts made from the recorded ones"},
			&cli.BoolFlag{Name: "exit-code", Usage: "exit with 1 if the policies differ, with 3 if the new one is weaker"},
			trustFlag("policies"), needFlag(),
		),
		Action: func(c *cli.Context) error { return runDiff(e, c) },
	}
}

func runDiff(e *env, c *cli.Context) error {
	if c.NArg() != 2 {
		return fail(exitUsage, "diff takes two policies: gbt diff OLD NEW")
	}
	if c.Bool("json") && c.Bool("markdown") {
		return fail(exitUsage, "--json and --markdown are two forms of the same: choose one")
	}
	if c.Int("mutations") < 0 {
		return fail(exitUsage, "--mutations is %d: give a number of contexts", c.Int("mutations"))
	}
	var sides [2]policySide
	for i := range sides {
		s := &sides[i]
		s.file = c.Args().Get(i)
		if err := apart([]namedFile{{"--sarif", c.String("sarif")}}, []namedFile{{"a policy", s.file}}); err != nil {
			return err
		}
		var err error
		if s.p, s.info, err = readPolicy(s.file, trustOf(c)); err != nil {
			return err
		}
	}
	changes := review.Compare(sides[0].p, sides[1].p, sides[0].info, sides[1].info)
	evidence, err := diffEvidence(c, sides[0], sides[1])
	if err != nil {
		return err
	}
	if evidence != nil {
		changes.Weigh(evidence)
	}
	if err := showCards(e, c, changes, sides[0], sides[1]); err != nil {
		return err
	}
	if err := printDiff(e, c, changes, cmp.Or(c.String("at"), sides[1].file)); err != nil {
		return err
	}
	if c.Bool("exit-code") {
		return diffStatus(changes)
	}
	return nil
}

// printDiff writes the changes in the forms that are asked for.
func printDiff(e *env, c *cli.Context, changes *review.Changes, name string) error {
	switch file := c.String("sarif"); file {
	case "":
	case "-":
		return printJSON(e, changes.SARIF(name))
	default:
		data, err := json.MarshalIndent(changes.SARIF(name), "", "  ")
		if err != nil {
			return err
		}
		if err := writeFile(file, append(data, '\n'), 0o644); err != nil {
			return err
		}
	}
	switch {
	case c.Bool("json"):
		return printJSON(e, changes)
	case c.Bool("markdown"):
		_, err := e.stdout.Write(changes.Markdown())
		return stdoutError(err)
	}
	_, err := e.stdout.Write(changes.Text())
	return stdoutError(err)
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
