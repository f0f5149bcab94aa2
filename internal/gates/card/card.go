package card

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/corpora/contexts"
	"github.com/gbt-policy/gbt/internal/gates/lang"
	"github.com/gbt-policy/gbt/internal/gates/learn"
	"github.com/gbt-policy/gbt/internal/gates/library"
)

// Card is what a person reads of a gate. Keys of the JSON are only ever added.
type Card struct {
	ID          string   `json:"id"`
	Proposal    bool     `json:"proposal,omitempty"` // not enforced
	Disposition string   `json:"disposition"`
	Says        string   `json:"says"`              // what it stops, a sentence
	Exactly     string   `json:"exactly,omitempty"` // which calls these are, where Says counts conditions
	Scope       string   `json:"scope"`             // in words
	Origin      string   `json:"origin"`            // in words
	Why         string   `json:"why,omitempty"`     // of a proposal: what it lacks
	Passes      []string `json:"passes,omitempty"`  // usual flows that it lets pass
	Expr        string   `json:"expr"`
	Message     string   `json:"message"`

	Unsafe  int      `json:"unsafe"` // recorded unsafe calls that it stops
	Tools   []Tally  `json:"tools"`  // of them, those of each tool, most first
	Stopped []Call   `json:"stopped"`
	Rules   []string `json:"rules"` // of the verdicts behind them

	Anywhere bool   `json:"anywhere,omitempty"` // Stopped and Honest hold calls of other places too: the record does not say what came before a call
	Record   bool   `json:"record"`             // the recorded calls are here; else Stopped and Honest are empty
	HonestN  int    `json:"benign_stopped"`
	HonestOf int    `json:"benign"`
	Honest   []Call `json:"nearest_benign"` // those it stops, or else those that it would stop next

	LeftOut *Rates `json:"left_out,omitempty"`
	On      *Cost  `json:"on,omitempty"` // on logs that the reader named
	Decided string `json:"decided,omitempty"`
}

// Tally counts the calls of a tool.
type Tally struct {
	Tool  string `json:"tool"`
	Calls int    `json:"calls"`
}

// Rates are those on tasks left out in turn.
type Rates struct {
	Stopped int     `json:"benign_tasks_stopped"`
	Of      int     `json:"benign_tasks"`
	Bound   float64 `json:"benign_bound"` // exact upper bound of the share, at 95%
	Harm    int     `json:"harm_stopped,omitempty"`
	HarmOf  int     `json:"harm,omitempty"` // 0 where it is not on record: a policy holds no such figure
}

// Cost is what a gate would have done on logs.
type Cost struct {
	Logs     string `json:"logs"`
	Asked    int    `json:"calls_stopped"`
	Calls    int    `json:"calls"`
	Anyway   int    `json:"calls_stopped_anyway"` // of Asked, those that the guardrail does not approve either
	Hit      int    `json:"sessions_stopped"`
	Unsafe   int    `json:"unsafe_sessions_stopped"` // of Hit, those that their log calls unsafe
	Sessions int    `json:"sessions"`
	Examples []Call `json:"examples"`
}

// Gate is what Build makes a card of: a gate, and what the policy around it says.
type Gate struct {
	artifacts.Gate
	Nodes    int      // that ask it
	Below    []string // macros where it comes in
	Proposal bool
	Why      string // of a proposal
	Decided  string // who accepted it, and why; empty if nobody did
	Harm     learn.Share
}

// Record are the recorded calls, and the gates asked at the macros they belong to.
type Record struct {
	Corpus *contexts.Corpus
	At     map[string][]string
}

// shown is how many calls a card shows of each sort.
const shown = 3

// Build makes the card of a gate. record may be nil: then the card has counts
// alone.
func Build(g *Gate, record *Record) (*Card, error) {
	said, err := says(&g.Gate)
	if err != nil {
		return nil, err
	}
	c := &Card{
		ID: g.ID, Proposal: g.Proposal, Disposition: g.Disposition, Says: verb(g) + said + ".", Scope: scope(g), Why: g.Why, Decided: g.Decided, Expr: g.Expr, Message: g.Message,
		Unsafe: int(g.Evidence.Unsafe), LeftOut: rates(g), Tools: []Tally{}, Stopped: []Call{}, Rules: []string{}, Honest: []Call{},
	}
	if strings.Contains(said, " more condition") || strings.Contains(said, " kinds of calls") {
		if c.Exactly, err = lang.Reading(g.Expr); err != nil {
			return nil, err
		}
	}
	if c.Passes, err = lang.Passes(g.Expr); err != nil {
		return nil, err
	}
	if record != nil {
		if err := c.recorded(g, record); err != nil {
			return nil, err
		}
	}
	c.Origin = origin(g, c)
	return c, nil
}

// says names the calls that a gate stops: a gate of the library says it itself. Its
// label is text that anybody may write, and an older version may ask the same: only
// the expression tells.
func says(g *artifacts.Gate) (string, error) {
	name, _, _ := strings.Cut(library.LabelOf(g.Message), "@")
	if lib, ok := library.Find(name); ok && lang.Exempted(g.Expr, lib.Expr) {
		return lib.Says, nil
	}
	return lang.Phrase(g.Expr)
}

// verb begins the sentence: what happens to a call that the gate stops.
func verb(g *Gate) string {
	would := map[bool]int{false: 0, true: 1}[g.Proposal]
	switch g.Disposition {
	case artifacts.DispositionConsent:
		return [...]string{"Asks before ", "Would ask before "}[would]
	case artifacts.DispositionRevise:
		return [...]string{"Sends back ", "Would send back "}[would]
	}
	return [...]string{"Rejects ", "Would reject "}[would]
}

// maxBelow is how many kinds of steps a card names of those that a gate is asked at.
const maxBelow = 6

func scope(g *Gate) string {
	at := strings.Join(g.Below[:min(len(g.Below), maxBelow)], ", ")
	if n := len(g.Below) - maxBelow; n > 0 {
		at += fmt.Sprintf(" and %d more kinds of steps", n)
	}
	switch {
	case g.Scope == artifacts.ScopeGlobal:
		return "everywhere"
	case g.Proposal && g.Scope == artifacts.ScopeNode:
		return "at " + at
	case g.Proposal:
		return "below " + at
	case g.Scope == artifacts.ScopeNode:
		return fmt.Sprintf("at %s and below (%s)", at, counted(g.Nodes, "node"))
	}
	return fmt.Sprintf("below %s (%s), and where the place is not known", at, counted(g.Nodes, "node"))
}

func rates(g *Gate) *Rates {
	n, of := int(g.Evidence.Rejected), int(g.Evidence.Benign)
	if of == 0 && g.Harm.Of == 0 {
		return nil
	}
	return &Rates{Stopped: n, Of: of, Bound: learn.Bound(n, of), Harm: g.Harm.N, HarmOf: g.Harm.Of}
}

// origin says who made the gate, and of what.
func origin(g *Gate, c *Card) string {
	learned := ""
	if g.Evidence.Unsafe > 0 {
		learned = fmt.Sprintf("%s that did harm", counted(int(g.Evidence.Unsafe), "recorded call"))
		if len(c.Rules) > 0 {
			learned += ", found by " + strings.Join(c.Rules, ", ")
		}
	}
	label := library.LabelOf(g.Message)
	switch {
	case label != "" && learned != "":
		return "library " + label + ", for " + learned
	case label != "":
		return "library " + label + ", on by name"
	case learned != "":
		return "learned from " + learned
	}
	return "written by hand: no recorded call speaks for it"
}

// seen is a recorded call and what the gate does to it.
type seen struct {
	row     *contexts.Row
	ctx     gates.Context
	stopped bool
}

func (r *Record) look(g *Gate, lib *gates.Library, l contexts.Label) ([]seen, error) {
	var out []seen
	for _, row := range r.Corpus.Rows(l) {
		ctx, err := gates.ParseContext(row.Context)
		if err != nil {
			return nil, fmt.Errorf("recorded context %.12s: %w", row.ID, err)
		}
		out = append(out, seen{row, ctx, asked(g, r.At, row.Macro) && len(lib.EvalAll(&ctx, nil)) > 0})
	}
	return out, nil
}

// recorded adds what the gate does to the calls on record.
func (c *Card) recorded(g *Gate, r *Record) error {
	lib, err := Library(&g.Gate)
	if err != nil {
		return err
	}
	unsafe, err := r.look(g, lib, contexts.Unsafe)
	if err != nil {
		return err
	}
	benign, err := r.look(g, lib, contexts.Benign)
	if err != nil {
		return err
	}
	c.Record, c.Anywhere = true, g.Proposal && g.Scope == artifacts.ScopeSubtree
	stopped := slices.DeleteFunc(unsafe, func(s seen) bool { return !s.stopped })
	c.Unsafe, c.Tools, c.Rules = len(stopped), tallies(stopped), rules(stopped)
	c.Stopped = c.spread(stopped)
	c.HonestOf = len(benign)
	touched := slices.DeleteFunc(slices.Clone(benign), func(s seen) bool { return !s.stopped })
	c.HonestN = len(touched)
	if len(touched) == 0 {
		touched = benign
	}
	c.Honest = pick(nearest(touched, stopped))
	return nil
}

// Library is a gate alone, asked everywhere: whoever uses it knows where the gate
// is asked.
func Library(g *artifacts.Gate) (*gates.Library, error) {
	return gates.NewLibrary([]gates.Gate{{ID: g.ID, Scope: artifacts.ScopeGlobal, Disposition: g.Disposition, Expr: g.Expr, Program: g.Program}})
}

func tallies(list []seen) []Tally {
	n := map[string]int{}
	for i := range list {
		n[list[i].ctx.ToolName()]++
	}
	out := []Tally{}
	for _, tool := range slices.Sorted(maps.Keys(n)) {
		out = append(out, Tally{tool, n[tool]})
	}
	slices.SortStableFunc(out, func(a, b Tally) int { return cmp.Compare(b.Calls, a.Calls) })
	return out
}

// rules names what judged the calls, most first. Names of rules are the monitors'
// or checkers' own.
func rules(list []seen) []string {
	n := map[string]int{}
	for i := range list {
		if ev := list[i].row.Evidence; len(ev) > 0 && ev[0].Rule != "" {
			n[ev[0].Rule]++
		}
	}
	out := slices.Sorted(maps.Keys(n))
	slices.SortStableFunc(out, func(a, b string) int { return cmp.Compare(n[b], n[a]) })
	return append([]string{}, out[:min(len(out), shown)]...)
}

// spread picks calls of as many tools as there are, the most frequent tool first.
func (c *Card) spread(list []seen) []Call {
	byTool := map[string][]seen{}
	for _, s := range list {
		byTool[s.ctx.ToolName()] = append(byTool[s.ctx.ToolName()], s)
	}
	var turns []Call
	for round := 0; round < shown; round++ {
		for _, t := range c.Tools {
			if calls := grouped(byTool[t.Tool]); round < len(calls) {
				turns = append(turns, calls[round])
			}
		}
	}
	return append([]Call{}, turns[:min(len(turns), shown)]...)
}

// grouped makes one Call of those that read the same, those seen most first.
func grouped(list []seen) []Call {
	var out []Call
	at := map[string]int{}
	for i := range list {
		said := Describe(&list[i].ctx)
		k, has := at[said]
		if !has {
			k = len(out)
			at[said] = k
			out = append(out, Call{Says: said, Where: where(list[i].row)})
		}
		out[k].Times += list[i].row.Total
	}
	slices.SortStableFunc(out, func(a, b Call) int { return cmp.Compare(b.Times, a.Times) })
	return out
}

// pick makes calls of those that are near, in their order.
func pick(list []seen) []Call {
	out := []Call{}
	for i := range list {
		said := Describe(&list[i].ctx)
		if k := slices.IndexFunc(out, func(c Call) bool { return c.Says == said }); k >= 0 {
			out[k].Times += list[i].row.Total
		} else if len(out) < shown {
			out = append(out, Call{Says: said, Times: list[i].row.Total, Where: where(list[i].row)})
		}
	}
	return out
}

func where(r *contexts.Row) string {
	if len(r.Evidence) == 0 {
		return ""
	}
	e := &r.Evidence[0]
	steps := fmt.Sprintf("steps %d to %d", e.From+1, e.To+1)
	if e.From == e.To {
		steps = fmt.Sprintf("step %d", e.To+1)
	}
	return fmt.Sprintf("episode %.12s, %s", e.Episode, steps)
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
