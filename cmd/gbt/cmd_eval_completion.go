package main

import (
	"fmt"
	"maps"
	"slices"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/internal/completion/mine"
)

func evalCompletionCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "completion",
		Usage:     "which runs the mined completion checks accept",
		ArgsUsage: "LOGS...",
		Description: "Splits the logs by task in 5 folds. Each run is replayed under a policy distilled from the others and then\n" +
			"claims to be done; its task names no check, so that the policy's own are asked for (docs/completion.md).\n" +
			"'DONE' is the share of runs that end so; 'passed' of those that pass all checks where passing does not tell successes\n" +
			"from other runs, so that they are ENDED as before; 'refused' and 'caught' of those of which a check failed. A run is\n" +
			"silent where nothing was executed that could tell.\n" +
			"Commands and files are looked up in the log; that they fail before anything is done is assumed. Beside the\n" +
			"checks stand three rules of thumb: the run ends where successful runs ended, its last call did not fail, and the\n" +
			"tests that it ran last passed.\n\n" +
			"Examples:\n" +
			"   gbt eval completion --cv logs/\n" +
			"   gbt eval completion --cv logs/ --json",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object"},
			&cli.BoolFlag{Name: "cv", Usage: "cross-validate on the logs; there is no other way yet to measure this"},
			&cli.StringFlag{Name: "config", Usage: "read settings from `FILE`"},
			&cli.StringFlag{Name: "profile", Usage: "default or reference"},
			jobsFlag(),
		},
		Action: func(c *cli.Context) error { return runEvalCompletion(e, c) },
	}
}

// completionRules are the rows of the table, the mined checks first.
var completionRules = []string{"mined checks", "end reached", "last call", "last tests"}

// completionCounts are the runs of one kind, by what a rule says of them.
type completionCounts struct {
	Done    int `json:"done"`
	Passed  int `json:"passed"` // all checks, which do not tell successes from other runs: ENDED as before
	Refused int `json:"refused"`
	Silent  int `json:"silent"`
}

func (c *completionCounts) all() int { return c.Done + c.Passed + c.Refused + c.Silent }

// completionRule is what one rule says.
type completionRule struct {
	Rule    string           `json:"rule"`
	Success completionCounts `json:"successful"`
	Failure completionCounts `json:"unsuccessful"`
}

// completionFigures are those of one layout.
type completionFigures struct {
	Tasks     int              `json:"tasks"`
	Checked   int              `json:"tasks_with_check"` // a run of it ended where a check was asked for
	Rules     []completionRule `json:"rules"`
	Reasons   map[string]int   `json:"reasons"` // of successful runs that are not DONE
	tasks     map[uint64]bool
	withCheck map[uint64]bool
}

// completionReport is the JSON of gbt eval completion.
type completionReport struct {
	Folds   int                           `json:"folds"`
	Leaves  int                           `json:"leaves"` // of all folds' policies
	Checked int                           `json:"leaves_with_check"`
	Refuted int                           `json:"leaves_with_refuted_check"`
	Decides int                           `json:"leaves_that_decide"`
	Total   *completionFigures            `json:"total"`
	Formats map[string]*completionFigures `json:"formats"`
	Read    distill.Counts                `json:"read"`
}

func newCompletionFigures() *completionFigures {
	f := &completionFigures{Reasons: map[string]int{}, tasks: map[uint64]bool{}, withCheck: map[uint64]bool{}}
	for _, name := range completionRules {
		f.Rules = append(f.Rules, completionRule{Rule: name})
	}
	return f
}

func runEvalCompletion(e *env, c *cli.Context) error {
	r := &completionReport{Total: newCompletionFigures(), Formats: map[string]*completionFigures{}}
	var err error
	r.Read, err = eachFold(e, c, func(f *distill.Fold) error {
		r.Folds++
		r.leaves(f.Policy)
		return r.replay(f.Policy, f.LeftOut, jobs(c))
	})
	if err != nil {
		return err
	}
	if len(r.Total.tasks) == 0 {
		return fail(exitInput, "%s", whyNothing(&r.Read))
	}
	if c.Bool("json") {
		return printJSON(e, r)
	}
	return r.print(e)
}

func (r *completionReport) leaves(p *artifacts.Policy) {
	for i := range p.Tree.Leaves {
		l := &p.Tree.Leaves[i]
		r.Leaves++
		tally(&r.Checked, len(l.Proofs) > 0)
		tally(&r.Decides, l.Decides)
		f := &p.Tree.Families[p.Tree.States[p.Tree.Nodes[l.Node].State].Family]
		tally(&r.Refuted, slices.ContainsFunc(l.Proofs, func(k int32) bool { return f.Proofs[k].Refuted() }))
	}
}

// add counts one run under all rules.
func (f *completionFigures) add(h *distill.LeftOut, run *claimed) {
	f.tasks[h.Trace.TaskKey] = true
	if run.checks > 0 {
		f.withCheck[h.Trace.TaskKey] = true
	}
	f.Tasks, f.Checked = len(f.tasks), len(f.withCheck)
	lastCall, ran := mine.LastCall(h.Episode)
	tests, tested := mine.Tests(h.Trace.Shown)
	for i, said := range []verdictOn{run.verdict, thumb(run.atLeaf, true), thumb(lastCall, ran), thumb(tests, tested)} {
		into := &f.Rules[i].Success
		if !h.Success {
			into = &f.Rules[i].Failure
		}
		switch said {
		case saysNothing:
			into.Silent++
		case saysPassed:
			into.Passed++
		case saysDone:
			into.Done++
		case saysNo:
			into.Refused++
		}
	}
	if h.Success && run.verdict != saysDone {
		f.Reasons[run.why]++
	}
}

// print writes a table for each layout.
func (r *completionReport) print(e *env) error {
	fmt.Fprintf(e.stdout, "%d folds by task; %d of %d leaves have a check, %d one that the logs show to fail, at %d they decide; %d of %d tasks left out ended where one is asked for\n\n",
		r.Folds, r.Checked, r.Leaves, r.Refuted, r.Decides, r.Total.Checked, r.Total.Tasks)
	w := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "layout\trule\tsuccessful\tDONE\tpassed\trefused\tsilent\tunsuccessful\tcaught\tDONE\tpassed\tsilent\tsuccess if not refused\t")
	for _, name := range slices.Sorted(maps.Keys(r.Formats)) {
		r.Formats[name].rows(w, name)
	}
	if len(r.Formats) > 1 {
		r.Total.rows(w, "all")
	}
	if err := w.Flush(); err != nil {
		return stdoutError(err)
	}
	_, err := fmt.Fprintf(e.stdout, "\nsuccessful runs that are not DONE, by reason: %s\n", byCount(r.Total.Reasons))
	return stdoutError(err)
}

func (f *completionFigures) rows(w *tabwriter.Writer, name string) {
	for i := range f.Rules {
		x := &f.Rules[i]
		s, u := &x.Success, &x.Failure
		fmt.Fprintf(w, "%s\t%s\t%d\t%.3f\t%.3f\t%.3f\t%.3f\t%d\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t\n", name, x.Rule, s.all(), ratio(s.Done, s.all()), ratio(s.Passed, s.all()), ratio(s.Refused, s.all()), ratio(s.Silent, s.all()),
			u.all(), ratio(u.Refused, u.all()), ratio(u.Done, u.all()), ratio(u.Passed, u.all()), ratio(u.Silent, u.all()), ratio(s.all()-s.Refused, s.all()-s.Refused+u.all()-u.Refused))
	}
}
