package main

import (
	"encoding/hex"
	"fmt"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/internal/artifacts/view"
	"github.com/gbt-policy/gbt/internal/corpora/contexts"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
	"github.com/gbt-policy/gbt/internal/gates/card"
	"github.com/gbt-policy/gbt/internal/redact"
	"github.com/gbt-policy/gbt/internal/tree/merge"
	"github.com/gbt-policy/gbt/traverse"
)

// mostWindowSteps bounds the steps of one window on the page: the last ones, since
// the call itself ends it. Longer windows are those that nobody could shorten.
const mostWindowSteps = 60

// part is where a run shows a window, by its place in their list.
type part struct{ window, from, to int }

// windowSteps finds the runs that show windows, by their digests.
type windowSteps map[string][]part

func (w windowSteps) want(window int, ev *contexts.Evidence) {
	w[ev.Episode] = append(w[ev.Episode], part{window, ev.From, ev.To})
}

// find fills in the steps of windows from the logs that --logs names. The first run of
// a window that is found counts.
func (w windowSteps) find(e *env, c *cli.Context, side *policySide, list []view.Window) error {
	if !c.IsSet("logs") || len(w) == 0 {
		return nil
	}
	p, err := traverse.New(side.p, traverse.Options{Digest: side.info.Digest})
	if err != nil {
		return fail(exitInput, "%s: %v", side.file, err)
	}
	problems, found := newImportSummary(), 0
	for rec := range logs.Open(c.StringSlice("logs"), logs.Options{Stdin: e.stdin, Workers: jobs(c)}).Records(c.Context) {
		if rec.Problem != nil {
			problems.problem(rec.Problem)
		}
		if rec.Episode == nil {
			continue
		}
		sum := merge.NewTrace(rec.Episode, profileOf(p), false).Digest
		if parts := w[hex.EncodeToString(sum[:])]; parts != nil {
			found++
			w.fill(p, rec.Episode, parts, list)
		}
	}
	if err := c.Context.Err(); err != nil {
		return cannotRead(c.Context, err)
	}
	problems.printProblems(e.stderr)
	if found == 0 {
		fmt.Fprintln(e.stderr, "gbt: these logs have none of the runs that show the unsafe calls on record: give those that the policy was distilled from")
	}
	return nil
}

// fill leads a run along the tree and keeps what windows show of it.
func (w windowSteps) fill(p *traverse.Policy, ep *corpora.Episode, parts []part, list []view.Window) {
	var steps []view.WindowStep
	walkEpisode(p, ep, func(i int, a *traverse.Answer, at *view.RunStep) {
		ctx := redact.Context(&a.Context)
		s := view.WindowStep{N: i + 1, Says: card.Describe(&ctx), Back: cameBack(&ep.Steps[i]), Does: at.Does, Gates: a.Gates, Node: at.Node}
		for _, r := range a.Reasons {
			if len(a.Gates) == 0 {
				s.Because = append(s.Because, becauseOf(&r))
			}
		}
		steps = append(steps, s)
	})
	for _, x := range parts {
		if one := &list[x.window]; len(one.Steps) == 0 && x.from <= x.to && x.to < len(steps) {
			one.From, one.To = x.from+1, x.to+1
			one.Steps = steps[max(x.from, x.to+1-mostWindowSteps) : x.to+1]
		}
	}
}

// cameBack says in short what a call brought: its text belongs to the log.
func cameBack(s *corpora.Step) string {
	switch {
	case s.Status == corpora.StatusBlocked:
		return "it was stopped then"
	case s.Error != "":
		return "an error came back"
	case s.HasExit && s.ExitCode != 0:
		return fmt.Sprintf("ended with %d", s.ExitCode)
	case s.Status == corpora.StatusUnknown:
		return "the log shows no answer"
	case s.Result == "":
		return "nothing came back"
	}
	return count(utf8.RuneCountInString(s.Result), "character") + " came back"
}
