package mcpproxy

import (
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// TestConditions: the result of a call that the server did not call an error establishes
// what another one needs.
func TestConditions(t *testing.T) {
	checker := &gates.Checker{Conditions: gates.NewConditions([]gates.Condition{
		{Act: "edit", Arg: gates.FileArg, Needs: []gates.Need{{How: gates.HowSame, Act: "view", Arg: gates.FileArg}}},
	})}
	w := newWorld(t, settings{checker: checker})
	const edit = `{"command":"sed -i s/x/y/ /w/a.txt"}`
	if got := w.call("bash", edit); !strings.Contains(got, "revision_required") || !strings.Contains(got, "read a file") {
		t.Errorf("nothing was read: %s", got)
	}
	w.call("bash", `{"command":"cat /w/b.txt"}`)
	if got := w.call("bash", edit); !strings.Contains(got, "revision_required") {
		t.Errorf("another file was read: %s", got)
	}
	w.call("bash", `{"command":"cat /w/a.txt"}`)
	if got := w.call("bash", edit); strings.Contains(got, "revision_required") {
		t.Errorf("the file was read: %s", got)
	}
}
