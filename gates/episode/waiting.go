package episode

import (
	"slices"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/orders"
	"github.com/gbt-policy/gbt/gates/scope"
)

// Waiting is a call that was let through and of which nobody has said yet whether
// it ran.
type Waiting struct {
	Key     string         // names the call
	Agent   string         `json:",omitempty"` // of a subagent of the session
	Records []gates.Record `json:",omitempty"`
	Flow    gates.Flow     // what the call would add
	Changes bool           `json:",omitempty"` // it may change the workspace
	Scope   scope.Scope    `json:",omitempty"` // what the user was asked about; that it ran is a yes to that
	Settles gates.Flow     `json:",omitzero"`  // what had been known when it was judged and it takes back
	Orders  []orders.Kind  `json:",omitempty"` // what it would carry out of an order that is for one call
}

// maxWaiting bounds the calls that wait. The oldest one counts as run then.
const maxWaiting = 64

// believed is what the run may have done: what ran, and what may be running.
func (m *Memory) believed() (gates.Flow, []gates.Record) {
	flow, history := m.flow, m.history
	for i := range m.waiting {
		flow = merged(flow, m.waiting[i].Flow)
		history = append(history[:len(history):len(history)], m.waiting[i].Records...)
	}
	flow.Own = m.flow.Own // it relaxes: only what is known to have run
	return flow, history
}

// Beside is the flow of what the run may have done beside a call that waits.
func (m *Memory) Beside(key string) gates.Flow {
	flow := m.flow
	for i := range m.waiting {
		if m.waiting[i].Key != key {
			flow = merged(flow, m.waiting[i].Flow)
		}
	}
	return flow
}

// MayRun notes a call that was let through, until Settle, Confirmed or Ran: it
// counts as run until there is word of it. What it writes may hold what a call
// that still waits has read; that it read something sensitive itself is its own.
func (m *Memory) MayRun(key, agent string, c *gates.Context, at int64) {
	m.handed(c)
	m.says(c)
	m.forces(c)
	alone, after := *c, c.After()
	alone.Flow = m.flow
	w := Waiting{Key: key, Agent: agent, Records: c.Records(at), Flow: added(c.Flow, after), Changes: Changes(c)}
	if len(m.orders) > 0 {
		w.Orders = slices.DeleteFunc(scope.Ordering(c), func(k orders.Kind) bool { return k == orders.Reply })
	}
	m.flow.Own = slices.DeleteFunc(slices.Clone(m.flow.Own), func(s string) bool { return !slices.Contains(after.Own, s) })
	settled := alone.After()
	w.Flow.SensitiveRead = !m.flow.SensitiveRead && settled.SensitiveRead
	w.Settles = takenBack(m.flow, settled)
	if old := m.take(key); old != nil {
		w.Flow = merged(old.Flow, w.Flow)
	}
	m.waiting = append(m.waiting, w)
	for len(m.waiting) > maxWaiting {
		own := m.flow.Own
		if m.waiting[0].Changes {
			m.done = nil
		}
		m.add(m.waiting[0].Records, merged(m.flow, m.waiting[0].Flow)) // nobody told that it ran, so nobody agreed
		m.flow.Own = own
		m.waiting = m.waiting[1:]
	}
}

// Let notes a call that was let through, or that the user is asked about: MayRun, and
// what a yes is remembered for.
func (m *Memory) Let(key, agent string, c *gates.Context, d *gates.Decision, at int64) {
	m.MayRun(key, agent, c, at)
	if all := scope.Of(c, d); len(all) > 0 {
		m.Asked(key, all[0])
	}
}

// Asked notes what the user is asked about before a call that MayRun was told of: if
// there is word that it ran, they agreed to that.
func (m *Memory) Asked(key string, s scope.Scope) {
	for i := range m.waiting {
		if m.waiting[i].Key == key && !m.Forgetful {
			m.waiting[i].Scope = slices.Clone(s)
		}
	}
}

// Report takes in word of a call that was let through: whether it was declined.
// What it was believed to do is folded in, and its own facts follow with Ran; known
// is false for a call that nobody let through.
func (m *Memory) Report(key string, declined bool) (known bool) {
	m.reported = true
	w := m.take(key)
	if w != nil && !declined {
		if w.Changes {
			m.done = nil
		}
		m.flows(merged(m.flow, w.Flow))
		m.Agree(w.Scope)
	}
	return w != nil
}

// Waits says whether a call was let through and waits for word of it.
func (m *Memory) Waits(key string) bool {
	return slices.ContainsFunc(m.waiting, func(w Waiting) bool { return w.Key == key })
}

// At is Known for a call that waited and has run: with what it was seen to make, which
// nobody can see any more once it is there, and tainted by what is read and fetched beside
// it, for calls end in any order.
func (m *Memory) At(key string, s *gates.State) {
	m.Known(s)
	for i := range m.waiting {
		f := &m.waiting[i].Flow
		if m.waiting[i].Key == key {
			s.Flow.Own = append(slices.Clone(s.Flow.Own), missing(s.Flow.Own, f.Own)...)
			continue
		}
		s.Flow.SensitiveRead = s.Flow.SensitiveRead || f.SensitiveRead
		s.Flow.Derived = append(slices.Clone(s.Flow.Derived), missing(s.Flow.Derived, f.Derived)...)
		s.Flow.Unvetted = append(slices.Clone(s.Flow.Unvetted), missing(s.Flow.Unvetted, f.Unvetted)...)
	}
}

// Ended is Report and Ran for a call that is known to have run, in the state that At
// tells before: what it did counts once, with what it was believed to do beside it.
func (m *Memory) Ended(key string, c *gates.Context, at int64) {
	m.reported = true
	m.changed(c)
	after := c.After()
	w := m.take(key)
	if w != nil {
		alone := *c
		alone.Flow.SensitiveRead = m.flow.SensitiveRead || w.Flow.SensitiveRead
		after.SensitiveRead = alone.After().SensitiveRead
		after.Derived = ended(m.flow.Derived, c.Flow.Derived, after.Derived, w.Flow.Derived, w.Settles.Derived)
		after.Unvetted = ended(m.flow.Unvetted, c.Flow.Unvetted, after.Unvetted, w.Flow.Unvetted, w.Settles.Unvetted)
		after.Turned = ended(m.flow.Turned, c.Flow.Turned, after.Turned, w.Flow.Turned, w.Settles.Turned)
	}
	m.add(c.Records(at), after)
	if !m.Observes {
		m.carriedOut(c) // else Succeeded
	}
	if w != nil {
		m.Agree(w.Scope)
		m.tracks = m.tracks || len(w.Scope) > 0 && !m.Forgetful && scope.PushesTracked(c)
	}
}

// ended is a list of the flow after a call ended: what was known but what the call takes
// back, what it adds to what it was judged with, and what it was believed to add.
func ended(known, before, after, believed, settles []string) []string {
	out := slices.DeleteFunc(slices.Clone(known), func(s string) bool { return slices.Contains(settles, s) && !slices.Contains(after, s) })
	out = append(out, missing(out, missing(before, after))...)
	return append(out, missing(out, believed)...)
}

// Failed is Ended for a call that ran and is known to have changed nothing: an editor of
// files that found no place for its change. The user agreed to it all the same.
func (m *Memory) Failed(key string) {
	m.reported = true
	if w := m.take(key); w != nil {
		m.Agree(w.Scope)
	}
}

// take removes the waiting call with a key.
func (m *Memory) take(key string) *Waiting {
	i := slices.IndexFunc(m.waiting, func(w Waiting) bool { return w.Key == key })
	if i < 0 {
		return nil
	}
	w := m.waiting[i]
	m.waiting = slices.Delete(m.waiting, i, i+1)
	return &w
}

// Settle is called when the user says something new: what an agent's user was
// asked about before and has not run by now was declined. That is believed only
// in a run that has had word of a call that ran; elsewhere the host, or
// somebody's settings, may not tell.
func (m *Memory) Settle(agent string) {
	if m.reported {
		m.waiting = slices.DeleteFunc(m.waiting, func(w Waiting) bool { return w.Agent == agent })
	}
}

// merged is the flow of both.
func merged(a, b gates.Flow) gates.Flow {
	return gates.Flow{
		SensitiveRead: a.SensitiveRead || b.SensitiveRead,
		Derived:       append(slices.Clone(a.Derived), missing(a.Derived, b.Derived)...),
		Unvetted:      append(slices.Clone(a.Unvetted), missing(a.Unvetted, b.Unvetted)...),
		Made:          append(slices.Clone(a.Made), missing(a.Made, b.Made)...),
		Own:           append(slices.Clone(a.Own), missing(a.Own, b.Own)...),
		Turned:        append(slices.Clone(a.Turned), missing(a.Turned, b.Turned)...),
		Page:          onePage(a.Page, b.Page),
	}
}

// onePage is the page that both tell, and none of this machine's where they differ.
func onePage(a, b string) string {
	switch {
	case a == b, b == "":
		return a
	case a == "":
		return b
	}
	return "other"
}

// takenBack is what before holds of the lists that a call may shorten, and after does not.
func takenBack(before, after gates.Flow) gates.Flow {
	return gates.Flow{
		Derived:  missing(after.Derived, before.Derived),
		Unvetted: missing(after.Unvetted, before.Unvetted),
		Turned:   missing(after.Turned, before.Turned),
	}
}

// added is what after holds beyond before.
func added(before, after gates.Flow) gates.Flow {
	return gates.Flow{
		SensitiveRead: after.SensitiveRead && !before.SensitiveRead,
		Derived:       missing(before.Derived, after.Derived),
		Unvetted:      missing(before.Unvetted, after.Unvetted),
		Made:          missing(before.Made, after.Made),
		Own:           missing(before.Own, after.Own),
		Turned:        missing(before.Turned, after.Turned),
		Page:          changed(before.Page, after.Page),
	}
}

// changed is what after is where it is not as before.
func changed(before, after string) string {
	if before == after {
		return ""
	}
	return after
}

func missing[T comparable](have, list []T) []T {
	var out []T
	for _, s := range list {
		if !slices.Contains(have, s) {
			out = append(out, s)
		}
	}
	return out
}
