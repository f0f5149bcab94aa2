package gates

import (
	"slices"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file is about what people said before the call: rules that they wrote, and what
// they agreed to in the session. Both answer questions of the guardrail, and nothing
// else: no rejection, no gate of a policy and no call that has to be put in another way
// is lifted by them, whatever they say.

// Ruler is what people wrote about calls (package rules).
type Ruler interface {
	// Judge adds what the rules object to, and answers questions with Decision.Answer.
	Judge(c *Context, d *Decision)
}

// Consent is what people agreed to before in a session.
type Consent interface {
	// Covers says what an earlier yes named, or an order, that holds for everything which the
	// decision asks about, behind ByConsent or ByOrder; or nothing.
	Covers(c *Context, d *Decision) string
}

// Answered is a question that was answered before it was asked.
type Answered struct {
	Reason
	By string // the rule, or what the consent names
}

// ByConsent begins what Answered says of a question that the user answered before in the
// session.
const ByConsent = "consent: "

// ByOrder begins what it says of one that the user's last message answers by itself: it told
// the agent to do just that (package orders).
const ByOrder = "your message: "

// people applies what people said beforehand: rules first, since one of them may ask.
func (k *Checker) people(c *Context, d *Decision) {
	if k.Rules != nil {
		k.Rules.Judge(c, d)
	}
	if c.consent == nil || d.Disposition != ApprovedWithConstraints {
		return
	}
	if by := c.consent.Covers(c, d); by != "" {
		d.answer(func(*Reason) string { return by }, true)
	}
}

// Deny adds what a rule objects to, and tightens the decision to that.
func (d *Decision) Deny(r Reason) {
	d.Disposition = min(d.Disposition, r.Disposition)
	d.Object(r)
}

// Answerable says whether the questions of a decision may be answered beforehand: all
// of them are known, and none of them is more than a question.
func (d *Decision) Answerable() bool {
	return d.Disposition == ApprovedWithConstraints && len(d.Reasons) > 0 && len(d.Reasons) < maxReasons &&
		!slices.ContainsFunc(d.Reasons, func(r Reason) bool { return r.Disposition != ApprovedWithConstraints })
}

// Answer settles the guardrail's questions for which by names what answers them. The
// call passes if none is left.
func (d *Decision) Answer(by func(r *Reason) string) { d.answer(by, false) }

// answer is Answer. A yes to a file as it is holds for its runs, too; no rule answers
// those, since a rule says nothing of what the file holds.
func (d *Decision) answer(by func(r *Reason) string, unchanged bool) {
	if !d.Answerable() {
		return
	}
	var left []Reason
	for i := range d.Reasons {
		r := &d.Reasons[i]
		if name := by(r); name != "" && (d.guardrails(r) || unchanged && r.Rule == "flow/unvetted") {
			d.Answered = append(d.Answered, Answered{*r, name})
			continue
		}
		left = append(left, *r)
	}
	if d.Reasons = left; len(left) == 0 && len(d.Gates) == 0 {
		d.Disposition = Approved
	}
}

// guardrails says whether a reason is a question of the guardrail about one effect.
// What flows together is asked about each time, and so is what the rules themselves ask.
func (d *Decision) guardrails(r *Reason) bool {
	family, _, _ := cutAt(r.Rule, "/")
	switch family {
	case "workspace", "protected", "sensitive", "egress", "spawn", "record", "opaque":
		return r.Effect >= 0 && r.Effect < len(d.Effects)
	}
	return false
}

// Runs are the programs that the call's command line runs, where it was resolved. They
// must not be changed.
func (c *Context) Runs() []effect.Run { return c.runs }

// Naming names what questions are about so that one yes is for more like them (State.Naming).
type Naming interface {
	// Things are names of all that a reason asks about, nil where there are none but the usual ones.
	Things(c *Context, d *Decision, r *Reason) [][]string
	// Ends says whether a call ends what such a name was agreed to for.
	Ends(c *Context, name string) bool
	// Makes adds to Flow.Own what a call makes that such names go by.
	Makes(c *Context, own []string) []string
	// Beside is what else the name of a connection by a run has to say, and whether it can be named;
	// where nobody names it, what a run does beside it is asked about each time.
	Beside(c *Context, e *Effect, by *effect.Run) (more string, ok bool)
}

// Naming is who names questions; nil where nobody does.
func (c *Context) Naming() Naming { return c.naming }

// Fact is what is known of a fact that a rule asks for.
func (c *Context) Fact(name string) (value string, known bool) {
	if c.facts == nil {
		return "", false
	}
	return c.facts(name)
}

// TracksSecret says whether git tracks a file with the name of a secret below a directory.
// Where nobody looks it is false.
func (c *Context) TracksSecret(dir string) bool { return c.tracked(dir) }

// LeavesSecret says whether a file with the name of a secret lies below a directory that git
// neither tracks nor ignores, or just does not track where the rules of what is ignored are not to
// count: who adds all to git adds that. Where nobody looks it is false.
func (c *Context) LeavesSecret(dir string, rules bool) bool {
	if c.names == nil || c.text == nil {
		return false
	}
	left := maxWholesale
	return slices.ContainsFunc(c.secretsBelow(dir, true, &left), func(s string) bool { return !c.tracked(s) && !(rules && c.ignored(dir, s)) }) || left <= 0
}

// Places is where the call runs, for who reads other command lines there.
func (c *Context) Places() effect.Places { return c.places }

// IsOwn says whether an effect changes a file of the guard itself, or a directory that
// holds one (State.Own).
func (c *Context) IsOwn(e *Effect) bool {
	return (e.Kind == effect.Write || e.Kind == effect.Delete) && matchesAny(c.guards, c, e, true)
}
