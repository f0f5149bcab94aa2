package main

import (
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/evolve"
	"github.com/gbt-policy/gbt/internal/evolve/diagnose"
	"github.com/gbt-policy/gbt/internal/gates/content/openai"
	"github.com/gbt-policy/gbt/internal/redact"
)

// diagnoseFlags name the model that is asked about failed runs; none by default.
func diagnoseFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "diagnose", Usage: "ask the OpenAI-compatible endpoint at `URL` about failed covered runs, as https://host/v1"},
		&cli.StringFlag{Name: "diagnose-model", Usage: "`NAME` of the model to ask"},
		&cli.StringFlag{Name: "diagnose-key-env", Value: "OPENAI_API_KEY", Usage: "`NAME` of the variable with the endpoint's key, if it is set"},
		&cli.DurationFlag{Name: "diagnose-timeout", Value: time.Minute, Usage: "of one question"},
		&cli.StringFlag{Name: "diagnose-answers", Usage: "keep the answers in `FILE`, and take those that it has from there: the same bytes come again"},
	}
}

// openDiagnoser makes the model that the flags name; nil for none. keep writes its
// answers.
func openDiagnoser(c *cli.Context) (d evolve.Diagnoser, keep func() error, err error) {
	keep = func() error { return nil }
	where := c.String("diagnose")
	if where == "" {
		for _, name := range []string{"diagnose-model", "diagnose-key-env", "diagnose-timeout", "diagnose-answers"} {
			if c.IsSet(name) {
				return nil, keep, fail(exitUsage, "--%s is about a model: give its address with --diagnose", name)
			}
		}
		return nil, keep, nil
	}
	u, err := url.Parse(where)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, keep, fail(exitUsage, "--diagnose %s is no http or https address", where)
	case c.String("diagnose-model") == "":
		return nil, keep, fail(exitUsage, "--diagnose needs --diagnose-model: which model answers stands in the evidence of its edits")
	case c.Duration("diagnose-timeout") <= 0:
		return nil, keep, fail(exitUsage, "--diagnose-timeout must be longer than nothing")
	}
	r, err := redact.New()
	if err != nil {
		return nil, keep, err
	}
	client := &http.Client{Timeout: c.Duration("diagnose-timeout")}
	if name := c.String("diagnose-answers"); name != "" {
		p := &proposer{file: name}
		if err := p.open(); err != nil {
			return nil, keep, err
		}
		client.Transport, keep = p.cassette, p.keep
	}
	chat := &openai.Classifier{URL: where, Model: c.String("diagnose-model"), Key: os.Getenv(c.String("diagnose-key-env")), Client: client}
	return &diagnose.Model{Chat: chat, Redactor: r}, keep, nil
}
