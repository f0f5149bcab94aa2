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
			"   gbt show policy.gbt --html policy.html\n\n" +
			"It has the card of each gate (gbt gates show). With --calls it has recorded calls too, without their values; with\n" +
			"--on LOGS what each gate would have stopped in logs of yours, and some of these calls. Without either, the page\n" +
			"shows nothing but the policy and what people decided about its gates.",
		Flags: append(cardFlags(),
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object"},
			&cli.StringFlag{Name: "html", Usage: "write a page for a browser, statistics included, to `FILE` (- for standard output)"},
			&cli.BoolFlag{Name: "calls", Usage: "show recorded calls on the page's cards of gates too: they stand beside the policy, and not in it"},
			&cli.StringFlag{Name: "family", Usage: "this `FAMILY` alone"},
			&cli.BoolFlag{Name: "stats", Usage: "counts, clusters and digests of vectors too"},
			&cli.StringSliceFlag{Name: "trust", Usage: "refuse a policy not signed by the public key in `FILE` (may be given again)"},
		),
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
	if html == "" && (c.Bool("calls") || c.IsSet("on")) {
		return fail(exitUsage, "--calls and --on are for the cards of a page: give --html too, or use gbt gates show")
	}
	doc, err := review.New(p, info, review.Options{Family: c.String("family"), Stats: c.Bool("stats") || html != ""})
	if err != nil {
		return fail(exitUsage, "%v; without --family all are shown", err)
	}
	switch {
	case html != "":
		if doc.Cards, err = pageCards(e, c); err != nil {
			return err
		}
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
