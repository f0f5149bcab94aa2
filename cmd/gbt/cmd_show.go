package main

import (
	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/internal/artifacts/review"
)

func showCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "show",
		Usage:     "print a policy as text that people and git can compare, or as a page",
		ArgsUsage: "POLICY",
		Description: "One block for each gate, family, state and node, with ids that stay when other things change.\n" +
			"artifacts/TEXT.md has the grammar. The signature is shown as not checked unless --trust is given.\n" +
			"To see policies in git diff:\n\n" +
			"   gbt git install\n\n" +
			"To look at one in a browser:\n\n" +
			"   gbt show policy.gbt --html policy.html",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object"},
			&cli.StringFlag{Name: "html", Usage: "write a page for a browser, statistics included, to `FILE` (- for standard output)"},
			&cli.StringFlag{Name: "family", Usage: "this `FAMILY` alone"},
			&cli.BoolFlag{Name: "stats", Usage: "counts, clusters and digests of vectors too"},
			&cli.StringSliceFlag{Name: "trust", Usage: "refuse a policy not signed by the public key in `FILE` (may be given again)"},
		},
		Action: func(c *cli.Context) error { return runShow(e, c) },
	}
}

func runShow(e *env, c *cli.Context) error {
	if c.NArg() != 1 {
		return fail(exitUsage, "show takes one policy: gbt show POLICY")
	}
	p, info, err := readPolicy(c.Args().First(), c.StringSlice("trust"))
	if err != nil {
		return err
	}
	html := c.String("html")
	if err := apart([]namedFile{{"--html", html}}, []namedFile{{"the policy", c.Args().First()}}); err != nil {
		return err
	}
	if html != "" && c.Bool("json") {
		return fail(exitUsage, "--json and --html are two forms of the same: choose one")
	}
	doc, err := review.New(p, info, review.Options{Family: c.String("family"), Stats: c.Bool("stats") || html != ""})
	if err != nil {
		return fail(exitUsage, "%v; without --family all are shown", err)
	}
	switch {
	case html != "":
		return writePage(e, doc, html)
	case c.Bool("json"):
		return printJSON(e, doc)
	}
	_, err = e.stdout.Write(doc.Text())
	return err
}

func writePage(e *env, doc *review.Document, file string) error {
	page, err := doc.HTML()
	if err != nil {
		return err
	}
	if file == "-" {
		_, err = e.stdout.Write(page)
		return err
	}
	return writeFile(file, page, 0o644)
}
