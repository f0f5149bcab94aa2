// Package clauses asks a model which rules the sentences of a task are that
// traverse.Constraints did not understand. It is optional and off by default.
//
// An Asker asks one question about all of them. What it takes of the answer are rules in
// the form that a task has in any case: read strictly, checked as every rule is, held
// against the words of their sentence (asking for less than they forbid, an amount above
// theirs or another path is refused), and marked with the model's name. A rule only ever
// rejects or asks, so no answer lets a call pass that passed before. Sentences of which
// nothing was taken stay with those that were not understood.
//
// The sentences go through a Redactor before they leave. An Asker belongs to one caller at
// a time.
//
// What belongs here: the question and reading its answer. What never does: the form of
// rules (internal/traverse/constraint), deciding on calls (package traverse), HTTP
// (internal/gates/content/openai).
package clauses

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/traverse"
)

// Chat is a model that completes a prompt. The schema is a wish.
type Chat interface {
	CompleteAs(ctx context.Context, prompt string, tokens int, schema string) (string, error)
}

// Redactor takes secrets out of a text.
type Redactor interface{ Log(text string) string }

// Asker asks a model.
type Asker struct {
	Chat     Chat
	Redactor Redactor
	Name     string // of the model, for the rules
}

// Heard is what came of a question.
type Heard struct {
	Rules   []traverse.Constraint // proposed, and sound
	Refused []string              // what else was proposed, and why it is no rule
	Unread  []string              // sentences that nothing was taken of
}

// Bounds on a question and its answer: more sentences than that stay unread, and each may
// become as many rules as there are things to forbid.
const (
	maxSentences = 32
	maxSentence  = 500 // bytes
	maxRules     = 64
	maxTokens    = 1024
	maxAnswer    = 16 << 10
)

const template = `Each sentence below is from a task that is given to a software agent. It limits what the agent may do, in words that a program did not understand. Say which of the agent's actions it forbids.

Answer with one JSON object and nothing else: {"rules": [...]}. A rule is {"sentence": ITS NUMBER, "does": ONE OF delete, change, send, network, install, push, commit, run, spend}, with these fields where the sentence says so:
"asks": true if the agent may do it after it has asked
"path": the file or folder that must not be deleted or changed, as the sentence writes it
"only": true if nothing but that path may be deleted or changed
"most": the amount that may be spent, in digits
A sentence that is about none of these, or about what a program does that is to be written, has no rule. If none has one, answer {"rules": []}.

`

// schema is the form of an answer.
const schema = `{"type":"object","properties":{"rules":{"type":"array","items":{"type":"object","properties":{"sentence":{"type":"integer"},` +
	`"does":{"type":"string","enum":["delete","change","send","network","install","push","commit","run","spend"]},` +
	`"asks":{"type":"boolean"},"path":{"type":"string"},"only":{"type":"boolean"},"most":{"type":"string"}},"required":["sentence","does"],"additionalProperties":false}}},` +
	`"required":["rules"],"additionalProperties":false}`

// proposal is a rule as the model writes it.
type proposal struct {
	Sentence int    `json:"sentence"` // from 1
	Does     string `json:"does"`
	Asks     bool   `json:"asks"`
	Path     string `json:"path"`
	Only     bool   `json:"only"`
	Most     string `json:"most"`
}

// Ask asks about sentences that were not understood. An error says that there was no
// answer; one that cannot be read is refused, and the sentences stay unread.
func (a *Asker) Ask(ctx context.Context, unread []string) (Heard, error) {
	asked := unread[:min(len(unread), maxSentences)]
	if len(asked) == 0 {
		return Heard{}, nil
	}
	answer, err := a.Chat.CompleteAs(ctx, a.question(asked), maxTokens, schema)
	if err != nil {
		return Heard{Unread: unread}, fmt.Errorf("no answer: %w", err)
	}
	var out Heard
	list, err := read(answer)
	if err != nil {
		out.Refused = []string{"the answer: " + err.Error()}
	}
	for _, p := range list {
		r, err := a.rule(&p, asked)
		switch {
		case err != nil:
			out.Refused = append(out.Refused, fmt.Sprintf("%q for sentence %d: %v", p.Does, p.Sentence, err))
		case !slices.Contains(out.Rules, r):
			out.Rules = append(out.Rules, r)
		}
	}
	for _, s := range unread {
		if !slices.ContainsFunc(out.Rules, func(r traverse.Constraint) bool { return r.Text == s }) {
			out.Unread = append(out.Unread, s)
		}
	}
	return out, nil
}

func (a *Asker) question(sentences []string) string {
	var b strings.Builder
	b.WriteString(template)
	for i, s := range sentences {
		s = strings.ToValidUTF8(s[:min(len(s), maxSentence)], "")
		fmt.Fprintf(&b, "%d. %s\n", i+1, strings.Join(strings.Fields(a.Redactor.Log(s)), " "))
	}
	return b.String()
}

// rule is a proposal as a task's rule, if it is one.
func (a *Asker) rule(p *proposal, sentences []string) (traverse.Constraint, error) {
	if p.Sentence < 1 || p.Sentence > len(sentences) {
		return traverse.Constraint{}, errors.New("there is no such sentence")
	}
	s := sentences[p.Sentence-1]
	r := traverse.Constraint{Does: p.Does, Asks: p.Asks, Path: p.Path, Only: p.Only, Most: p.Most, Text: s, By: a.Name}
	if err := r.Check(); err != nil {
		return r, err
	}
	return r, r.Grounded(s)
}

// read takes {"rules": [...]}, alone or in a fence, and nothing else.
func read(answer string) ([]proposal, error) {
	text := strings.TrimSpace(answer)
	if len(text) > maxAnswer {
		return nil, fmt.Errorf("%d bytes, at most %d are read", len(text), maxAnswer)
	}
	if rest, ok := strings.CutPrefix(text, "```json\n"); ok {
		text = strings.TrimSuffix(rest, "```")
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	var in struct {
		Rules []proposal `json:"rules"`
	}
	if err := d.Decode(&in); err != nil {
		return nil, fmt.Errorf("it is not what was asked for: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("it goes on after its object")
	}
	if len(in.Rules) > maxRules {
		return nil, fmt.Errorf("%d rules, at most %d are taken", len(in.Rules), maxRules)
	}
	return in.Rules, nil
}
