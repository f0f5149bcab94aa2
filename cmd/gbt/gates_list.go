package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/corpora/contexts"
	"github.com/gbt-policy/gbt/internal/gates/card"
	"github.com/gbt-policy/gbt/internal/gates/lang"
	"github.com/gbt-policy/gbt/internal/gates/learn"
)

// gateRow is a gate as gates list prints it. Keys are only ever added.
type gateRow struct {
	ID          string   `json:"id"`
	Scope       string   `json:"scope"`
	Nodes       int      `json:"nodes"`           // that ask it
	Below       []string `json:"below,omitempty"` // the macros where it comes in: it holds there and below
	Disposition string   `json:"disposition"`
	Expr        string   `json:"expr"`
	Message     string   `json:"message"`
	Library     string   `json:"library,omitempty"` // name@version of a gate of the library
	Unsafe      uint32   `json:"unsafe"`
	Benign      uint32   `json:"benign"`
	Rejected    uint32   `json:"rejected"`

	Reading  string          `json:"reading"`      // which calls it stops, in words
	Rate     float64         `json:"benign_rate"`  // of the benign tasks it was tried on, each left out in turn
	Bound    float64         `json:"benign_bound"` // exact upper bound of the share, at 95%
	Evidence []evidenceOfRow `json:"evidence"`     // the recorded unsafe contexts that it stops; null if they are not here
}

// evidenceOfRow is a recorded context, and the first episode that shows it.
type evidenceOfRow struct {
	Context string `json:"context"`
	Episode string `json:"episode"`
	From    int    `json:"from"`
	To      int    `json:"to"`
	Rule    string `json:"rule"`
	Basis   string `json:"basis,omitempty"`
	Times   int    `json:"times"` // that it occurred
}

func runGatesList(e *env, c *cli.Context) error {
	if c.NArg() != 1 {
		return fail(exitUsage, "gates list takes one file: gbt gates list POLICY")
	}
	name := c.Args().First()
	s, err := readGates(name, trustOf(c))
	if err != nil {
		return err
	}
	if c.Bool("cards") {
		return printCards(e, c, s, "")
	}
	stops, err := s.evidence(name, c.String("contexts"))
	if err != nil {
		return err
	}
	for i := range s.gates {
		row, err := s.row(&s.gates[i], stops)
		if err != nil {
			return err
		}
		if c.Bool("json") {
			err = printLine(e, row)
		} else {
			_, err = e.stdout.Write(row.text())
		}
		if err != nil {
			return err
		}
	}
	sayNoGates(e, name, len(s.gates))
	return nil
}

func sayNoGates(e *env, name string, n int) {
	if n == 0 {
		fmt.Fprintf(e.stderr, "gbt: %s has no gates: only the global guardrail decides\n", name)
	}
}

func (s *gateSet) row(g *artifacts.Gate, stops map[string][]evidenceOfRow) (*gateRow, error) {
	said, err := lang.Reading(g.Expr)
	if err != nil {
		return nil, fail(exitInput, "gate %.12s: %v", g.ID, err)
	}
	row := &gateRow{
		ID: g.ID, Scope: g.Scope, Nodes: s.nodes[g.ID], Below: s.begins[g.ID], Disposition: g.Disposition, Expr: g.Expr, Message: g.Message, Library: distill.LibraryOf(g),
		Unsafe: g.Evidence.Unsafe, Benign: g.Evidence.Benign, Rejected: g.Evidence.Rejected,
		Reading: readingVerb(g.Disposition) + " a call if " + said, Evidence: stops[g.ID],
	}
	if row.Benign > 0 {
		row.Rate = float64(row.Rejected) / float64(row.Benign)
		row.Bound = learn.Bound(int(row.Rejected), int(row.Benign))
	}
	if row.Evidence == nil && stops != nil {
		row.Evidence = []evidenceOfRow{}
	}
	return row, nil
}

func readingVerb(disposition string) string {
	switch disposition {
	case artifacts.DispositionConsent:
		return "Asks about"
	case artifacts.DispositionRevise:
		return "Sends back"
	}
	return "Rejects"
}

// evidence finds the recorded contexts that each gate stops, sorted; nil if the
// policy pins none, or their file is not there and nobody asked for it.
func (s *gateSet) evidence(name, file string) (map[string][]evidenceOfRow, error) {
	on, err := s.record(name, file)
	if on == nil || err != nil {
		return nil, err
	}
	out := map[string][]evidenceOfRow{}
	for _, r := range on.Corpus.Rows(contexts.Unsafe) {
		ctx, err := gates.ParseContext(r.Context)
		if err != nil {
			return nil, fail(exitInput, "recorded context %.12s: %v", r.ID, err)
		}
		for _, i := range s.library.Eval(&ctx, on.At[r.Macro], nil) {
			id, _, _ := s.library.Verdict(i)
			out[id] = append(out[id], newEvidence(r))
		}
	}
	return out, nil
}

func newEvidence(r *contexts.Row) evidenceOfRow {
	out := evidenceOfRow{Context: r.ID, Times: r.Total}
	if len(r.Evidence) > 0 {
		e := &r.Evidence[0]
		out.Episode, out.From, out.To, out.Rule, out.Basis = e.Episode, e.From, e.To, e.Rule, e.Basis
	}
	return out
}

// The width of gates list, and how many contexts it names of a gate.
const (
	listWidth   = 110
	maxEvidence = 3
)

func (r *gateRow) text() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "gate %.12s  %s", r.ID, r.Disposition)
	switch r.Scope {
	case artifacts.ScopeNode:
		fmt.Fprintf(&b, " at %d nodes", r.Nodes)
	case artifacts.ScopeSubtree:
		fmt.Fprintf(&b, " at %d nodes below %s, and where the place is not known", r.Nodes, strings.Join(r.Below, ", "))
	}
	if r.Library != "" {
		fmt.Fprintf(&b, ", library %s", r.Library)
	}
	b.WriteString("\n")
	hang(&b, "reads", card.Wrap(r.Reading, listWidth-hangWidth))
	passes, err := lang.Pretty(r.Expr, listWidth-hangWidth)
	if err != nil {
		passes = r.Expr
	}
	hang(&b, "passes", strings.Split(passes, "\n"))
	hang(&b, "message", []string{quoteIfOdd(r.Message)})
	if r.Unsafe+r.Benign > 0 {
		hang(&b, "stops", []string{fmt.Sprintf("%d unsafe contexts, %d of %d benign tasks%s", r.Unsafe, r.Rejected, r.Benign, r.share())})
	}
	hang(&b, "evidence", r.evidenceLines())
	return []byte(b.String())
}

func (r *gateRow) share() string {
	if r.Benign == 0 {
		return ""
	}
	return fmt.Sprintf(" (%.1f%%; 95%% sure: at most %.1f%%)", 100*r.Rate, 100*r.Bound)
}

func (r *gateRow) evidenceLines() []string {
	var out []string
	for i, e := range r.Evidence {
		if i == maxEvidence {
			return append(out, fmt.Sprintf("and %d more contexts", len(r.Evidence)-i))
		}
		line := fmt.Sprintf("context %.12s, episode %.12s, steps %d to %d, %s", e.Context, e.Episode, e.From+1, e.To+1, e.Rule)
		if e.Basis != "" {
			line += ", " + e.Basis
		}
		out = append(out, line)
	}
	return out
}

// hangWidth is the width of the column of labels.
const hangWidth = 11

// hang writes lines beside a label; nothing for none.
func hang(b *strings.Builder, label string, lines []string) {
	for i, l := range lines {
		if i > 0 {
			label = ""
		}
		fmt.Fprintf(b, "  %-*s%s\n", hangWidth-2, label, l)
	}
}

// quoteIfOdd quotes a text that would not stay on its line as it is.
func quoteIfOdd(s string) string {
	if q := strconv.Quote(s); s == "" || q != `"`+s+`"` {
		return q
	}
	return s
}
