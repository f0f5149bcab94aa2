package gates

import "testing"

// Hosts differ in the field a shell tool takes its command from, so a harmless
// command beside a dangerous one must not speak for both.
func TestCallsWithTwoCommandsAreNotApproved(t *testing.T) {
	var g Guardrail
	for _, tc := range []struct {
		name, tool, args string
		want             Disposition
	}{
		{"two that differ", "exec_command", `{"command":"ls","cmd":"rm -rf /"}`, RevisionRequired},
		{"the other order", "Bash", `{"cmd":"rm -rf /","command":"ls"}`, RevisionRequired},
		{"a restart beside two", "Bash", `{"command":"ls","cmd":"rm -rf /","restart":"true"}`, RevisionRequired},
		{"one that is no command", "Bash", `{"command":{"a":1},"restart":"true"}`, RevisionRequired},
		{"null", "Bash", `{"command":null}`, RevisionRequired},
		{"null beside one", "exec_command", `{"command":null,"cmd":"rm -rf /"}`, Rejected},
		{"in a string", "Bash", `"{\"command\":\"ls\",\"cmd\":\"rm -rf /\"}"`, RevisionRequired},
		{"the same twice", "Bash", `{"command":"ls","cmd":"ls"}`, Approved},
		{"a restart alone", "Bash", `{"restart":"true"}`, Approved},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := NewContext(Request{Tool: tc.tool, Args: []byte(tc.args)}, State{})
			if d := g.Decide(&c); d.Disposition != tc.want {
				t.Errorf("%v, want %v: %v", d.Disposition, tc.want, d.Reasons)
			}
		})
	}
}
