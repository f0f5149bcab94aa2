package main

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
	"github.com/gbt-policy/gbt/traverse"
	"github.com/gbt-policy/gbt/tree"
)

func evalTraverseCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "traverse",
		Usage:     "replay episodes through the traverser",
		ArgsUsage: "[POLICY] LOGS...",
		Description: "Replays every successful episode as proposals and calls in a shadow session, which decides and never\n" +
			"steers: once with each macro's own call as the proposal, once with the agent's words where it said any.\n" +
			"Prints coverage, the regimes, ambiguity, stalls, and the recovery paths that a stall would have taken.\n" +
			"'walk' is the coverage that gbt eval coverage counts on the same episodes; 'differ' says where and why\n" +
			"the traverser disagrees with it.\n\n" +
			"With --cv no policy is given: the logs are split by task in 5 folds and each is replayed under a policy\n" +
			"distilled from the others, families included (gbt eval coverage --cv learns these once, from all logs, so its\n" +
			"figures are a little higher). --ways compares the ways out of a stall with and without the filters of\n" +
			"tree.recovery_filters, which it turns on: right is the share of macros at which the way begins with what the\n" +
			"successful run did next, whole the share at which the run did all of it. A task that a given policy was distilled from is a leak: exit status 1.\n\n" +
			"Examples:\n" +
			"   gbt eval traverse policy.gbt new-logs/ --json\n" +
			"   gbt eval traverse --cv logs/",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object"},
			&cli.BoolFlag{Name: "cv", Usage: "cross-validate on the logs instead of measuring a policy"},
			&cli.BoolFlag{Name: "ways", Usage: "try a stall at every macro instead, and compare its way out with what the run did"},
			&cli.StringFlag{Name: "config", Usage: "read settings from `FILE`"},
			&cli.StringFlag{Name: "profile", Usage: "with --cv: default or reference"},
			trustFlag("a policy"), needFlag(),
			&cli.BoolFlag{Name: "allow-leak", Usage: "measure on tasks the policy was distilled from"},
			jobsFlag(),
		},
		Action: func(c *cli.Context) error { return runEvalTraverse(e, c) },
	}
}

// traverseReport is the JSON of gbt eval traverse.
type traverseReport struct {
	Policy  string                      `json:"policy,omitempty"`
	Profile string                      `json:"profile"`
	Folds   int                         `json:"folds,omitempty"`
	Total   *traverseFigures            `json:"total"`
	Formats map[string]*traverseFigures `json:"formats"`
	Read    distill.Counts              `json:"read"`
	Leaked  int                         `json:"leaked"`
	Ways    []wayArm                    `json:"ways,omitempty"`
}

func runEvalTraverse(e *env, c *cli.Context) error {
	cfg, err := readConfig(e, c)
	if err != nil {
		return err
	}
	r := &traverseReport{Profile: cfg.Profile, Total: newTraverseFigures(), Formats: map[string]*traverseFigures{}}
	if c.Bool("ways") {
		r.Ways = newWayArms()
		cfg.Tree.RecoveryFilters = new(true) // so that there is something to compare
	}
	paths := c.Args().Slice()
	var p *artifacts.Policy
	var info *artifacts.Info
	if !c.Bool("cv") {
		if len(paths) < 2 {
			return fail(exitUsage, "eval traverse needs a policy and logs: gbt eval traverse policy.gbt LOGS...")
		}
		if p, info, err = openPolicy(e, paths[0], trustOf(c)); err != nil {
			return err
		}
		r.Policy, r.Profile, cfg.Profile, paths = info.Digest, p.Params.Profile, p.Params.Profile, paths[1:]
	}
	if len(paths) == 0 {
		return fail(exitUsage, "eval traverse --cv needs logs")
	}
	held, counts, problems, err := distill.ReadLeftOut(c.Context, logs.Open(paths, logs.Options{Stdin: e.stdin, Workers: jobs(c)}), &cfg, c.Bool("cv"))
	if err != nil {
		return fail(exitUsage, "%v", err)
	}
	printProblems(e, problems)
	r.Read = counts
	if c.Bool("cv") {
		err = r.crossValidate(c, held, &cfg)
	} else {
		r.Leaked = leaked(p, held)
		err = r.run(p, info.Digest, held, jobs(c))
	}
	if err != nil {
		return err
	}
	if r.Total.Episodes == 0 {
		return fail(exitInput, "%s", whyNothing(&counts))
	}
	return r.finish(e, c)
}

func (r *traverseReport) crossValidate(c *cli.Context, held []distill.LeftOut, cfg *distill.Config) error {
	for f, err := range distill.CrossValidate(c.Context, held, cfg, jobs(c)) {
		if err != nil {
			return fail(exitInput, "%v", err)
		}
		r.Folds++
		if err := r.run(f.Policy, "", f.LeftOut, jobs(c)); err != nil {
			return err
		}
	}
	return nil
}

// leaked counts the successful episodes whose task the policy was distilled from.
func leaked(p *artifacts.Policy, held []distill.LeftOut) int {
	known, n := map[string]bool{}, 0
	for _, d := range p.TaskDigests {
		known[string(d)] = true
	}
	for _, h := range held {
		e := h.Episode
		tally(&n, h.Success && (known[string(artifacts.TaskDigest("id:"+e.TaskID))] || known[string(artifacts.TaskDigest("text:"+e.Task))]))
	}
	return n
}

// run replays the successful episodes on workers, each with rows of its own.
func (r *traverseReport) run(art *artifacts.Policy, digest string, held []distill.LeftOut, workers int) error {
	if r.Ways != nil {
		for i := range held {
			tally(&r.Total.Episodes, held[i].Success)
		}
		return addWays(r.Ways, art, held)
	}
	p, err := traverse.New(art, traverse.Options{Digest: digest})
	if err != nil {
		return fail(exitInput, "%v", err)
	}
	enc, err := encoderOf(art)
	if err != nil {
		return err
	}
	rows := make([]map[string]*traverseFigures, max(workers, 1))
	var wg sync.WaitGroup
	for w := range rows {
		rows[w] = map[string]*traverseFigures{}
		wg.Go(func() {
			x := &replayer{p: p, view: tree.NewView(&art.Tree), enc: enc}
			for i := w; i < len(held); i += len(rows) {
				if h := &held[i]; h.Success {
					x.replay(rowOf(rows[w], h.Trace.Format), h)
				}
			}
		})
	}
	wg.Wait()
	for _, byFormat := range rows {
		for name, f := range byFormat {
			rowOf(r.Formats, name).merge(f)
			r.Total.merge(f)
		}
	}
	return nil
}

func rowOf(rows map[string]*traverseFigures, name string) *traverseFigures {
	if rows[name] == nil {
		rows[name] = newTraverseFigures()
	}
	return rows[name]
}

func (r *traverseReport) finish(e *env, c *cli.Context) error {
	if c.Bool("json") {
		if err := printJSON(e, r); err != nil {
			return err
		}
	} else {
		r.print(e)
	}
	if r.Leaked > 0 && !c.Bool("allow-leak") {
		return fail(exitFindings, "LEAK: %d of %d episodes run tasks that the policy was distilled from; "+
			"the figures say nothing about unseen tasks (--allow-leak accepts that)", r.Leaked, r.Total.Episodes)
	}
	return nil
}

func (r *traverseReport) print(e *env) {
	if r.Policy != "" {
		fmt.Fprintf(e.stdout, "policy %.16s, profile %s; leak check: %d of %d episodes run tasks that it was distilled from\n\n",
			r.Policy, r.Profile, r.Leaked, r.Total.Episodes)
	} else {
		fmt.Fprintf(e.stdout, "%d folds by task, profile %s\n\n", r.Folds, r.Profile)
	}
	w := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	if r.Ways != nil {
		printWays(w, r.Ways)
		w.Flush()
		return
	}
	fmt.Fprintln(w, "layout\tproposed\tepisodes\trouted\tcovered\twalk\tdiffer\tfollowed\tfragile\tambiguous\texplored\tstalled\trecovered\tway\tup\tpack stop\t")
	for _, name := range slices.Sorted(maps.Keys(r.Formats)) {
		r.Formats[name].rows(w, name)
	}
	r.Total.rows(w, "all")
	w.Flush()
	fmt.Fprintf(e.stdout, "\nnot covered, by first reason: calls %s; words %s\n", byCount(r.Total.Calls.Lost), byCount(r.Total.Words.Lost))
	fmt.Fprintf(e.stdout, "stalls by reason: calls %s; words %s\n", byCount(r.Total.Calls.StallWhy), byCount(r.Total.Words.StallWhy))
	fmt.Fprintf(e.stdout, "calls covered and walk differ: %s\n", byCount(r.Total.Differ))
	fmt.Fprintf(e.stdout, "three macros without a change, literally: %d of %d episodes; calls checked %d, not let pass %d\n",
		r.Total.LiteralIdle, r.Total.Episodes, r.Total.Checked, r.Total.Blocked)
}

// rows prints a layout's two arms: macros' calls proposed, then words.
func (f *traverseFigures) rows(w *tabwriter.Writer, name string) {
	for i, a := range []*arm{&f.Calls, &f.Words} {
		n := 0
		for _, d := range f.Differ {
			n += d
		}
		walk, differ := fmt.Sprintf("%.3f", ratio(f.Walk, f.Episodes)), fmt.Sprint(n)
		if i == 1 {
			walk, differ = "", ""
		}
		matched := int(a.Advance + a.Fragile)
		fmt.Fprintf(w, "%s\t%s\t%d\t%.2f\t%.3f\t%s\t%s\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.2f\t%.1f\t%.1f\t%d\t\n", name, [...]string{"calls", "words"}[i],
			f.Episodes, ratio(f.Routed, f.Episodes), ratio(a.Covered, f.Episodes), walk, differ,
			ratio(int(a.Followed), int(a.Followed+a.Deviated)), ratio(int(a.Fragile), matched), ratio(int(a.Ambiguous), matched),
			ratio(a.Explored, f.Episodes), ratio(a.Stalled, f.Episodes), ratio(int(a.Recoveries), int(a.Stalls)),
			ratio(int(a.WayMacros), int(a.Recoveries)), ratio(int(a.WayUp), int(a.Recoveries)), a.Stopped)
	}
}

func ratio(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// byCount prints counts by reason, most first.
func byCount(counts map[string]int) string {
	keys := slices.Sorted(maps.Keys(counts))
	slices.SortStableFunc(keys, func(a, b string) int { return counts[b] - counts[a] })
	out := ""
	for _, k := range keys {
		name := k
		if name == "" {
			name = "walk not covered"
		}
		out += fmt.Sprintf(" %s %d", name, counts[k])
	}
	if out == "" {
		return "none"
	}
	return out[1:]
}
