package traverse

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
)

// notes is what is kept of the calls of the macro under way and the one before
// it, to show the executor: extracts of results and the messages of gates, and
// the identifiers that must reach it unchanged. Its size is bounded.
type notes struct {
	Notes   []string `json:"notes,omitempty"`
	Before  []string `json:"before,omitempty"`
	Paths   []string `json:"paths,omitempty"`
	Domains []string `json:"domains,omitempty"`
	Pids    []int    `json:"pids,omitempty"`
}

// begin turns to a new macro. What the last one met is shown until then.
func (m *notes) begin() {
	if len(m.Notes) > 0 {
		m.Before, m.Notes = m.Notes, nil
	}
}

// bullets is the node-local summary: the macro under way, else the last one.
func (m *notes) bullets() []string {
	notes := m.Notes
	if len(notes) == 0 {
		notes = m.Before
	}
	left := summaryTokens
	var out []string
	for i := len(notes) - 1; i >= 0; i-- {
		if left -= tokens(notes[i]); left < 0 {
			break
		}
		out = append(out, notes[i])
	}
	slices.Reverse(out)
	return out
}

func (m *notes) note(text string) {
	if text = clip(text, bulletTokens); text != "" {
		m.Notes = last(append(m.Notes, text), maxBullets)
	}
}

// blocked notes why a call may not run, in the words of the gates.
func (m *notes) blocked(a *Answer) {
	for _, r := range a.Reasons {
		if r.Disposition == a.Disposition {
			m.note(a.Context.Tool + ": " + a.Disposition.String() + ": " + r.Message)
			return
		}
	}
	m.note(a.Context.Tool + ": " + a.Disposition.String())
}

// observed notes what a call met: its error, else the line of its output that
// says most by being the first, and the identifiers it touched.
func (m *notes) observed(ctx *gates.Context, c *Call, r *Result) {
	switch line := firstLine(r.Output); {
	case r.Error != "":
		m.note(c.Tool + " failed: " + r.Error)
	case line != "":
		m.note(c.Tool + ": " + line)
	}
	for i := range ctx.Effects {
		e := &ctx.Effects[i]
		switch {
		case e.Net.Domain != "":
			m.Domains = fact(m.Domains, e.Net.Domain)
		case e.Kind == effect.Read || e.Kind == effect.Write || e.Kind == effect.Delete:
			if strings.HasPrefix(e.Resource, "/") {
				m.Paths = fact(m.Paths, e.Resource)
			}
		}
	}
	for _, p := range r.Pids {
		m.Pids = last(append(slices.DeleteFunc(m.Pids, func(x int) bool { return x == p }), p), maxFacts)
	}
}

// fact keeps the newest distinct identifiers, whole.
func fact(list []string, x string) []string {
	if len(x) > factBytes {
		return list
	}
	list = slices.DeleteFunc(list, func(y string) bool { return y == x })
	return last(append(list, x), maxFacts)
}

// firstLine is the first line of an output that holds a letter or digit.
func firstLine(out []byte) string {
	text := string(out[:min(len(out), 4<<10)])
	for _, line := range strings.Split(text, "\n") {
		if strings.ContainsFunc(line, func(r rune) bool {
			return r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r >= 0x80
		}) {
			return line
		}
	}
	return ""
}

func itoa(n int) string { return strconv.Itoa(n) }
