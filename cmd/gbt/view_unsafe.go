package main

import (
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/artifacts/view"
	"github.com/gbt-policy/gbt/internal/corpora/contexts"
	"github.com/gbt-policy/gbt/internal/gates/card"
)

// viewWindows are the unsafe calls on record beside a policy, where --calls asks
// for them; with --logs also the steps that show them.
func viewWindows(e *env, c *cli.Context, side *policySide) ([]view.Window, error) {
	if !c.Bool("calls") || len(side.p.Corpora) == 0 || !exists(contextsBeside(side.file)) {
		return nil, nil
	}
	corpus, err := pinnedContexts(side.p, side.file, "")
	if err != nil {
		return nil, err
	}
	checker, err := artifacts.NewChecker(side.p)
	if err != nil {
		return nil, fail(exitInput, "%s: %v", side.file, err)
	}
	at := distill.AskedAt(side.p)
	var out []view.Window
	steps := windowSteps{}
	for _, r := range corpus.Rows(contexts.Unsafe) {
		ctx, err := gates.ParseContext(r.Context)
		if err != nil {
			return nil, fail(exitInput, "%s: %v", contextsBeside(side.file), err)
		}
		d := checker.Check(&ctx, append([]string{}, at[r.Macro]...))
		w := view.Window{Says: card.Describe(&ctx), Macro: r.Macro, Times: r.Total, Does: d.Disposition.String(), Gates: d.Gates}
		for i, ev := range r.Evidence {
			if i == 0 {
				w.From, w.To = ev.From+1, ev.To+1
			}
			w.Rules = append(w.Rules, ev.Rule)
			steps.want(len(out), &ev)
		}
		slices.Sort(w.Rules)
		w.Rules = slices.Compact(w.Rules)
		out = append(out, w)
	}
	return out, steps.find(e, c, side, out)
}
