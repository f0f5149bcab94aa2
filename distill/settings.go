package distill

import (
	"fmt"
	"strings"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/artifacts/review"
	"github.com/gbt-policy/gbt/internal/corpora/contexts"
	"github.com/gbt-policy/gbt/internal/gates/learn"
)

// ErrLooser is what Run returns where a setting of the new policy lets more pass
// than its parent's: gates are not all that stops a call.
type ErrLooser struct {
	Parent   string   // digest
	Settings []string // a sentence for each
}

// Error names every setting.
func (e *ErrLooser) Error() string {
	return fmt.Sprintf("settings are looser than those of the parent %.12s: %s", e.Parent, strings.Join(e.Settings, "; "))
}

// Audit is the outcome of requirement G5 for two whole policies.
type Audit struct {
	learn.Audit
	Looser []string // settings of the new policy that are looser, a sentence for each
}

// AuditPolicies holds a policy against an older one: its gates on the contexts
// on record and on mutations of them, guardrail and gates together on those on
// record, and its settings. A gate that is gone, or changed beyond what can be
// proved, and that no recorded context speaks for is looser too: contexts are
// redacted, so a gate about a name or a word stops none of them.
func AuditPolicies(old, new *artifacts.Policy, rows []*contexts.Row, opt learn.AuditOptions) (*Audit, error) {
	var err error
	if opt.Whole, err = whole(old, new); err != nil {
		return nil, err
	}
	a, err := learn.RunAudit(SideOf(old), SideOf(new), rows, opt)
	if err != nil {
		return nil, err
	}
	looser := review.Looser(old, new)
	for _, id := range a.Unshown {
		looser = append(looser, fmt.Sprintf("gate %.12s is gone: no gate provably stops what it stops, and no recorded context shows that it is stopped", id))
	}
	return &Audit{Audit: *a, Looser: looser}, nil
}

// whole judges calls as hosts do: by guardrail and gates together.
func whole(old, new *artifacts.Policy) (func(*gates.Context, string) (before, after gates.Decision), error) {
	a, err := artifacts.NewChecker(old)
	if err != nil {
		return nil, err
	}
	b, err := artifacts.NewChecker(new)
	if err != nil {
		return nil, err
	}
	was, is := SideOf(old).At, SideOf(new).At
	return func(c *gates.Context, macro string) (before, after gates.Decision) {
		return a.Check(c, known(was[macro])), b.Check(c, known(is[macro]))
	}, nil
}

// known are the gates of a place that is known: no nil list, which would say that
// nobody knows it.
func known(ids []string) []string {
	if ids == nil {
		return []string{}
	}
	return ids
}
