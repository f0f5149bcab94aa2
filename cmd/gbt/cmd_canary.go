package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/internal/gates/learn"
	"github.com/gbt-policy/gbt/internal/replay/canary"
)

func canaryCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "canary",
		Usage:     "say whether a policy that ran in the shadow may take over",
		ArgsUsage: "POLICY",
		Description: "Compares what POLICY decided in the shadow with what the policy in force decided on the same calls, from decision\n" +
			"logs: those of gbt check --log, gbt serve --log (the shadow's with --shadow) or of the hook (the shadow's with\n" +
			"--profile observe). A line belongs to POLICY if it has its digest, and to the policy in force otherwise, so that both\n" +
			"may stand in one log. Two lines are about one call if session, tool and arguments are the same, in the same order.\n\n" +
			"POLICY is promoted if it let pass nothing that is stopped in force, if 95% of its decisions have a partner, and if\n" +
			"with 95% certainty (the exact bound of Clopper and Pearson) at most --max-stopped of all sessions have a call that\n" +
			"it newly stops: with none seen that takes 59 sessions, with one 93.\n" +
			"Exit status: 0 promote, 1 not yet, 3 it lets pass what is stopped in force, 5 a log or a line cannot be read.\n\n" +
			"Example:\n" +
			"   gbt canary new.gbt --shadow shadow.jsonl --in-force decisions.jsonl",
		Flags: []cli.Flag{
			&cli.StringSliceFlag{Name: "shadow", Usage: "read POLICY's decisions from `LOG` (may be given again)", Required: true},
			&cli.StringSliceFlag{Name: "in-force", Usage: "read the decisions of the policy in force from `LOG` too (may be given again)"},
			&cli.Float64Flag{Name: "max-stopped", Usage: "the `SHARE` of sessions that may have a newly stopped call", Value: 0.05},
			trustFlag("a policy"), needFlag(),
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object"},
		},
		Action: func(c *cli.Context) error { return runCanary(e, c) },
	}
}

// canaryReport is the JSON of gbt canary.
type canaryReport struct {
	Promote   bool           `json:"promote"`
	Why       []string       `json:"why"` // against
	Rule      canaryRule     `json:"rule"`
	Compared  int            `json:"compared"`
	Sessions  int            `json:"sessions"`
	Agreed    int            `json:"agreed"`
	Stopped   int            `json:"newly_stopped"` // or more strictly
	Hit       int            `json:"sessions_newly_stopped"`
	HitAtMost float64        `json:"sessions_newly_stopped_at_most"` // with 95% certainty
	Passed    int            `json:"newly_let_pass"`                 // or less strictly
	InForce   int            `json:"stopped_in_force"`
	PassedMax float64        `json:"newly_let_pass_at_most"`
	Alone     [2]int         `json:"without_partner"` // of the shadow, and of the policy in force
	Policies  int            `json:"policies_in_force"`
	By        map[string]int `json:"newly_stopped_by"`
	Examples  []canaryPair   `json:"examples"`
	Bad       int            `json:"unreadable_lines"`
}

// canaryRule is what a promotion was judged by.
type canaryRule struct {
	Method     string  `json:"method"`
	Certainty  float64 `json:"certainty"`
	MaxStopped float64 `json:"max_stopped"`     // share of sessions
	MinMatched float64 `json:"min_matched"`     // share of the shadow's decisions
	Needed     int     `json:"sessions_needed"` // with as many newly stopped as there are; 0 if no number would do
}

// canaryMethod names the bounds of learn.Bound.
const canaryMethod = "exact one-sided bounds of Clopper and Pearson (Biometrika 26, 1934), by session"

type canaryPair struct {
	Tool    string   `json:"tool"`
	Shadow  string   `json:"shadow"`
	InForce string   `json:"in_force"`
	By      []string `json:"by"`
	At      string   `json:"shadow_at"`
	ForceAt string   `json:"in_force_at"`
}

func runCanary(e *env, c *cli.Context) error {
	if c.NArg() != 1 {
		return fail(exitUsage, "canary needs one policy: gbt canary POLICY --shadow LOG")
	}
	most := c.Float64("max-stopped")
	if !(most > 0 && most < 1) {
		return fail(exitUsage, "--max-stopped is %v: give a share between 0 and 1, such as 0.05", most)
	}
	_, info, err := openPolicy(e, c.Args().First(), trustOf(c))
	if err != nil {
		return err
	}
	l := &canary.Logs{Shadow: info.Digest}
	bad := 0
	for _, name := range slices.Concat(c.StringSlice("shadow"), c.StringSlice("in-force")) {
		n, err := addDecisions(e, l, name)
		if err != nil {
			return err
		}
		bad += n
	}
	x := l.Compare()
	switch {
	case x.Pairs+x.Alone[0] == 0:
		return fail(exitInput, "no decision of %s (%.12s) is in the logs: is this the policy that ran in the shadow?", c.Args().First(), info.Digest)
	case len(l.InForce) == 0:
		return fail(exitInput, "no decision of another policy is in the logs: give those of the policy in force with --in-force")
	}
	r := newCanaryReport(x, most, len(l.InForce), bad)
	if c.Bool("json") {
		err = printJSON(e, r)
	} else {
		err = printCanary(e, r)
	}
	switch {
	case err != nil:
		return err
	case r.Passed > 0:
		return fail(exitReadmitted, "%d calls that are stopped in force would pass, or be stopped less strictly", r.Passed)
	case bad > 0:
		return fail(exitInput, "%d lines could not be read; the rest was compared", bad)
	case !r.Promote:
		return &exitError{code: exitFindings}
	}
	return nil
}

// addDecisions reads one log. It says of each line that cannot be read what is
// wrong, and returns their number.
func addDecisions(e *env, l *canary.Logs, name string) (bad int, err error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, fail(exitInput, "%v", err)
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(nil, 16<<20)
	for n := 1; in.Scan(); n++ {
		if len(strings.TrimSpace(in.Text())) == 0 {
			continue
		}
		at := fmt.Sprintf("%s:%d", name, n)
		if err := l.Add(at, in.Bytes()); err != nil {
			bad++
			fmt.Fprintf(e.stderr, "gbt: %s: %v\n", at, err)
		}
	}
	if err := in.Err(); err != nil {
		if errors.Is(err, bufio.ErrTooLong) {
			err = errors.New("a line is longer than any of a decision log")
		}
		return bad, fail(exitInput, "%s: %v", name, err)
	}
	return bad, nil
}

// maxPairs bounds the calls that a report names.
const maxPairs = 10

func newCanaryReport(x *canary.Comparison, most float64, policies, bad int) *canaryReport {
	promote, why := x.Verdict(most, learn.Bound)
	if bad > 0 {
		promote, why = false, append(why, fmt.Sprintf("%d lines could not be read: nobody knows what they say", bad))
	}
	r := &canaryReport{
		Promote: promote, Why: append([]string{}, why...), Compared: x.Pairs,
		Rule:     canaryRule{canaryMethod, 0.95, most, canary.MinMatched, canary.Needed(x.Hit, most, learn.Bound)},
		Sessions: x.Sessions, Agreed: x.Agreed,
		Stopped: len(x.Stricter), Hit: x.Hit, HitAtMost: learn.Bound(x.Hit, x.Sessions),
		Passed: len(x.Looser), InForce: x.Stopped, PassedMax: learn.Bound(len(x.Looser), x.Stopped),
		Alone: x.Alone, Policies: policies, By: map[string]int{}, Examples: []canaryPair{}, Bad: bad,
	}
	for _, p := range x.Stricter {
		for _, by := range p.Shadow.By {
			r.By[by]++
		}
	}
	for _, p := range slices.Concat(x.Looser[:min(len(x.Looser), maxPairs)], x.Stricter[:min(len(x.Stricter), maxPairs)]) {
		by := p.Shadow.By
		if p.Shadow.Disposition > p.Force.Disposition {
			by = p.Force.By
		}
		r.Examples = append(r.Examples, canaryPair{p.Shadow.Tool, p.Shadow.Disposition.String(), p.Force.Disposition.String(), append([]string{}, by...), p.Shadow.At, p.Force.At})
	}
	return r
}

func printCanary(e *env, r *canaryReport) error {
	w := bufio.NewWriter(e.stdout)
	fmt.Fprintf(w, "compared        %s in %s", count(r.Compared, "call"), count(r.Sessions, "session"))
	if r.Policies > 1 {
		fmt.Fprintf(w, ", with %d policies in force", r.Policies)
	}
	if r.Alone[0]+r.Alone[1] > 0 {
		fmt.Fprintf(w, "; in one log only: %d of the shadow, %d of the policy in force", r.Alone[0], r.Alone[1])
	}
	fmt.Fprintf(w, "\nagreed          %d\n", r.Agreed)
	fmt.Fprintf(w, "newly let pass  %d of %d that are stopped in force (95%% sure: at most %.1f%%)\n", r.Passed, r.InForce, 100*r.PassedMax)
	fmt.Fprintf(w, "newly stopped   %d calls, in %d of %d sessions (95%% sure: at most %.1f%%)\n", r.Stopped, r.Hit, r.Sessions, 100*r.HitAtMost)
	for _, by := range mostFirst(r.By) {
		fmt.Fprintf(w, "                %d by %s\n", r.By[by], by)
	}
	for _, x := range r.Examples {
		fmt.Fprintf(w, "differs         %s: %s in force (%s), %s in the shadow (%s), by %s\n", x.Tool, x.InForce, x.ForceAt, x.Shadow, x.At, strings.Join(x.By, ", "))
	}
	fmt.Fprintf(w, "rule            nothing newly let pass; at least %g%% of the shadow's decisions matched; at most %g%% of sessions newly stopped", 100*r.Rule.MinMatched, 100*r.Rule.MaxStopped)
	if r.Rule.Needed > 0 {
		fmt.Fprintf(w, ", which takes %d sessions here", r.Rule.Needed)
	}
	fmt.Fprintf(w, "\nbounds          %s\n", r.Rule.Method)
	if r.Promote {
		fmt.Fprintln(w, "promote         yes")
	}
	for _, why := range r.Why {
		fmt.Fprintf(w, "promote         no: %s\n", why)
	}
	return stdoutError(w.Flush())
}
