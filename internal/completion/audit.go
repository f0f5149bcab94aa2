package completion

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/traverse/cover"
	"github.com/gbt-policy/gbt/traverse"
)

// Tried is what came of a check on what is untouched.
type Tried struct {
	ID     string
	Result Result
}

// Try executes every check of a plan before anything is done, and says what is wrong
// with those that cannot be executed or pass there. The caller takes back what they wrote.
func (p *Plan) Try(ctx context.Context, h Host) ([]Tried, []Problem, error) {
	var tried []Tried
	var out []Problem
	for _, c := range p.all() {
		k := c.Check()
		r, err := Execute(ctx, h, &k)
		if err != nil {
			return tried, out, err
		}
		tried = append(tried, Tried{c.ID, r})
		if code, text := c.untouched(&r); code != "" {
			out = append(out, Problem{Line: max(c.line, 1), Code: code, Text: "check " + c.ID + " " + text, Check: c.ID})
		}
	}
	return tried, out, nil
}

// untouched says what a result on what is untouched means for a check.
func (c *PlanCheck) untouched(r *Result) (code, text string) {
	switch {
	case r.Missing && !strings.Contains(firstWord(c.Command), "/"):
		return "check-not-executable", "cannot be executed here: " + firstLine(r.Text)
	case c.Holds && !r.Passed:
		return "check-does-not-hold", "is said to hold and does not: " + r.Why
	case !c.Holds && !c.Once && r.Passed:
		return "check-cannot-fail", "passes before anything is done: it cannot tell whether the task was carried out (say holds: true if it is to stay so)"
	}
	return "", ""
}

func firstWord(s string) string {
	if f := strings.Fields(s); len(f) > 0 {
		return f[0]
	}
	return ""
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return Head(line)
}

// Audit says what of a task's text no check would fail without. void says of a check
// that it passes before anything is done; nil where nobody tried.
func Audit(task string, checks []traverse.Check, void func(id string) bool) []traverse.Gap {
	return traverse.Gaps(&traverse.Task{Text: task, Checks: checks}, void)
}

// maxReads bounds what is read of the files that one check starts.
const maxReads = 64 << 10

// WithReads gives a task's checks what the files that they start and that judge the run
// hold now, before anything is done. What those try counts in the audit.
func WithReads(ctx context.Context, h Host, t *traverse.Task, names []string) ([]traverse.Check, error) {
	out := slices.Clone(t.Checks)
	judges := JudgesOf(t, nil, nil)
	slices.Sort(names)
	for i := range out {
		c := &out[i]
		if c.File != nil || c.Value != nil {
			continue
		}
		text := spaced(cover.Read(c.Text).Text)
		for _, name := range names {
			if !mentions(text, name) || !judges.Judges(name) {
				continue
			}
			data, err := h.ReadFile(ctx, name)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return nil, fmt.Errorf("read %s: %w", name, err)
			}
			c.Reads = clipped(c.Reads+"\n"+string(data), maxReads)
		}
	}
	return out, nil
}

func clipped(s string, n int) string { return strings.ToValidUTF8(s[:min(len(s), n)], "") }
