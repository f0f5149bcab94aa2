package main

import (
	"context"
	"net/http"
	"os"
	"time"

	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/gates/content"
	"github.com/gbt-policy/gbt/internal/gates/content/openai"
	"github.com/gbt-policy/gbt/internal/gates/content/secrets"
	"github.com/gbt-policy/gbt/internal/redact"
)

// contentGate is a content gate with its name.
type contentGate struct {
	name string
	gate *content.Gate
}

// contentJSON is the record of a question, in answers and in the log.
type contentJSON struct {
	Classifier string   `json:"classifier"`
	Token      string   `json:"token"`
	OK         bool     `json:"ok"`
	Kinds      []string `json:"kinds,omitempty"`
	Model      string   `json:"model_digest"`
	Template   string   `json:"template_digest"`
	Excerpt    string   `json:"excerpt_digest"`
}

// newContentGate makes the gate that the settings name, or none.
func newContentGate(s *distill.ContentConfig) (*contentGate, error) {
	if s.Classifier == distill.ContentNone {
		return nil, nil
	}
	d, err := redact.New()
	if err != nil {
		return nil, err
	}
	if s.Classifier == distill.ContentSecrets {
		return &contentGate{s.Classifier, secrets.Gate(d)}, nil
	}
	timeout := time.Duration(s.Timeout) * time.Second
	return &contentGate{s.Classifier, &content.Gate{Redactor: d, Classifier: &openai.Classifier{
		URL: s.URL, Model: s.Model, Key: os.Getenv(s.KeyEnv), Client: &http.Client{Timeout: timeout},
	}}}, nil
}

// sealContent makes what a policy seals of the content gate that the
// configuration names.
func sealContent(s *distill.ContentConfig) error {
	g, err := newContentGate(s)
	if err != nil || g == nil {
		return err
	}
	s.Seal.Classifier = s.Classifier
	s.Seal.Answers, s.Seal.Template = g.gate.Digests()
	if s.Classifier == distill.ContentOpenAI {
		s.Seal.URL, s.Seal.Model, s.Seal.KeyEnv, s.Seal.Timeout = s.URL, s.Model, s.KeyEnv, uint32(s.Timeout)
	}
	return nil
}

// ask asks about a call that nothing has rejected yet, and tightens its decision.
func (g *contentGate) ask(ctx context.Context, c *gates.Context, d *gates.Decision) *contentJSON {
	if g == nil || d.Would == gates.Rejected {
		return nil
	}
	v := g.gate.Judge(ctx, c)
	if !v.Asked {
		return nil
	}
	if !v.OK {
		if d.Disposition == d.Would {
			d.Disposition = gates.Rejected
		}
		d.Would = gates.Rejected
		d.Object(gates.Reason{Rule: "content/" + g.name, Disposition: gates.Rejected, Effect: -1,
			Message: v.Why + ". Take it out, or ask the user to send it."})
	}
	return &contentJSON{Classifier: g.name, Token: v.Token, OK: v.OK, Kinds: v.Kinds, Model: v.Model, Template: v.Template, Excerpt: v.Excerpt}
}
