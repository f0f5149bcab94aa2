package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/internal/gates/lang"
	"github.com/gbt-policy/gbt/internal/gates/learn"
	"github.com/gbt-policy/gbt/internal/gates/learn/model"
)

// gatesSummary is what distillation says about gates.
type gatesSummary struct {
	UnsafeEpisodes int            `json:"unsafe_episodes"`
	Unplaced       int            `json:"unplaced_episodes"` // their verdict can't be pinned on a call
	Unsafe         int            `json:"unsafe_contexts"`
	Benign         int            `json:"benign_contexts"`
	Uncovered      int            `json:"uncovered_contexts"` // unsafe contexts that no accepted gate stops
	Local          int            `json:"library_rejected_locally_admitted"`
	Declined       int            `json:"declined_contexts"` // that users declined: what gates that ask are learned from
	Positives      map[string]int `json:"positives_by_basis"`
	Accepted       []gateSummary  `json:"accepted"`
	Model          *model.Report  `json:"model,omitempty"` // that was asked for gates
	Review         []gateSummary  `json:"review"`          // proposals that are not enforced
	proposals      bool           // a file of them stands beside the policy
}

type gateSummary struct {
	ID          string   `json:"id,omitempty"`
	Scope       string   `json:"scope"`
	Macros      []string `json:"macros,omitempty"` // where a node gate is asked
	Disposition string   `json:"disposition,omitempty"`
	Expr        string   `json:"expr"`
	By          string   `json:"by"`
	Library     string   `json:"library,omitempty"`    // name@version of the library's gate that it is
	Exempt      int      `json:"exemptions,omitempty"` // learned ones inside it
	Why         string   `json:"why,omitempty"`
	Unsafe      int      `json:"unsafe"`
	Evidence    []string `json:"evidence,omitempty"` // ids of the unsafe contexts it stops
	Tasks       int      `json:"tasks"`
	Benign      int      `json:"benign"`
	Rejected    int      `json:"benign_rejected"`
	Bound       float64  `json:"benign_bound"` // exact upper bound, at 95%, of the share of benign tasks left out that it touches

	// On tasks left out in turn: tasks whose harm is still stopped, of those whose
	// harm it stops; benign tasks and calls that it touches.
	LeftHarm    int `json:"left_out_harm_stopped"`
	LeftHarmOf  int `json:"left_out_harm"`
	LeftGood    int `json:"left_out_tasks_touched"`
	LeftGoodOf  int `json:"left_out_tasks"`
	LeftCalls   int `json:"left_out_calls_touched"`
	LeftCallsOf int `json:"left_out_calls"`
}

func newGatesSummary(g *distill.Gates) *gatesSummary {
	if g == nil {
		return nil
	}
	return &gatesSummary{
		UnsafeEpisodes: g.Unsafe, Unplaced: g.Unplaced, Unsafe: g.Recorded, Benign: g.Benign, Uncovered: g.Uncovered, Local: g.Local, Declined: g.Declined,
		Positives: g.Positives, Model: g.Model, Accepted: gateSummaries(g.Accepted), Review: gateSummaries(g.Review),
	}
}

// positives are the calls that gates are learned from, by what says so.
func (s *gatesSummary) positives() map[string]int {
	if s == nil {
		return nil
	}
	return s.Positives
}

func gateSummaries(list []learn.Gate) []gateSummary {
	out := []gateSummary{}
	for i := range list {
		g := &list[i]
		stops := g.Stops
		if g.By == learn.ByDeclined {
			stops = nil // not on record
		}
		out = append(out, gateSummary{
			ID: g.ID, Scope: g.Scope, Macros: macrosOf(g), Evidence: stops, Disposition: g.Disposition, Expr: g.Expr, By: g.By, Library: g.Library, Exempt: g.Exempt, Why: g.Why, Unsafe: g.Unsafe,
			Tasks: g.Tasks, Benign: g.Benign, Rejected: g.Rejected, Bound: g.Bound,
			LeftHarm: g.Left.Harm.N, LeftHarmOf: g.Left.Harm.Of, LeftGood: g.Left.Good.N, LeftGoodOf: g.Left.Good.Of, LeftCalls: g.Left.Calls.N, LeftCallsOf: g.Left.Calls.Of,
		})
	}
	return out
}

// macrosOf are where a node gate is asked, or would be if it were accepted.
func macrosOf(g *learn.Gate) []string {
	if len(g.Macros) == 0 && g.Macro != "" {
		return []string{g.Macro}
	}
	return g.Macros
}

// text tells about gates in the summary that gbt distill prints. Logs without
// harm have nothing to tell.
func (s *gatesSummary) text(b *bytes.Buffer, policy string) {
	if s == nil || s.UnsafeEpisodes+s.Declined == 0 {
		return
	}
	fmt.Fprintf(b, "harm      %d unsafe episodes -> %d contexts", s.UnsafeEpisodes, s.Unsafe)
	if s.Unplaced > 0 {
		fmt.Fprintf(b, " (in %d the verdict can't be pinned on a call that may teach; gbt windows stats says where it points)", s.Unplaced)
	}
	fmt.Fprintf(b, "; %d benign contexts\n", s.Benign)
	fmt.Fprintf(b, "gates     %s%d learned, %d proposals for review; %d unsafe contexts that no gate stops\n", s.libraryWord(), s.learned(), len(s.Review), s.Uncovered)
	modelText(b, s)
	if s.Declined > 0 {
		fmt.Fprintf(b, "declined  %d contexts of high risk that users declined -> %d gates that ask, %d proposals\n", s.Declined, countDeclined(s.Accepted), countDeclined(s.Review))
	}
	if s.Local > 0 {
		fmt.Fprintf(b, "          %d unsafe contexts are library-rejected, locally admitted: guardrail.strict stops them everywhere\n", s.Local)
	}
	for i := range s.Accepted {
		g := &s.Accepted[i]
		fmt.Fprintf(b, "          %.12s %s%s, %s: stops %d of %d, of the benign %d of %d%s\n", g.ID, g.kindWord(), scopeWord(g), verdictWord(g.Disposition),
			g.Unsafe, s.of(g), g.Rejected, g.Benign, leftOutWord(g))
	}
	s.review(b, policy)
}

// shownReview is how many proposals the summary names; the report and the JSON
// have more.
const shownReview = 5

// review names the proposals that would stop most, and what they lack: a person
// may know what the logs don't show, and write the gate into gbt.yaml.
func (s *gatesSummary) review(b *bytes.Buffer, policy string) {
	list := slices.Clone(s.Review)
	slices.SortStableFunc(list, func(a, b gateSummary) int { return b.Unsafe - a.Unsafe })
	for i := range list {
		if i == shownReview {
			fmt.Fprintf(b, "          and %d more proposals, in --report and --json\n", len(list)-i)
			break
		}
		g := &list[i]
		fmt.Fprintf(b, "review    %s%s: would stop %d %s contexts of %d tasks, of the benign %d of %d; not enforced: %s\n", g.kindWord(), scopeWord(g), g.Unsafe, g.positiveWord(), g.Tasks, g.Rejected, g.Benign, g.Why)
		if said, err := lang.Reading(g.Expr); err == nil {
			fmt.Fprintf(b, "          it would stop a call if %s\n", excerpt(said, 160, false))
		}
	}
	if len(list) > 0 && s.proposals {
		fmt.Fprintf(b, "decide    %s holds them: gbt gates show %s --proposals prints a card of each,\n", proposalsBeside(policy), policy)
		fmt.Fprintf(b, "          gbt gates accept|reject %s ID --key KEY.pem --reason WHY decides about one\n", policy)
	}
}

func countDeclined(list []gateSummary) int {
	n := 0
	for i := range list {
		if list[i].By == learn.ByDeclined {
			n++
		}
	}
	return n
}

// of is how many contexts a gate might stop: unsafe ones, or declined ones.
func (s *gatesSummary) of(g *gateSummary) int {
	if g.By == learn.ByDeclined {
		return s.Declined
	}
	return s.Unsafe
}

// positiveWord says what a gate was learned from.
func (g *gateSummary) positiveWord() string {
	if g.By == learn.ByDeclined {
		return "declined"
	}
	return "unsafe"
}

// learned counts the accepted gates that came out of the logs.
func (s *gatesSummary) learned() int {
	n := 0
	for i := range s.Accepted {
		if s.Accepted[i].Library == "" {
			n++
		}
	}
	return n
}

func (s *gatesSummary) libraryWord() string {
	if n := len(s.Accepted) - s.learned(); n > 0 {
		return fmt.Sprintf("%d of the library, ", n)
	}
	return ""
}

// kindWord says which gate of the library it is, with how much that was learned.
func (g *gateSummary) kindWord() string {
	switch {
	case g.By == learn.ByDeclined:
		return "learned from declined calls, "
	case g.Library == "":
		return ""
	case g.Exempt == 0:
		return "library " + g.Library + ", "
	}
	return fmt.Sprintf("library %s with %d learned exemptions, ", g.Library, g.Exempt)
}

func scopeWord(g *gateSummary) string {
	switch g.Scope {
	case learn.ScopeNode:
		return "at " + strings.Join(g.Macros, ", ")
	case learn.ScopeSubtree:
		return "below " + strings.Join(g.Macros, ", ")
	}
	return "everywhere"
}

func verdictWord(disposition string) string {
	if disposition == learn.AskFirst {
		return "asks"
	}
	return "rejects"
}

func leftOutWord(g *gateSummary) string {
	if g.LeftHarmOf+g.LeftGoodOf == 0 {
		return ""
	}
	return fmt.Sprintf("; on tasks left out in turn, the harm of %d of %d, and %d of %d benign ones (95%% sure: at most %.1f%%) in %d of %d calls",
		g.LeftHarm, g.LeftHarmOf, g.LeftGood, g.LeftGoodOf, 100*g.Bound, g.LeftCalls, g.LeftCallsOf)
}

// reportWidth is that of expressions in the report.
const reportWidth = 100

// maxReview bounds the proposals in the report for people; all are in the JSON.
const maxReview = 40

// markdown is the chapter on gates of the report that --report writes.
func (s *gatesSummary) markdown(b *bytes.Buffer) {
	if s == nil {
		return
	}
	b.WriteString("\n## Gates\n\n| what | number |\n|---|---:|\n")
	for _, r := range []struct {
		name string
		n    int
	}{
		{"unsafe episodes", s.UnsafeEpisodes}, {"of them, those whose verdict no call can be blamed for", s.Unplaced},
		{"unsafe contexts on record", s.Unsafe}, {"benign contexts on record", s.Benign},
		{"unsafe contexts that no gate stops", s.Uncovered}, {"contexts that users declined", s.Declined}, {"library-rejected, locally admitted", s.Local},
	} {
		fmt.Fprintf(b, "| %s | %d |\n", r.name, r.n)
	}
	modelTable(b, s)
	for i := range s.Accepted {
		s.Accepted[i].markdown(b)
	}
	if len(s.Review) > 0 {
		fmt.Fprintf(b, "\n### Proposals for review (%d, not enforced)\n", len(s.Review))
	}
	for i := range s.Review[:min(len(s.Review), maxReview)] {
		s.Review[i].markdown(b)
	}
}

func (g *gateSummary) markdown(b *bytes.Buffer) {
	name := "Proposal, " + g.kindWord() + scopeWord(g)
	if g.ID != "" {
		name = fmt.Sprintf("Gate %.12s, %s%s, %s", g.ID, g.kindWord(), scopeWord(g), verdictWord(g.Disposition))
	}
	if strings.HasPrefix(g.By, "model ") {
		name += ", proposed by " + g.By
	}
	fmt.Fprintf(b, "\n%s: stops %d %s contexts of %d tasks, and %d of %d benign ones%s.", name, g.Unsafe, g.positiveWord(), g.Tasks, g.Rejected, g.Benign, leftOutWord(g))
	if g.Why != "" {
		fmt.Fprintf(b, " Why not more: %s.", g.Why)
	}
	expr := g.Expr
	if said, err := lang.Reading(g.Expr); err == nil {
		fmt.Fprintf(b, " It stops a call if %s.", said)
		expr, _ = lang.Pretty(g.Expr, reportWidth)
	}
	fmt.Fprintf(b, "\n\n```\n%s\n```\n", expr)
}
