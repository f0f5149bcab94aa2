package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates/rules"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
	"github.com/gbt-policy/gbt/internal/replay/beside"
	"github.com/gbt-policy/gbt/internal/replay/interrupt"
)

// besideFlags let gbt eval interruptions say what others would have asked.
func besideFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "beside", Usage: "what the default mode of Claude Code would have asked, by its documentation, in the same sessions"},
		&cli.StringFlag{Name: "beside-hook", Usage: "and what `PROGRAM` would have, which answers Claude Code's PreToolUse hook for shell commands (Dippy's dippy-hook); it is run for each command"},
	}
}

// besideRow is what one guard asked in all sessions.
type besideRow struct {
	Guard         string  `json:"guard"`
	PerSession    float64 `json:"asked_per_session"`
	Remembered    float64 `json:"asked_remembered_per_session"`
	Kept          float64 `json:"asked_kept_for_the_project_per_session"`
	Without       float64 `json:"share_without"`
	WithoutKept   float64 `json:"share_without_remembered"`
	OverFive      float64 `json:"share_over_5"`
	OverFiveAfter float64 `json:"share_over_5_remembered"`
	RejectedCalls int     `json:"rejected"`
}

// besides are the rows of the others, before that of gbt's, which g decides for, and gbt's
// where the rules that it proposes are written.
func besides(ctx context.Context, c *cli.Context, in *logs.Input, g *interrupt.Guard, files []*rules.File) []besideRow {
	if !c.Bool("beside") && c.String("beside-hook") == "" {
		return nil
	}
	approving := answeredHosts()
	all := walkAnswered(ctx, in, g, approving)
	slices.SortStableFunc(all, func(a, b *corpora.Episode) int { // as they were lived: some yeses are kept
		return cmp.Or(cmp.Compare(a.Steps[0].Start, b.Steps[0].Start), strings.Compare(a.ID, b.ID))
	})
	rows := []besideRow{besideOf("Claude Code, default mode", beside.Claude{}, all), besideOf("Claude Code, acceptEdits", beside.Claude{Edits: true}, all)}
	for _, a := range approving {
		rows = append(rows, besideOf(a.name, a, all))
	}
	if program := c.String("beside-hook"); program != "" {
		rows = append(rows, besideOf(program, &beside.Hook{Argv: strings.Fields(program), Else: beside.Claude{}}, all))
	}
	return append(rows, besideRowOf("gbt, each yes written as a rule too", g.Written(all, files)))
}

// besideRowOf is what gbt asked in sessions.
func besideRowOf(name string, sessions []*interrupt.Session) besideRow {
	r := &interruptionsReport{ByRule: map[string]int{}, ByScope: map[string]int{}}
	for _, s := range sessions {
		r.add(s, map[string]*scopeCount{})
	}
	r.PerSession, r.Kept = shareOf(r.Asked, r.Sessions), shareOf(r.Remembered, r.Sessions)
	row := r.ownBeside()
	row.Guard = name
	return row
}

func besideOf(name string, g beside.Guard, all []*corpora.Episode) besideRow {
	var t struct{ asked, remembered, kept, without, after, over, overAfter int }
	memory := beside.Memory{}
	for _, e := range all {
		n := beside.Walk(g, e, memory)
		t.asked, t.remembered, t.kept = t.asked+n.Asked, t.remembered+n.Remembered, t.kept+n.Kept
		t.without, t.after = t.without+one(n.Asked == 0), t.after+one(n.Remembered == 0)
		t.over, t.overAfter = t.over+one(n.Asked > overFive), t.overAfter+one(n.Remembered > overFive)
	}
	n := len(all)
	return besideRow{
		name, shareOf(t.asked, n), shareOf(t.remembered, n), shareOf(t.kept, n), shareOf(t.without, n), shareOf(t.after, n), shareOf(t.over, n), shareOf(t.overAfter, n), 0,
	}
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// ownBeside is gbt's own row. Nothing that it remembers outlives the session.
func (r *interruptionsReport) ownBeside() besideRow {
	return besideRow{
		"gbt", r.PerSession, r.Kept, r.Kept, shareOf(r.Without, r.Sessions), shareOf(r.Without, r.Sessions), shareOf(r.OverFive, r.Sessions), shareOf(r.overAfter, r.Sessions), r.Rejected,
	}
}

func printBeside(e *env, rows []besideRow) error {
	if len(rows) == 0 {
		return nil
	}
	w := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\nguard\tasked a session\tremembered\tkept for the project\tleft alone\tover five\tover five, remembered\trejected")
	for _, x := range rows {
		fmt.Fprintf(w, "%s\t%.2f\t%.2f\t%.2f\t%.0f%%\t%.0f%%\t%.0f%%\t%d\n", x.Guard, x.PerSession, x.Remembered, x.Kept, 100*x.Without, 100*x.OverFive, 100*x.OverFiveAfter, x.RejectedCalls)
	}
	return w.Flush()
}
