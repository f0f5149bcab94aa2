package hosts

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/gbt-policy/gbt/gates"
)

// FuzzDecode feeds every host every input. What is read must be one JSON
// object with a tool and arguments that gates can look into, its answer must be
// read as it was meant, and what is not read must be refused in a form that
// blocks.
func FuzzDecode(f *testing.F) {
	for _, s := range samples {
		f.Add([]byte(s.input))
		f.Add([]byte(s.input + s.input))
		f.Add([]byte(s.input[:len(s.input)/2]))
	}
	f.Add([]byte(`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":[]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, name := range Names() {
			h := host(t, name)
			in, err := h.Decode(data)
			if err != nil {
				out := h.Refuse(err.Error())
				if h.Reading("", Process{Stdout: out.Stdout, Stderr: out.Stderr, Exit: out.Exit}) != Blocks || !utf8.ValidString(out.Stdout) {
					t.Fatalf("%s: refusal %+v does not block", name, out)
				}
				continue
			}
			var top, args map[string]json.RawMessage
			if !utf8.Valid(data) || json.Unmarshal(data, &top) != nil || in.Call.Tool == "" || json.Unmarshal(in.Call.Args, &args) != nil {
				t.Fatalf("%s: read %+v from %q", name, in, data)
			}
			for d := gates.Rejected; d < gates.Approved; d++ {
				out := h.Encode(in, nil, decision(d))
				got := h.Reading(in.Event, Process{Stdout: out.Stdout, Stderr: out.Stderr, Exit: out.Exit})
				if got == Proceeds && !(d == gates.ApprovedWithConstraints && in.Event == "PermissionRequest") {
					t.Fatalf("%s: %v is read as %v", name, d, got)
				}
			}
		}
	})
}
