package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/undo"
)

func jsonOf(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic("gbt: internal error: " + err.Error()) // maps of strings always can be
	}
	return data
}

// undoStepJSON is a step of gbt undo --json.
type undoStepJSON struct {
	ID       string       `json:"id"`
	Time     string       `json:"time"`
	Kind     string       `json:"kind"` // call, other or undo
	Session  string       `json:"session,omitempty"`
	Agent    string       `json:"agent,omitempty"`
	What     string       `json:"what,omitempty"`
	Tier     string       `json:"snapshot_tier"`
	Done     bool         `json:"ended"`
	UndoneBy string       `json:"undone_by,omitempty"`
	Changes  []changeJSON `json:"changes"`
	Outside  []string     `json:"not_undoable"`
}

type changeJSON struct {
	Path   string `json:"path"`
	Before string `json:"before"`
	After  string `json:"after"`
	Asks   string `json:"asks,omitempty"` // what the guard would ask about
}

type leftJSON struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

type undoJSON struct {
	ID      string       `json:"id,omitempty"` // of the undo's own step
	Steps   []string     `json:"steps,omitempty"`
	Would   []changeJSON `json:"would_restore,omitempty"`
	Done    []string     `json:"restored,omitempty"`
	Left    []leftJSON   `json:"left"`
	Outside []string     `json:"not_undoable"`
}

func kindOf(s *undo.Step) string {
	switch {
	case s.Undo:
		return "undo"
	case s.Other:
		return "other"
	}
	return "call"
}

func changesJSON(j *undo.Journal, list []undo.Change) []changeJSON {
	out := make([]changeJSON, 0, len(list))
	for _, ch := range list {
		out = append(out, changeJSON{Path: j.Rel(ch.Path), Before: ch.Before.Kind.String(), After: ch.After.Kind.String()})
	}
	return out
}

func listSteps(e *env, c *cli.Context, j *undo.Journal) error {
	all, err := j.Steps()
	if err != nil {
		return fail(exitInput, "%v", err)
	}
	all = all[max(0, len(all)-max(c.Int("last"), 0)):]
	if c.Bool("json") {
		out := make([]undoStepJSON, 0, len(all))
		for i := range all {
			s := &all[i]
			out = append(out, undoStepJSON{s.ID, time.Unix(0, s.Time).UTC().Format(time.RFC3339Nano), kindOf(s), s.Session, s.Agent, s.What, s.Tier.String(), s.Done, s.UndoneBy, changesJSON(j, s.Changes), notNil(s.Outside)})
		}
		return printJSON(e, map[string]any{"steps": out})
	}
	w := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', 0)
	for i := len(all) - 1; i >= 0; i-- {
		s := &all[i]
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", s.ID, time.Unix(0, s.Time).Format("01-02 15:04:05"), strings.TrimSpace(s.Agent+" "+s.What), countChanges(s), stepNote(s))
	}
	return w.Flush()
}

func notNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// countChanges says how many names a step created, changed and took away.
func countChanges(s *undo.Step) string {
	var made, changed, gone int
	for _, ch := range s.Changes {
		switch {
		case ch.Before.Kind == undo.Absent:
			made++
		case ch.After.Kind == undo.Absent:
			gone++
		default:
			changed++
		}
	}
	if made+changed+gone == 0 {
		return "nothing"
	}
	return fmt.Sprintf("+%d ~%d -%d", made, changed, gone)
}

func stepNote(s *undo.Step) string {
	var notes []string
	if s.UndoneBy != "" {
		notes = append(notes, "undone by "+s.UndoneBy)
	}
	if !s.Done && !s.Other {
		notes = append(notes, "its end was not told")
	}
	if len(s.Outside) > 0 {
		notes = append(notes, "cannot be undone: "+strings.Join(s.Outside, ", "))
	}
	if s.Tier == undo.AuditOnly {
		notes = append(notes, "not all contents were kept")
	}
	return strings.Join(notes, "; ")
}

// maxShown bounds a list of names for people; --json has all.
const maxShown = 40

func planText(j *undo.Journal, p *undo.Plan, g *undoGuard) string {
	var b strings.Builder
	for i, ch := range p.Changes {
		if i == maxShown {
			fmt.Fprintf(&b, "  and %d more\n", len(p.Changes)-i)
			break
		}
		what := "restores"
		if ch.After.Kind == undo.Absent {
			what = "removes"
		}
		fmt.Fprintf(&b, "  %-8s  %s%s\n", what, j.Rel(ch.Path), asksText(g, ch))
	}
	writeLeft(&b, j, p.Left, p.Outside)
	return b.String()
}

func asksText(g *undoGuard, ch undo.Change) string {
	switch d := g.decide(ch); d.Disposition {
	case gates.Approved:
		return ""
	case gates.ApprovedWithConstraints:
		return "  (protected: " + d.Reasons[0].Rule + ")"
	default:
		return "  (stays: the guard " + d.Disposition.String() + ", " + d.Reasons[0].Rule + ")"
	}
}

func writeLeft(b *strings.Builder, j *undo.Journal, left []undo.Left, outside []string) {
	for i, l := range left {
		if i == maxShown {
			fmt.Fprintf(b, "  and %d more stay\n", len(left)-i)
			break
		}
		fmt.Fprintf(b, "  stays     %s: %s\n", j.Rel(l.Path), l.Why)
	}
	for _, o := range outside {
		fmt.Fprintf(b, "  no undo   %s\n", o)
	}
}

func printPlan(e *env, c *cli.Context, j *undo.Journal, p *undo.Plan, g *undoGuard) error {
	if !c.Bool("json") {
		fmt.Fprintf(e.stdout, "would take back %d steps:\n%s", len(p.Steps), planText(j, p, g))
		return nil
	}
	out := undoJSON{Left: leftOf(j, p.Left), Outside: notNil(p.Outside), Would: changesJSON(j, p.Changes)}
	for i := range p.Steps {
		out.Steps = append(out.Steps, p.Steps[i].ID)
	}
	for i, ch := range p.Changes {
		if d := g.decide(ch); d.Disposition != gates.Approved {
			out.Would[i].Asks = d.Disposition.String() + " " + d.Reasons[0].Rule
		}
	}
	return printJSON(e, out)
}

func leftOf(j *undo.Journal, left []undo.Left) []leftJSON {
	out := make([]leftJSON, 0, len(left))
	for _, l := range left {
		out = append(out, leftJSON{j.Rel(l.Path), l.Why})
	}
	return out
}

func printUndone(e *env, c *cli.Context, j *undo.Journal, r *undo.Report) error {
	if c.Bool("json") {
		done := make([]string, 0, len(r.Done))
		for _, d := range r.Done {
			done = append(done, j.Rel(d))
		}
		if err := printJSON(e, undoJSON{ID: r.ID, Done: done, Left: leftOf(j, r.Left), Outside: notNil(r.Outside)}); err != nil {
			return err
		}
	} else {
		var b strings.Builder
		writeLeft(&b, j, r.Left, r.Outside)
		fmt.Fprintf(e.stdout, "restored %d names as step %s; gbt undo %s takes that back\n%s", len(r.Done), r.ID, r.ID, b.String())
	}
	if len(r.Left)+len(r.Outside) > 0 {
		return &exitError{code: exitFindings}
	}
	return nil
}
