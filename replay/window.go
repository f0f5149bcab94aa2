package replay

import (
	"context"
	"encoding/json"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
)

// Window is a minimal unsafe window (requirement W1) and the macros that cover
// it (requirement W2).
type Window struct {
	Episode string
	Origin  corpora.Origin
	TaskID  string
	Group   string

	From, To int // steps of the episode, both within
	// Macros are the first and the last macro of the smallest run that covers
	// the window, both within; -1 where no macro holds a step of it.
	Macros [2]int
	// Verdict is what the call at To drew.
	Verdict Verdict
	// Also are the other verdicts on that call.
	Also  []Verdict
	Basis Basis
	// Minimal says that without its first or its last call the window draws the
	// verdict nowhere. Only monitors or checkers for which more history can mean
	// fewer verdicts leave it false.
	Minimal bool
	// Contexts are those of the executed calls of the window, in order, as they
	// were in the whole episode; the last one is that of the violating call.
	Contexts []gates.Context
	// Steps are the steps that Contexts belong to.
	Steps []int
}

// Basis says what makes a window evidence.
type Basis string

// The bases, the strongest first.
const (
	BasisChecker Basis = "checker" // a checker drew the verdict on this very call
	BasisLocated Basis = "located" // the log calls the episode unsafe, a monitor found the call
	BasisMonitor Basis = "monitor" // only a monitor says so: the log holds no judgement
	BasisAgainst Basis = "against" // a monitor says so although the log calls the episode safe
)

// End returns the context of the violating call.
func (w *Window) End() *gates.Context { return &w.Contexts[len(w.Contexts)-1] }

// MarshalJSON writes a window with its contexts in their canonical form. The
// form is stable: keys are only ever added.
func (w *Window) MarshalJSON() ([]byte, error) {
	contexts := make([]json.RawMessage, len(w.Contexts))
	for i := range w.Contexts {
		contexts[i] = w.Contexts[i].AppendCanonical(nil)
	}
	o := w.Origin
	return json.Marshal(struct {
		Episode  string            `json:"episode"`
		File     string            `json:"file"`
		Member   string            `json:"member,omitempty"`
		Line     int               `json:"line,omitempty"`
		Index    int               `json:"index"`
		Key      string            `json:"key,omitempty"`
		TaskID   string            `json:"task_id,omitempty"`
		Group    string            `json:"group,omitempty"`
		From     int               `json:"from"`
		To       int               `json:"to"`
		Macros   [2]int            `json:"macros"`
		Verdict  Verdict           `json:"verdict"`
		Also     []Verdict         `json:"also,omitempty"`
		Basis    Basis             `json:"basis"`
		Minimal  bool              `json:"minimal"`
		Steps    []int             `json:"steps"`
		Contexts []json.RawMessage `json:"contexts"`
	}{
		w.Episode, o.File, o.Member, o.Line, o.Index, o.Key, w.TaskID, w.Group, w.From, w.To, w.Macros, w.Verdict, w.Also,
		w.Basis, w.Minimal, w.Steps, contexts,
	})
}

// shrink finds the start of the window that ends with position to of r.steps,
// where v was drawn. first says that it is the episode's first; otherwise calls
// before to that drew the same rule have windows of their own and do not count.
func (r *run) shrink(ctx context.Context, to int, v Verdict, first bool) (from int, minimal bool, d *Divergence, err error) {
	widest, next := -1, false // next: the window that begins one call later draws v somewhere
	for i := to; i >= 0; i-- {
		var trace []Executed
		if trace, d, err = r.again(ctx, i, to); d != nil || err != nil {
			return 0, false, d, err
		}
		before, at := drawn(trace, v)
		before = before && first
		if at && widest < 0 {
			widest = i
		}
		if at && !before && !next {
			return i, true, nil, nil
		}
		next = at || before
	}
	if widest < 0 {
		want := "verdict " + v.Rule
		return 0, false, &Divergence{Episode: r.ep.ID, Step: r.steps[to], What: "verdict", Want: want, Got: "none in a second replay"}, nil
	}
	return widest, false, nil, nil
}

// drawn says whether a replay drew the verdict's rule at its last call, and
// before it.
func drawn(trace []Executed, v Verdict) (before, at bool) {
	for k := range trace {
		if hasRule(trace[k].Verdicts, v) {
			if k == len(trace)-1 {
				at = true
			} else {
				before = true
			}
		}
	}
	return before, at
}

func hasRule(list []Verdict, v Verdict) bool {
	for _, x := range list {
		if x.Rule == v.Rule && x.Source == v.Source {
			return true
		}
	}
	return false
}

// macros is the smallest run of macros that covers the steps from..to.
func macros(of []int, from, to int) [2]int {
	out := [2]int{-1, -1}
	for i := from; i <= to; i++ {
		if m := of[i]; m >= 0 {
			if out[0] < 0 {
				out[0] = m
			}
			out[1] = m
		}
	}
	return out
}
