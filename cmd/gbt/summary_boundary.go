package main

import (
	"bytes"
	"fmt"

	"github.com/gbt-policy/gbt/internal/tree/merge"
)

// boundaryText is the claim boundary in the summary of gbt distill.
func boundaryText(b *bytes.Buffer, x *merge.Boundary) {
	if x.Tasks == 0 {
		return
	}
	lost, caught, offered := 0.0, 0.0, 0.0
	for _, f := range x.Families {
		share := float64(f.Tasks) / float64(x.Tasks)
		lost, caught, offered = lost+share*f.Lost, caught+share*f.Caught, offered+share*f.CaughtOffered
	}
	fmt.Fprintf(b, "boundary  %.0f%% of %d tasks are not claimed when judged without their own runs", 100*lost, x.Tasks)
	if len(x.Families) > 1 {
		fmt.Fprintf(b, ";\n          without their family %.0f%%, with tools declared %.0f%% (gbt eval boundary judges foreign logs)", 100*caught, 100*offered)
	}
	b.WriteString("\n")
}

// boundaryTables is the same in the report: the risk-coverage curve (El-Yaniv and
// Wiener, "On the foundations of noise-free selective classification", 2010), and
// the families at the sealed limits.
func boundaryTables(b *bytes.Buffer, x *merge.Boundary) {
	b.WriteString("\n## What the policy claims to know\n\n")
	if x.Tasks == 0 {
		b.WriteString("No boundary is drawn: every task that has words is routed.\n")
		return
	}
	fmt.Fprintf(b, "A task is claimed if the cosine to the nearest task kept is at least %.3f, or where tools are declared this and their overlap %.3f, "+
		"and at least %.0f%% of its words are known. The limits may cost %.1f%% of the known tasks; %d of them were looked at.\n\n",
		x.Limits.Near.Float(), x.Limits.Offered.Float(), 100*x.Limits.Words.Float(), 100*x.Lost, x.Tasks)
	b.WriteString("Risk and coverage: each task judged without its own runs (known), and without its family (foreign). " +
		"The limits are fitted on the same tasks.\n\n| known, claimed | foreign, not claimed | the same, tools declared |\n|---:|---:|---:|\n")
	for _, p := range x.Curve {
		fmt.Fprintf(b, "| %.3f | %.3f | %.3f |\n", 1-p.Lost, p.Caught, p.CaughtOffered)
	}
	b.WriteString("\n| family | tasks | known, claimed | foreign, not claimed | the same, tools declared |\n|---|---:|---:|---:|---:|\n")
	for _, f := range x.Families {
		fmt.Fprintf(b, "| %s | %d | %.3f | %.3f | %.3f |\n", cell(f.Name), f.Tasks, 1-f.Lost, f.Caught, f.CaughtOffered)
	}
}
