// Package model asks a model to propose gates for unsafe calls that the learner
// found none for. It is optional and off by default: a proposal goes through the
// same acceptance as the learner's own, and what does not stand the tests of
// requirements G4 and G6 stays a proposal.
//
// A Proposer asks one question for each tool with open positives, at temperature
// 0, over a fixed template whose digest is recorded. The model sees structured
// fields of redacted contexts and nothing else: no task, no message, no result,
// and of values only digests. It answers with expressions of the gate language;
// an answer that is none costs itself and is listed in the Report.
//
// With the same answers, from a cassette for example, the proposals are the same.
// A Proposer belongs to one caller at a time.
//
// What belongs here: the question, its template, and reading its answer. What
// never does: acceptance (package learn), the connection
// (internal/gates/content/openai), and free text out of logs.
package model

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/learn"
)

// Chat is a frozen model behind a server.
type Chat interface {
	Digest() string // of the model and its server
	Complete(ctx context.Context, prompt string, tokens int) (string, error)
}

// Redactor replaces secrets in a text.
type Redactor interface {
	Redact(text string) string
}

// Proposer asks for gates.
type Proposer struct {
	Chat      Chat
	Name      string   // of the model, for people
	Redactor  Redactor // nil: the contexts are redacted as corpora are, and no more
	Questions int      // at most; 8 if not positive
}

// The bounds of a question and of an answer.
const (
	defaultQuestions = 8
	maxPositives     = 4
	maxNegatives     = 6
	maxTokens        = 1024
	maxAnswer        = 1 << 14
	maxGates         = 3
	maxExpr          = 4096
	maxMacros        = 3
)

// Report says what came of asking.
type Report struct {
	Model    string   `json:"model"`
	Digest   string   `json:"model_digest"`
	Template string   `json:"template_digest"`
	Answers  []Answer `json:"answers"`
}

// Answer is what became of one question.
type Answer struct {
	Tool      string `json:"tool"`
	Question  string `json:"question_digest"`
	Positives int    `json:"positives"` // that the gate must stop
	Proposed  int    `json:"proposed"`  // expressions
	Problem   string `json:"problem,omitempty"`
}

// TemplateDigest names the template.
func TemplateDigest() string { return digest(Template) }

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// Propose asks for gates that stop the open positives.
func (p *Proposer) Propose(ctx context.Context, open []learn.Example, ex *learn.Examples) ([]learn.Proposal, *Report) {
	r := &Report{Model: p.Name, Digest: p.Chat.Digest(), Template: TemplateDigest(), Answers: []Answer{}}
	var out []learn.Proposal
	for _, q := range p.questions(open, ex) {
		exprs, err := p.ask(ctx, q.prompt)
		a := Answer{Tool: q.tool, Question: digest(q.prompt), Positives: len(q.positives), Proposed: len(exprs)}
		if err != nil {
			a.Problem = err.Error()
		}
		r.Answers = append(r.Answers, a)
		for _, e := range exprs {
			out = append(out, p.proposals(e, &q)...)
		}
	}
	for i := range out {
		out[i].Tried = len(out) // the best of so many may be good by chance
	}
	return out, r
}

// question is one tool's open positives.
type question struct {
	tool      string
	positives []*learn.Example
	prompt    string
}

// questions groups the positives by tool, those of most tasks first.
func (p *Proposer) questions(open []learn.Example, ex *learn.Examples) []question {
	by := map[string]*question{}
	tasks := map[string]map[string]bool{}
	for i := range open {
		tool := open[i].Context.ToolName()
		if by[tool] == nil {
			by[tool], tasks[tool] = &question{tool: tool}, map[string]bool{}
		}
		by[tool].positives = append(by[tool].positives, &open[i])
		for _, t := range open[i].Tasks {
			tasks[tool][t] = true
		}
	}
	tools := slices.SortedFunc(maps.Keys(by), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(tasks[b]), len(tasks[a])), cmp.Compare(a, b))
	})
	limit := p.Questions
	if limit <= 0 {
		limit = defaultQuestions
	}
	var out []question
	for _, tool := range tools[:min(len(tools), limit)] {
		q := by[tool]
		q.prompt = p.prompt(q, ex)
		out = append(out, *q)
	}
	return out
}

func (p *Proposer) ask(ctx context.Context, prompt string) ([]string, error) {
	text, err := p.Chat.Complete(ctx, prompt, maxTokens)
	if err != nil {
		return nil, fmt.Errorf("no answer: %w", err)
	}
	return parseAnswer(text)
}

// parseAnswer takes {"gates": [{"expr": "..."}]}, alone or in a fence, and
// nothing else.
func parseAnswer(text string) ([]string, error) {
	if len(text) > maxAnswer {
		return nil, fmt.Errorf("an answer of %d bytes, at most %d", len(text), maxAnswer)
	}
	text = strings.TrimSpace(text)
	if rest, ok := strings.CutPrefix(text, "```json"); ok {
		text = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "```"))
	}
	var a struct {
		Gates []struct {
			Expr string `json:"expr"`
		} `json:"gates"`
	}
	dec := json.NewDecoder(strings.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&a); err != nil {
		return nil, fmt.Errorf("the answer is not what was asked for: %w", err)
	}
	if dec.More() {
		return nil, errors.New("the answer goes on after its object")
	}
	if len(a.Gates) == 0 || len(a.Gates) > maxGates {
		return nil, fmt.Errorf("%d gates, from 1 to %d are asked for", len(a.Gates), maxGates)
	}
	var out []string
	for _, g := range a.Gates {
		if g.Expr == "" || len(g.Expr) > maxExpr {
			return nil, fmt.Errorf("an expression of %d bytes, from 1 to %d are asked for", len(g.Expr), maxExpr)
		}
		out = append(out, g.Expr)
	}
	return out, nil
}

// proposals suggest an expression everywhere, and at the macros where it
// happened. The words of a model are told to nobody: the message is fixed, and
// names who proposed the gate, so that the policy says it.
func (p *Proposer) proposals(expr string, q *question) []learn.Proposal {
	made := learn.Proposal{
		Scope: learn.ScopeGlobal, Expr: expr, By: "model " + p.Name, Bits: 8 * len(expr), Must: ids(q.positives, ""),
		Message: fmt.Sprintf("calls like this one did harm before: find another way, or ask (gate proposed by model %s %.12s, template %.12s)", p.Name, p.Chat.Digest(), TemplateDigest()),
	}
	out := []learn.Proposal{made}
	macros := map[string]bool{}
	for _, e := range q.positives {
		macros[e.Macro] = true
	}
	for i, m := range slices.Sorted(maps.Keys(macros)) {
		if i < maxMacros {
			at := made
			at.Scope, at.Macro, at.Must = learn.ScopeNode, m, ids(q.positives, m)
			out = append(out, at)
		}
	}
	return out
}

// ids are those of the positives at a macro, or of all.
func ids(list []*learn.Example, macro string) []string {
	var out []string
	for _, e := range list {
		if macro == "" || e.Macro == macro {
			out = append(out, e.ID)
		}
	}
	slices.Sort(out)
	return out
}
