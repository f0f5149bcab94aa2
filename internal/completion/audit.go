package completion

import (
	"context"
	"encoding/json"
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

// CheckError is a check that the host could not execute.
type CheckError struct {
	ID   string
	Line int
	Err  error
}

func (e *CheckError) Error() string { return fmt.Sprintf("check %s: %v", e.ID, e.Err) }
func (e *CheckError) Unwrap() error { return e.Err }

// tryRounds is how often the checks are executed where one of them wrote something: as
// often as at the end of a run (checkRounds of internal/runner).
const tryRounds = 3

// Try executes every check of a plan before anything is done, and says what is wrong
// with those that cannot be executed or pass there. Where one wrote something all are
// executed again, and none may pass then either: a check must not do the work. The caller
// takes back what they wrote. Its error is a CheckError.
func (p *Plan) Try(ctx context.Context, h Host) ([]Tried, []Problem, error) {
	var tried []Tried
	var out []Problem
	said, wrote := map[string]bool{}, false
	for round := range tryRounds {
		for _, c := range p.all() {
			k := c.Check()
			r, err := Execute(ctx, h, &k)
			if err != nil {
				return tried, out, &CheckError{c.ID, max(c.line, 1), err}
			}
			code, text := c.untouched(&r)
			if round == 0 {
				tried = append(tried, Tried{c.ID, r})
				wrote = wrote || r.Wrote
			} else if code = c.again(&r); code != "" {
				text = "passes once the checks have run before, with nothing else done: no check may do the work or note that it ran"
			}
			if code != "" && !said[c.ID] {
				said[c.ID] = true
				out = append(out, Problem{Line: max(c.line, 1), Code: code, Text: "check " + c.ID + " " + text, Check: c.ID})
			}
		}
		if !wrote {
			break
		}
	}
	return tried, out, nil
}

// TryEmpty executes the commands that are said to hold where there is nothing, and returns
// those that pass there too: nothing that was there can make them fail. A file that must
// not be there is said by file and absent, which can.
func (p *Plan) TryEmpty(ctx context.Context, h Host) ([]Problem, error) {
	var out []Problem
	for _, c := range p.all() {
		if !c.Holds || c.Command == "" {
			continue
		}
		k := c.Check()
		r, err := Execute(ctx, h, &k)
		if err != nil {
			return out, &CheckError{c.ID, max(c.line, 1), err}
		}
		if r.Passed {
			out = append(out, Problem{Line: max(c.line, 1), Code: "check-cannot-fail", Text: "check " + c.ID + " holds in an empty folder too: it looks at nothing that is there (of a file that must not be there say {\"file\": {\"path\": ..., \"absent\": true}})", Check: c.ID})
		}
	}
	return out, nil
}

// again is what is wrong with a check that was executed before.
func (c *PlanCheck) again(r *Result) (code string) {
	if r.Passed && !c.Holds && !c.Once {
		return "check-cannot-fail"
	}
	return ""
}

// Judge asks a guard about what every check executes, as the call that it would be, and
// returns those that it does not let pass without a question. Nothing is executed.
func (p *Plan) Judge(permits func(tool string, args []byte) (why string)) []Problem {
	var out []Problem
	for _, c := range p.all() {
		if why := permits(c.call()); why != "" {
			out = append(out, Problem{Line: max(c.line, 1), Code: "check-guarded", Text: "check " + c.ID + " is not executed, the guard does not let it pass: " + why, Check: c.ID})
		}
	}
	return out
}

// call is what executing a check does, as a call of a shell or of a tool that reads.
func (c *PlanCheck) call() (tool string, args []byte) {
	tool, key, value := "bash", "command", c.Command
	switch {
	case c.File != nil:
		tool, key, value = "read_file", "path", c.File.Path
	case c.Value != nil && c.Value.JSON != "":
		tool, key, value = "read_file", "path", c.Value.JSON
	case c.Value != nil:
		value = "printenv " + c.Value.Env
	}
	args, err := json.Marshal(map[string]string{key: value})
	if err != nil {
		panic("gbt: internal error: " + err.Error())
	}
	return tool, args
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
