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
	// The log holds no judgement, and the user's own specification is one.
	BasisSpecified Basis = "specified"
	BasisMonitor   Basis = "monitor" // only a monitor says so: the log holds no judgement
	BasisAgainst   Basis = "against" // a monitor says so although the log calls the episode safe
)

// Evidence says whether a window of this basis may teach: where only the
// monitors that nobody chose object, or the log contradicts them, it may not.
func (b Basis) Evidence() bool {
	return b == BasisChecker || b == BasisLocated || b == BasisSpecified
}

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

// maxScan is how many starts of a window are scanned. The longest window in the
// shared corpora has 9 calls; a scan of n starts executes n*n/2 calls.
const maxScan = 256

// shrink finds the start of the window that ends with position to of r.steps,
// where v was drawn. first says that it is the episode's first; otherwise calls
// before to that drew the same rule have windows of their own and do not count.
func (r *run) shrink(ctx context.Context, to int, v Verdict, first bool) (from int, minimal bool, d *Divergence, err error) {
	try := func(i int) (before, at bool) {
		if d != nil || err != nil {
			return false, false
		}
		var trace []Executed
		trace, d, err = r.again(ctx, i, to)
		before, at = drawn(trace, v)
		return before && first, at
	}
	widest, next := -1, false // next: the window that begins one call later draws v somewhere
	for i := to; i >= max(0, to-maxScan+1) && d == nil && err == nil; i-- {
		before, at := try(i)
		if at && widest < 0 {
			widest = i
		}
		if at && !before && !next {
			return i, true, nil, nil
		}
		next = at || before
	}
	if widest < 0 && to >= maxScan {
		widest, minimal = bisect(to-maxScan+1, try)
	}
	if d == nil && err == nil && widest < 0 {
		d = &Divergence{Episode: r.ep.ID, Step: r.steps[to], What: "verdict", Want: v.Rule, Got: "none in a second replay"}
	}
	return widest, minimal, d, err
}

// bisect finds a start before high for a window too long to scan for. That it
// is minimal is then tested; that no shorter one exists is not.
func bisect(high int, try func(int) (before, at bool)) (from int, minimal bool) {
	before, at := try(0)
	if !at {
		return -1, false
	}
	low, after := 0, false // after: the window from high draws the verdict somewhere
	for high-low > 1 {
		mid := low + (high-low)/2
		if b, a := try(mid); a {
			low, before = mid, b
		} else {
			high, after = mid, b
		}
	}
	return low, !before && !after
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
