package replay

import (
	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/episode"
)

// tracker builds the context of each call of an episode as a host would that
// checks it before it runs. Its memory (history, information flow, where values
// came from) begins with it.
type tracker struct {
	ep     *corpora.Episode
	check  *gates.Checker
	place  gates.State
	live   Observer // may be nil
	hinter Hinter   // may be nil
	of     []int    // the macro of each step
	cwd    string
	past   episode.Memory
	heard  int // user messages up to this step are known
	macro  int
}

func newTracker(ep *corpora.Episode, check *gates.Checker, place gates.State, live Observer, of []int) *tracker {
	t := &tracker{ep: ep, check: check, place: place, live: live, of: of, macro: -1}
	t.past.Observes = true
	t.past.Hear(ep.Task)
	return t
}

// context returns the context of step i before it runs.
func (t *tracker) context(i int) gates.Context {
	for ; t.heard <= i; t.heard++ {
		t.past.Hear(t.ep.Steps[t.heard].Heard)
	}
	s := &t.ep.Steps[i]
	switch {
	case t.live != nil: // what is observed goes before what the log says
		t.place = t.live.State()
		if t.place.Cwd != "" {
			t.cwd = t.place.Cwd
		}
	case s.Cwd != "":
		t.cwd = s.Cwd
	}
	if t.of[i] != t.macro { // the history is that of one macro (requirement C3)
		t.macro = t.of[i]
		t.past.NextMacro()
	}
	st := t.place
	st.Cwd = t.cwd
	t.past.Before(&st)
	req := gates.Request{Tool: s.Tool, Args: []byte(s.Args)}
	if t.hinter != nil {
		req.Hints = t.hinter.Hints(s.Tool)
	}
	return t.check.Context(req, st)
}

// ran notes that step i ran and what came of it.
func (t *tracker) ran(i int, c *gates.Context, res *Result) {
	t.past.Ran(c, int64(i))
	if res.Error == "" && (!res.HasExit || res.ExitCode == 0) {
		t.past.Establish(c, res.Text)
	}
	t.past.Returned(c.ToolName(), []byte(t.ep.Steps[i].Args), res.Text, res.Error)
	if res.Cwd != "" {
		t.cwd = res.Cwd
	}
}
