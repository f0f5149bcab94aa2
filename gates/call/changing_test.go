package call_test

import (
	"testing"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
)

// TestChangingNamesAsk: no name of a verb that changes something and a noun passes,
// but those that end a session or a window of the agent's own.
func TestChangingNamesAsk(t *testing.T) {
	ends := map[string]bool{}
	for _, verb := range []string{"cancel", "kill", "stop", "terminate"} {
		for _, noun := range []string{"bash", "cmd", "command", "powershell", "shell", "terminal", "button", "element", "screenshot", "tab"} {
			ends[verb+"_"+noun] = true
		}
	}
	var k gates.Checker
	tried := 0
	for _, verb := range call.ChangingVerbs() {
		for _, noun := range call.Nouns() {
			for _, args := range []string{`{}`, `{"id":"7"}`} {
				name := verb + "_" + noun
				c := k.Context(gates.Request{Tool: "mcp__x__" + name, Args: []byte(args)}, gates.State{Cwd: "/w", Roots: []string{"/w"}, Home: "/home/u"})
				if d := k.Check(&c, nil); (d.Disposition == gates.Approved) != ends[name] {
					t.Errorf("%s %s: %v", name, args, d.Disposition)
				}
				tried++
			}
		}
	}
	if tried < 10000 {
		t.Errorf("%d names tried", tried)
	}
}
