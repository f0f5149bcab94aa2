package hosts

import "strings"

// Samples are what gbt doctor needs to write calls as a host writes them.
type Samples struct {
	Shell, Read Tool
	// Call is what the host writes to its hook for a call.
	Call func(event, dir, tool string, args map[string]any) map[string]any
}

// Tool is one of a host's own tools.
type Tool struct {
	Name string
	Key  string // the argument for the command line or the file
	Also []Arg  // what else a call of it holds
}

// Arg is an argument of a call.
type Arg struct{ Name, Value string }

// sampled is the name that samples have wherever a host gives an id.
const sampled = "gbt-doctor"

// SampleCall is a call of a tool as the host writes it to its hook.
func (h Host) SampleCall(event, dir string, t Tool, value string) string {
	return sampleText(h.Samples.Call(event, dir, t.Name, t.args(value)))
}

// SampleEvent is what the host writes after a command ran, after the user
// spoke, or when the agent ends its turn.
func (h Host) SampleEvent(event, dir string) string {
	k, shell := h.Event(event), h.Samples.Shell
	before := k.Of
	if before == "" {
		before = h.Events[0].Name
	}
	m := h.Samples.Call(before, dir, shell.Name, shell.args("ls"))
	m[h.eventKey] = event
	if k.End {
		delete(m, "tool_name")
		delete(m, "tool_input")
		if h.Ends.Status != "" {
			m[h.Ends.Status] = h.Ends.Done
		}
	}
	for _, key := range append([]string{k.Prompt}, k.Results...) {
		if key != "" {
			m[key] = sampled
		}
	}
	return sampleText(m)
}

func (t *Tool) args(value string) map[string]any {
	args := map[string]any{t.Key: value}
	for _, a := range t.Also {
		args[a.Name] = a.Value
	}
	return args
}

func sampleText(m map[string]any) string { return strings.TrimSuffix(encodeJSON(m), "\n") }
