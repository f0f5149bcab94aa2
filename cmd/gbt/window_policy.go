package main

import (
	"fmt"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/corpora/contexts"
	"github.com/gbt-policy/gbt/internal/gates/lang"
	"github.com/gbt-policy/gbt/internal/redact"
	"github.com/gbt-policy/gbt/replay"
)

// gateRule begins the names of reasons that gates give; the gates themselves are
// told about instead.
const gateRule = "gate/"

// policyVerdict is what a policy does about the calls of a window.
type policyVerdict struct {
	Step        int      `json:"step"`
	Disposition string   `json:"disposition"`
	Gates       []string `json:"gates,omitempty"`
	Rules       []string `json:"rules,omitempty"`
	ElsewhereBy []string `json:"elsewhere_by,omitempty"` // gates of other nodes that would stop it

	decision gates.Decision
}

// ask asks the policy about one call: first with its global gates and those of
// the call's macro, then with those of every node.
func (g *policyGates) ask(c *gates.Context, step int, macro string) policyVerdict {
	d := g.checker.Check(c, g.at[macro])
	v := policyVerdict{Step: step, Disposition: d.Disposition.String(), Gates: d.Gates, decision: d}
	for _, r := range d.Reasons {
		if !strings.HasPrefix(r.Rule, gateRule) {
			v.Rules = append(v.Rules, r.Rule)
		}
	}
	strict := *g.checker
	strict.Strict = true
	all := strict.Check(c, nil)
	for _, id := range all.Gates {
		if !oneOfIDs(d.Gates, id) {
			v.ElsewhereBy = append(v.ElsewhereBy, id)
		}
	}
	return v
}

func oneOfIDs(list []string, id string) bool {
	for _, x := range list {
		if x == id {
			return true
		}
	}
	return false
}

// stopped says what the policy does about a call.
func (s *windowShow) stopped(c *gates.Context, step int, macro string) {
	in := shower{s.w, s.full}
	v := s.policy.ask(c, step, macro)
	text := "lets it pass"
	if v.decision.Disposition != gates.Approved {
		text = strings.ReplaceAll(v.Disposition, "_", " ")
	}
	in.line("policy", text)
	for _, id := range v.Gates {
		s.gate("by gate", id)
	}
	for _, r := range v.decision.Reasons {
		if !strings.HasPrefix(r.Rule, gateRule) {
			in.line("by rule", r.Rule+": "+excerpt(r.Message, 160, s.full))
		}
	}
	for _, id := range v.ElsewhereBy {
		s.gate("elsewhere", id)
	}
}

// gate says of a gate which calls it stops, what it tells the agent, and what it
// was judged on.
func (s *windowShow) gate(label, id string) {
	in := shower{s.w, s.full}
	g := s.policy.gates[id]
	if g == nil {
		in.line(label, id)
		return
	}
	in.line(label, fmt.Sprintf("%.12s, %s", id, g.Disposition))
	if said, err := lang.Reading(g.Expr); err == nil {
		in.line("", excerpt(readingVerb(g.Disposition)+" a call if "+said, 400, s.full))
	}
	in.line("", g.Message)
	if g.Evidence.Unsafe > 0 {
		in.line("", fmt.Sprintf("stops %d unsafe contexts, %d of %d benign ones", g.Evidence.Unsafe, g.Evidence.Rejected, g.Evidence.Benign))
	}
}

// contextID names a context as the corpora do, by its redacted form.
func contextID(c *gates.Context) string {
	redacted := redact.Context(c)
	return contexts.ID(redacted.AppendCanonical(nil))
}

// onRecord names a context, and says whether it stands beside the policy.
func (g *policyGates) onRecord(id string) string {
	switch {
	case g == nil || g.corpus == nil:
		return fmt.Sprintf("%.12s", id)
	case g.corpus.Has(contexts.Unsafe, id):
		return fmt.Sprintf("%.12s, on record with the policy as unsafe", id)
	case g.corpus.Has(contexts.Benign, id):
		return fmt.Sprintf("%.12s, on record with the policy as benign", id)
	}
	return fmt.Sprintf("%.12s, not on record with the policy", id)
}

// macroAt is the key of the macro that a step belongs to, or nothing.
func macroAt(r *replay.Finding, step int) string {
	if m := r.Path.Of[step]; m >= 0 {
		return r.Path.Macros[m].Key
	}
	return ""
}
