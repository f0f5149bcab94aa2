package replay

import (
	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/origin"
)

// tracker builds the context of each call of an episode as a host would that
// checks it before it runs. Its memory (history, information flow, where values
// came from) begins with it.
type tracker struct {
	ep      *corpora.Episode
	check   *gates.Checker
	place   gates.State
	live    Observer // may be nil
	hinter  Hinter   // may be nil
	of      []int    // the macro of each step
	cwd     string
	index   origin.Index
	heard   int // user messages up to this step are known
	macro   int
	history []gates.Record
	flow    gates.Flow
}

func newTracker(ep *corpora.Episode, check *gates.Checker, place gates.State, live Observer, of []int) *tracker {
	t := &tracker{ep: ep, check: check, place: place, live: live, of: of, macro: -1}
	t.index.Task(ep.Task)
	return t
}

// context returns the context of step i before it runs.
func (t *tracker) context(i int) gates.Context {
	for ; t.heard <= i; t.heard++ {
		t.index.Task(t.ep.Steps[t.heard].Heard)
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
		t.macro, t.history = t.of[i], nil
	}
	st := t.place
	st.Cwd, st.History, st.Flow = t.cwd, t.history, t.flow
	call := gates.Call{Tool: s.Tool, Args: []byte(s.Args), Sources: &t.index}
	if t.hinter != nil {
		call.Hints = t.hinter.Hints(s.Tool)
	}
	return t.check.Context(call, st)
}

// ran notes that step i ran and what came of it.
func (t *tracker) ran(i int, c *gates.Context, res *Result) {
	args := []byte(t.ep.Steps[i].Args)
	t.index.ObserveCall(c.ToolName(), args, []byte(res.Text))
	if res.Error != "" && res.Error != res.Text {
		t.index.ObserveCall(c.ToolName(), args, []byte(res.Error))
	}
	if res.Cwd != "" {
		t.cwd = res.Cwd
	}
	t.flow = c.After()
	h := append(append([]gates.Record(nil), t.history...), c.Records(int64(i))...)
	t.history = h[max(0, len(h)-gates.HistoryLimit):]
}
