// Package opinion asks a model what it thinks of a plan: one line, PASS or FAIL with a
// reason (requirement H4; 000 §A.2-A.3). An answer of any other form is a FAIL.
//
// Nothing rests on it. Whoever asks has audited the plan before, decides by that, and shows
// the opinion to a person.
//
// What belongs here: the question and how its answer is read. What never does: what a plan
// must be (package completion), and the model's server (package openai).
package opinion

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/gbt-policy/gbt/internal/completion"
)

// Model completes a prompt in at most so many tokens.
type Model interface {
	Complete(ctx context.Context, prompt string, tokens int) (string, error)
}

// Redactor takes secrets out of a text.
type Redactor interface{ Log(text string) string }

// Opinion is what a model said of a plan.
type Opinion struct {
	Model  string `json:"model"`
	Pass   bool   `json:"pass"`
	Reason string `json:"reason,omitempty"` // always with a FAIL
}

// Bounds in bytes: of the task and of the plan in the question, and of a line that is read.
// An answer is a sentence, and 120 tokens are four of them.
const (
	maxTask   = 16 << 10
	maxPlan   = 32 << 10
	maxLine   = 600
	maxTokens = 120
)

const question = `Below are a task and what is checked once it is said to be done. Would any run that passes these checks have done the task?

Answer with one line and nothing else: "PASS: reason", or "FAIL: reason" with what could be missing.

The task:
%s

The checks, one a line:
%s`

// Ask asks for an opinion. The error is of a model that could not be asked.
func Ask(ctx context.Context, m Model, name string, r Redactor, task string, p *completion.Plan) (Opinion, error) {
	var checks strings.Builder
	for _, c := range p.Checks() {
		c.Reads = "" // what scripts hold is not the plan's
		line, err := json.Marshal(c)
		if err != nil {
			return Opinion{}, err
		}
		checks.Write(append(line, '\n'))
	}
	answer, err := m.Complete(ctx, fmt.Sprintf(question, r.Log(clip(task, maxTask)), r.Log(clip(checks.String(), maxPlan))), maxTokens)
	if err != nil {
		return Opinion{}, err
	}
	out := Read(answer)
	out.Model, out.Reason = name, r.Log(out.Reason)
	return out, nil
}

// Read reads an answer: one line, PASS or PASS: REASON or FAIL: REASON. Whatever else
// comes is a FAIL that says so.
func Read(answer string) Opinion {
	line := strings.TrimSuffix(strings.TrimSuffix(answer, "\n"), "\r")
	word, reason, colon := strings.Cut(line, ":")
	reason = strings.TrimSpace(reason)
	switch {
	case line == "":
		return Opinion{Reason: "the answer is empty"}
	case len(line) > maxLine || !utf8.ValidString(line) || strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\u2028' || r == '\u2029' }):
		return Opinion{Reason: "the answer is not one short line"}
	case word == "PASS" && (!colon || reason != ""):
		return Opinion{Pass: true, Reason: reason}
	case word == "FAIL" && reason != "":
		return Opinion{Reason: reason}
	}
	return Opinion{Reason: "the answer is neither PASS nor FAIL with a reason"}
}

// clip bounds a text in bytes without cutting a character.
func clip(s string, n int) string { return strings.ToValidUTF8(s[:min(len(s), n)], "") }
