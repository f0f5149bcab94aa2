package traverse

import (
	"encoding/json"
	"slices"
	"sort"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/internal/traverse/failure"
	"github.com/gbt-policy/gbt/tree"
)

// Known fixes and retry bounds of the policy (000 §3.1): a call that failed is answered with
// what successful runs did then, and one that fails more often in a row than in any of them
// sends the run on a way of recovery, or ends it.

// fall is an action that failed and has not ended well since.
type fall struct {
	Action string `json:"action"`
	Class  string `json:"class"`
	Row    int64  `json:"row"`            // failures in a row; 0 where only a completion check failed
	Over   bool   `json:"over,omitempty"` // its retries ran out once, and the run took another way
}

// maxFalls bounds the failed actions that a session remembers: the newest.
const maxFalls = 16

// fixRef names a kind of failure of a family.
type fixRef struct {
	family        int32
	action, class string
}

// fixesByKind are the known fixes by what they are for, the surest first.
func fixesByKind(t *tree.Tree) map[fixRef][]*tree.Fix {
	out := map[fixRef][]*tree.Fix{}
	for f := range t.Families {
		for i := range t.Families[f].Fixes {
			x := &t.Families[f].Fixes[i]
			k := fixRef{int32(f), x.Action, x.Class}
			out[k] = append(out[k], x)
		}
	}
	for _, list := range out {
		sort.SliceStable(list, func(i, j int) bool { return surer(list[i], list[j]) < 0 })
	}
	return out
}

// surer orders fixes by the share of tasks in which they worked, by Laplace's rule of
// succession, so that one of one does not stand before nine of ten.
func surer(a, b *tree.Fix) int {
	left := uint64(b.Worked+1) * (uint64(a.Worked) + uint64(a.Failed) + 2)
	right := uint64(a.Worked+1) * (uint64(b.Worked) + uint64(b.Failed) + 2)
	switch {
	case left < right:
		return -1
	case left > right:
		return 1
	}
	return 0
}

// KnownFix is what to do about a call that failed.
type KnownFix struct {
	Action string `json:"action"` // that failed
	Class  string `json:"class"`  // how
	Does   string `json:"does"`   // what successful runs did; the action itself for the call in another form
	Says   string `json:"says"`   // all of it in words
	Worked uint32 `json:"worked"` // tasks
	Failed uint32 `json:"failed"`
}

// tried takes a call that ran into what is known of failures.
func (s *Session) tried(r *Result, act call.Action) {
	if !failure.Counts(act) {
		return
	}
	class, failed := failure.Of(r.Error, r.Output)
	if !failed {
		s.falls = slices.DeleteFunc(s.falls, func(f fall) bool { return f.Action == act.Key })
		return
	}
	f := fall{Action: act.Key}
	if i := slices.IndexFunc(s.falls, func(f fall) bool { return f.Action == act.Key }); i >= 0 {
		f = s.falls[i]
		s.falls = slices.Delete(s.falls, i, i+1)
	}
	f.Class, f.Row = class, f.Row+1
	s.falls = last(append(s.falls, f), maxFalls)
}

// checkFell takes a completion check that the host executed into what is known of failures:
// the command of a check is one of the state that runs it. It counts as no try of the run's.
func (s *Session) checkFell(c *Check, e *Evidence) {
	if c == nil || c.Text == "" {
		return
	}
	line, err := json.Marshal(map[string]string{"command": c.Text})
	if err != nil {
		return // a map of texts is always JSON
	}
	act := call.ActionOf("bash", string(line))
	if !failure.Counts(act) || slices.ContainsFunc(s.falls, func(f fall) bool { return f.Action == act.Key }) {
		return
	}
	fault, head := "failed", ""
	if e != nil {
		if head = e.Head; e.Exit != nil {
			fault = "exit status " + itoa(*e.Exit)
		}
	}
	class, _ := failure.Of(fault, []byte(head))
	s.falls = last(append(s.falls, fall{Action: act.Key, Class: class}), maxFalls)
}

// steered is the family that fixes and bounds are asked of; -1 where the policy does not claim
// the run, or does not know yet which it is.
func (s *Session) steered() int32 {
	if !s.routed || s.trial() {
		return -1
	}
	if f := s.guard.pos.Family; f >= 0 {
		return f
	}
	return s.steer.pos.Family
}

// maxKnown is how many fixes are named at a time.
const maxKnown = 3

// KnownFixes are what successful runs did about the failures that are open, the newest first.
func (s *Session) KnownFixes() []KnownFix {
	family := s.steered()
	if family < 0 {
		return nil
	}
	var out []KnownFix
	for i := len(s.falls) - 1; i >= 0; i-- {
		f := &s.falls[i]
		list := s.p.fixes[fixRef{family, f.Action, f.Class}]
		if len(list) == 0 {
			list = s.p.fixes[fixRef{family, f.Action, failure.Any}]
		}
		for _, x := range list {
			if len(out) < maxKnown && x.Worked > x.Failed { // later runs may have spoken against it
				out = append(out, KnownFix{f.Action, f.Class, x.Does, s.fixWords(f, x), x.Worked, x.Failed})
			}
		}
	}
	return out
}

// fixWords words a fix.
func (s *Session) fixWords(f *fall, x *tree.Fix) string {
	does := s.macroFor(x.Does)
	if x.Does == f.Action {
		does = "the same in another form"
	}
	return "after `" + call.Phrase(f.Action) + "` failed (" + f.Class + "): " + does + "; it helped in " + itoa(int(x.Worked)) + " of " + itoa(int(x.Worked+x.Failed)) + " tasks"
}

// knownWords are the fixes and bounds as a brief has them.
func (s *Session) knownWords() []string {
	var out []string
	for _, k := range s.KnownFixes() {
		out = append(out, clip(k.Says, macroTokens))
	}
	family := s.steered()
	for i := len(s.falls) - 1; i >= 0 && family >= 0; i-- {
		f := &s.falls[i]
		if b := s.bound(family, f.Action); b != nil && f.Row >= int64(b.Most) && len(out) < maxKnown+1 {
			out = append(out, clip("`"+call.Phrase(f.Action)+"` failed "+itoa(int(f.Row))+" times in a row; no successful run tried more than "+itoa(int(b.Most))+" times", macroTokens))
		}
	}
	return out
}

// bound is the retry bound of an action; nil for none.
func (s *Session) bound(family int32, action string) *tree.Retry {
	list := s.p.view.Families[family].Retries
	i, ok := slices.BinarySearchFunc(list, action, func(r tree.Retry, a string) int { return strings.Compare(r.Action, a) })
	if !ok {
		return nil
	}
	return &list[i]
}

// spent is the failed action whose retries have run out; nil for none. Only what ends runs is
// asked, and only where the policy steers.
func (s *Session) spent() *fall {
	family := s.steered()
	if family < 0 {
		return nil
	}
	for i := range s.falls {
		f := &s.falls[i]
		if b := s.bound(family, f.Action); b != nil && !b.Advice && f.Row > int64(b.Most) {
			return f
		}
	}
	return nil
}

// SpentOn is the action whose retries have run out; empty for none.
func (s *Session) SpentOn() string {
	if f := s.spent(); f != nil {
		return f.Action
	}
	return ""
}

// exhausted answers a proposal where retries have run out: the run takes a way of recovery,
// and once more it has none. ok is false where they have not.
func (s *Session) exhausted() (m Move, ok bool) {
	f := s.spent()
	if f == nil {
		return Move{}, false
	}
	why := reasonSpent + f.Action
	again := f.Over
	f.Over, f.Row = true, 0
	if again && !s.task.Shadow {
		s.stats.Stalls++
		s.step.Stall = why
		s.stopped = "stall:" + why
		return s.move(Stall, why, nil, nil), true
	}
	return s.stallOut(why)
}

// stopSpent rejects a call of an action whose retries have run out, until the next proposal is
// answered with another way. Where nobody proposes, nobody would be told of one.
func (s *Session) stopSpent(a *Answer, act call.Action) {
	f := s.spent()
	if f == nil || f.Action != act.Key || !s.macro.proposed || s.task.Shadow || s.halted() || s.recovery.active() {
		return
	}
	a.Disposition, a.Would = gates.Rejected, gates.Rejected
	why := "It failed " + itoa(int(f.Row)) + " times in a row, more often than in any successful run: it does not run again in this step."
	a.Reasons = append(a.Reasons, gates.Reason{Rule: ruleRetries, Disposition: gates.Rejected, Effect: -1, Message: why})
	a.Retry = &Retry{Feedback: "This call was stopped: " + a.Disposition.String() + ". " + why}
}

// fixFeedback tells what is known to help where a claim to be done was refused; empty for
// nothing.
func (s *Session) fixFeedback(again bool) string {
	known := s.KnownFixes()
	if !again || len(known) == 0 {
		return ""
	}
	return "Known from successful runs: " + clip(known[0].Says, macroTokens) + "."
}

// reasonSpent begins the reason of a run whose retries ran out.
const reasonSpent = "retries-exhausted:"
