package draft

import (
	"context"
	"fmt"
	"strings"

	"github.com/gbt-policy/gbt/internal/completion"
)

// Repairs is how often a model is told what is wrong with its plan, after the first
// answer: as often as a stopped call may be revised (requirement V6).
const Repairs = 3

// Chat is a model that completes a prompt. The schema is a wish: what does not follow it
// is refused here.
type Chat interface {
	CompleteAs(ctx context.Context, prompt string, tokens int, schema string) (string, error)
}

// Redactor takes secrets out of a text.
type Redactor interface{ Log(text string) string }

// Finding is one fault of a plan, at a line of its file.
type Finding struct {
	Line int
	Code string // stable
	Text string
}

// Drafter asks a model for plans.
type Drafter struct {
	Chat     Chat
	Redactor Redactor
	Name     string // of the model, for the file
	Tokens   int    // most of one answer; 0 for 2,048, some twenty states
	// Audit says what is wrong with a plan whose form is right. Its error ends the draft.
	Audit func(ctx context.Context, p *completion.Plan) ([]Finding, error)
}

// Result is what came of a draft.
type Result struct {
	// File is the plan's file; nil if no answer was a plan that can be read.
	File []byte
	Plan *completion.Plan
	// Findings are what is wrong with the last answer, or with File where there is one; none
	// if it is valid. The file of a plan with findings says so and is refused by
	// completion.Parse.
	Findings []Finding
	Asked    int // questions
}

// Valid says whether the draft is a plan like any other.
func (r *Result) Valid() bool { return r.File != nil && len(r.Findings) == 0 }

const defaultTokens = 2048

// Draft asks for a plan of a task. files are names of the workspace; more is how many
// there are beside them. An error says that the model or the audit could not be asked.
func (d *Drafter) Draft(ctx context.Context, task string, files []string, more int) (*Result, error) {
	tokens := d.Tokens
	if tokens <= 0 {
		tokens = defaultTokens
	}
	out := &Result{}
	question := d.question(task, files, more)
	prompt := question
	for try := 0; ; try++ {
		answer, err := d.Chat.CompleteAs(ctx, prompt, tokens, Schema)
		if err != nil {
			return nil, fmt.Errorf("no answer: %w", err)
		}
		out.Asked++
		p, data, findings := d.read(task, answer)
		if len(findings) == 0 {
			if findings, err = d.Audit(ctx, p); err != nil {
				return nil, err
			}
		}
		if out.Plan == nil || p != nil { // an answer that is no plan takes the place of none
			out.Plan, out.File, out.Findings = p, data, findings
		}
		if out.Valid() || try == Repairs {
			return out, d.mark(out)
		}
		prompt = question + d.repair(answer, findings)
	}
}

// mark writes what is wrong with a plan into its file.
func (d *Drafter) mark(r *Result) error {
	if r.Plan == nil || len(r.Findings) == 0 {
		return nil
	}
	marked := *r.Plan
	for _, f := range r.Findings {
		marked.Unfinished = append(marked.Unfinished, strings.ToValidUTF8(f.Code+": "+f.Text, ""))
	}
	data, err := encode(&marked)
	r.File = data
	return err
}
