package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/segment"
)

// showEpisode prints an episode: who did what for whom, then each step with
// the words before it, the call, what came of it and who objected.
func showEpisode(w io.Writer, ep *corpora.Episode, full bool) error {
	b := bufio.NewWriter(w)
	s := shower{b, full}
	s.header(ep)
	for i := range ep.Steps {
		s.step(ep, i)
	}
	if ep.Final != "" {
		fmt.Fprintln(b)
		s.block("last words", ep.Final)
	}
	return b.Flush()
}

type shower struct {
	w    *bufio.Writer
	full bool
}

func (s shower) header(ep *corpora.Episode) {
	fmt.Fprintf(s.w, "%s\n", ep.ID)
	s.line("outcome", outcomeWord(ep.Outcome)+", "+safetyWord(ep.Safety))
	s.line("format", strings.TrimSpace(ep.Format+" "+ep.Version))
	s.line("from", ep.Origin.String())
	s.line("task id", ep.TaskID)
	s.line("group", ep.Group)
	s.line("agent", strings.TrimSpace(ep.Agent+" "+ep.Model))
	s.line("branched", ep.Parent)
	if n := len(ep.Tools); n > 0 {
		s.line("tools", excerpt(strings.Join(ep.Tools, ", "), 100, s.full))
	}
	if ep.TokensIn+ep.TokensOut > 0 {
		s.line("tokens", fmt.Sprintf("%d in, %d out", ep.TokensIn, ep.TokensOut))
	}
	for _, v := range ep.Verdicts {
		if v.Step < 0 {
			s.line("verdict", verdictText(v, s.full))
		}
	}
	s.block("task", ep.Task)
}

func verdictText(v corpora.Verdict, full bool) string {
	word := "no violation"
	if v.Unsafe {
		word = "UNSAFE"
	}
	if v.Detail != "" {
		word += ": " + excerpt(v.Detail, 100, full)
	}
	return word + " (" + v.Rule + ")"
}

func (s shower) line(name, value string) {
	if value != "" {
		fmt.Fprintf(s.w, "  %-9s %s\n", name, value)
	}
}

// block prints a text below its name, cut to a few lines unless full.
func (s shower) block(name, text string) {
	if text == "" {
		return
	}
	const lines = 6
	fmt.Fprintf(s.w, "  %s\n", name)
	n, at := 0, 0
	for l := range strings.Lines(text) {
		if n++; n > lines && !s.full {
			fmt.Fprintf(s.w, "    … %d more characters\n", utf8.RuneCountInString(text[at:]))
			return
		}
		at += len(l)
		fmt.Fprintf(s.w, "    %s\n", excerpt(strings.TrimRight(l, "\n"), 200, s.full))
	}
}

func (s shower) step(ep *corpora.Episode, i int) {
	st := &ep.Steps[i]
	fmt.Fprintf(s.w, "\n%3d ", i+1)
	if st.Actor != "" {
		fmt.Fprintf(s.w, "%s: ", st.Actor)
	}
	fmt.Fprintf(s.w, "%s %s%s\n", st.Tool, excerpt(st.Args, 160, s.full), statusText(st))
	if st.Heard != "" {
		s.block("the user said", st.Heard)
	}
	s.block("words", st.Text)
	if st.Error != st.Result || st.Error == "" {
		s.block("result", st.Result)
	}
	s.block("error", st.Error)
	if st.Stopped {
		s.line("stopped", "by the user")
	}
	s.change(st)
	for _, v := range ep.Verdicts {
		if v.Step == i {
			s.line("verdict", verdictText(v, s.full))
		}
	}
}

// change tells what a step changed, and whether the log shows it (observed) or
// only the call's action says so (nominal).
func (s shower) change(st *corpora.Step) {
	c := segment.ChangeOf(st)
	for _, d := range c.Deltas {
		s.line("change", deltaText(d))
	}
	if c.Sensitive {
		s.line("change", "none, but it read something sensitive: high-risk")
	}
	if len(c.Deltas) == 0 && c.Basis != segment.BasisNone {
		s.line("change", c.Coarse.String()+" ("+c.Basis.String()+")")
	}
}

func statusText(st *corpora.Step) string {
	var notes []string
	switch st.Status {
	case corpora.StatusBlocked:
		notes = append(notes, "BLOCKED by "+st.BlockedBy)
	case corpora.StatusUnknown:
		notes = append(notes, "no result in the log")
	}
	if st.HasExit {
		notes = append(notes, fmt.Sprintf("exit %d", st.ExitCode))
	}
	if st.Start != 0 && st.End > st.Start {
		notes = append(notes, time.Duration(st.End-st.Start).Round(time.Millisecond).String())
	}
	if st.Cwd != "" {
		notes = append(notes, "in "+st.Cwd)
	}
	if len(notes) == 0 {
		return ""
	}
	return "  [" + strings.Join(notes, ", ") + "]"
}

var deltaWords = [...]string{
	"none", "file created", "file changed", "file deleted", "process started", "tests run", "code run", "page opened", "submitted",
	"record changed", "sent out",
}

func deltaText(d corpora.Delta) string {
	words := deltaWords[0]
	if int(d.Kind) < len(deltaWords) {
		words = deltaWords[d.Kind]
	}
	if d.Resource != "" {
		words += " " + excerpt(d.Resource, 100, false)
	}
	if d.Size > 0 {
		words += fmt.Sprintf(", %d lines", d.Size)
	}
	if d.Observed {
		return words + " (observed)"
	}
	return words + " (nominal)"
}

// excerpt is a text on one line, cut to n characters unless full.
func excerpt(s string, n int, full bool) string {
	if full {
		return s
	}
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n]) + "…"
}
