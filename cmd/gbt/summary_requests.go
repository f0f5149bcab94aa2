package main

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/distill"
)

// onFacts says what such labels are, wherever a figure rests on them.
const onFacts = "labelled by rules on facts, not measured by a checker"

// requestsText says under a heading what rules made of sessions that nobody judged.
func requestsText(b *bytes.Buffer, heading string, n *distill.RequestCounts) {
	if n == nil {
		return
	}
	fmt.Fprintf(b, "%-10s%d in %d sessions that nobody judged, %s\n", heading, n.Requests, n.Sessions, onFacts)
	fmt.Fprintf(b, "          %d changed files: %s\n", n.Changed.Total(), labelsText(&n.Changed))
	fmt.Fprintf(b, "          %d did not: %s\n", n.All.Total()-n.Changed.Total(), labelsText(unchanged(n)))
	for _, rule := range mostFirst(n.Rules) {
		fmt.Fprintf(b, "          %5d by rule %s\n", n.Rules[rule], rule)
	}
	if text := declinedText(n.Declined); text != "" {
		fmt.Fprintf(b, "          calls that the user declined, which speaks for asking and never for rejecting: %s\n", text)
	}
}

// shownActions is how many actions of declined calls are named; the JSON has all.
const shownActions = 6

func declinedText(by map[string]int) string {
	total := 0
	for _, n := range by {
		total += n
	}
	if total == 0 {
		return ""
	}
	var parts []string
	for _, action := range mostFirst(by)[:min(len(by), shownActions)] {
		parts = append(parts, fmt.Sprintf("%s %d", action, by[action]))
	}
	return fmt.Sprintf("%d (%s)", total, strings.Join(parts, ", "))
}

func labelsText(c *distill.LabelCounts) string {
	return fmt.Sprintf("%d success, %d failure, %d unlabelled (%.0f%% labelled)", c.Success, c.Failure, c.Unlabelled, 100*shareOf(c.Success+c.Failure, c.Total()))
}

// unchanged are the requests that changed nothing.
func unchanged(n *distill.RequestCounts) *distill.LabelCounts {
	return &distill.LabelCounts{
		Success: n.All.Success - n.Changed.Success, Failure: n.All.Failure - n.Changed.Failure, Unlabelled: n.All.Unlabelled - n.Changed.Unlabelled,
	}
}

// mostFirst lists names, the most counted first.
func mostFirst(rules map[string]int) []string {
	out := slices.Collect(maps.Keys(rules))
	slices.SortFunc(out, func(a, b string) int {
		if rules[a] != rules[b] {
			return rules[b] - rules[a]
		}
		return strings.Compare(a, b)
	})
	return out
}

// requestsTable is the chapter of the report that --report writes.
func requestsTable(b *bytes.Buffer, n *distill.RequestCounts) {
	if n == nil {
		return
	}
	fmt.Fprintf(b, "## Requests\n\n%d in %d sessions that nobody judged, %s.\n\n", n.Requests, n.Sessions, onFacts)
	b.WriteString("| requests | success | failure | unlabelled |\n|---|---:|---:|---:|\n")
	for _, r := range []struct {
		name string
		c    *distill.LabelCounts
	}{{"that changed files", &n.Changed}, {"that did not", unchanged(n)}} {
		fmt.Fprintf(b, "| %s | %d | %d | %d |\n", r.name, r.c.Success, r.c.Failure, r.c.Unlabelled)
	}
	b.WriteString("\n| label basis | requests |\n|---|---:|\n")
	for _, rule := range mostFirst(n.Rules) {
		fmt.Fprintf(b, "| rule %s | %d |\n", cell(rule), n.Rules[rule])
	}
	if text := declinedText(n.Declined); text != "" {
		fmt.Fprintf(b, "\nCalls that the user declined, which speaks for asking and never for rejecting: %s.\n", cell(text))
	}
	b.WriteString("\n")
}
