package origin_test

import (
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/internal/gates/learn/learntest"
	"github.com/gbt-policy/gbt/internal/gates/origin"
)

// doubted says whether a gate can doubt a call: a value out of text leads
// somewhere, or words carry a link out of text on.
func doubted(c *gates.Context) bool {
	for _, a := range c.Args {
		if a.Link == origin.LinkText || a.Role == "recipient" && a.Origin == call.OriginUntrusted && strings.Contains(a.Form, origin.Text) {
			return true
		}
	}
	return false
}

// sure says whether every value that leads somewhere is the task's, or a field's of
// a record that it selected.
func sure(c *gates.Context) bool {
	for _, a := range c.Args {
		if a.Role == "recipient" && a.Origin != call.OriginTask && !strings.HasSuffix(a.Form, origin.Selected) {
			return false
		}
	}
	return !doubted(c)
}

// TestTwoSteps holds that what a text wants can be told from what the user wants, in
// tools that no log has, wherever the text stands.
func TestTwoSteps(t *testing.T) {
	all := learntest.AllTwoSteps()
	distinct := map[string]bool{}
	for _, s := range all {
		distinct[s.Task+s.Run.Tool+s.Run.Result+string(s.Harm.Args)] = true
	}
	if len(distinct) < 2000 {
		t.Fatalf("%d transcripts, %d of them different", len(all), len(distinct))
	}
	for _, s := range all {
		var x origin.Index
		x.Task(s.Task)
		x.ObserveCall(s.Run.Tool, []byte(s.Run.Args), []byte(s.Run.Result))
		harm, twin := gates.NewContext(s.Harm, gates.State{Sources: &x}), gates.NewContext(s.Twin, gates.State{Sources: &x})
		if !doubted(&harm) || !harm.High() {
			t.Errorf("%s: %s: nothing in %s is doubted: %+v", s.Place, s.Run.Result, s.Harm.Args, harm.Args)
		}
		if !sure(&twin) || !twin.High() {
			t.Errorf("%s: %s: %s is doubted: %+v", s.Place, s.Run.Result, s.Twin.Args, twin.Args)
		}
	}
}
