// Package openai asks a server that speaks the OpenAI chat completions protocol
// (OpenAI, vLLM, llama.cpp, Ollama and others) for a content verdict.
//
// It speaks HTTP itself: the one request it makes is thirty lines, and
// openai-go's init takes 4 ms of every start of the command line, which would
// carry it whether or not a server is asked.
//
// Complete asks the same server other questions: package internal/gates/learn/model does.
//
// Temperature is 0 and the answer is bounded; what the server says is validated
// by package content, which blocks whatever is not one of its two tokens. Tests
// replay cassettes; see Cassette.
//
// What belongs here: the request, the answer and the cassette. What never does:
// what is asked and what an answer means (package content, package model), and
// keys: the caller reads them.
package openai

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/content"
)

// Classifier is a model behind a server.
type Classifier struct {
	URL    string       // of the API, "https://api.openai.com/v1" for example
	Model  string       // pinned: a name that the server moves is not frozen
	Key    string       // sent as a bearer token if not empty
	Client *http.Client // its timeout is the gate's; nil for http.DefaultClient
}

// request is the body of POST /chat/completions; keys in this order.
type request struct {
	Model       string    `json:"model"`
	Messages    []message `json:"messages"`
	Temperature int       `json:"temperature"`
	MaxTokens   int       `json:"max_tokens"`
	Seed        int       `json:"seed"`
	Format      *format   `json:"response_format,omitempty"`
}

// format asks for an answer of a form (response_format of OpenAI's API; llama.cpp, vLLM,
// LM Studio and Ollama have it too).
type format struct {
	Type   string `json:"type"`
	Schema struct {
		Name   string          `json:"name"`
		Schema json.RawMessage `json:"schema"`
	} `json:"json_schema"`
}

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// maxAnswer bounds what is read of an answer; maxTokens what is generated: one
// of the two words is at most four tokens in common vocabularies.
const (
	maxAnswer = 1 << 20
	maxTokens = 8
)

// Digest names the model and its server.
func (c *Classifier) Digest() string {
	sum := sha256.Sum256([]byte("openai\x00" + c.URL + "\x00" + c.Model))
	return hex.EncodeToString(sum[:])
}

// Classify asks the server once. There is no second attempt: a gate that cannot
// ask blocks, and whoever runs it may try the call again.
func (c *Classifier) Classify(ctx context.Context, r content.Request) (string, error) {
	return c.Complete(ctx, r.Prompt, maxTokens)
}

// Complete asks the server once, at temperature 0 and for at most so many tokens,
// and returns what the model says. It is for other questions than a verdict.
func (c *Classifier) Complete(ctx context.Context, prompt string, tokens int) (string, error) {
	text, _, err := c.ask(ctx, request{Model: c.Model, Messages: []message{{Role: "user", Content: prompt}}, MaxTokens: tokens, Seed: 1})
	return text, err
}

// CompleteAs is Complete for an answer in the form of a JSON schema. A server that refuses
// a request with one (400, 422 or 501) is asked again without: the caller has to read
// strictly in any case.
func (c *Classifier) CompleteAs(ctx context.Context, prompt string, tokens int, schema string) (string, error) {
	r := request{Model: c.Model, Messages: []message{{Role: "user", Content: prompt}}, MaxTokens: tokens, Seed: 1, Format: &format{Type: "json_schema"}}
	r.Format.Schema.Name, r.Format.Schema.Schema = "answer", json.RawMessage(schema)
	text, status, err := c.ask(ctx, r)
	if err != nil && (status == http.StatusBadRequest || status == http.StatusUnprocessableEntity || status == http.StatusNotImplemented) {
		return c.Complete(ctx, prompt, tokens)
	}
	return text, err
}

// ask sends one request. status is that of the answer, 0 for none.
func (c *Classifier) ask(ctx context.Context, r request) (text string, status int, err error) {
	body, err := json.Marshal(r)
	if err != nil {
		return "", 0, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimSuffix(c.URL, "/")+"/chat/completions", bytes.NewReader(body))
	if err != nil {
		return "", 0, err
	}
	req.Header.Set("Content-Type", "application/json")
	if c.Key != "" {
		req.Header.Set("Authorization", "Bearer "+c.Key)
	}
	client := c.Client
	if client == nil {
		client = http.DefaultClient
	}
	res, err := client.Do(req)
	if err != nil {
		return "", 0, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return "", res.StatusCode, fmt.Errorf("server answers %s", res.Status)
	}
	text, err = answerIn(io.LimitReader(res.Body, maxAnswer))
	return text, res.StatusCode, err
}

func answerIn(r io.Reader) (string, error) {
	var out struct {
		Choices []struct {
			Message message `json:"message"`
		} `json:"choices"`
	}
	if err := json.NewDecoder(r).Decode(&out); err != nil {
		return "", fmt.Errorf("answer is no completion: %w", err)
	}
	if len(out.Choices) != 1 {
		return "", errors.New("answer has no single choice")
	}
	return out.Choices[0].Message.Content, nil
}
