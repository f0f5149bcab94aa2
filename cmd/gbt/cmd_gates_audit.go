package main

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/internal/corpora/contexts"
	"github.com/gbt-policy/gbt/internal/gates/learn"
)

func gatesAuditCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "audit",
		Usage:     "show that a policy stops whatever an older one stopped",
		ArgsUsage: "NEW --against OLD",
		Description: "Every unsafe context on record with OLD (OLD.contexts.parquet beside it) that OLD's gates stop must be stopped\n" +
			"by NEW, as strictly: everywhere, at the macro it belongs to, and library-wide; what OLD's guardrail and gates\n" +
			"stop together must be stopped by NEW's. No setting of NEW may be looser: its profile, roots, protected and\n" +
			"sensitive paths, egress, programs, content gate and tool schemas are compared as gbt diff does.\n" +
			"--mutations makes as many more contexts out of the recorded ones, each a different one that OLD stops, and\n" +
			"audits them too; if there are not so many, it says so.\n" +
			"Where a gate of NEW provably subsumes one of OLD, that holds for all contexts there can be. A gate of OLD that no\n" +
			"gate of NEW subsumes and that stops no recorded context counts as looser: nothing shows that NEW has it.\n" +
			"Exit status: 0 if nothing is re-admitted and nothing is looser, 3 if anything is, 5 if a file is missing or\n" +
			"not the one OLD pins.\n\n" +
			"Examples:\n" +
			"   gbt gates audit new.gbt --against old.gbt\n" +
			"   gbt gates audit new.gbt --against old.gbt --mutations 1000000 --json",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "against", Usage: "the older policy in `FILE`", Required: true},
			&cli.StringFlag{Name: "contexts", Usage: "OLD's contexts in `FILE` (default: beside OLD)"},
			&cli.IntFlag{Name: "mutations", Usage: "audit `N` more contexts made from the recorded ones"},
			&cli.Uint64Flag{Name: "seed", Usage: "of the mutations", Value: 1},
			jobsFlag(),
			trustFlag("policies"), needFlag(),
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object"},
		},
		Action: func(c *cli.Context) error { return runGatesAudit(e, c) },
	}
}

// auditReport is the JSON of gbt gates audit.
type auditReport struct {
	Readmitted int             `json:"readmitted"`
	Recorded   int             `json:"recorded"` // distinct contexts that OLD stops, on record and mutated
	Real       int             `json:"real"`
	Mutated    int             `json:"mutated"` // each another context
	Asked      int             `json:"mutations_asked"`
	Rows       int             `json:"rows"` // unsafe contexts on record, stopped or not
	OldGates   int             `json:"old_gates"`
	Proved     int             `json:"proved"` // of them, subsumed by a gate of NEW for all contexts
	Unproved   []string        `json:"unproved"`
	Looser     []string        `json:"looser"` // settings of NEW that let more pass, and gates that are gone with nothing on record, a sentence each
	Examples   []readmittedRow `json:"examples"`
}

type readmittedRow struct {
	ID      string          `json:"id,omitempty"` // of a recorded context
	Level   string          `json:"level"`
	Old     string          `json:"old"`
	New     string          `json:"new"`
	Gate    string          `json:"gate"`
	Context json.RawMessage `json:"context"`
}

func runGatesAudit(e *env, c *cli.Context) error {
	if c.NArg() != 1 {
		return fail(exitUsage, "gates audit needs one policy: gbt gates audit NEW --against OLD")
	}
	if c.Int("mutations") < 0 {
		return fail(exitUsage, "--mutations is %d: give a number of contexts", c.Int("mutations"))
	}
	newer, _, err := openPolicy(e, c.Args().First(), trustOf(c))
	if err != nil {
		return err
	}
	name := c.String("against")
	older, _, err := openPolicy(e, name, trustOf(c))
	if err != nil {
		return err
	}
	rows, err := recordedRows(older, name, c.String("contexts"))
	if err != nil {
		return err
	}
	a, err := distill.AuditPolicies(older, newer, rows, learn.AuditOptions{Mutations: c.Int("mutations"), Seed: c.Uint64("seed"), Workers: jobs(c)})
	if err != nil {
		return fail(exitInput, "%v", err)
	}
	return finishAudit(e, c, a, len(rows))
}

// recordedRows are the unsafe contexts that a policy pins.
func recordedRows(p *artifacts.Policy, name, file string) ([]*contexts.Row, error) {
	if len(p.Corpora) == 0 {
		return nil, fail(exitInput, "%s pins no corpora: it was distilled without learning gates, so nothing is on record", name)
	}
	corpus, err := pinnedContexts(p, name, file)
	if err != nil {
		return nil, err
	}
	return corpus.Rows(contexts.Unsafe), nil
}

// pinnedContexts reads the corpora that a policy pins, from beside it if file is
// empty. Where a run was killed once the policy had its name and before the corpora
// had theirs, they are still waiting for it.
func pinnedContexts(p *artifacts.Policy, name, file string) (*contexts.Corpus, error) {
	if file == "" {
		file = contextsBeside(name)
		if waiting := nextName(file); exists(waiting) {
			if c, err := readContexts(waiting); err == nil && distill.CheckCorpora(p, c) {
				return c, nil
			}
		}
	}
	corpus, err := readContexts(file)
	if err != nil {
		return nil, err
	}
	if !distill.CheckCorpora(p, corpus) {
		return nil, fail(exitInput, "%s is not the corpus that %s pins: it was changed, or belongs to another policy", file, name)
	}
	return corpus, nil
}

func finishAudit(e *env, c *cli.Context, a *distill.Audit, rows int) error {
	r := auditReport{
		Readmitted: a.Readmitted, Recorded: a.Recorded(), Real: a.Real, Mutated: a.Mutated, Asked: a.Asked, Rows: rows,
		OldGates: a.Gates, Proved: a.Proved, Unproved: append([]string{}, a.Unproved...), Looser: append([]string{}, a.Looser...), Examples: []readmittedRow{},
	}
	for _, x := range a.Examples {
		r.Examples = append(r.Examples, readmittedRow{ID: x.ID, Level: x.Level, Old: x.Old.String(), New: x.New.String(), Gate: x.Gate, Context: x.Context})
	}
	if c.Bool("json") {
		if err := printJSON(e, r); err != nil {
			return err
		}
	} else if err := printAudit(e, &r, a.Unshown); err != nil {
		return err
	}
	if n := len(r.Looser); n > 0 {
		return fail(exitReadmitted, "%d settings or gates are looser than before, the first: %s; %d of %d contexts that were stopped are stopped no longer, or less strictly",
			n, r.Looser[0], r.Readmitted, r.Recorded)
	}
	if r.Readmitted > 0 {
		return fail(exitReadmitted, "%d of %d contexts that were stopped are stopped no longer, or less strictly", r.Readmitted, r.Recorded)
	}
	return nil
}

// by names what stopped a context: a gate, or a rule of the guardrail.
func (x *readmittedRow) by() string {
	if x.Level == learn.LevelWhole {
		return "guardrail " + x.Gate
	}
	return fmt.Sprintf("gate %.12s", x.Gate)
}

func printAudit(e *env, r *auditReport, unshown []string) error {
	_, err := fmt.Fprintf(e.stdout, "re-admitted  %d / %d (%d of %d recorded unsafe contexts that OLD stops, %d mutated)\nsubsumed     %d of %d old gates, proved for all contexts\n",
		r.Readmitted, r.Recorded, r.Real, r.Rows, r.Mutated, r.Proved, r.OldGates)
	if err == nil && r.Mutated < r.Asked {
		_, err = fmt.Fprintf(e.stdout, "fewer        %d mutated contexts were asked for, and no more different ones found that OLD stops\n", r.Asked)
	}
	for _, id := range r.Unproved {
		if err == nil && !slices.Contains(unshown, id) {
			_, err = fmt.Fprintf(e.stdout, "not proved   gate %.12s: the recorded contexts alone speak for it\n", id)
		}
	}
	for _, s := range r.Looser {
		if err == nil {
			_, err = fmt.Fprintf(e.stdout, "looser       %s\n", s)
		}
	}
	for _, x := range r.Examples {
		if err == nil {
			_, err = fmt.Fprintf(e.stdout, "re-admitted  %s: %s before, %s now (%s): %.200s\n", x.Level, x.Old, x.New, x.by(), x.Context)
		}
	}
	return stdoutError(err)
}
