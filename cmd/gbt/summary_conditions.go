package main

import (
	"bytes"
	"fmt"
)

// conditionsText is what successful runs always had, in the summary of gbt distill.
func (s *summary) conditionsText(b *bytes.Buffer) {
	required := 0
	for _, c := range s.Conditions {
		if !c.Advice {
			required++
		}
	}
	if len(s.Conditions) > 0 {
		fmt.Fprintf(b, "required  %s of calls and ends, %d more as advice: what successful runs always had (--report lists them)\n",
			count(required, "fact"), len(s.Conditions)-required)
	}
}

// conditionsTable is the same in the report.
func (s *summary) conditionsTable(b *bytes.Buffer) {
	if len(s.Conditions) == 0 {
		return
	}
	b.WriteString("\n## What successful runs always had\n\nOnly an observed result establishes a fact. What is required sends calls and ends back that lack it; advice stops nothing.\n\n")
	b.WriteString("| condition | strength | held in | of tasks | by chance |\n|---|---|---:|---:|---:|\n")
	for _, c := range s.Conditions {
		kind := "required"
		if c.Advice {
			kind = "advice"
		}
		fmt.Fprintf(b, "| %s | %s | %d | %d | %.3f |\n", cell(c.Says), kind, c.Held, c.Tasks, float64(c.Chance)/1000)
	}
}
