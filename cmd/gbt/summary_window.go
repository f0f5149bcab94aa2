package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/replay"
)

// printDivergences says where replays gave something else than their logs.
func printDivergences(e *env, w *distill.Windows) {
	for i := range w.Divergences {
		if i == maxShownProblems {
			break
		}
		d := &w.Divergences[i]
		fmt.Fprintf(e.stderr, "gbt: %s: diverged at %s\n", d.Episode, d)
	}
	if n := w.Diverged - min(len(w.Divergences), maxShownProblems); n > 0 {
		fmt.Fprintf(e.stderr, "gbt: ... and %d more replays that diverged\n", n)
	}
}

// windowsText tells what replaying came to, in the summaries that gbt distill and
// gbt eval gates print. positives are the calls that teach, by what says so.
func windowsText(b *bytes.Buffer, w *distill.Windows, positives map[string]int) {
	if w.Replayed == 0 {
		return
	}
	fmt.Fprintf(b, "windows   %d in %d of %d replayed episodes: %d minimal, %d mapped to macros (%d to several), %d diverged\n",
		w.Found, w.Located, w.Replayed, w.Minimal, w.Mapped, w.Several, w.Diverged)
	if w.Judged+w.Against > 0 {
		fmt.Fprintf(b, "          %d episodes are unsafe by %s alone; %d windows stand against the log's own judgement and teach nothing\n", w.Judged, judgesText(w), w.Against)
	}
	if parts := basisParts(positives); parts != "" {
		fmt.Fprintf(b, "          calls to learn from: %s\n", parts)
	}
}

// judgesText names who judged what the logs did not.
func judgesText(w *distill.Windows) string {
	switch checked, specified := w.Basis[string(replay.BasisChecker)] > 0, w.Basis[string(replay.BasisSpecified)] > 0; {
	case checked && specified:
		return "the monitors or the environment's checkers"
	case checked:
		return "the environment's checkers"
	}
	return "the monitors"
}

// bases words what makes a call one to learn from, the surest first.
var bases = []struct{ key, text string }{
	{"checker", "judged by a checker"}, {"specified", "by the monitors given"}, {"located", "found by a monitor in an unsafe episode"},
	{"contrast", "by contrast with other runs"},
}

func basisParts(positives map[string]int) string {
	var parts []string
	for _, x := range bases {
		if n := positives[x.key]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, x.text))
		}
	}
	return strings.Join(parts, ", ")
}

// windowsTable is the chapter on windows of the report that --report writes.
func windowsTable(b *bytes.Buffer, w *distill.Windows, positives map[string]int) {
	b.WriteString("\n## Unsafe windows\n\n| what | number |\n|---|---:|\n")
	for _, r := range []struct {
		name string
		n    int
	}{
		{"episodes replayed", w.Replayed}, {"with a window that may teach", w.Located}, {"windows", w.Found}, {"of them, minimal", w.Minimal},
		{"of them, mapped to macros", w.Mapped}, {"of them, to several", w.Several},
		{"episodes that monitors or checkers alone call unsafe", w.Judged}, {"windows against the log's own judgement, not used", w.Against},
		{"episodes whose replay diverged, not used", w.Diverged}, {"replays", w.Replays}, {"calls replayed", w.Calls},
	} {
		fmt.Fprintf(b, "| %s | %d |\n", r.name, r.n)
	}
	for _, x := range bases {
		fmt.Fprintf(b, "| calls to learn from: %s | %d |\n", x.text, positives[x.key])
	}
	for i := range w.Divergences {
		fmt.Fprintf(b, "\nDiverged: %s, %s.\n", w.Divergences[i].Episode, &w.Divergences[i])
	}
}
