package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/internal/completion/fixes"
	"github.com/gbt-policy/gbt/internal/completion/mine"
	"github.com/gbt-policy/gbt/internal/tree/merge"
)

// summary is what gbt distill says about a run, for people and as JSON.
type summary struct {
	Policy     string             `json:"policy"` // digest of the unsigned bytes
	Signed     bool               `json:"signed"`
	Bytes      int                `json:"bytes"`
	Profile    string             `json:"profile"`
	Read       distill.Counts     `json:"read"`
	Macros     int                `json:"macros"` // of the successful episodes
	Nodes      int                `json:"nodes"`  // of the tree
	States     int                `json:"states"`
	Leaves     int                `json:"leaves"`
	Families   []familySummary    `json:"families"`
	Audit      merge.Audit        `json:"audit"`
	Text       distill.SealedText `json:"text"`
	Checks     mine.Found         `json:"checks"`
	Fixes      fixes.Found        `json:"fixes"`
	CV         distill.Figures    `json:"cross_validation"`
	Boundary   merge.Boundary     `json:"boundary"`
	Windows    distill.Windows    `json:"windows"`
	Gates      *gatesSummary      `json:"gates,omitempty"`
	Conditions []conditionWords   `json:"conditions"`
	Parent     *parentSummary     `json:"parent,omitempty"`
	LeftOut    *merge.Bound       `json:"left_out,omitempty"` // of the tree, for its size
}

type familySummary struct {
	Name       string `json:"name"`
	Episodes   uint32 `json:"episodes"`
	Failures   uint32 `json:"failures"`
	Vocabulary int32  `json:"vocabulary"`
	Nodes      int    `json:"nodes"`
}

func newSummary(res *distill.Result, data []byte) *summary {
	p := res.Policy
	s := &summary{
		Bytes: len(data), Profile: p.Params.Profile, Read: res.Counts, Macros: res.Merge.Macros,
		Nodes: len(p.Tree.Nodes), States: len(p.Tree.States), Leaves: len(p.Tree.Leaves),
		Audit: res.Merge.Audit, Text: res.SealedText(), Checks: res.Checks, Fixes: res.Fixes, CV: distill.NewFigures(&res.Merge.CV), Boundary: res.Merge.Boundary, Windows: res.Windows, Gates: newGatesSummary(res.Gates), Parent: newParentSummary(res.Succession),
	}
	s.Conditions = wordsOfConditions(p.Guardrail.Conditions)
	if b := res.Merge.Bound; b.Runs > 0 {
		s.LeftOut = &b
	}
	if _, info, err := artifacts.Open(data, artifacts.Trust{}); err == nil {
		s.Policy, s.Signed = info.Digest, len(info.KeyIDs) > 0
	}
	for i := range p.Tree.Families {
		f := &p.Tree.Families[i]
		root := p.Tree.Nodes[f.Node].Count
		s.Families = append(s.Families, familySummary{
			Name: f.Name, Episodes: root.Success, Failures: root.Failure, Vocabulary: f.Vocabulary, Nodes: nodesOf(p, f.Node),
		})
	}
	return s
}

// nodesOf counts the nodes of a subtree, which are one run.
func nodesOf(p *artifacts.Policy, node int32) int {
	n := 1
	for i := int(node) + 1; i < len(p.Tree.Nodes) && p.Tree.Nodes[i].Parent >= node; i++ {
		n++
	}
	return n
}

// text is the summary that gbt distill prints.
func (s *summary) text(file string) []byte {
	var b bytes.Buffer
	c := &s.Read
	fmt.Fprintf(&b, "read      %d episodes, %d calls in %d files", c.Episodes, c.Steps, c.Files)
	if c.Skipped+c.Malformed > 0 {
		fmt.Fprintf(&b, " (%d records are no episodes, %d could not be read)", c.Skipped, c.Malformed)
	}
	b.WriteString("\n")
	requestsText(&b, "requests", c.Requests)
	fmt.Fprintf(&b, "used      %d successful, %d failed\n", c.Uses["success"], c.Uses["failure"])
	for _, r := range reasons {
		if n := c.Uses[r.use]; n > 0 {
			fmt.Fprintf(&b, "%10s%d %s\n", "", n, r.text)
		}
	}
	fmt.Fprintf(&b, "changes   %d calls change something: of %d the log shows what, of the others only the call's action is known\n", c.Changes, c.Observed)
	fmt.Fprintf(&b, "tree      %d macros -> %d nodes, %d macro classes, %d success leaves\n", s.Macros, s.Nodes, s.States, s.Leaves)
	if s.LeftOut != nil {
		fmt.Fprintf(&b, "%10s%s\n", "", leftOutText(s.LeftOut))
	}
	fmt.Fprintf(&b, "families  %d:", len(s.Families))
	for _, f := range s.byEpisodes() {
		fmt.Fprintf(&b, " %s (%d)", f.Name, f.Episodes)
	}
	b.WriteString("\n")
	fmt.Fprintf(&b, "audit     %d busy macro classes: in %d what follows depends on what came before, %d split\n",
		s.Audit.Audited, len(s.Audit.Aliased), s.Audit.Splits())
	if n := s.Checks; n.Leaves > 0 {
		fmt.Fprintf(&b, "checks    %d mined at %d of %d success leaves; at %d of these the logs show one to fail (--report lists them)\n", n.Checks, n.Leaves, s.Leaves, n.Refuted)
	}
	if n := s.Fixes; n.Fixes+n.Retries > 0 {
		fmt.Fprintf(&b, "failures  %d known fixes of calls that failed, %d bounds on failures in a row, %d of which end runs (gbt show lists them)\n", n.Fixes, n.Retries, n.Binding)
	}
	s.sealedText(&b)
	s.coverage(&b)
	boundaryText(&b, &s.Boundary)
	s.conditionsText(&b)
	windowsText(&b, &s.Windows, s.Gates.positives())
	s.Gates.text(&b, file)
	s.Parent.text(&b)
	fmt.Fprintf(&b, "policy    %s, %d bytes, %s, sha256 %.16s\n", file, s.Bytes, signedWord(s.Signed), s.Policy)
	return b.Bytes()
}

// leftOutText says what a tree's size left out of it. Coverage does not rest on it:
// what may follow what is learned from all of every run.
func leftOutText(b *merge.Bound) string {
	if b.Support == 0 {
		return fmt.Sprintf("%d runs are deeper than a tree may be: their last %d macros have no node", b.Runs, b.Macros)
	}
	return fmt.Sprintf("a node is what about %d tasks or more share: %d runs go on without one, for %d macros", b.Support, b.Runs, b.Macros)
}

func (s *summary) coverage(b *bytes.Buffer) {
	f := &s.CV
	fmt.Fprintf(b, "coverage  of tasks held out in turn (2 of 5 folds by task, %d episodes; gbt eval coverage --cv does all):\n", f.Episodes)
	fmt.Fprintf(b, "          episodes %.2f (%.2f with fragile generic steps), steps %.2f, covered and right %.2f\n",
		f.EpisodeCoverage, f.EpisodeCoverageGeneric, f.StepCoverage, f.CoveredAndRight)
	fmt.Fprintf(b, "          next macro from the agent's words %.2f, %.1f choices a step (%.0f%% of the family's macros)\n",
		f.Top1Text, f.AllowedChildren, 100*f.AllowedShare)
}

// reasons words why episodes were left out, in the order they are told.
var reasons = []struct{ use, text string }{
	{"unsafe", "unsafe: kept for gates, counted as failures"},
	{"unlabelled", "without a judgement of how they ended"},
	{"no-calls", "without an executed call"},
	{"duplicate", "read twice"},
	{"no-family", "in no family of the configuration"},
	{"unstable", "unstable: their calls can only be guessed at, and read differently when written differently"},
}

func (s *summary) byEpisodes() []familySummary {
	out := slices.Clone(s.Families)
	slices.SortStableFunc(out, func(a, b familySummary) int { return int(b.Episodes) - int(a.Episodes) })
	return out
}

func signedWord(signed bool) string {
	if signed {
		return "signed"
	}
	return "UNSIGNED"
}

// markdown is the report that --report writes.
func (s *summary) markdown() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Distilled policy %.16s\n\n%s, profile %s, %d bytes.\n\n", s.Policy, signedWord(s.Signed), s.Profile, s.Bytes)
	b.WriteString("## Episodes\n\n| what | number |\n|---|---:|\n")
	c := &s.Read
	fmt.Fprintf(&b, "| read | %d |\n| used as successes | %d |\n| counted as failures | %d |\n", c.Episodes, c.Uses["success"], c.Uses["failure"])
	for _, r := range reasons {
		fmt.Fprintf(&b, "| left out: %s | %d |\n", r.text, c.Uses[r.use])
	}
	fmt.Fprintf(&b, "| calls that change something | %d |\n| of these, change shown by the log | %d |\n", c.Changes, c.Observed)
	fmt.Fprintf(&b, "| records that are no episodes | %d |\n| records that could not be read | %d |\n\n", c.Skipped, c.Malformed)
	requestsTable(&b, c.Requests)
	b.WriteString("## Families\n\n| family | successes | failures | macro classes | nodes |\n|---|---:|---:|---:|---:|\n")
	for _, f := range s.Families {
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d |\n", cell(f.Name), f.Episodes, f.Failures, f.Vocabulary, f.Nodes)
	}
	if s.LeftOut != nil {
		fmt.Fprintf(&b, "\nOf the tree, %s.\n", leftOutText(s.LeftOut))
	}
	s.audit(&b)
	s.sealedTable(&b)
	b.WriteString("\n## Coverage of held-out tasks (2 of 5 folds by task)\n\n")
	figuresTable(&b, &s.CV)
	boundaryTables(&b, &s.Boundary)
	s.conditionsTable(&b)
	windowsTable(&b, &s.Windows, s.Gates.positives())
	s.Gates.markdown(&b)
	s.Parent.markdown(&b)
	return b.Bytes()
}

// audit lists the macro classes that stand for two things.
func (s *summary) audit(b *bytes.Buffer) {
	fmt.Fprintf(b, "\n## Audit of busy macro classes\n\n%d audited. In %d of them what follows depends on what came before.\n", s.Audit.Audited, len(s.Audit.Aliased))
	if len(s.Audit.Aliased) == 0 {
		return
	}
	b.WriteString("\n| family | macro | tasks | G | degrees of freedom | explained | after these it is a class of its own |\n|---|---|---:|---:|---:|---:|---|\n")
	for _, a := range s.Audit.Aliased {
		fmt.Fprintf(b, "| %s | %s | %d | %.1f | %d | %.0f%% | %s |\n", cell(a.Family), cell(a.Key), a.Tasks, a.Statistic, a.Freedom, 100*a.Information, cell(strings.ReplaceAll(strings.Join(a.Split, ", "), "^", "the start")))
	}
}

// cell is a text of the logs as it stands in a cell of a Markdown table.
func cell(s string) string {
	s = string(escapeControls([]byte(strings.NewReplacer("\n", " ", "\t", " ").Replace(s))))
	return strings.NewReplacer("|", `\|`, "`", "\\`", "<", "&lt;").Replace(s)
}

// figuresTable writes coverage figures as a Markdown table.
func figuresTable(b *bytes.Buffer, f *distill.Figures) {
	b.WriteString("| figure | value |\n|---|---:|\n")
	for _, r := range []struct {
		name  string
		value float64
	}{
		{"episodes routed", f.Routed},
		{"episodes covered", f.EpisodeCoverage}, {"episodes covered, generic steps counted", f.EpisodeCoverageGeneric},
		{"steps covered", f.StepCoverage}, {"steps covered, generic steps counted", f.StepCoverageGeneric},
		{"episodes covered and right", f.CoveredAndRight}, {"episodes covered and confident", f.CoveredAndConfident},
		{"next macro from the agent's words", f.Top1Text},
		{"children offered at a step", f.AllowedChildren}, {"the same, share of the family's macros", f.AllowedShare},
		{"mean similarity", f.Similarity}, {"mean margin", f.Margin}, {"mean posterior", f.Posterior},
		{"fragile steps", f.Fragile}, {"ambiguous steps", f.Ambiguous}, {"episodes with exploration", f.Exploration},
	} {
		fmt.Fprintf(b, "| %s | %.3f |\n", r.name, r.value)
	}
}
