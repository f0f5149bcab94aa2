package episode

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/orders"
	"github.com/gbt-policy/gbt/gates/scope"
)

// maxAgreed bounds the names that the user agreed to. The oldest are dropped: such a
// call is asked about again.
const maxAgreed = 64

// maxOrders bounds the orders of one message: there are four kinds (package orders).
const maxOrders = 4

// Agree remembers that the user agreed to a scope, for this run.
func (m *Memory) Agree(s scope.Scope) {
	if m.Forgetful {
		return
	}
	for _, name := range s {
		m.Disagree(name)
		m.agreed = last(append(m.agreed, name), maxAgreed)
	}
}

// Agreed are the names that the user agreed to, oldest first.
func (m *Memory) Agreed() []string { return slices.Clone(m.agreed) }

// Disagree withdraws a name that was agreed to, and says whether it was.
func (m *Memory) Disagree(name string) bool {
	n := len(m.agreed)
	m.agreed = slices.DeleteFunc(m.agreed, func(x string) bool { return x == name })
	return len(m.agreed) < n
}

// Covers says which names that the user agreed to, and which orders of theirs, settle
// everything that a decision asks about; empty where they do not. Package scope says what is
// never settled.
func (m *Memory) Covers(c *gates.Context, d *gates.Decision) string {
	if m.Forgetful || len(m.agreed)+len(m.orders)+len(m.places) == 0 || tainted(&m.flow, &c.Flow) {
		return ""
	}
	if by := m.named(c, d); by != "" {
		return by
	}
	var by, told scope.Scope
	things, ordered := scope.Things(c, d), scope.Orders(c, d, m.from)
	if m.forced && slices.Contains(scope.Ordering(c), orders.Push) || scope.PushesSecrets(c) || !m.tracks && scope.PushesTracked(c) {
		return ""
	}
	for k, names := range things {
		if i := slices.IndexFunc(names, func(n string) bool { return slices.Contains(m.agreed, n) }); i >= 0 {
			by = appendNew(by, names[i])
			continue
		}
		if len(ordered) != len(things) {
			return ""
		}
		i := slices.IndexFunc(ordered[k], func(o orders.Order) bool { return m.ordered(c, o) && !m.underWay(o.Kind) })
		if i < 0 {
			return ""
		}
		told = appendNew(told, string(ordered[k][i].Kind))
	}
	if after := c.After(); (len(told) > 0 || slices.ContainsFunc(by, startsAgent)) && turned(&m.flow, &after) {
		return ""
	}
	switch all := append(by, told...); {
	case len(all) == 0:
		return ""
	case len(by) == 0:
		return gates.ByOrder + all.String()
	default:
		return gates.ByConsent + all.String()
	}
}

// ordered says whether the user ordered this; where tests are to have passed before, they did, and neither
// anything since nor the call itself changes what they were about.
func (m *Memory) ordered(c *gates.Context, o orders.Order) bool {
	if slices.Contains(m.orders, o) {
		return true
	}
	if o.Tested = true; !slices.Contains(m.orders, o) || Changes(c) {
		return false
	}
	passed, known := m.fact("tests")
	return known && passed == "passed"
}

// underWay says whether a call that may be running carries out an order of a kind.
func (m *Memory) underWay(k orders.Kind) bool {
	return slices.ContainsFunc(m.waiting, func(w Waiting) bool { return slices.Contains(w.Orders, k) })
}

func appendNew(s scope.Scope, name string) scope.Scope {
	if slices.Contains(s, name) {
		return s
	}
	return append(s, name)
}

// Told takes in what the user's message orders (orders.Of), or that there is a message which
// orders nothing: that is not asked about until there is another. from is where the message was
// typed: what goes elsewhere later is nothing that it meant. Hosts call it for what a person
// typed and for nothing else.
func (m *Memory) Told(list []orders.Order, from scope.From) {
	if m.orders, m.from = last(list, maxOrders), from; len(list) == 0 {
		m.from = scope.From{}
	}
}

// maxSaid bounds the texts that calls have said later; with more of them no message is known to be a
// person's.
const maxSaid = 32

// maxSaidBytes bounds them all.
const maxSaidBytes = 16000

// anySaid stands for what did not fit.
const anySaid = "*"

// says notes the texts that a call gives to somebody who may say them to the agent later: hosts
// wake their agents with a prompt that it chose itself.
func (m *Memory) says(c *gates.Context) {
	for i := range c.Args {
		a := &c.Args[i]
		key := a.Path[strings.LastIndexByte(a.Path, '.')+1:]
		text := strings.ToLower(strings.TrimSpace(a.Value))
		if c.Command != "" || key != "prompt" && key != "message" || text == "" || len(text) > orders.MaxPrompt || slices.Contains(m.said, text) || slices.Contains(m.said, anySaid) {
			continue
		}
		if m.said = append(slices.Clone(m.said), text); len(m.said) > maxSaid || len(strings.Join(m.said, "")) > maxSaidBytes {
			m.said = []string{anySaid}
		}
	}
}

// Says says whether a message may be one that the run itself has said later.
func (m *Memory) Says(message string) bool {
	message = strings.ToLower(message)
	return slices.ContainsFunc(m.said, func(s string) bool { return s == anySaid || strings.Contains(message, s) })
}

// forces notes that a call may add to git what is ignored there, from then on pushes are
// asked about each time, and that it may change what other agents go by,
// or what else a yes was bound to.
func (m *Memory) forces(c *gates.Context) {
	m.forced = m.forced || scope.Forces(c)
	if scope.SteersAgents(c) {
		m.forget(startsAgent)
	}
	if n := c.Naming(); n != nil {
		ends := func(name string) bool { return n.Ends(c, name) }
		m.forget(ends)
		for i := range m.waiting {
			if slices.ContainsFunc(m.waiting[i].Scope, ends) {
				m.waiting[i].Scope = nil
			}
		}
	}
}

// startsAgent says whether a name is of starts of another agent by its own settings.
func startsAgent(name string) bool { return strings.HasPrefix(name, scope.Starts) }

// carriedOut takes in that a call ran: what it pushed or opened is not to be pushed or
// opened a second time without a question. Comments are answered one by one.
func (m *Memory) carriedOut(c *gates.Context) {
	if len(m.orders) == 0 {
		return
	}
	done := scope.Ordering(c)
	if ref := scope.Pushed(c); ref != "" {
		m.from.Branch = ref // a request that was ordered with the push is one of this branch
	}
	m.orders = slices.DeleteFunc(slices.Clone(m.orders), func(o orders.Order) bool { return o.Kind != orders.Reply && slices.Contains(done, o.Kind) })
}

// flows takes in the flow after a call. What the user agreed to before the session read
// secrets, or wrote something that was fetched or would not be approved, was agreed to
// in another session: only reading and fetching goes on after the latter, and the run of
// a file for as long as it holds what it held. The same holds for what a question offered that is still open.
func (m *Memory) flows(after gates.Flow) {
	switch {
	case after.SensitiveRead && !m.flow.SensitiveRead:
		m.orders, m.places = nil, nil
		m.forget(func(string) bool { return true })
	case tainted(&m.flow, &after):
		m.orders = nil
		more := missing(m.flow.Unvetted, after.Unvetted)
		m.forget(func(n string) bool {
			return !strings.HasPrefix(n, "read ") && !strings.HasPrefix(n, "fetch ") && !strings.Contains(n, scope.Unchanged) && !ofThese(n, more)
		})
	}
	if turned(&m.flow, &after) {
		m.orders = nil
		m.forget(startsAgent)
	}
	m.flow = after
}

// ofThese says whether a name is of later changes of the only file of a list, as the names of scripts
// are: those say what has to stand there, whoever wrote what is there now.
func ofThese(name string, files []string) bool {
	for _, file := range files {
		if rest, ok := strings.CutPrefix(name, "change "+file); !ok || !strings.HasPrefix(rest, scope.Saying) && rest != scope.Plainly {
			if rest, ok = strings.CutPrefix(name, "make "+file); !ok || !strings.HasPrefix(rest, scope.Holding) {
				return false
			}
		}
	}
	return true
}

// turned says whether the session has come to go by something that it did not go by before: settings,
// hooks, or what is on somebody else's branch. No message meant to send that.
func turned(before, after *gates.Flow) bool {
	now := gates.Flow{Turned: missing(before.Turned, after.Turned)}
	return now.Tainted()
}

// forget drops the names that are not to hold any more, and every offer of one.
func (m *Memory) forget(drop func(name string) bool) {
	m.agreed = slices.DeleteFunc(m.agreed, drop)
	for i := range m.consent.Asked {
		if x := &m.consent.Asked[i]; slices.ContainsFunc(x.Scope, drop) {
			x.Scope = nil
		}
	}
}

// tainted says whether the session has come to hold more that must not be trusted.
func tainted(before, after *gates.Flow) bool {
	return after.SensitiveRead && !before.SensitiveRead || len(missing(before.Unvetted, after.Unvetted)) > 0
}
