package tree

import (
	"math"
	"slices"
	"strings"
)

// The claim boundary (requirements R1, S1): which tasks a policy claims to know.
// A softmax over families only compares them with each other, so a task that none
// of them knows goes to the least bad one; what is claimed must be near to
// something that was seen.

// Why the router abstains from a task. The empty reason claims it.
const (
	AbstainEmpty = "empty"       // the task has no words
	AbstainWords = "words"       // the embedder knows too few of its words
	AbstainFar   = "far"         // no task seen is near, or none with these tools
	AbstainSteps = "first-steps" // no family has a macro of the first steps
)

// FirstSteps is the number of macros at the start of a run of which a family must
// have one: a run that begins with others is no run of a task that it knows. Two
// cost at most one of 734 known tasks (package internal/tree/merge).
const FirstSteps = 2

// MaxExemplars bounds the tasks of a family that its boundary is drawn by.
const MaxExemplars = 256

// Ask is a task as the router sees it.
type Ask struct {
	Vec     Vec
	Known   Milli    // share of its words that the embedder knows whole
	Offered []string // tools the host offers; nil if it does not say
}

// Abstain says why the policy does not claim a task; "" if it does. Limits of 0,
// those of a policy without a boundary, claim every task that has words. late says
// that the task is not so far that its first macros could not claim it.
func (t *View) Abstain(a *Ask, p *Params) (why string, late bool) {
	switch {
	case length(a.Vec) == 0:
		return AbstainEmpty, false
	case a.Known < p.RouteWords:
		return AbstainWords, false
	case p.RouteNear == 0:
		return "", false
	}
	score, limit, least := t.Near(a.Vec), p.RouteNear, p.RouteLate
	if a.Offered != nil {
		score, limit, least = t.NearOffered(a.Vec, a.Offered), p.RouteOffered, p.RouteLateOffered
	}
	if score >= limit {
		return "", false
	}
	return AbstainFar, least > 0 && score >= least
}

// Near is the cosine of a task to the nearest task that the policy keeps.
func (t *View) Near(task Vec) Milli {
	best := Milli(0)
	for i := range t.Families {
		best = max(best, t.nearIn(i, task, length(task)))
	}
	return best
}

// NearOffered is Near, within each family plus the overlap of its tools with
// those offered: 2 is the most.
func (t *View) NearOffered(task Vec, offered []string) Milli {
	best, l := Milli(0), length(task)
	for i := range t.Families {
		if o := Overlap(offered, t.Families[i].Tools); o > 0 {
			best = max(best, t.nearIn(i, task, l)+o)
		}
	}
	return best
}

func (t *View) nearIn(family int, task Vec, l float64) Milli {
	best := Milli(0)
	for i, x := range t.Families[family].Exemplars {
		best = max(best, Milli(math.Round(cos(x, t.exemplars[family][i], task, l)*1000)))
	}
	return best
}

// Overlap is the share of the shorter of two lists of tools that stands in the
// other: hosts offer tools that no run used, and few logs say what was offered.
// tools is sorted.
func Overlap(offered, tools []string) Milli {
	n := 0
	for _, o := range offered {
		if _, ok := slices.BinarySearch(tools, o); ok {
			n++
		}
	}
	least := min(len(offered), len(tools))
	if least == 0 {
		return 0
	}
	return Milli(min(n, least) * 1000 / least)
}

// First counts the macros that a run begins with, as far as they matter to the
// claim boundary. The zero First is a run that has not begun.
type First struct {
	Macros  int    `json:"macros,omitempty"`  // at most FirstSteps
	Unknown int    `json:"unknown,omitempty"` // of these, known to no open family
	Offered int    `json:"offered,omitempty"` // of these, offered where the run stood
	Last    string `json:"last,omitempty"`    // action of the last one
}

// Add counts a macro, before the run's place moves along it, and reports whether it
// is one of the first. The same action again is one macro.
func (f *First) Add(t *View, pos *Pos, action string, offered bool) bool {
	if f.Macros == FirstSteps || f.Macros > 0 && f.Last == action {
		return false
	}
	f.Macros++
	f.Last = action
	if !t.knows(pos, action) {
		f.Unknown++
	}
	if offered {
		f.Offered++
	}
	return true
}

// Strange reports that no family knows any of the first macros.
func (f *First) Strange() bool { return f.Unknown == FirstSteps }

// Fits reports that each of the first macros so far was offered where the run stood.
// The first settles the family, so all of them are of one.
func (f *First) Fits() bool { return f.Macros > 0 && f.Offered == f.Macros }

// Claims reports that both first macros were offered: one that any run may begin
// with says too little about a far task.
func (f *First) Claims() bool { return f.Macros == FirstSteps && f.Fits() }

// knows reports whether a family that a position leaves open has a macro with an
// action, wherever it stands.
func (t *View) knows(pos *Pos, action string) bool {
	if pos.Family >= 0 {
		return t.has(pos.Family, action)
	}
	return slices.ContainsFunc(pos.Open, func(c Candidate) bool { return t.has(c.Family, action) })
}

func (t *View) has(family int32, action string) bool {
	s, ok := t.FindState(family, action)
	return ok && !t.States[s].Generic
}

// MaxTask is how many bytes of a task's text it is routed by, from its start: what
// the user asks for stands there, and quoted files and logs come after it.
const MaxTask = 1500

// TaskWords is the part of a task's text that it is routed by.
func TaskWords(text string) string {
	return strings.ToValidUTF8(text[:min(len(text), MaxTask)], "")
}
