package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/scope"
)

// confirmations are what was asked and not confirmed yet, and the consents to
// repeats that were given. They live as long as the run: consent does not outlast
// the process that asked for it.
type confirmations struct {
	open    map[string]bool // names of calls; each can be used once (requirement V4)
	repeats gates.Repeats
}

func newConfirmations() *confirmations { return &confirmations{open: map[string]bool{}} }

// maxConfirmations bounds them; past it a call can be asked about again.
const maxConfirmations = 1 << 16

// repeatInput is a person's consent to further calls of a template, sent with the
// confirmation of the first.
type repeatInput struct {
	Template string `json:"template"`
	Count    int    `json:"count"`
}

// complete says what a consent to repeats lacks.
func (p *repeatInput) complete(in *callInput) error {
	switch {
	case in.Session == "" || in.Confirmation == "":
		return fmt.Errorf("field repeat: it goes with the fields session and confirmation")
	case p.Template == "":
		return fmt.Errorf("field repeat: no template: send that of the answer that was confirmed")
	case p.Count < 1 || p.Count > gates.MaxRepeats:
		return fmt.Errorf("field repeat: count is %d: give 1 to %d", p.Count, gates.MaxRepeats)
	}
	return nil
}

// forSession says what a consent for the session lacks.
func (in *callInput) forSession() error {
	switch {
	case in.Session == "" || in.Confirmation == "":
		return errors.New("field for_session: it goes with the fields session and confirmation")
	case in.Repeat != nil:
		return errors.New("field for_session: it covers repeats; send one of the two")
	}
	return nil
}

// settle turns a confirmed call, or one that a consent to repeats covers, into an
// approved one, and gives one that needs a confirmation its name. What is
// rejected cannot be confirmed.
func (k *confirmations) settle(policy string, in *callInput, c *gates.Context, d *gates.Decision, a *answer, s *session) {
	if d.Disposition != gates.ApprovedWithConstraints {
		return
	}
	name, template := confirmationOf(policy, in, c, d), d.Template(c, policy)
	switch {
	case in.Confirmation == name && k.open[name]:
		if in.ForSession && !s.past.SettledSession(name, name) {
			break // nothing is offered (any more), so nothing is confirmed
		}
		s.past.Settled(name, name)
		if in.Repeat != nil && (template == "" || in.Repeat.Template != template || k.repeats.Grant(gates.Repeat{Session: in.Session, Template: template, Count: in.Repeat.Count}) != nil) {
			break // another template than this call's: a mistake, so nothing is confirmed
		}
		delete(k.open, name)
		a.Disposition, a.Confirmed, a.ForSession = gates.Approved.String(), true, in.ForSession
		if in.Repeat != nil { // what was consented to, for the log
			a.Template, a.RepeatsLeft = template, &in.Repeat.Count
		}
		return
	case in.Confirmation == "":
		if left, ok := k.repeats.Use(in.Session, template); ok {
			a.Disposition, a.Confirmed = gates.Approved.String(), true
			a.Template, a.RepeatsLeft = template, &left
			return
		}
	}
	if len(k.open) < maxConfirmations {
		k.open[name] = true
		a.Confirmation = name
		if in.Session != "" {
			a.Template = template
			s.offer(name, c, d)
		}
	}
}

// offer asks about a call, and notes what a yes for the session is remembered for.
func (s *session) offer(name string, c *gates.Context, d *gates.Decision) {
	what, _ := scope.Offer(c, d)
	s.past.Offer(s.past.Ask(name, func(int64) string { return name }), what)
}

// confirmationOf names a call by everything that decides what it does, and what
// was asked about it: 128 bits of the SHA-256 of policy, call, the rules and gates
// that stopped it, and where its arguments came from, as one JSON array. A host
// that hears of a result after the question has another question to ask.
func confirmationOf(policy string, in *callInput, c *gates.Context, d *gates.Decision) string {
	var rules []string
	for i := range d.Reasons {
		rules = append(rules, d.Reasons[i].Rule)
	}
	var origins [][2]string
	for i := range c.Args {
		origins = append(origins, [2]string{c.Args[i].Origin.String(), c.Args[i].Source})
	}
	data, err := json.Marshal([]any{"gbt confirmation 3", policy, in.Session, in.Shell, in.Tool, string(in.Args), in.Command, in.Cwd, in.Home, in.Roots, in.Links, in.UID, in.GID, rules, d.Gates, origins})
	if err != nil {
		panic("gbt: internal error: " + err.Error()) // strings and numbers always encode
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:16])
}
