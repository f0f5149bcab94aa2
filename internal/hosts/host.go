package hosts

import (
	"encoding/json"
	"slices"

	"github.com/gbt-policy/gbt/gates"
)

// Host is one coding agent and all that gbt knows of it: the protocol of its
// hooks, its settings, and what gbt doctor shows to a hook installed there.
// Each one is a value, written in a file of its own; nothing outside that file
// asks for a host's name to find out how it behaves. The zero value is no host.
type Host struct {
	Name  string // as on the command line
	Title string // as its makers write it

	// Events are the events that the hook knows, those before a call first, in
	// the order in which install writes them.
	Events []EventKind

	// Reports says whether the events after a call tell every call that ran,
	// those that failed included. Where they don't, a call that may run has to
	// count as run from the answer on. A host that can't ask gains nothing by it.
	Reports bool

	// ProjectEnv is the environment variable in which the host tells its hooks
	// the project's directory, or empty.
	ProjectEnv string

	// ShellEnv is an environment variable that the host sets for the commands of its
	// agent, or empty: whoever has it is not a person at a terminal of their own.
	ShellEnv string

	// Loads is what it loads or starts by itself beside its settings.
	Loads Loads

	// Saved is the file in which the host says that it put a result too long to show, or
	// empty, by the text that the model got in its place; nil says that nobody knows. Other
	// texts can be made to look like that one: nothing may be let through by it.
	Saved func(result string) string

	// Worded are arguments of its shell's tool that tell people about the call and that
	// its documentation gives no effect: a model writes them anew at every try.
	Worded []string

	// Limits are what a hook can't block at this host however it answers, in
	// sentences for people: gbt doctor prints them.
	Limits []string

	// Prompts are the host's own questions that gbt may answer; nil for none, and Unanswered
	// says why where the host has an event for it, in a sentence for people.
	Prompts    *Prompts
	Unanswered string
	// Ends says how the host tells of ends; nil for one where no hook can send an agent back.
	Ends *Ends

	Settings Settings
	Analyzer *Settings // a second way in, which rates calls and can't block; or nil
	Trust    *Trust    // what a user must do before the host runs a hook; or nil
	Samples  Samples

	// instructions are what it loads from a home as text, beside skills: paths below the home.
	instructions []string
	// keeps are directories that the host keeps for its own sessions and tells the agent
	// to read, or to write, as a workspace that lies in dir has them, and other work trees of its
	// repository; ~/ is the home. Nothing of them is loaded as settings or code. nil says that
	// nobody knows of any.
	keeps func(dir string, trees []string) []gates.Kept

	eventKey   string // the field that names the event
	sessionKey string // the field that names the session

	decode func(*Host, fields) (*Input, error)
	encode func(*Input, answer) Output
	// read is what the host makes of a finished hook process (Reading).
	read func(event string, p Process) Outcome

	// asksIn says whether a question reaches the user in this mode of the host's
	// permissions; nil says that it always does, at events that ask.
	asksIn func(mode string) bool
	// declined says whether an event after a call tells that it did not run; nil
	// says that the host has none that does.
	declined func(fields) (bool, error)
	// succeeded says whether an event after a call tells that it ended well; nil says that
	// none does.
	succeeded func(event string, f fields) bool
	// noted is what the host wants to read on stdout after an event that nothing
	// is decided on.
	noted string
}

// all are the hosts in alphabetical order: the one list of them.
var all = [...]*Host{&claudeCode, &codex, &copilot, &cursor, &droid, &gemini, &opencode, &openHands}

// Names lists the hosts in alphabetical order.
func Names() []string { return NamesOf(func(*Host) bool { return true }) }

// NamesOf lists the hosts of which something holds, in alphabetical order.
func NamesOf(holds func(*Host) bool) []string {
	var out []string
	for _, h := range all {
		if holds(h) {
			out = append(out, h.Name)
		}
	}
	return out
}

// Lookup returns the named host. What its slices hold must not be changed.
func Lookup(name string) (Host, bool) {
	i := slices.IndexFunc(all[:], func(h *Host) bool { return h.Name == name })
	if i < 0 {
		return Host{}, false
	}
	return *all[i], true
}

// Decode reads what the host wrote to the hook. On any error the call must be
// refused: answer with Refuse.
func (h Host) Decode(data []byte) (*Input, error) {
	f, err := parse(data)
	if err != nil {
		return nil, err
	}
	in, err := h.decode(&h, f)
	if err != nil {
		return nil, err
	}
	in.State.UID, in.State.GID = -1, -1
	return in, nil
}

// CanAsk says whether the host leaves the call to the user when an answer to
// this input asks for that.
func (h Host) CanAsk(in *Input) bool {
	return h.Event(in.Event).Asks && (h.asksIn == nil || h.asksIn(in.mode))
}

// Encode answers the host with a decision on a context, which may be nil: it tells the
// texts where paths lie.
func (h Host) Encode(in *Input, c *gates.Context, d *gates.Decision) Output {
	a := answer{verdict: block, disposition: d.Disposition.String()}
	switch d.Disposition {
	case gates.Approved:
		a.verdict = allow
	case gates.ApprovedWithConstraints:
		if h.CanAsk(in) {
			a.verdict = ask
		}
	}
	a.person, a.reason = h.explain(in, c, d, a.verdict)
	return h.encode(in, a)
}

// Probed says whether gbt doctor and not an agent made the call.
func (h Host) Probed(in *Input) bool { return in.Session == sampled }

// Retried are the arguments by which the same call is known at another try.
func (h Host) Retried(in *Input) []byte {
	args := in.args()
	if args == nil || len(h.Worded) == 0 || in.Call.Tool != h.Samples.Shell.Name {
		return in.Call.Args
	}
	for _, k := range h.Worded {
		delete(args, k)
	}
	b, err := json.Marshal(args)
	if err != nil {
		return in.Call.Args
	}
	return b
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

// TellsSuccess reports whether the host tells which calls ended well.
func (h *Host) TellsSuccess() bool { return h.succeeded != nil }
