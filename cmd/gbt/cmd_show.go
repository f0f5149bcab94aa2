package main

import (
	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/internal/artifacts/review"
)

func showCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "show",
		Usage:     "print a policy as text that people and git can compare",
		ArgsUsage: "POLICY",
		Description: "One block for each gate, family, state and node, with ids that stay when other things change.\n" +
			"artifacts/TEXT.md has the grammar. The signature is shown as not checked unless --trust is given.\n" +
			"To see policies in git diff:\n\n" +
			"   gbt git install\n\n" +
			"gbt view draws one as a page for a browser.\n\n" +
			examples("gbt show policy.gbt", "gbt show policy.gbt --trust team.pub --json"),
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object"},
			&cli.StringFlag{Name: "family", Usage: "this `FAMILY` alone"},
			&cli.BoolFlag{Name: "stats", Usage: "counts, clusters and digests of vectors too"},
			trustFlag("a policy"), needFlag(),
		},
		Action: func(c *cli.Context) error { return runShow(e, c) },
	}
}

func runShow(e *env, c *cli.Context) error {
	if c.NArg() != 1 {
		return fail(exitUsage, "show takes one policy: gbt show POLICY")
	}
	p, info, err := readPolicy(c.Args().First(), trustOf(c))
	if err != nil {
		return err
	}
	doc, err := review.New(p, info, review.Options{Family: c.String("family"), Stats: c.Bool("stats")})
	if err != nil {
		return fail(exitUsage, "%v; without --family all are shown", err)
	}
	if c.Bool("json") {
		return printJSON(e, doc)
	}
	_, err = e.stdout.Write(doc.Text())
	return err
}
