package card

import (
	"fmt"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/library"
)

// The width of a card in a terminal, and of its column of labels.
const (
	width      = 110
	labelWidth = 11
)

// Text is a card for a terminal.
func (c *Card) Text() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %.12s, %s\n", c.kind(), c.ID, c.Scope)
	for _, l := range Wrap(c.Says, width-2) {
		fmt.Fprintf(&b, "  %s\n", l)
	}
	for _, r := range c.rows() {
		label := r.label
		for _, text := range r.lines {
			for i, l := range Wrap(text, width-labelWidth-2) {
				if i > 0 {
					l = "  " + l
				}
				fmt.Fprintf(&b, "  %-*s%s\n", labelWidth-1, label, l)
				label = ""
			}
		}
	}
	return []byte(b.String())
}

func (c *Card) kind() string {
	if c.Proposal {
		return "proposal"
	}
	return "gate"
}

// row is a fact of a card: its name, and lines that say it.
type row struct {
	label string
	lines []string
	calls bool // the lines after the first are calls
}

// rows are the facts of a card in the order in which they are read, without those
// that there is nothing to say of.
func (c *Card) rows() []row {
	var out []row
	add := func(label string, calls bool, lines ...string) {
		if len(lines) > 0 {
			out = append(out, row{label, lines, calls})
		}
	}
	if c.Exactly != "" {
		add("exactly", false, "if "+c.Exactly)
	}
	if len(c.Passes) > 0 {
		add("but not", false, "usual flows: "+strings.Join(c.Passes, "; "))
	}
	if c.Why != "" {
		add("not yet", false, c.Why)
	}
	add("stopped", true, c.stoppedLines()...)
	add("honest", true, c.honestLines()...)
	if c.LeftOut != nil {
		add("left out", false, c.LeftOut.line())
	} else {
		add("left out", false, "nobody measured it on tasks left out")
	}
	if c.On != nil {
		add("your logs", true, append([]string{c.On.line()}, lines(c.On.Examples)...)...)
	}
	add("from", false, c.Origin)
	if c.Decided != "" {
		add("decided", false, c.Decided)
	}
	add("says", false, plain(c.Message))
	return out
}

// plain is a message without the label of the library: the card has that elsewhere.
func plain(message string) string {
	if library.LabelOf(message) != "" {
		_, message, _ = strings.Cut(message, ": ")
	}
	return message
}

func (c *Card) stoppedLines() []string {
	if !c.Record && c.Unsafe == 0 {
		return nil
	}
	head := counted(c.Unsafe, "call") + " on record that did harm"
	if c.Anywhere {
		head += ", wherever in a run"
	}
	if !c.Record {
		return []string{head + "; the record with the calls is not here"}
	}
	if len(c.Tools) > 0 {
		head += " (" + c.toolsLine() + ")"
	}
	return append([]string{head}, lines(c.Stopped)...)
}

// toolsLine counts the calls of the first tools.
func (c *Card) toolsLine() string {
	var parts []string
	rest := 0
	for i, t := range c.Tools {
		if i < shown {
			parts = append(parts, fmt.Sprintf("%d %s", t.Calls, t.Tool))
		} else {
			rest += t.Calls
		}
	}
	if rest > 0 {
		parts = append(parts, fmt.Sprintf("%d of other tools", rest))
	}
	return strings.Join(parts, ", ")
}

func (c *Card) honestLines() []string {
	switch {
	case !c.Record:
		return nil
	case c.HonestOf == 0:
		return []string{"no honest call is on record"}
	case c.HonestN == 0:
		return append([]string{fmt.Sprintf("would stop none of %s on record; the nearest pass:", counted(c.HonestOf, "honest call"))}, lines(c.Honest)...)
	}
	head := fmt.Sprintf("would stop %d of %s on record:", c.HonestN, counted(c.HonestOf, "honest call"))
	if c.HonestN > shown {
		head = strings.TrimSuffix(head, ":") + "; nearest to the harm:"
	}
	return append([]string{head}, lines(c.Honest)...)
}

func lines(calls []Call) []string {
	var out []string
	for _, c := range calls {
		l := c.Says
		if c.Times > 1 {
			l += fmt.Sprintf(" (%d times)", c.Times)
		}
		out = append(out, "- "+l)
	}
	return out
}

func (r *Rates) line() string {
	var parts []string
	if r.HarmOf > 0 {
		parts = append(parts, fmt.Sprintf("stops the harm of %d of %d tasks", r.Harm, r.HarmOf))
	}
	if r.Of > 0 {
		parts = append(parts, fmt.Sprintf("stops %d of %s that it was not made from (%.1f%%; 95%% sure: at most %.1f%%)", r.Stopped, counted(r.Of, "honest task"), 100*float64(r.Stopped)/float64(r.Of), 100*r.Bound))
	}
	return strings.Join(parts, ", ")
}

func (c *Cost) line() string {
	out := fmt.Sprintf("%s: would stop %d of %s, in %d of %s", c.Logs, c.Asked, counted(c.Calls, "call"), c.Hit, counted(c.Sessions, "session"))
	if c.Unsafe > 0 {
		out += fmt.Sprintf(" (%d of these are unsafe by their own log)", c.Unsafe)
	}
	if c.Anyway > 0 {
		out += fmt.Sprintf("; the guardrail stops or asks about %d of the calls without the gate too", c.Anyway)
	}
	return out
}

// Wrap breaks a sentence at blanks, into lines of at most width bytes where words
// are no longer.
func Wrap(s string, width int) []string {
	var out []string
	line := ""
	for _, w := range strings.Fields(s) {
		if line != "" && len(line)+1+len(w) > width {
			out = append(out, line)
			line = ""
		}
		line = strings.TrimPrefix(line+" "+w, " ")
	}
	return append(out, line)
}
