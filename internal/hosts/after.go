package hosts

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Event is what a host tells its hook beside the calls it asks about: a call
// that ran, with its result, or what the user said.
type Event struct {
	Input // the call; its Tool is empty for what the user said

	// Results are the result as the agent reads it, where it can be told, and
	// as the host wrote it.
	Results [][]byte
	// Prompt is the user's text. It also says that whatever the user was asked
	// about before is settled.
	Prompt string
	// Declined says that the call did not run.
	Declined bool
	// Succeeded says that the call ran to its end, and that its end was good: of a command
	// that it exited with 0. Where a host does not tell, it is false.
	Succeeded bool
}

// DecodeEvent reads an after-event or a prompt. Nothing can be blocked then, so
// an error must end in Trouble.
func (h Host) DecodeEvent(data []byte) (*Event, error) {
	f, err := parse(data)
	if err != nil {
		return nil, err
	}
	event, err := f.need(h.eventKey)
	if err != nil {
		return nil, err
	}
	k := h.Event(event)
	if k.Name == "" || k.Decides() || k.End {
		return nil, bad("input/event", "the event %.80q says nothing about a call that ran", event)
	}
	if k.Prompt != "" {
		return h.decodePrompt(k.Prompt, f)
	}
	f[h.eventKey] = json.RawMessage(`"` + k.Of + `"`)
	in, err := h.decode(&h, f)
	if err != nil {
		return nil, err
	}
	out := &Event{Input: *in}
	out.Event = event
	out.State.UID, out.State.GID = -1, -1
	if h.declined != nil {
		out.Declined, err = h.declined(f)
	}
	if h.succeeded != nil {
		out.Succeeded = !out.Declined && h.succeeded(event, f)
	}
	for _, key := range k.Results {
		out.result(f[key])
	}
	return out, err
}

// decodePrompt reads what the user said, in which session, and to which agent
// in it.
func (h *Host) decodePrompt(key string, f fields) (*Event, error) {
	out := &Event{}
	var err error
	if out.Prompt, err = f.need(key); err != nil {
		return out, err
	}
	if out.Session, err = f.text(h.sessionKey); err != nil {
		return out, err
	}
	out.State.Cwd = typedIn(f)
	return out, out.marks(f)
}

// typedIn is the directory that a host says a message was typed in: the one that the agent is in, or
// the first of its workspaces; empty where it says none.
func typedIn(f fields) string {
	if dir, err := f.text("cwd"); err == nil && dir != "" {
		return dir
	}
	var roots []string
	if json.Unmarshal(f["workspace_roots"], &roots) == nil && len(roots) > 0 {
		return roots[0]
	}
	return ""
}

// result notes a result in the agent's words, if it has some, and in the host's.
func (e *Event) result(raw []byte) {
	if raw = bytes.TrimSpace(raw); len(raw) == 0 || string(raw) == "null" {
		return
	}
	var s string
	if json.Unmarshal(raw, &s) == nil {
		e.Results = append(e.Results, []byte(s))
		raw = []byte(s) // Cursor's results are JSON in a string
	} else {
		e.Results = append(e.Results, raw)
	}
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return
	}
	if text := words(v); text != "" && text != s {
		e.Results = append([][]byte{[]byte(text)}, e.Results...)
	}
}

// words returns the text of a result in the shapes of the hosts' shell, file
// and MCP tools, or nothing.
func words(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		var list []string
		for _, e := range v {
			if m, ok := e.(map[string]any); ok {
				if s, ok := m["text"].(string); ok {
					list = append(list, s)
				}
			}
		}
		return strings.Join(list, "\n")
	case map[string]any:
		var list []string
		for _, key := range []string{"content", "file", "llmContent", "output", "stdout", "stderr", "text_result_for_llm"} {
			if s := words(v[key]); s != "" {
				list = append(list, s)
			}
		}
		return strings.Join(list, "\n")
	}
	return ""
}

// Noted answers an after-event or a prompt: with nothing that changes what the
// host does.
func (h Host) Noted() Output { return Output{Stdout: h.noted} }

// exitTrouble is an exit code that every host shows and goes on after. Exit 2
// would hide a result or throw the user's message away.
const exitTrouble = 1

// Trouble answers an event that could not be noted.
func (h Host) Trouble(why string) Output {
	return Output{Stderr: "gbt: not noted: " + clean(why) + "\n", Exit: exitTrouble}
}
