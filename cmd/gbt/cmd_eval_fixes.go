package main

import (
	"fmt"
	"maps"
	"slices"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/distill"
)

func evalFixesCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "fixes",
		Usage:     "what the known fixes and retry bounds of failures are worth",
		ArgsUsage: "LOGS...",
		Description: "Splits the logs by task in 5 folds. Each run is walked under a policy distilled from the others, and at each call\n" +
			"that failed it is asked what the policy names (docs/completion.md). 'named' are the failures with a known fix;\n" +
			"of those that the run tried again, 'did' is the share that did what was named, 'worked' of these the share that passed then,\n" +
			"'else' the share that passed of those that did something else. Beside it 'another form': to try again at once.\n" +
			"The second table has the runs that a retry bound would have ended: successful ones, which it cuts off, and others, with\n" +
			"the calls that they made after it. Bounds are compared by the tasks that they must be seen in; beside them a\n" +
			"bound of 3 for everything.\n\n" +
			"Examples:\n" +
			"   gbt eval fixes --cv logs/\n" +
			"   gbt eval fixes --cv logs/ --json",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object"},
			&cli.BoolFlag{Name: "cv", Usage: "cross-validate on the logs; there is no other way yet to measure this"},
			&cli.StringFlag{Name: "config", Usage: "read settings from `FILE`"},
			&cli.StringFlag{Name: "profile", Usage: "default or reference"},
			jobsFlag(),
		},
		Action: func(c *cli.Context) error { return runEvalFixes(e, c) },
	}
}

// fixCounts are the failures of runs of one kind.
type fixCounts struct {
	Runs     int `json:"runs"`
	WithFall int `json:"runs_with_failure"`
	Falls    int `json:"failures"`
	Named    int `json:"named"`
	Again    int `json:"named_tried_again"`
	Did      int `json:"did_what_was_named"`
	Worked   int `json:"did_and_passed"`
	Else     int `json:"did_else_and_passed"`
	Reform   int `json:"tried_again_at_once"`
	Reformed int `json:"tried_again_at_once_and_passed"`
	Tried    int `json:"tried_again"`
	Passed   int `json:"tried_again_and_passed"`
}

// endCounts are the runs that a bound ends.
type endCounts struct {
	Bound   string `json:"bound"`
	Success int    `json:"successful_ended"`
	Failure int    `json:"unsuccessful_ended"`
	Saved   int    `json:"calls_after_it"` // of unsuccessful runs
	Calls   int    `json:"calls"`          // of all unsuccessful runs
}

// fixFigures are those of one layout.
type fixFigures struct {
	Success fixCounts   `json:"successful"`
	Failure fixCounts   `json:"unsuccessful"`
	Ends    []endCounts `json:"bounds"`
}

// fixesReport is the JSON of gbt eval fixes.
type fixesReport struct {
	Folds   int                    `json:"folds"`
	Fixes   int                    `json:"fixes"` // of all folds' policies
	Bounds  int                    `json:"retry_bounds"`
	Binding int                    `json:"retry_bounds_that_end_runs"`
	Formats map[string]*fixFigures `json:"formats"`
	Read    distill.Counts         `json:"read"`
}

func runEvalFixes(e *env, c *cli.Context) error {
	r := &fixesReport{Formats: map[string]*fixFigures{}}
	var err error
	r.Read, err = eachFold(e, c, func(f *distill.Fold) error {
		r.Folds++
		r.sealed(&f.Policy.Tree)
		return r.replay(f.Policy, f.LeftOut, jobs(c))
	})
	if err != nil {
		return err
	}
	if len(r.Formats) == 0 {
		return fail(exitInput, "%s", whyNothing(&r.Read))
	}
	if c.Bool("json") {
		return printJSON(e, r)
	}
	return r.print(e)
}

// add counts one run.
func (r *fixesReport) add(h *distill.LeftOut, run *fixRun) {
	f := r.Formats[h.Trace.Format]
	if f == nil {
		f = &fixFigures{}
		for _, n := range bindings {
			f.Ends = append(f.Ends, endCounts{Bound: fmt.Sprintf("mined, %d tasks", n)})
		}
		f.Ends = append(f.Ends, endCounts{Bound: fmt.Sprintf("%d for all", naive)})
		r.Formats[h.Trace.Format] = f
	}
	into := &f.Success
	if !h.Success {
		into = &f.Failure
	}
	into.Runs++
	tally(&into.WithFall, len(run.falls) > 0)
	for i := range run.falls {
		into.add(&run.falls[i])
	}
	for k, left := range run.ends {
		x := &f.Ends[k]
		tally(&x.Success, left >= 0 && h.Success)
		if !h.Success {
			x.Calls += len(h.Episode.Steps)
			tally(&x.Failure, left >= 0)
			x.Saved += max(left, 0)
		}
	}
}

func (c *fixCounts) add(x *fallSaid) {
	c.Falls++
	tally(&c.Named, x.named)
	tally(&c.Again, x.named && x.again)
	tally(&c.Did, x.did)
	tally(&c.Worked, x.worked)
	tally(&c.Else, x.named && x.again && !x.did && x.passed)
	tally(&c.Reform, x.reform)
	tally(&c.Reformed, x.reformed)
	tally(&c.Tried, x.again)
	tally(&c.Passed, x.again && x.passed)
}

// print writes two tables.
func (r *fixesReport) print(e *env) error {
	fmt.Fprintf(e.stdout, "%d folds by task; in their policies %d known fixes, %d retry bounds, of which %d end runs\n\n", r.Folds, r.Fixes, r.Bounds, r.Binding)
	w := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "layout\truns\tof them\twith a failure\tfailures\ttried again\tpassed then\tnamed\ttried again\tdid\tworked\telse\tanother form\tworked\t")
	for _, name := range slices.Sorted(maps.Keys(r.Formats)) {
		f := r.Formats[name]
		f.Success.row(w, name, "successful")
		f.Failure.row(w, name, "unsuccessful")
	}
	fmt.Fprintln(w)
	if err := w.Flush(); err != nil {
		return stdoutError(err)
	}
	w = tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "layout\tbound\tsuccessful\tended\tshare\tunsuccessful\tended\tshare\tcalls after it\tof all\t")
	for _, name := range slices.Sorted(maps.Keys(r.Formats)) {
		f := r.Formats[name]
		for _, x := range f.Ends {
			fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%.3f\t%d\t%d\t%.3f\t%d\t%.3f\t\n", name, x.Bound, f.Success.Runs, x.Success, ratio(x.Success, f.Success.Runs),
				f.Failure.Runs, x.Failure, ratio(x.Failure, f.Failure.Runs), x.Saved, ratio(x.Saved, x.Calls))
		}
	}
	return stdoutError(w.Flush())
}

func (c *fixCounts) row(w *tabwriter.Writer, layout, kind string) {
	fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\t%.3f\t%d\t%d\t%d\t%.3f\t%.3f\t%d\t%.3f\t\n", layout, kind, c.Runs, c.WithFall, c.Falls, c.Tried, ratio(c.Passed, c.Tried),
		c.Named, c.Again, c.Did, ratio(c.Worked, c.Did), ratio(c.Else, c.Again-c.Did), c.Reform, ratio(c.Reformed, c.Reform))
}
