package main

import (
	"fmt"
	"html/template"
	"maps"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/internal/artifacts/review"
	"github.com/gbt-policy/gbt/internal/artifacts/view"
)

func viewCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "view",
		Usage:     "draw a policy, or what changed between two, as a page for a browser",
		ArgsUsage: "POLICY | OLD NEW",
		Description: "One file that needs nothing else: no network, no script but its own, which its Content-Security-Policy\n" +
			"names by digest. It has the tree by family with how often each step was taken and how often that succeeded, a\n" +
			"search, the card of each gate (gbt gates show), and the figures. Press ? there for the keys. It works on phones,\n" +
			"in the dark, on paper, and with 10,000 steps.\n\n" +
			"Of two policies it shows one tree with what was added, removed and changed, and the first screen of gbt diff.\n\n" +
			"With --logs and --episode a run is led along the tree, call by call: what the tree said of each step, and what\n" +
			"became of each call. Its arguments and results are not on the page.\n\n" +
			"With --calls the page shows the recorded calls too, without their values, and with --logs also the steps that lead to\n" +
			"each unsafe one: what came back in short, and which gate stops it, forwards and backwards by key. With --on LOGS the\n" +
			"cards say what each gate would have stopped in logs of yours, and some of these calls. Without any of them, the page\n" +
			"shows nothing but the policy and what people decided about its gates.\n\n" +
			"Examples:\n" +
			"   gbt view policy.gbt\n" +
			"   gbt view policy.gbt -o policy.html --open\n" +
			"   gbt view policy.gbt --logs runs/ --episode chat/run-17\n" +
			"   gbt view policy.gbt --calls --logs runs/\n" +
			"   gbt view old.gbt new.gbt -o changes.html",
		Flags: append(cardFlags(),
			&cli.StringFlag{Name: "o", Usage: "write the page to `FILE` (- for standard output; default: the policy's name with .html, in this directory)"},
			&cli.BoolFlag{Name: "open", Usage: "open the page in the browser"},
			&cli.StringSliceFlag{Name: "logs", Usage: "find the run, or those that show unsafe calls, in `FILE` or directory (may be given again)"},
			&cli.StringFlag{Name: "episode", Usage: "lead the run whose id begins with `ID` along the tree"},
			&cli.BoolFlag{Name: "calls", Usage: "show recorded calls, on the cards of gates and the unsafe ones in a list: they stand beside the policy, and not in it"},
			&cli.StringFlag{Name: "family", Usage: "this `FAMILY` alone"},
			trustFlag("policies"), needFlag(),
		),
		Action: func(c *cli.Context) error { return runView(e, c) },
	}
}

func runView(e *env, c *cli.Context) error {
	if c.NArg() < 1 || c.NArg() > 2 {
		return fail(exitUsage, "view takes one policy or two: gbt view POLICY, or gbt view OLD NEW")
	}
	names := c.Args().Slice()
	name := names[len(names)-1]
	out := c.String("o")
	if out == "" {
		out = strings.TrimSuffix(filepath.Base(name), ".gbt") + ".html"
	}
	if out == "-" && c.Bool("open") {
		return fail(exitUsage, "--open needs a file: give -o FILE")
	}
	var inputs []namedFile
	for _, n := range names {
		inputs = append(inputs, namedFile{"a policy", n})
	}
	if err := apart([]namedFile{{"-o", out}}, inputs); err != nil {
		return err
	}
	page, err := pageOf(e, c, names)
	if err != nil {
		return err
	}
	data, err := page.HTML()
	if err != nil {
		return err
	}
	return showPage(e, data, out, c.Bool("open"))
}

// pageOf reads one policy, or an old and a new one.
func pageOf(e *env, c *cli.Context, names []string) (*view.Page, error) {
	page := &view.Page{}
	var sides []policySide
	for _, name := range names {
		p, info, err := readPolicy(name, trustOf(c))
		if err != nil {
			return nil, err
		}
		doc, err := review.New(p, info, review.Options{Family: c.String("family"), Stats: true})
		if err != nil {
			return nil, fail(exitUsage, "%s: %v; without --family all are shown", name, err)
		}
		page.Old, page.Policy = page.Policy, doc
		sides = append(sides, policySide{file: name, p: p, info: info})
	}
	if len(sides) == 2 {
		changes := review.Compare(sides[0].p, sides[1].p, sides[0].info, sides[1].info)
		evidence, err := diffEvidence(c, sides[0], sides[1])
		if err != nil {
			return nil, err
		}
		if evidence != nil {
			changes.Weigh(evidence)
		}
		page.Summary = changes.Summary()
	}
	var err error
	if page.Run, err = viewRun(e, c, &sides[len(sides)-1]); err != nil {
		return nil, err
	}
	if page.Windows, err = viewWindows(e, c, &sides[len(sides)-1]); err != nil {
		return nil, err
	}
	page.Cards = map[string]template.HTML{}
	for _, name := range names { // the new policy's last: they count where both have a gate
		cards, err := pageCards(e, c, name)
		if err != nil {
			return nil, err
		}
		maps.Copy(page.Cards, cards)
	}
	return page, nil
}

// showPage writes a page, and opens it where that is asked for.
func showPage(e *env, data []byte, file string, open bool) error {
	if file == "-" {
		_, err := e.stdout.Write(data)
		return stdoutError(err)
	}
	if err := writeFile(file, data, 0o644); err != nil {
		return err
	}
	fmt.Fprintf(e.stderr, "gbt: wrote %s; open it in a browser, and press ? for the keys\n", file)
	if !open {
		return nil
	}
	path, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	if err := exec.CommandContext(e.ctx, opener(), path).Run(); err != nil {
		return fail(exitInput, "%s is written, and %s could not open it: %v; open it by hand", file, opener(), err)
	}
	return nil
}

// opener is the program that opens a file as its user would.
func opener() string {
	switch runtime.GOOS {
	case "darwin":
		return "open"
	case "windows":
		return "explorer"
	}
	return "xdg-open"
}
