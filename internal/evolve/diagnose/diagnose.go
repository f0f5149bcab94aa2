// Package diagnose asks a model where a failed run went wrong, and what it should have
// done there. It is for whoever wants a second opinion beside package localise, which
// needs none.
//
// A Question holds the task and the names of the run's macros: no argument and no
// result. Task and names go through a redactor before they leave. What comes back is
// an Answer, of which nothing is believed: the caller holds it against the run and
// against what successes did (package evolve).
//
// A Model belongs to one caller at a time.
//
// What belongs here: the question as text, reading the answer, the digests of both.
// What never does: HTTP (internal/gates/content/openai), deciding whether an answer is
// any good (package evolve).
package diagnose

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Question is about one failed run.
type Question struct {
	Task    string
	Steps   []string // macros of the run, in order
	Instead []string // macros that successes like it did: the only ones to choose from
}

// Answer is the step that failed, from 1, and the macro to take in its place.
type Answer struct {
	Step    int    `json:"step"`
	Instead string `json:"instead"`
}

// Chat is a model that completes a prompt.
type Chat interface {
	Complete(ctx context.Context, prompt string, tokens int) (string, error)
	Digest() string
}

// Redactor takes secrets out of a text.
type Redactor interface{ Log(text string) string }

// Model asks a Chat.
type Model struct {
	Chat     Chat
	Redactor Redactor
}

// template is the question; its digest stands with every edit that rests on an answer.
const template = `A run of a software agent failed. Each step below is the kind of thing that the agent did.

Task: %s

Steps of the run:
%s
Runs on similar tasks that succeeded did these things, and you may choose only among them:
%s
Which step should have been something else, and what? Answer with one line of JSON and nothing else:
{"step": NUMBER, "instead": "NAME"}
If you cannot tell, answer {"step": 0, "instead": ""}
`

// Bounds on a question and its answer. A task is cut where the redactor would look no
// further; a list longer than that says little to a model.
const (
	maxTask   = 4 << 10
	maxList   = 200
	maxTokens = 100
)

// Digests name the model with its server, and the template.
func (m *Model) Digests() (model, asked string) {
	sum := sha256.Sum256([]byte(template))
	return m.Chat.Digest(), hex.EncodeToString(sum[:])
}

// Ask asks once. An error says that there is no answer, or none that can be read.
func (m *Model) Ask(ctx context.Context, q *Question) (Answer, error) {
	text, err := m.Chat.Complete(ctx, m.prompt(q), maxTokens)
	if err != nil {
		return Answer{}, fmt.Errorf("no answer: %w", err)
	}
	return read(text)
}

func (m *Model) prompt(q *Question) string {
	var steps, instead strings.Builder
	for i, s := range q.Steps[:min(len(q.Steps), maxList)] {
		fmt.Fprintf(&steps, "%d. %s\n", i+1, m.Redactor.Log(s))
	}
	for _, s := range q.Instead[:min(len(q.Instead), maxList)] {
		fmt.Fprintf(&instead, "- %s\n", m.Redactor.Log(s))
	}
	task := strings.Join(strings.Fields(m.Redactor.Log(strings.ToValidUTF8(q.Task[:min(len(q.Task), maxTask)], ""))), " ")
	return fmt.Sprintf(template, task, steps.String(), instead.String())
}

var errForm = errors.New("the answer is not the one line of JSON that was asked for")

// read takes the answer apart. Words around it are no fault, a second object or an
// unknown key is one.
func read(text string) (Answer, error) {
	from, to := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}')
	if from < 0 || to < from {
		return Answer{}, errForm
	}
	d := json.NewDecoder(strings.NewReader(text[from : to+1]))
	d.DisallowUnknownFields()
	var a Answer
	if d.Decode(&a) != nil || d.More() {
		return Answer{}, errForm
	}
	return a, nil
}
