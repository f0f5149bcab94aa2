package secrets

import (
	"context"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/content"
)

// Gate returns the built-in content gate: a call that sends a credential is
// unsafe. It needs no model, no network and no time that counts.
func (d *Detector) Gate() *content.Gate {
	return &content.Gate{Classifier: classifier{d}, Redactor: redactor{d}}
}

// Redactor returns the detector as a content.Redactor, for gates with another
// classifier.
func (d *Detector) Redactor() content.Redactor { return redactor{d} }

type redactor struct{ d *Detector }

func (r redactor) Redact(text string) string {
	out, _ := r.d.Redact(text)
	return out
}

type classifier struct{ d *Detector }

func (c classifier) Digest() string { return c.d.Digest() }

// Classify looks for the marks that the redactor left. A text that only looks
// like a mark is taken for one: it stops the call, which is the safe error.
func (c classifier) Classify(_ context.Context, r content.Request) (string, error) {
	if strings.Contains(r.Excerpt, "<secret ") {
		return content.Unsafe, nil
	}
	return content.Safe, nil
}
