package hosts

import "slices"

// EventKind is one of a host's events that the hook knows: before a call, where
// it decides; after one, or when the user spoke, where it only notes; or when the agent
// ends its turn.
type EventKind struct {
	Name string

	// Of is, for an event after a call, the event before it whose fields it
	// has. Results are the fields that hold what came back.
	Of      string
	Results []string

	// Prompt is the field of the user's text, for an event that tells it.
	Prompt string

	// End says that the agent is about to end its turn, and can be sent back to work.
	// Install leaves such an event out unless something asks for it.
	End bool

	// Asks says that an answer may leave the call to the user.
	Asks bool

	// AskLater says that a narrower event, which Asks, follows for some of the
	// calls, so that questions about these are left to that one.
	AskLater bool

	// ByHand says that install leaves this event to people, but for one that Prompts
	// names and that they ask for.
	ByHand bool

	// Sees says what calls come to this event.
	Sees Sees
}

// Sees says what calls come to an event.
type Sees uint8

// What comes to an event.
const (
	AnyTool  Sees = iota
	Commands      // of a shell
	MCPTools
	FileReads
)

// Decides says whether the event comes before a call, which can be blocked.
func (k *EventKind) Decides() bool { return k.Of == "" && k.Prompt == "" && !k.End }

// Event returns the named event, or the zero EventKind if the hook knows none
// of that name.
func (h Host) Event(name string) EventKind {
	i := slices.IndexFunc(h.Events, func(k EventKind) bool { return k.Name == name })
	if i < 0 {
		return EventKind{}
	}
	return h.Events[i]
}

// decided reads which event this is; it must be one before a call.
func (h *Host) decided(f fields) (string, error) {
	event, err := f.need(h.eventKey)
	if err != nil {
		return "", err
	}
	if k := h.Event(event); k.Name == "" || !k.Decides() {
		return "", undecided(event)
	}
	return event, nil
}

// called reads the call that an event before a call is about, as most hosts write it: with
// tool_name and tool_input, the session's name, and the working directory under dirKey.
func (h *Host) called(f fields, dirKey string) (*Input, error) {
	event, err := h.decided(f)
	if err != nil {
		return nil, err
	}
	in := &Input{Event: event}
	if in.Call.Tool, err = f.need("tool_name"); err != nil {
		return nil, err
	}
	if in.Call.Args, err = f.object("tool_input"); err != nil {
		return nil, err
	}
	if in.State.Cwd, err = f.text(dirKey); err != nil {
		return nil, err
	}
	in.Session, err = f.text(h.sessionKey)
	return in, err
}

func undecided(event string) error {
	return bad("input/event", "the event %.80q is not one this hook decides", event)
}
