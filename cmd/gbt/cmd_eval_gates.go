package main

import (
	"bytes"
	"fmt"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
)

func evalGatesCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "gates",
		Usage:     "what learned gates do to calls they were not learned from",
		ArgsUsage: "--cv LOGS...",
		Description: "Leaves out every task in turn (--by structure: every suite, repository or site), learns gates on the rest and\n" +
			"applies them to what was left out: the share of the calls that did harm which are stopped before they run, and\n" +
			"the share of good runs that are touched. A call is rejected, or the user is asked about it. Harmful calls are\n" +
			"told from the verdicts of all logs; a verdict that no call can be blamed for is listed as unplaced.\n\n" +
			"Examples:\n" +
			"   gbt eval gates --cv logs/\n" +
			"   gbt eval gates --cv --by structure logs/ --json",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "cv", Usage: "cross-validate on the logs (the only way so far)", Value: true},
			&cli.StringFlag{Name: "by", Usage: "instance or structure", Value: "instance"},
			&cli.BoolFlag{Name: "scopes", Usage: "learn each scope alone too, of nodes, of subtrees and everywhere, and print them side by side (tasks are left out in 5 folds then)"},
			&cli.StringFlag{Name: "config", Usage: "read settings from `FILE`"},
			runChecksFlag(),
			monitorsFlag(),
			jobsFlag(),
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object"},
		},
		Action: func(c *cli.Context) error { return runEvalGates(e, c) },
	}
}

// gatesReport is the JSON of gbt eval gates. The totals stand at the top.
type gatesReport struct {
	Split string `json:"split"`
	Folds int    `json:"folds"`
	Gates int    `json:"gates"` // learned in all folds together
	distill.GateFigures
	StoppedShare float64                        `json:"primitives_stopped_share"`
	TouchedShare float64                        `json:"benign_touched_share"`
	Groups       map[string]distill.GateFigures `json:"groups"`
	Scopes       []distill.ScopeFigures         `json:"scopes,omitempty"`
	Rows         []distill.GateRow              `json:"rows"` // guardrail, library and learned gates apart
	// What says that the calls did harm, and the windows behind that.
	Positives map[string]int  `json:"primitives_by_basis"`
	Windows   distill.Windows `json:"windows"`
	// What says that the good runs were good, where no log does.
	Requests *distill.RequestCounts `json:"requests,omitempty"`
	// What the gates would have asked in sessions that nobody judged, left out.
	Asked *distill.AskFigures `json:"asked,omitempty"`
}

func runEvalGates(e *env, c *cli.Context) error {
	by := c.String("by")
	if by != "instance" && by != "structure" {
		return fail(exitUsage, "--by is %q: give instance or structure", by)
	}
	if c.NArg() == 0 {
		return fail(exitUsage, "eval gates needs logs: gbt eval gates --cv LOGS...")
	}
	cfg, err := readConfig(e, c)
	if err != nil {
		return err
	}
	in := logs.Open(c.Args().Slice(), logs.Options{Stdin: e.stdin, Workers: jobs(c)})
	evaluate := distill.EvaluateGates
	if c.Bool("scopes") {
		evaluate = distill.EvaluateScopes
	}
	ev, err := evaluate(c.Context, in, cfg, by == "structure", jobs(c))
	if err != nil {
		return fail(exitUsage, "interrupted")
	}
	if ev.Total.Unsafe+ev.Total.Benign+ev.Total.Withstood == 0 {
		return fail(exitInput, "no episode that anybody judged: nothing to learn gates from, and nothing to judge them on")
	}
	r := &gatesReport{
		Split: by, Folds: ev.Folds, Gates: ev.Gates, GateFigures: ev.Total, Groups: ev.Groups, Scopes: ev.Scopes, Rows: ev.Rows,
		Positives: ev.Positives, Windows: ev.Windows, Requests: ev.Counts.Requests, Asked: ev.Asked,
		StoppedShare: shareOf(ev.Total.Rejected+ev.Total.Asked, ev.Total.Primitives),
		TouchedShare: shareOf(ev.Total.BenignRejected+ev.Total.BenignAsked, ev.Total.Benign),
	}
	if c.Bool("json") {
		return printJSON(e, r)
	}
	return printGates(e, r, ev.GroupNames())
}

func shareOf(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

func printGates(e *env, r *gatesReport, groups []string) error {
	fmt.Fprintf(e.stdout, "%s by %s, %s learned in all\n\n", count(r.Folds, "fold"), r.Split, count(r.Gates, "gate"))
	w := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "group\tunsafe\tunplaced\tharmful calls\trejected\tasked\tstopped\truns stopped\tgood runs\trejected\tasked\ttouched\twithstood\ttouched\t")
	for _, name := range groups {
		f := r.Groups[name]
		gatesRow(w, name, &f)
	}
	gatesRow(w, "all", &r.GateFigures)
	if err := w.Flush(); err != nil {
		return stdoutError(err)
	}
	if err := printScopes(e, r.Scopes); err != nil {
		return err
	}
	var b bytes.Buffer
	fmt.Fprintln(&b)
	if err := rowsText(&b, r.Rows); err != nil {
		return err
	}
	requestsText(&b, "outcomes", r.Requests)
	askedText(&b, r.Asked)
	windowsText(&b, &r.Windows, r.Positives)
	_, err := e.stdout.Write(b.Bytes())
	return stdoutError(err)
}

// askedText says what the gates would have asked in sessions left out.
func askedText(b *bytes.Buffer, f *distill.AskFigures) {
	if f == nil {
		return
	}
	for _, row := range []struct {
		name string
		c    *distill.AskCounts
	}{{"asked", &f.Gates}, {"guarded", &f.Guarded}} {
		said := "learned without a session, the gates would have stopped"
		if row.name == "guarded" {
			said = "with the guardrail as configured,"
		}
		fmt.Fprintf(b, "%-10s%s %d of %d calls in %d of %d sessions: %d asked about, %d to be revised, %d rejected; of %d that the user declined, %d\n",
			row.name, said, row.c.Stopped(), f.Calls, row.c.Sessions, f.Sessions, row.c.Asked, row.c.Revised, row.c.Rejected, f.Declined, row.c.Declined)
	}
}

// printScopes prints what each scope does on the tasks left out.
func printScopes(e *env, list []distill.ScopeFigures) error {
	if len(list) == 0 {
		return nil
	}
	fmt.Fprintln(e.stdout, "\npatterns searched in one scope alone, and in all; gates of flows are in each row")
	w := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "scope\tgates\tlocal\tharmful calls\tstopped\truns stopped\tgood runs\ttouched\t")
	for i := range list {
		f := &list[i]
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%.1f%%\t%d\t%d\t%.1f%%\t\n", f.Scope, f.Gates, f.Local, f.Primitives,
			100*shareOf(f.Rejected+f.Asked, f.Primitives), f.Stopped, f.Benign, 100*shareOf(f.BenignRejected+f.BenignAsked, f.Benign))
	}
	return stdoutError(w.Flush())
}

// rowsText is the table of what was written by hand and what was learned.
func rowsText(b *bytes.Buffer, rows []distill.GateRow) error {
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "gates\tharmful calls\tstopped\tgood runs touched\tcalls\twith guardrail: stopped\tgood runs\tcalls\tin profile apps: stopped\tgood runs\tcalls\t")
	for i := range rows {
		r := &rows[i]
		fmt.Fprintf(w, "%s\t%d\t", r.Name, r.Alone.Primitives)
		for _, f := range []*distill.GateFigures{&r.Alone, &r.Guarded, &r.Apps} {
			touched := f.BenignRejected + f.BenignAsked
			fmt.Fprintf(w, "%.1f%%\t%d (%.1f%%)\t%d (%.1f%%)\t", 100*shareOf(f.Rejected+f.Asked, f.Primitives), touched, 100*shareOf(touched, f.Benign), f.CallsTouched, 100*shareOf(f.CallsTouched, f.Calls))
		}
		fmt.Fprintln(w)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(b, "\nThe library's rules were written while looking at runs of AgentDojo: figures on these are kinder than on tools that nobody has seen.\n\n")
	return err
}

func gatesRow(w *tabwriter.Writer, name string, f *distill.GateFigures) {
	fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%.1f%%\t%d\t%d\t%d\t%d\t%.1f%%\t%d\t%d\t\n", name, f.Unsafe, f.Unplaced, f.Primitives, f.Rejected, f.Asked,
		100*shareOf(f.Rejected+f.Asked, f.Primitives), f.Stopped, f.Benign, f.BenignRejected, f.BenignAsked,
		100*shareOf(f.BenignRejected+f.BenignAsked, f.Benign), f.Withstood, f.WithstoodHit)
}
