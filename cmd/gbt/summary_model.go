package main

import (
	"bytes"
	"fmt"
	"strings"
)

// modelText says what came of asking a model for gates.
func modelText(b *bytes.Buffer, s *gatesSummary) {
	if s.Model == nil {
		return
	}
	proposed, bad := 0, 0
	for _, a := range s.Model.Answers {
		proposed += a.Proposed
		if a.Problem != "" {
			bad++
		}
	}
	fmt.Fprintf(b, "model     %s (%.12s, template %.12s): %d questions, %d expressions proposed, %d gates accepted; %d answers were of no use\n",
		s.Model.Model, s.Model.Digest, s.Model.Template, len(s.Model.Answers), proposed, s.byModel(), bad)
}

func (s *gatesSummary) byModel() int {
	n := 0
	for i := range s.Accepted {
		if strings.HasPrefix(s.Accepted[i].By, "model ") {
			n++
		}
	}
	return n
}

// modelTable is what the report says of a model's answers.
func modelTable(b *bytes.Buffer, s *gatesSummary) {
	if s.Model == nil {
		return
	}
	fmt.Fprintf(b, "\nModel %s (digest %s, template %s) was asked for gates; %d were accepted.\n\n", s.Model.Model, s.Model.Digest, s.Model.Template, s.byModel())
	b.WriteString("| tool | unsafe contexts | proposed | question | problem |\n|---|---:|---:|---|---|\n")
	for _, a := range s.Model.Answers {
		fmt.Fprintf(b, "| %s | %d | %d | %.12s | %s |\n", cell(a.Tool), a.Positives, a.Proposed, a.Question, cell(a.Problem))
	}
}
