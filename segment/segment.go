package segment

import (
	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
)

// Profile selects how macros are cut and signed.
type Profile uint8

// The profiles. See the package comment.
const (
	Default Profile = iota
	Reference
)

// Macro is a contiguous span of an episode's steps (requirement X2).
type Macro struct {
	Key       string       // sigma_disc as canonical text: equal keys, equal signatures
	Delta     effect.Delta // what it changed: the riskiest of its calls' changes
	Basis     Basis        // of Delta
	Does      effect.Delta // what its actions do by name and arguments: all that is known before they run
	Hard      bool         // touches a high-risk primitive (requirement C4)
	Sensitive bool         // one of its calls read what holds secrets or private records
	From, To  int          // its steps are From <= i < To
	Boundary  Boundary
}

// Risk is the macro's discrete risk level (003 §C.1).
func (m Macro) Risk() uint8 { return effect.RiskOf(m.Delta, m.Sensitive) }

// Bases counts the calls of an episode that change something, by action or as the
// log shows it, and of these those whose change the log shows.
func (path *Path) Bases() (changes, observed int) {
	for i := range path.calls {
		switch path.calls[i].basis {
		case BasisObserved:
			observed++
			changes++
		case BasisNominal:
			changes++
		case BasisNone:
		}
	}
	return changes, observed
}

// Boundary says why a macro began.
type Boundary uint8

// The reasons for a boundary (requirement X1).
const (
	BoundaryStart  Boundary = iota // the episode's first call
	BoundaryAction                 // another action, or another tool family
	BoundaryDelta                  // the call before it changed something
)

// Path is a segmented episode.
type Path struct {
	Macros []Macro
	Of     []int // the macro of each step, -1 for steps that belong to none

	calls []view // what was seen of each step, for Stable
}

// Segment cuts an episode into macros. Calls that a gate stopped, tools that
// only think and changes of the working directory belong to no macro: none of
// them changed or read anything.
func Segment(e *corpora.Episode, p Profile) Path {
	return cut(views(e), p)
}

// cut makes the macros of a sequence of calls.
func cut(all []view, p Profile) Path {
	path := Path{Of: make([]int, len(all)), calls: all}
	prev := view{}
	for i, c := range all {
		if !c.counts {
			path.Of[i] = -1
			continue
		}
		if why, cut := cutBefore(prev, c, p, len(path.Macros) == 0); cut {
			path.Macros = append(path.Macros, Macro{Key: c.act.Key, From: i, Boundary: why, Delta: c.made, Basis: c.basis, Does: c.act.Delta})
		}
		m := &path.Macros[len(path.Macros)-1]
		m.To = i + 1
		m.Hard = m.Hard || c.hard
		m.Sensitive = m.Sensitive || c.sensitive
		switch {
		case c.made.Risk() > m.Delta.Risk():
			m.Delta, m.Basis = c.made, c.basis
		case c.made == m.Delta:
			m.Basis = max(m.Basis, c.basis) // one call that is seen to do it is enough
		}
		if c.act.Delta.Risk() > m.Does.Risk() {
			m.Does = c.act.Delta
		}
		path.Of[i] = len(path.Macros) - 1
		prev = c
	}
	if p == Reference {
		signReference(&path)
	}
	return path
}

// view is what segmentation sees of one step.
type view struct {
	act       call.Action
	tool      string
	fam       string
	made      effect.Delta // what it changed
	basis     Basis        // of made
	hard      bool
	sensitive bool // reads what holds secrets
	counts    bool // belongs to a macro
}

func views(e *corpora.Episode) []view {
	out := make([]view, len(e.Steps))
	for i := range e.Steps {
		if s := &e.Steps[i]; s.Status != corpora.StatusBlocked {
			out[i] = viewOf(s)
		}
	}
	return out
}

func viewOf(s *corpora.Step) view {
	a := call.ActionOf(s.Tool, s.Args)
	c := changeOf(s, a)
	return view{
		act: a, tool: s.Tool, fam: familyOf(s.Tool, a), made: c.Coarse, basis: c.Basis,
		hard:      a.Delta != effect.DeltaNone || c.Coarse != effect.DeltaNone || c.Sensitive,
		sensitive: c.Sensitive,
		counts:    a.Key != "think" && a.Key != "cd",
	}
}

func cutBefore(prev, next view, p Profile, first bool) (Boundary, bool) {
	if first {
		return BoundaryStart, true
	}
	if p == Reference {
		if prev.made != effect.DeltaNone {
			return BoundaryDelta, true
		}
		return BoundaryAction, prev.fam != next.fam
	}
	return BoundaryAction, prev.act.Key != next.act.Key
}

// MaxCycle is the longest cycle of macros that Collapse looks for. Chosen on
// the shared corpora: longer cycles occur, but folding them changes no figure.
const MaxCycle = 4

// Collapse folds immediate repetitions of up to MaxCycle macros (edit, run,
// edit, run) out of a sequence of n and returns the indexes of those that stay.
func Collapse(n int, key func(i int) string) []int {
	var keep []int
	for i := 0; i < n; i++ {
		keep = append(keep, i)
		for c := 1; c <= MaxCycle; c++ {
			for len(keep) >= 2*c && repeats(key, keep, c) {
				keep = keep[:len(keep)-c]
			}
		}
	}
	return keep
}

func repeats(key func(i int) string, keep []int, n int) bool {
	tail, before := keep[len(keep)-n:], keep[len(keep)-2*n:]
	for i := 0; i < n; i++ {
		if key(tail[i]) != key(before[i]) {
			return false
		}
	}
	return true
}
