package main

import (
	"bytes"
	"fmt"
	"strings"
)

// sealedText says what of the logs' text stands in the policy.
func (s *summary) sealedText(b *bytes.Buffer) {
	t := &s.Text
	if t.Kept {
		fmt.Fprintf(b, "text      KEPT: %d texts of tasks, and sentences of agents, stand in the policy; without --keep-text there is none\n", t.Tasks)
		return
	}
	fmt.Fprintf(b, "text      none of tasks or agents; %d plain words that 5 tasks share, %d names of tools (--report lists them)\n", len(t.Words), len(t.Tools))
}

// sealedTable lists it in the report.
func (s *summary) sealedTable(b *bytes.Buffer) {
	t := &s.Text
	b.WriteString("\n## Text of the logs in the policy\n\n")
	if t.Kept {
		b.WriteString("Texts were kept (--keep-text): whoever has the policy can read them.\n\n")
	} else {
		b.WriteString("No text of a task or of an agent. Tasks are vectors, and who has a text can tell whether it is like one of them.\n\n")
	}
	b.WriteString("| what | number | which |\n|---|---:|---|\n")
	fmt.Fprintf(b, "| texts of tasks | %d | |\n", t.Tasks)
	for _, r := range []struct {
		name string
		list []string
	}{
		{"names of families", t.Families}, {"words of descriptions", t.Words}, {"names of tools", t.Tools}, {"names in learned gates", t.Gates}, {"completion checks", t.Checks},
	} {
		fmt.Fprintf(b, "| %s | %d | %s |\n", r.name, len(r.list), cell(strings.Join(r.list, ", ")))
	}
}
