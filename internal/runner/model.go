package runner

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
	"time"
)

// Model is an OpenAI-compatible chat completions endpoint.
type Model struct {
	URL     string // its base (http://host/v1) or the whole address
	Name    string
	Key     string        // bearer token; empty for none
	Timeout time.Duration // of one request; 0 for two minutes
	Tokens  int           // most tokens of one answer; 0 for 512
	Client  *http.Client  // nil for a plain one
	// Calls says how the model is brought to call tools.
	Calls Calls
}

// message is one chat message, as the endpoint and the record have it.
type message struct {
	Role    string     `json:"role"`
	Content string     `json:"content"`
	Calls   []toolCall `json:"tool_calls,omitempty"`
	CallID  string     `json:"tool_call_id,omitempty"`
	Error   *fault     `json:"error,omitempty"` // in the record alone
	short   bool       // the answer was as long as it may be
}

type toolCall struct {
	ID       string   `json:"id"`
	Type     string   `json:"type"`
	Function function `json:"function"`
}

type function struct {
	Name string `json:"name"`
	Args string `json:"arguments"`
}

// fault marks a call that did not run, in the form of Inspect's logs.
type fault struct {
	Type    string `json:"type"`
	Message string `json:"message"`
}

const (
	retries   = 3
	maxAnswer = 8 << 20 // bytes of an answer
)

var (
	// errTransient marks failures after which asking again may help.
	errTransient = errors.New("transient")
	// errRefused marks requests that the endpoint does not take as they are.
	errRefused = errors.New("refused")
)

// free are the fields of a request for calls as the model makes them.
func (m *Model) free() map[string]any {
	choice := "auto"
	if m.Calls == CallsRequired {
		choice = "required"
	}
	return map[string]any{"tools": declared(allTools(), true), "tool_choice": choice}
}

// chat asks for one answer, at temperature 0.
func (m *Model) chat(ctx context.Context, messages []message, fields map[string]any) (message, int64, error) {
	limit := m.Tokens
	if limit <= 0 {
		limit = 512
	}
	all := map[string]any{"model": m.Name, "messages": messages, "temperature": 0, "seed": 0, "max_tokens": limit}
	maps.Copy(all, fields)
	body, err := json.Marshal(all)
	if err != nil {
		return message{}, 0, err
	}
	wait := 250 * time.Millisecond
	for try := 0; ; try++ {
		reply, tokens, err := m.post(ctx, body)
		if err == nil || !errors.Is(err, errTransient) || try == retries || ctx.Err() != nil {
			return reply, tokens, err
		}
		select {
		case <-ctx.Done():
			return message{}, 0, ctx.Err()
		case <-time.After(wait):
		}
		wait *= 2
	}
}

func (m *Model) address() string {
	if strings.HasSuffix(m.URL, "/chat/completions") {
		return m.URL
	}
	return strings.TrimSuffix(m.URL, "/") + "/chat/completions"
}

func (m *Model) post(ctx context.Context, body []byte) (message, int64, error) {
	timeout, client := m.Timeout, m.Client
	if timeout <= 0 {
		timeout = 2 * time.Minute
	}
	if client == nil {
		client = http.DefaultClient
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, m.address(), bytes.NewReader(body))
	if err != nil {
		return message{}, 0, err
	}
	req.Header.Set("Content-Type", "application/json")
	if m.Key != "" {
		req.Header.Set("Authorization", "Bearer "+m.Key)
	}
	res, err := client.Do(req)
	if err != nil {
		return message{}, 0, fmt.Errorf("the model at %s: %w (%w)", m.URL, err, errTransient)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	switch {
	case err != nil:
		return message{}, 0, fmt.Errorf("the model at %s: %w (%w)", m.URL, err, errTransient)
	case len(data) > maxAnswer:
		return message{}, 0, fmt.Errorf("the model at %s answers with more than %d bytes", m.URL, maxAnswer)
	case res.StatusCode == http.StatusNotImplemented || res.StatusCode == http.StatusInternalServerError && bytes.Contains(data, []byte("tools param")):
		// llama.cpp's server says so of tools where it has no template for them.
		return message{}, 0, fmt.Errorf("the model at %s: %s: %.200q (%w)", m.URL, res.Status, data, errRefused)
	case res.StatusCode == http.StatusTooManyRequests || res.StatusCode >= 500:
		return message{}, 0, fmt.Errorf("the model at %s: %s: %.200q (%w)", m.URL, res.Status, data, errTransient)
	case res.StatusCode != http.StatusOK && res.StatusCode != http.StatusUnauthorized && res.StatusCode != http.StatusForbidden:
		return message{}, 0, fmt.Errorf("the model at %s: %s: %.200q (%w)", m.URL, res.Status, data, errRefused)
	case res.StatusCode != http.StatusOK:
		return message{}, 0, fmt.Errorf("the model at %s: %s: %.200q", m.URL, res.Status, data)
	}
	return decodeReply(data)
}

// decodeReply reads an answer. What local servers leave out is filled in.
func decodeReply(data []byte) (message, int64, error) {
	var in struct {
		Choices []struct {
			Message struct {
				Content *string    `json:"content"`
				Calls   []toolCall `json:"tool_calls"`
			} `json:"message"`
			Finish string `json:"finish_reason"`
		} `json:"choices"`
		Usage struct {
			Total int64 `json:"total_tokens"`
		} `json:"usage"`
	}
	if err := json.Unmarshal(data, &in); err != nil {
		return message{}, 0, fmt.Errorf("the model's answer is no chat completion: %w", err)
	}
	if len(in.Choices) == 0 {
		return message{}, 0, errors.New("the model's answer has no choices")
	}
	out := message{Role: "assistant", Calls: in.Choices[0].Message.Calls, short: in.Choices[0].Finish == "length"}
	if c := in.Choices[0].Message.Content; c != nil {
		out.Content = strings.ToValidUTF8(*c, "\uFFFD")
	}
	return out, max(in.Usage.Total, 0), nil
}
