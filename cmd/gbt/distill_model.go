package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/internal/gates/content/openai"
	"github.com/gbt-policy/gbt/internal/gates/learn/model"
	"github.com/gbt-policy/gbt/internal/redact"
)

// proposer is the model that is asked for gates, and the file that its answers
// are kept in.
type proposer struct {
	asks     *model.Proposer
	file     string // empty for none
	cassette *openai.Cassette
	recorded int // exchanges that the file holds already
}

// newProposer makes the proposer that the settings name, nil for none.
func newProposer(s *distill.ProposerConfig, dir string) (*proposer, error) {
	if s.Kind == distill.ProposerNone {
		return nil, nil
	}
	d, err := redact.New()
	if err != nil {
		return nil, err
	}
	p := &proposer{}
	client := &http.Client{Timeout: time.Duration(s.Timeout) * time.Second}
	if s.Cassette != "" {
		if p.file = s.Cassette; !filepath.IsAbs(p.file) {
			p.file = filepath.Join(dir, p.file)
		}
		if err := p.open(); err != nil {
			return nil, err
		}
		client.Transport = p.cassette
	}
	p.asks = &model.Proposer{Name: s.Model, Redactor: d, Questions: s.Questions,
		Chat: &openai.Classifier{URL: s.URL, Model: s.Model, Key: os.Getenv(s.KeyEnv), Client: client}}
	return p, nil
}

// open reads the answers that were kept, if there are any.
func (p *proposer) open() error {
	p.cassette = &openai.Cassette{}
	data, err := os.ReadFile(p.file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return fail(exitInput, "%v", err)
	default:
		if p.cassette, err = openai.ReadCassette(data); err != nil {
			return fail(exitInput, "%s: %v", p.file, err)
		}
	}
	p.cassette.Server, p.recorded = http.DefaultTransport, len(p.cassette.Exchanges)
	return nil
}

func (p *proposer) model() *model.Proposer {
	if p == nil {
		return nil
	}
	return p.asks
}

// keep writes the answers that were not there before.
func (p *proposer) keep() error {
	if p == nil || p.cassette == nil || len(p.cassette.Exchanges) == p.recorded {
		return nil
	}
	data, err := p.cassette.Bytes()
	if err != nil {
		return fmt.Errorf("encode the model's answers: %w", err)
	}
	return writeFiles([]newFile{{p.file, data, 0o644}})
}
