package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
	"github.com/gbt-policy/gbt/internal/tree/merge"
	"github.com/gbt-policy/gbt/tree/text"
)

func evalCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:        "eval",
		Usage:       "measure a policy on logs",
		Subcommands: []*cli.Command{evalCoverageCommand(e), evalBoundaryCommand(e), evalCompletionCommand(e), evalFixesCommand(e), evalConditionsCommand(e), evalGatesCommand(e), evalEvolveCommand(e), evalInterruptionsCommand(e), evalLocaliseCommand(e), evalRenamesCommand(e), evalSelectionCommand(e), evalTraverseCommand(e)},
	}
}

func evalCoverageCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "coverage",
		Usage:     "how much of each episode a policy covers",
		ArgsUsage: "[POLICY] LOGS...",
		Description: "Walks every episode down the policy's tree: routed or not, steps covered, by depth, and whether the\n" +
			"agent's own words choose the macro that followed. Totals are over successful episodes. Figures named\n" +
			"*_generic count steps that only a generic child matches. An episode counts as covered if the policy claims it,\n" +
			"by its task's text or by its first two macros, and offers every macro where it was taken; 'late' is the share\n" +
			"that is covered and was claimed by its macros: their first ones nobody steered.\n\n" +
			"With --cv no policy is given: the logs are split in 5 folds, a policy is distilled without each fold and\n" +
			"measured on it. --by instance splits by task, --by structure by suite, repository or site.\n" +
			"A task that the policy was distilled from is a leak: it is reported, and the exit status is 1.\n\n" +
			"Examples:\n" +
			"   gbt eval coverage policy.gbt new-logs/ --json\n" +
			"   gbt eval coverage --cv logs/\n" +
			"   gbt eval coverage --cv --by structure --profile reference logs/",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object, with every episode"},
			&cli.BoolFlag{Name: "cv", Usage: "cross-validate on the logs instead of measuring a policy"},
			&cli.StringFlag{Name: "by", Usage: "with --cv: instance or structure", Value: "instance"},
			&cli.StringFlag{Name: "config", Usage: "read settings from `FILE`"},
			runChecksFlag(),
			&cli.StringFlag{Name: "profile", Usage: "with --cv: default or reference"},
			trustFlag("a policy"), needFlag(),
			&cli.BoolFlag{Name: "allow-leak", Usage: "measure on tasks the policy was distilled from"},
			jobsFlag(),
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "no progress on standard error"},
		},
		Action: func(c *cli.Context) error { return runEvalCoverage(e, c) },
	}
}

// coverageReport is the JSON of gbt eval coverage. The figures stand at the top.
type coverageReport struct {
	Policy string `json:"policy,omitempty"`
	Signed bool   `json:"signed"` // by a key that --trust names
	// Signature is what is known of the policy's origin, in words.
	Signature string `json:"signature,omitempty"`
	Profile   string `json:"profile"`
	Split     string `json:"split,omitempty"`
	Folds     int    `json:"folds,omitempty"`
	Units     int    `json:"units,omitempty"` // tasks or groups held out, each in one fold
	distill.Figures
	Baselines *baselines                 `json:"baselines,omitempty"` // of a cross-validation
	Formats   map[string]distill.Figures `json:"formats"`
	Read      distill.Counts             `json:"read"`
	Leaked    int                        `json:"leaked"`
	Episodes  []distill.EpisodeFigures   `json:"per_episode,omitempty"`
}

// baselines is how often guesses without the agent's words name the next macro, at
// the steps that top1_text counts.
type baselines struct {
	Steps     int     `json:"steps"`
	Successor float64 `json:"most_frequent_successor"`
	NGram     float64 `json:"n_gram"`
}

func runEvalCoverage(e *env, c *cli.Context) error {
	cfg, err := readConfig(e, c)
	if err != nil {
		return err
	}
	if c.Bool("cv") {
		return crossValidate(e, c, cfg)
	}
	if c.NArg() < 2 {
		return fail(exitUsage, "eval coverage needs a policy and logs: gbt eval coverage policy.gbt LOGS...")
	}
	p, info, err := openPolicy(e, c.Args().First(), trustOf(c))
	if err != nil {
		return err
	}
	enc, err := encoderOf(p)
	if err != nil {
		return err
	}
	in := logs.Open(c.Args().Tail(), logs.Options{Stdin: e.stdin, Workers: jobs(c)})
	ev, err := distill.Evaluate(c.Context, p, enc, in, &cfg)
	if err != nil {
		return cannotRead(c.Context, err)
	}
	printProblems(e, ev.Problems)
	if ev.Total.Episodes == 0 {
		return fail(exitInput, "%s", whyNothing(&ev.Counts))
	}
	r := &coverageReport{
		Policy: info.Digest, Signed: info.Signed, Signature: info.Status(), Profile: p.Params.Profile, Figures: distill.NewFigures(&ev.Total),
		Formats: figuresOf(ev.Formats), Read: ev.Counts, Leaked: ev.Leaked, Episodes: ev.Episodes,
	}
	return finishCoverage(e, c, r)
}

func figuresOf(sums map[string]merge.Summary) map[string]distill.Figures {
	out := map[string]distill.Figures{}
	for name, s := range sums {
		out[name] = distill.NewFigures(&s)
	}
	return out
}

func crossValidate(e *env, c *cli.Context, cfg distill.Config) error {
	by := c.String("by")
	if by != "instance" && by != "structure" {
		return fail(exitUsage, "--by is %q: give instance or structure", by)
	}
	if c.NArg() == 0 {
		return fail(exitUsage, "eval coverage --cv needs logs")
	}
	bar := newProgress(e, c.Bool("quiet") || c.Bool("json"))
	defer bar.Done()
	in := logs.Open(c.Args().Slice(), logs.Options{Stdin: e.stdin, Workers: jobs(c)})
	res, err := distill.Run(c.Context, in, distill.Options{
		Config: cfg, Workers: jobs(c), Progress: bar, HoldOutGroups: by == "structure", ValidateAll: true,
	})
	switch {
	case errors.Is(err, distill.ErrNoSuccess):
		printProblems(e, res.Problems)
		return fail(exitInput, "%s; %s", whyNothing(&res.Counts), hintNothing(&res.Counts))
	case err != nil:
		return cannotRead(c.Context, err)
	}
	printProblems(e, res.Problems)
	if res.Merge.CV.Episodes == 0 {
		return fail(exitInput, "nothing to learn from was left beside what was held out: give logs of more tasks")
	}
	base := res.Merge.Baselines
	return finishCoverage(e, c, &coverageReport{
		Profile: cfg.Profile, Split: by, Folds: merge.Folds, Units: res.Merge.CVUnits, Figures: distill.NewFigures(&res.Merge.CV),
		Baselines: &baselines{
			base.Steps, shareOf(base.Successor, base.Steps), shareOf(base.NGram, base.Steps),
		},
		Formats: figuresOf(res.Merge.CVFormats), Read: res.Counts,
	})
}

func finishCoverage(e *env, c *cli.Context, r *coverageReport) error {
	if c.Bool("json") {
		if err := printJSON(e, r); err != nil {
			return err
		}
	} else if err := printCoverage(e, r); err != nil {
		return err
	}
	if r.Leaked > 0 && !c.Bool("allow-leak") {
		return fail(exitFindings, "LEAK: %d of %d episodes run tasks that the policy was distilled from; "+
			"the figures are no coverage of unseen tasks (--allow-leak accepts that)", r.Leaked, r.Figures.Episodes)
	}
	return nil
}

// unitWord names what a split holds out.
var unitWord = map[string]string{"instance": "tasks", "structure": "suites, repositories or sites"}

func printCoverage(e *env, r *coverageReport) error {
	if r.Policy != "" {
		fmt.Fprintf(e.stdout, "policy %.16s, %s, profile %s; leak check: %d of %d episodes run tasks that it was distilled from\n\n",
			r.Policy, r.Signature, r.Profile, r.Leaked, r.Figures.Episodes)
	} else {
		fmt.Fprintf(e.stdout, "%d folds by %s, profile %s; leak check: %d %s held out, none stands in two folds\n\n",
			r.Folds, r.Split, r.Profile, r.Units, unitWord[r.Split])
	}
	if n := r.Read.Requests; n != nil {
		var b bytes.Buffer
		requestsText(&b, "outcomes", n)
		fmt.Fprintf(e.stdout, "%s\n", b.Bytes())
	}
	w := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "layout\tepisodes\trouted\tcovered\tlate\t+generic\tand right\tsteps\t+generic\ttop-1\tchoices\tshare\tfragile\tambiguous\texplored\t")
	names := make([]string, 0, len(r.Formats))
	for name := range r.Formats {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		f := r.Formats[name]
		coverageRow(w, name, &f)
	}
	coverageRow(w, "all", &r.Figures)
	if err := w.Flush(); err != nil || r.Baselines == nil {
		return stdoutError(err)
	}
	_, err := fmt.Fprintf(e.stdout, "\nnext macro at %d covered steps with words: by the words %.3f, by the most frequent successor %.3f, by n-grams %.3f\n",
		r.Baselines.Steps, r.Figures.Top1Text, r.Baselines.Successor, r.Baselines.NGram)
	return stdoutError(err)
}

func coverageRow(w *tabwriter.Writer, name string, f *distill.Figures) {
	fmt.Fprintf(w, "%s\t%d\t%.2f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.1f\t%.2f\t%.2f\t%.2f\t%.2f\t\n", name, f.Episodes, f.Routed,
		f.EpisodeCoverage, f.EpisodeCoverageLate, f.EpisodeCoverageGeneric, f.CoveredAndRight, f.StepCoverage, f.StepCoverageGeneric, f.Top1Text,
		f.AllowedChildren, f.AllowedShare, f.Fragile, f.Ambiguous, f.Exploration)
}

// encoderOf returns the embedder a policy was made with. With any other its
// thresholds would mean nothing (decision 4).
func encoderOf(p *artifacts.Policy) (*distill.Encoder, error) {
	t := text.Default()
	if t.Digest() != p.Encoder.Digest {
		return nil, fail(exitInput, "the policy was distilled with embedder %s (%.12s), this program has %s (%.12s): distil again, or use the program it was made with",
			p.Encoder.ID, p.Encoder.Digest, t.ID(), t.Digest())
	}
	return distill.NewEncoder(t), nil
}
