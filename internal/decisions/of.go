package decisions

import (
	"slices"
	"time"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/scope"
	"github.com/gbt-policy/gbt/gates/wording"
)

// maxTool bounds the name of a tool in the log, in bytes.
const maxTool = 200

// Decided fills in what the log keeps of a decision: for an approved call its name alone,
// for any other what a person reads of it.
func (e *Entry) Decided(c *gates.Context, d *gates.Decision, id, policy string) {
	e.Tool, e.ID, e.Verdict, e.Policy = c.Tool[:min(len(c.Tool), maxTool)], id, d.Disposition.String(), policy
	if d.Disposition == gates.Approved {
		return
	}
	e.Gates, e.Asked, e.Scope = d.Gates, wording.Of(c, d).Person, counted(c, d)
	if len(c.Roots) > 0 {
		e.In = c.Roots[0]
	}
	for i := range d.Reasons {
		e.Rules = append(e.Rules, d.Reasons[i].Rule)
	}
	if e.Asks() {
		e.Allow = e.answering(c, d)
	}
}

// counted is the scope that a question is counted under: pushes of all branches together.
// The words of a command line and what may be a secret are no part of the log.
func counted(c *gates.Context, d *gates.Decision) []string {
	all := scope.Of(c, d)
	if len(all) == 0 {
		return nil
	}
	at := 0
	if len(all) > 1 && slices.ContainsFunc(d.Effects, func(e gates.Effect) bool { return e.Ref != "" }) {
		at = 1
	}
	if slices.ContainsFunc(all[at], func(name string) bool { return scope.Spelled(name) || wording.Secret(name) }) {
		return nil
	}
	return all[at]
}

// Keeper writes the decisions of a front end that lives longer than one call, and says
// once if it can't: a log that can't be written changes no decision. It belongs to one
// caller at a time.
type Keeper struct {
	Log    *Log
	Host   string
	Failed func(error)
	failed bool
}

// Keep notes a decision. call names the call, by which Answered finds its question.
func (k *Keeper) Keep(session, call string, c *gates.Context, d *gates.Decision, id, policy string, now time.Time) {
	e := Entry{Time: now.UTC(), Host: k.Host, Session: session, Call: call}
	e.Decided(c, d, id, policy)
	k.tell(k.Log.Add(&e))
}

// Agreed notes that the person agreed to a call.
func (k *Keeper) Agreed(session, call string, now time.Time) {
	k.tell(k.Log.Answer(&Entry{Time: now.UTC(), Host: k.Host, Session: session, Call: call, Answer: AnswerYes}))
}

func (k *Keeper) tell(err error) {
	if err != nil && !k.failed && k.Failed != nil {
		k.failed = true
		k.Failed(err)
	}
}
