// Package secrets is the content gate that needs no model: a call that sends a
// credential is unsafe. What a credential is says package internal/redact.
//
// What belongs here: the step from a finding to one of the two tokens. What
// never does: patterns and names of secrets (internal/redact, internal/gates/names).
package secrets

import (
	"context"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/content"
	"github.com/gbt-policy/gbt/internal/redact"
)

// Gate returns the built-in content gate: a call that sends a credential is
// unsafe. It needs no model, no network and no time that counts.
func Gate(d *redact.Detector) *content.Gate {
	return &content.Gate{Classifier: classifier{d}, Redactor: d}
}

type classifier struct{ d *redact.Detector }

func (c classifier) Digest() string { return c.d.Digest() }

// Classify looks for the marks that the redactor left. A text that only looks
// like a mark is taken for one: it stops the call, which is the safe error.
func (c classifier) Classify(_ context.Context, r content.Request) (string, error) {
	if strings.Contains(r.Excerpt, redact.MarkStart) {
		return content.Unsafe, nil
	}
	return content.Safe, nil
}
