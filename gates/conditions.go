package gates

import (
	"slices"

	"github.com/gbt-policy/gbt/gates/call"
)

// Established says which facts the results of a run have established (requirement V1).
// known is false where nobody tells how calls ended and what came back.
type Established interface {
	Established(n *Need, value string) (ok, known bool)
}

// Conditions are the conditions of a policy, made ready. They are immutable; a nil value
// has none.
type Conditions struct {
	calls   map[string][]*Condition // that stop a call, by action; under "" those of any
	ends    []*Condition            // that an end is held against
	advice  []*Condition            // on calls, of both strengths
	watched map[string]bool         // actions that results of are remembered for them
}

// NewConditions makes conditions ready; none are nil.
func NewConditions(list []Condition) *Conditions {
	if len(list) == 0 {
		return nil
	}
	out := &Conditions{calls: map[string][]*Condition{}, watched: map[string]bool{}}
	for i := range list {
		c := &list[i]
		switch {
		case c.End && !c.Advice:
			out.ends = append(out.ends, c)
			out.watched[c.Act] = true
		case c.End:
			continue
		case !c.Advice:
			out.calls[c.Act] = append(out.calls[c.Act], c)
			fallthrough
		default:
			out.advice = append(out.advice, c)
		}
		for _, n := range c.Needs {
			if n.Act != "" {
				out.watched[n.Act] = true
			}
		}
	}
	return out
}

// Ends are the conditions that an end is held against.
func (k *Conditions) Ends() []*Condition {
	if k == nil {
		return nil
	}
	return k.ends
}

// Before are the conditions on calls of an action, of both strengths.
func (k *Conditions) Before(act string) (out []*Condition) {
	if k == nil || act == "" {
		return nil
	}
	for _, c := range k.advice {
		if c.Act == act {
			out = append(out, c)
		}
	}
	return out
}

// judge adds what a call lacks. A fact that is missing sends the call back; where nobody can
// say which facts there are, the user is asked.
func (k *Conditions) judge(c *Context, d *Decision) {
	if k == nil || c.action == nil {
		return
	}
	act := c.action()
	list := k.calls[act.Key]
	if !act.ReadOnly() {
		list = slices.Concat(list, k.calls[""])
	}
	if len(list) == 0 {
		return
	}
	bound := c.Bound()
	for _, x := range list {
		if missing, known := c.lacks(x, bound); !known {
			d.Deny(Reason{Rule: "condition/unknown", Disposition: ApprovedWithConstraints, Effect: -1,
				Message: "Nobody tells what calls returned, so that nobody can say whether this was done first: " + x.NeedsString() + "."})
		} else if missing {
			d.Missing = append(d.Missing, x)
			d.Deny(Reason{Rule: "condition/missing", Disposition: RevisionRequired, Effect: -1, Message: x.lacking()})
		}
	}
}

// lacks says whether a value of the call has no need met.
func (c *Context) lacks(x *Condition, bound []Bound) (missing, known bool) {
	known = true
	for _, v := range valuesOf(x.Arg, bound) {
		if ok, can := c.meets(x, v); !ok {
			missing, known = true, known && can
		}
	}
	return missing, known || !missing
}

func valuesOf(arg string, bound []Bound) []string {
	if arg == "" {
		return []string{""}
	}
	var out []string
	for _, b := range bound {
		if b.Name == arg {
			out = append(out, b.Value)
		}
	}
	return out
}

// meets says whether a need is met of a value, and whether anybody knows.
func (c *Context) meets(x *Condition, value string) (ok, known bool) {
	known = true
	for i := range x.Needs {
		n := &x.Needs[i]
		met, can := false, false
		switch {
		case n.How == HowSaid:
			met, can = c.said(value)
		case c.established != nil:
			met, can = c.established.Established(n, value)
		}
		if met && can {
			return true, true
		}
		known = known && can
	}
	return false, known
}

// said says whether the user's words name a value.
func (c *Context) said(value string) (ok, known bool) {
	if c.origins == nil {
		return false, false
	}
	origin, _, _ := c.origins.Find(value)
	return origin == call.OriginTask.String(), true
}

// Watched is the action of a call whose result the policy's conditions ask for; ok is false
// where none does.
func (c *Context) Watched() (act string, ok bool) {
	if c.conditions == nil || c.action == nil {
		return "", false
	}
	act = c.action().Key
	return act, c.conditions.watched[act]
}
