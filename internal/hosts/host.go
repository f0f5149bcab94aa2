package hosts

import "github.com/gbt-policy/gbt/gates"

// Host is one coding agent's hook protocol. Its zero value is no host.
type Host struct {
	Name  string // as on the command line
	Title string // as its makers write it

	decode func(fields) (*Input, error)
	encode func(*Input, answer) Output
	// asks says whether an answer to this event may leave the call to the user.
	asks func(*Input) bool
}

// Input is one call as a host describes it to its hook.
type Input struct {
	Call    gates.Request
	State   gates.State
	Event   string
	Session string // the host's id of the session, or empty
	Agent   string // of a subagent of the session, or empty
	CallID  string // tells the calls of a session apart; the same before and after; may be empty

	mode string // of the host's permissions, where it tells

	// Elsewhere says that the host runs a second, narrower hook for this same
	// call, and that only that one can ask (Cursor).
	Elsewhere bool
}

// Output is what a hook process leaves behind.
type Output struct {
	Stdout string
	Stderr string
	Exit   int
}

// The exit codes that all hosts agree on. Any other code makes every one of
// them go on with the call.
const (
	exitDecided = 0
	exitBlocked = 2
)

// answer is a decision in the words of a host.
type answer struct {
	verdict verdict
	reason  string
	// disposition is gbt's own, for readers of ours.
	disposition string
	// failure says that nothing was decided: the hook itself could not.
	failure bool
}

type verdict uint8

// The zero verdict blocks.
const (
	block verdict = iota
	ask
	allow
)

// Names lists the hosts in alphabetical order.
func Names() []string {
	return []string{"claude-code", "codex", "cursor", "gemini", "opencode", "openhands"}
}

// Lookup returns the named host.
func Lookup(name string) (Host, bool) {
	switch name {
	case "claude-code":
		return claudeCode(), true
	case "codex":
		return codex(), true
	case "cursor":
		return cursor(), true
	case "gemini":
		return gemini(), true
	case "opencode":
		return opencode(), true
	case "openhands":
		return openHands(), true
	}
	return Host{}, false
}

// Decode reads what the host wrote to the hook. On any error the call must be
// refused: answer with Refuse.
func (h Host) Decode(data []byte) (*Input, error) {
	f, err := parse(data)
	if err != nil {
		return nil, err
	}
	in, err := h.decode(f)
	if err != nil {
		return nil, err
	}
	in.State.UID, in.State.GID = -1, -1
	return in, nil
}

// CanAsk says whether the host leaves the call to the user when an answer to
// this input asks for that.
func (h Host) CanAsk(in *Input) bool { return h.asks(in) }

// Encode answers the host with a decision.
func (h Host) Encode(in *Input, d *gates.Decision) Output {
	a := answer{verdict: block, disposition: d.Disposition.String()}
	switch d.Disposition {
	case gates.Approved:
		a.verdict = allow
	case gates.ApprovedWithConstraints:
		if h.asks(in) {
			a.verdict = ask
		}
	}
	a.reason = h.explain(d, a.verdict)
	return h.encode(in, a)
}

// Pass answers that this hook has nothing to say about the call because
// another one of the same host decides it (Input.Elsewhere).
func (h Host) Pass(in *Input) Output {
	return h.encode(in, answer{verdict: allow, disposition: gates.Approved.String()})
}

// Refuse is the host's blocked form for a call that could not be judged.
func (h Host) Refuse(why string) Output {
	reason := "gbt: the call was not judged and is blocked: " + clean(why)
	return h.encode(&Input{}, answer{verdict: block, reason: reason, disposition: gates.Rejected.String(), failure: true})
}
