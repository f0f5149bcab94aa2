package episode

import (
	"slices"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/orders"
	"github.com/gbt-policy/gbt/gates/scope"
	"github.com/gbt-policy/gbt/internal/gates/origin"
)

// Memory is what a run has seen and done. Its zero value has seen nothing.
type Memory struct {
	// Limit bounds the bytes kept of what came back, for hosts that read the
	// memory anew before every call; 0 for 4 MiB, the most. What exceeds it is
	// dropped, and from then on a value that is found nowhere is untrusted.
	Limit int
	// Unsourced says that nobody reports what comes back, so that nothing can be
	// said about where values come from.
	Unsourced bool
	// Forgetful says that no consent is remembered: each question is asked.
	Forgetful bool
	// Observes says that the host tells of every call how it ended and what came back
	// (Establish). Where it does not, nobody can say which facts hold.
	Observes bool
	// Opens says what a decision asks about, if that is what messages of the user's named
	// (scope.Opens); nil in hosts that are told no messages.
	Opens func(c *gates.Context, d *gates.Decision, places []string) string

	index    origin.Index
	heard    bool // the index has seen something
	history  []gates.Record
	flow     gates.Flow
	waiting  []Waiting
	reported bool // the host has told of a call that waited
	consent  consent
	done     []done
	facts    []Fact   // what results established, oldest first
	broke    int      // how often code broke the list of modules since some ran
	agreed   []string // names of scopes (package scope) that the user agreed to, oldest first
	orders   []orders.Order
	from     scope.From // where the message with the orders was typed
	places   []string   // that messages named (scope.Named), oldest first
	said     []string   // what calls have said to the agent later
	forced   bool       // the run may have added to git what is ignored there, or a secret
	tracks   bool       // the user agreed to a push of a repository that tracks what is called as a secret is
}

// Hear takes in words of the user's: the task, and what is said later.
func (m *Memory) Hear(text string) {
	if text == "" {
		return
	}
	m.heard, m.broke = true, 0
	m.index.SetLimit(m.Limit)
	m.index.Task(text) // one that is too long names nothing, which is on the strict side
}

// Before puts what the memory knows into the state in which a call is judged:
// what ran, counting what may be running, and where values come from.
func (m *Memory) Before(s *gates.State) {
	m.Known(s)
	s.Flow, s.History = m.believed()
}

// Known is Before without what may be running: the state that a call which is now
// known to have run ran in.
func (m *Memory) Known(s *gates.State) {
	s.Flow, s.History, s.Broke = m.flow, m.history, m.broke
	if !m.Unsourced {
		s.Sources = &m.index
	}
	if !m.Forgetful {
		s.Consent = m
	}
	s.Facts, s.Established = m.told(s.Facts), m
}

// Sources says where values come from.
func (m *Memory) Sources() gates.Sources { return &m.index }

// WroteTree says whether the run wrote, or may be writing, one of the files by which a
// repository and a work tree of it name each other.
func (m *Memory) WroteTree(pointers ...string) bool {
	flow, _ := m.believed()
	return flow.WroteTree(pointers...)
}

// Ran notes a call that runs, at a time as the host counts it.
func (m *Memory) Ran(c *gates.Context, at int64) {
	m.changed(c)
	m.handed(c)
	m.says(c)
	m.forces(c)
	m.add(c.Records(at), c.After())
	m.carriedOut(c)
}

// Assumed is Ran for a call that may have run and that the host won't tell of: what people
// would have agreed to with it is not settled.
func (m *Memory) Assumed(c *gates.Context, at int64) {
	after := c.After()
	after.Turned = append(slices.Clone(m.flow.Turned), missing(m.flow.Turned, after.Turned)...)
	m.changed(c)
	m.says(c)
	m.forces(c)
	m.add(c.Records(at), after)
	m.carriedOut(c)
}

func (m *Memory) add(records []gates.Record, flow gates.Flow) {
	// A new list each time: the one before belongs to the last call's context.
	h := append(m.history[:len(m.history):len(m.history)], records...)
	m.history = h[max(0, len(h)-gates.HistoryLimit):]
	m.flows(flow)
}

// Stopped notes a call that does not run, and says whether that is anything to remember:
// code that broke the list of modules may be written another way three times
// (gates.MaxRepairs), until some runs or the user speaks. Hosts that lead through steps
// count there (traverse) and do not call it.
func (m *Memory) Stopped(d *gates.Decision) (noted bool) {
	if d.Disposition == gates.Approved || !d.Broke() {
		return false
	}
	m.broke = min(m.broke+1, gates.MaxRepairs+1)
	return true
}

// handed notes code that is let through.
func (m *Memory) handed(c *gates.Context) {
	if m.broke > 0 && c.HandsCode() {
		m.broke = 0
	}
}

// NextMacro begins a new macro: the history is that of one (requirement C3).
func (m *Memory) NextMacro() { m.history = nil }

// Returned takes in what came back from a call: its result, its error, what it
// wrote to standard error, a resource or a prompt. Texts that say the same count
// once. tool is the tool's name under any namespace; args is the call's JSON, which
// tells whether the task asked for this very text, and may be nil.
func (m *Memory) Returned(tool string, args []byte, texts ...string) {
	tool = call.Kept(call.Name(tool))
	m.index.SetLimit(m.Limit)
	for i, text := range texts {
		if text == "" || slices.Contains(texts[:i], text) {
			continue
		}
		m.heard = true
		if !m.fits(len(text)) {
			m.index.Drop()
			continue
		}
		m.index.ObserveText(tool, string(args), text)
	}
}

func (m *Memory) fits(n int) bool { return m.Limit <= 0 || m.index.Size()+n <= m.Limit }
