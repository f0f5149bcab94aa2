package main

import (
	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/internal/artifacts/review"
	"github.com/gbt-policy/gbt/internal/artifacts/view"
	"github.com/gbt-policy/gbt/internal/serve"
)

// servedPage is the page of the policy that is served: of the bytes that were opened,
// not of what the file holds by then. It has no recorded calls.
func servedPage(e *env, c *cli.Context, p *artifacts.Policy, info *artifacts.Info) (*serve.Page, error) {
	doc, err := review.New(p, info, review.Options{Stats: true})
	if err != nil {
		return nil, err
	}
	s, err := gateSetOf(p, info)
	if err != nil {
		return nil, err
	}
	cards, err := s.htmlCards(e, c, c.String("policy"))
	if err != nil {
		return nil, err
	}
	html, err := (&view.Page{Policy: doc, Cards: cards}).HTML()
	return &serve.Page{HTML: html, Allow: view.Allow()}, err
}
