package hosts

import (
	"encoding/json"
	"strings"
)

// Ends says how a host tells its hook that the agent is about to end its turn, and how the
// hook sends it back to work (requirement V5).
type Ends struct {
	// Dir is the field with the working directory.
	Dir string
	// Active are fields one of which is true where the agent goes on only because a hook sent
	// it back, and Tries one that counts how often.
	Active []string
	Tries  string
	// Turn is the field that tells the turns of a session apart, or empty.
	Turn string
	// Status is the field that says how the turn ended, and Done its value for a turn that
	// was not broken off; empty where the host calls no hook for others.
	Status, Done string

	// back sends the agent back with a reason, and pass lets it end, with a note for the
	// user where the host shows one.
	back func(reason string) Output
	pass func(note string) Output
	// sent says what the host makes of an answer.
	sent func(p Process) bool
}

// End is an end that a host tells of.
type End struct {
	Input      // whose call is empty
	Again bool // the agent goes on because a hook sent it back
	Tries int  // how often one did, where the host counts
	Turn  string
	// Broken says that the turn was broken off: nobody is sent back.
	Broken bool
}

// AsksEnds says whether the host has an event that can send an agent back to work.
func (h *Host) AsksEnds() bool { return h.Ends != nil }

// IsEnd says whether the host tells of an end here. What can't be read is none.
func (h Host) IsEnd(data []byte) bool {
	f, err := parse(data)
	if err != nil || h.Ends == nil {
		return false
	}
	event, err := f.text(h.eventKey)
	return err == nil && h.Event(event).End
}

// DecodeEnd reads an end. On an error the agent must be let go: answer with Trouble.
func (h Host) DecodeEnd(data []byte) (*End, error) {
	f, err := parse(data)
	if err != nil {
		return nil, err
	}
	out := &End{}
	if out.Event, err = f.need(h.eventKey); err != nil {
		return nil, err
	}
	if h.Ends == nil || !h.Event(out.Event).End {
		return nil, bad("input/event", "the event %.80q is no end", out.Event)
	}
	out.State.UID, out.State.GID = -1, -1
	if out.Session, err = f.text(h.sessionKey); err != nil {
		return nil, err
	}
	if err := out.marks(f); err != nil {
		return nil, err
	}
	if out.mode, err = f.text("permission_mode"); err != nil {
		return nil, err
	}
	return out, h.Ends.read(f, out)
}

// read reads what hosts have in fields of their own.
func (e *Ends) read(f fields, out *End) (err error) {
	if out.State.Roots, err = f.texts("workspace_roots"); err != nil {
		return err
	}
	if out.State.Cwd, err = f.text(e.Dir); err != nil {
		return err
	}
	if out.State.Cwd == "" && len(out.State.Roots) > 0 {
		out.State.Cwd = out.State.Roots[0]
	}
	for _, key := range e.Active {
		var set bool
		if raw, ok := f[key]; ok && json.Unmarshal(raw, &set) != nil {
			return bad("input/shape", "%s is not true or false", key)
		}
		out.Again = out.Again || set
	}
	if raw, ok := f[e.Tries]; ok && (json.Unmarshal(raw, &out.Tries) != nil || out.Tries < 0) {
		return bad("input/shape", "%s is not a number", e.Tries)
	}
	if e.Turn != "" {
		if out.Turn, err = f.text(e.Turn); err != nil {
			return err
		}
	}
	if e.Status != "" {
		status, err := f.text(e.Status)
		out.Broken = status != e.Done
		return err
	}
	return nil
}

// SendBack answers an end that lacks something. The reason may have more lines than one.
func (h Host) SendBack(reason string) Output {
	lines := strings.Split(reason, "\n")
	for i := range lines {
		lines[i] = clean(lines[i])
	}
	return h.Ends.back("gbt: " + strings.Join(lines, "\n"))
}

// LetGo answers an end that stands. A note is for the user, where the host shows one.
func (h Host) LetGo(note string) Output {
	if h.Ends == nil {
		return h.Noted()
	}
	if note != "" {
		note = "gbt: " + clean(note)
	}
	return h.Ends.pass(note)
}

// SentBack says whether the host sends the agent back to work after this answer.
func (h Host) SentBack(p Process) bool { return h.Ends != nil && !p.Died && h.Ends.sent(p) }

// endOutput is what Claude Code reads after an end, and the hosts that took its form.
type endOutput struct {
	Decision string `json:"decision,omitempty"`
	Reason   string `json:"reason,omitempty"`
	Message  string `json:"systemMessage,omitempty"`
}

// claudeEnds is the form that Claude Code's documentation has for the events Stop and
// SubagentStop: exit 0 and a block with its reason, which the agent reads; silence lets it go.
func claudeEnds() *Ends {
	return &Ends{
		Dir: "cwd", Active: []string{"stop_hook_active", "stopHookActive"},
		back: func(reason string) Output {
			return Output{Stdout: encodeJSON(endOutput{Decision: "block", Reason: reason})}
		},
		pass: func(note string) Output {
			if note == "" {
				return Output{}
			}
			return Output{Stdout: encodeJSON(endOutput{Message: note})}
		},
		sent: func(p Process) bool {
			r, ok := p.reply()
			return p.Exit == exitBlocked && p.Stderr != "" || p.Exit == exitDecided && ok && r.Decision == "block" && r.Reason != ""
		},
	}
}

// silentEnds is claudeEnds for a host that documents no message to the user: it stands on
// standard error.
func silentEnds() *Ends {
	e := claudeEnds()
	e.pass = func(note string) Output { return Output{Stderr: ending(note)} }
	return e
}

// ending is a note as a line, or nothing.
func ending(note string) string {
	if note == "" {
		return ""
	}
	return note + "\n"
}
