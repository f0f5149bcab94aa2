package gates

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"sync"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
)

// Checker decides on calls: by the global guardrail, then by the gates of a
// policy. The strictest of all verdicts stands (requirement G1); what people said
// beforehand only answers the guardrail's questions. The zero value
// is the default guardrail with the built-in tool schemas and no gates. A
// Checker is immutable while in use and safe for concurrent use.
type Checker struct {
	Guardrail Guardrail
	Schemas   *call.Schemas // nil for the built-in ones alone
	Library   *Library      // nil for no gates
	// Strict enforces every node gate everywhere, not only at the nodes that
	// have it (decision 1 of the requirements).
	Strict bool
	// Content says that the policy has a content gate (requirement G3). Where
	// nobody asks it, calls that send need a confirmation: a gate that can't be
	// asked must not pass for one that was.
	Content bool
	Pack    Pack // of the runs that the calls are made in (Halts)
	Asks    bool // the host asks the content gate itself, after Check
	// Rules are what people wrote about calls (package rules); nil for none.
	Rules Ruler
	// Conditions are what calls need that change something; nil for none.
	Conditions *Conditions
}

// Read reads a request with the checker's tool schemas, where it would run.
func (k *Checker) Read(req Request, state *State) *call.Call {
	return readAt(req, state, k.Schemas)
}

// Context is the context of a request: ContextOf of what Read returns.
func (k *Checker) Context(req Request, state State) Context {
	state.Conditions = k.Conditions
	return ContextOf(k.Read(req, &state), state)
}

// Check decides on a context before its call runs. node holds the ids of the
// gates of the node the policy is at, sorted; nil where there is no node, and
// empty at one that has no gates (see Library.Eval).
func (k *Checker) Check(c *Context, node []string) Decision {
	d := k.Guardrail.decide(c, sync.OnceValue(func() bool { return k.vouched(c, node) }))
	d.Disposition = d.Would // gates come before observing
	if k.Content && !k.Asks {
		d.unasked(c)
	}
	if k.Library.Len() > 0 {
		k.gates(c, node, &d)
	}
	k.Conditions.judge(c, &d)
	k.people(c, &d)
	d.Would = d.Disposition
	if k.Guardrail.Profile == ProfileObserve {
		d.Observe(c)
	}
	return d
}

// vouched says whether the gates judge a call by where its arguments come from.
// Wherever an argument leads, its origin must be known, and a gate that is asked
// here must tell an unknown text out of an untrusted one from the same text of
// the task's. A call that leads nowhere needs that of its arguments together. A
// gate about other tools, about files or about values vouches for nothing;
// neither does any gate where the host does not report the task and the results.
func (k *Checker) vouched(c *Context, node []string) bool {
	if k.Library.Len() == 0 {
		return false
	}
	var all, leading []int
	known := false
	for i := range c.Args {
		all, known = append(all, i), known || c.Args[i].Origin != call.OriginAgent
		if r, _ := effect.ParseRole(c.Args[i].Role); r.Leads() {
			leading = append(leading, i)
		}
	}
	for _, i := range leading {
		if c.Args[i].Origin == call.OriginAgent || !k.tells(c, node, []int{i}) {
			return false
		}
	}
	return len(leading) > 0 || known && k.tells(c, node, all)
}

// tells says whether a gate stops the call where these arguments are an unknown
// text of an untrusted one, and not where the task names that text.
func (k *Checker) tells(c *Context, node []string, args []int) bool {
	stops := func(o call.Origin, form string) []int {
		other := *c
		other.Args = slices.Clone(c.Args)
		for _, i := range args {
			a := &other.Args[i]
			a.Value, a.Origin, a.Source, a.Form = unknownText, o, "", form
		}
		if k.Strict {
			return k.Library.EvalAll(&other, nil)
		}
		return k.Library.Eval(&other, node, nil)
	}
	trusted := stops(call.OriginTask, "")
	return slices.ContainsFunc(stops(call.OriginUntrusted, "~"), func(g int) bool { return !slices.Contains(trusted, g) })
}

// unknownText looks like an address, a link and a number, so that a gate about
// any of them stops it. The name can't exist (RFC 2606, section 2).
const unknownText = "1@unknown.invalid/1"

// unasked adds what is said of a call that sends and that no classifier saw.
func (d *Decision) unasked(c *Context) {
	for i := range c.Effects {
		if e := &c.Effects[i]; e.Kind == effect.Network && e.Op != effect.OpListen && !loopback(e.Net) {
			d.add("content/unasked", ApprovedWithConstraints, i, e)
			return
		}
	}
}

// gates adds the verdicts of the gates to d. They are evaluated once, all of
// them, and then told apart.
func (k *Checker) gates(c *Context, node []string, d *Decision) {
	all := k.Library.EvalAll(c, nil)
	strictest := Approved
	for _, i := range all {
		id, disp, message := k.Library.Verdict(i)
		strictest = min(strictest, disp)
		if k.Strict || k.Library.asked(i, node) {
			d.gate(id, disp, message)
		}
	}
	d.LibraryRejected = strictest < d.Disposition
}

// asked says whether a gate is asked at a node that names these gates, sorted;
// nil if nobody knows the node.
func (l *Library) asked(i int, node []string) bool {
	if r := &l.rules[i]; !r.local || r.unplaced && node == nil {
		return true
	}
	_, found := slices.BinarySearch(node, l.gates[i].ID)
	return found
}

// gate adds one gate's verdict. Gates are named even where the list of reasons
// is full.
func (d *Decision) gate(id string, disp Disposition, message string) {
	d.Disposition = min(d.Disposition, disp)
	if i, found := slices.BinarySearch(d.Gates, id); !found {
		d.Gates = slices.Insert(d.Gates, i, id)
	}
	if message == "" {
		message = "A gate of the policy does not let this pass. Ask the user, or do it another way."
	}
	d.Object(Reason{Rule: "gate/" + shortID(id), Disposition: disp, Effect: -1, Message: message})
}

// shortID is enough of a gate's id to find it in a policy's text.
func shortID(id string) string { return id[:min(len(id), 12)] }

// ID is a stable name of the decision: the same context, decided the same way
// under the same policy, has the same id in every process and at every time.
// policy is the digest of what decided. It is the first 128 bits, in
// hexadecimal, of the SHA-256 of the tag, the policy, the disposition and the
// canonical context, divided by zero bytes.
func (d *Decision) ID(c *Context, policy string) string {
	buf := make([]byte, 0, 2048)
	for _, s := range []string{"gbt decision 1", policy, d.Disposition.String()} {
		buf = append(append(buf, s...), 0)
	}
	sum := sha256.Sum256(c.AppendCanonical(buf))
	return hex.EncodeToString(sum[:16])
}
