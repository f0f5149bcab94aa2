package traverse

import (
	"encoding/json"
	"slices"
	"strings"
)

// checkState is what is known of one completion check.
type checkState struct {
	ID       string    `json:"id"`
	Executed bool      `json:"executed,omitempty"`
	Passed   bool      `json:"passed,omitempty"`
	At       int64     `json:"at,omitempty"` // changes there may have been when it ran
	Evidence *Evidence `json:"evidence,omitempty"`
	Before   *Evidence `json:"before,omitempty"` // of the run on the untouched state
	Vacuous  bool      `json:"vacuous,omitempty"`
	Tried    bool      `json:"tried,omitempty"` // a mined check, on the untouched state
	Why      string    `json:"why,omitempty"`   // the host can't execute a mined check
	Seen     []int     `json:"seen,omitempty"`  // of a mined check that asks for several values: those that calls used
}

// Evidence is the literal result of a check that the host ran.
type Evidence struct {
	// Exit is the status that a command ended with; nil for checks that run none.
	Exit *int `json:"exit_code,omitempty"`
	// Digest is the SHA-256 of all that it printed, or of the file looked at, in hex.
	Digest string `json:"digest,omitempty"`
	// Head is the beginning of that, without secrets: the host takes them out.
	Head string `json:"head,omitempty"`
}

// maxHead bounds the part of a check's output that a session keeps.
const maxHead = 400

// kept is the evidence as a session keeps it.
func (e *Evidence) kept() *Evidence {
	if e == nil {
		return nil
	}
	out := Evidence{Digest: clip(e.Digest, maxHead), Head: toUTF8(e.Head[:min(len(e.Head), maxHead)])}
	if e.Exit != nil {
		exit := *e.Exit
		out.Exit = &exit
	}
	return &out
}

// agrees reports whether the literal result is what the check asks for: a command
// that did not end with the status asked for did not pass, whatever anybody says.
func (c *Check) agrees(e *Evidence) bool {
	return e == nil || e.Exit == nil || *e.Exit == c.Exit
}

// maxRefusals is how often a claim to be done is sent back before the run ends
// as a stall (requirement V6).
const maxRefusals = 3

// Report notes that the host ran a completion check, and what came of it literally;
// nil where the host does not say. ok is false for a check that neither the task names nor
// the policy has (Mined).
func (s *Session) Report(id string, passed bool, e *Evidence) (ok bool) {
	i := s.checkAt(id)
	if i < 0 {
		return s.reportMined(id, passed, e)
	}
	c := &s.checks[i]
	c.Executed, c.Passed, c.At = true, passed && s.task.Checks[i].agrees(e), s.changed
	if c.Evidence = e.kept(); !c.Passed {
		s.checkFell(&s.task.Checks[i], c.Evidence)
	}
	return true
}

// Untouched notes what a completion check said before anything was done. One that
// passes there cannot tell whether the task was carried out: it is none, unless
// the task says that it holds before and after (Check.Holds), and then it alone
// makes no run DONE. The plan is audited again: it may be stopped by this.
func (s *Session) Untouched(id string, passed bool, e *Evidence) (ok bool) {
	i := s.checkAt(id)
	if s.stats.Calls > 0 {
		return false
	}
	if i < 0 {
		return s.triedMined(id, passed, e)
	}
	c := &s.checks[i]
	passed = passed && s.task.Checks[i].agrees(e)
	c.Before, c.Vacuous = e.kept(), passed && !s.task.Checks[i].Holds
	s.uncovered = s.audited()
	s.uncover()
	return true
}

func (s *Session) checkAt(id string) int {
	return slices.IndexFunc(s.checks, func(c checkState) bool { return c.ID == id })
}

// audited is the audit of the plan with what is known of its checks.
func (s *Session) audited() []string {
	if len(s.checks) == 0 {
		return nil
	}
	out := audit(&s.task, func(id string) bool { return s.checks[s.checkAt(id)].Vacuous })
	for i := range s.checks {
		if c := &s.checks[i]; c.Vacuous {
			out = append(out, "passes-untouched:"+c.ID)
		}
	}
	return out
}

// uncover stops a run whose plan does not cover its task.
func (s *Session) uncover() {
	if len(s.task.Checks) > 0 && len(s.uncovered) > 0 && !s.task.Shadow && s.stopped == "" {
		s.stopped = "plan-uncovered"
	}
}

// Changed notes that something changed though no call was observed to do it, as
// when a completion check itself writes. What was reported before is stale.
func (s *Session) Changed() { s.changed++ }

// Finding is one completion check in an outcome.
type Finding struct {
	ID       string    `json:"id"`
	Executed bool      `json:"executed"`
	Passed   bool      `json:"passed"`
	Reason   string    `json:"reason,omitempty"`
	Says     string    `json:"says,omitempty"`     // of a check of the policy: what it looks at
	Evidence *Evidence `json:"evidence,omitempty"` // the literal result of a check that the host ran

	open bool // nobody executed it: the run is ENDED at best, and no stall
}

// End is how a run ended. Its zero value is a stall. No other package can make the
// value that stands for DONE, and in this one a test holds that examined alone does.
type End uint8

// The ends of a run, beside DONE.
const (
	Stalled End = iota // Outcome.Reason says what is not met
	Ended              // where successful runs end, or what held before still holds; nobody examined the result (decision 13)
	proven             // every completion check was executed after the last change, and passed (H1)
)

var endNames = [...]string{Stalled: "STALL", Ended: "ENDED", proven: "DONE"}

// String is STALL, ENDED or DONE.
func (e End) String() string {
	if int(e) < len(endNames) {
		return endNames[e]
	}
	return endNames[Stalled]
}

// MarshalText writes the end's name.
func (e End) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// The bases of an outcome: what it rests on.
const (
	BasisChecks = "checks" // the completion checks of the task
	BasisLeaf   = "leaf"   // the task names no check that could fail: only where the run ended is known
	BasisMined  = "mined"  // the task names none; the policy has some for where the run ended
)

// Outcome is the answer to a claim to be done.
type Outcome struct {
	end    End
	Reason string // of a stall: the first check that is not met; of ENDED, why the policy's checks do not make it DONE
	Basis  string
	// Again says that the run is still open: meet what Findings name, and finish
	// again. After three refusals the run is over.
	Again    bool
	Feedback string // for the executor, where a required postcondition is missing (V5), or a fix is known
	Findings []Finding
	Covered  bool
	Lost     string
}

// End is how the run ended.
func (o *Outcome) End() End { return o.end }

// Done reports whether the end is DONE.
func (o *Outcome) Done() bool { return o.end == proven }

// MarshalJSON writes the outcome as docs/openapi.yaml has it.
func (o Outcome) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Status   End       `json:"status"`
		Done     bool      `json:"done"`
		Reason   string    `json:"reason,omitempty"`
		Basis    string    `json:"basis,omitempty"`
		Again    bool      `json:"again"`
		Feedback string    `json:"feedback,omitempty"`
		Findings []Finding `json:"findings"`
		Covered  bool      `json:"covered"`
		Lost     string    `json:"lost,omitempty"`
	}{o.end, o.Done(), o.Reason, o.Basis, o.Again, o.Feedback, o.Findings, o.Covered, o.Lost})
}

// Finish answers the executor's claim to be done (H1): DONE if every completion
// check was executed and passed after the last change, ENDED where no check was
// executed and the run stands where successful runs end, and STALL otherwise. Nothing that the executor says counts; the claim is a request to look.
func (s *Session) Finish() Outcome {
	if !s.halted() {
		told := s.macro.told
		s.closeMacro()
		s.endStep()
		s.macro.told = told // a claim is no proposal: what was stopped stays so
	}
	out := Outcome{Basis: BasisLeaf, Findings: s.findings()}
	if s.falsifiable() {
		out.Basis = BasisChecks
	} else if len(s.Mined()) > 0 {
		out.Basis = BasisMined
	}
	out.end, out.Reason = s.examined(out.Findings)
	out.Lost = s.lossAtEnd()
	out.Covered = out.Lost == ""
	switch {
	case out.end != Stalled:
		s.stopped = stoppedAs[out.end]
	case s.stopped == "":
		s.refused++
		out.Again = s.refused < maxRefusals
		if !out.Again {
			s.stopped = "stall:" + out.Reason
		}
		if out.Feedback = s.endFeedback(out.Again); out.Feedback == "" {
			out.Feedback = s.fixFeedback(out.Again)
		}
	}
	return out
}

// stoppedAs is what a session that came to an end says of itself.
var stoppedAs = [...]string{Ended: "ended", proven: "done"}

// examined is the only way to DONE. It looks at the checks themselves and not at what
// was made of them: each one executed, passed, after the last change, and one at
// least that was not known to pass before anything was done. Where the task names none that
// could fail, the checks that the policy mined for this end stand in for them.
func (s *Session) examined(findings []Finding) (End, string) {
	for _, f := range findings {
		if !f.Passed && !f.open {
			return Stalled, f.Reason
		}
	}
	for _, c := range s.checks {
		if !c.Executed || !c.Passed || c.At != s.changed || c.Vacuous {
			return Stalled, "check-not-executed:" + c.ID
		}
	}
	if !s.falsifiable() {
		if why, proved := s.unproven(); !proved {
			return Ended, why
		}
	}
	return proven, ""
}

// falsifiable reports whether the task has a check that says something: one that does
// not merely hold before and after.
func (s *Session) falsifiable() bool {
	return slices.ContainsFunc(s.task.Checks, func(c Check) bool { return !c.Holds })
}

// findings executes the structural checks and lists the host's.
func (s *Session) findings() []Finding {
	out := []Finding{s.finding("run-open", s.stopped == "" || slices.Contains(stoppedAs[Ended:], s.stopped), "stopped:"+s.stopped)}
	out = append(out, s.finding("no-recovery-under-way", !s.recovery.active(), "recovery-under-way"))
	out = append(out, s.finding("nothing-unapproved", s.stats.Unapproved == 0 || s.task.Shadow, "unapproved-call"))
	out = append(out, s.unmet()...)
	if !s.falsifiable() {
		out = append(out, s.leaf())
	}
	for _, c := range s.checks {
		f := Finding{ID: c.ID, Executed: c.Executed, Passed: c.Executed && c.Passed && c.At == s.changed && !c.Vacuous, Evidence: c.Evidence}
		switch {
		case !c.Executed:
			f.Reason = "check-not-executed:" + c.ID
		case c.Vacuous:
			f.Reason = "check-cannot-fail:" + c.ID
		case !c.Passed:
			f.Reason = "check-failed:" + c.ID
		case !f.Passed:
			f.Executed = false
			f.Reason = "check-stale:" + c.ID
		}
		out = append(out, f)
	}
	return append(out, s.minedFindings()...)
}

// leaf asks whether the run ended where successful runs end. The leaves of tasks
// that the policy knows say nothing about one that it does not, and a leaf that a
// claim rests on is no success on top of it.
func (s *Session) leaf() Finding {
	if !s.routed || s.trial() {
		return s.finding("success-leaf", false, "not-routed")
	}
	return s.finding("success-leaf", s.atLeaf(), "not-at-a-success-leaf")
}

// toUTF8 leaves out what is no text, so that the session can be stored.
func toUTF8(x string) string { return strings.ToValidUTF8(x, "") }

func (s *Session) finding(id string, passed bool, reason string) Finding {
	if passed {
		reason = ""
	}
	return Finding{ID: id, Executed: true, Passed: passed, Reason: reason}
}

// atLeaf reports whether successful runs ended at the place that the executed
// calls lead to.
func (s *Session) atLeaf() bool { return s.p.view.AtLeaf(&s.guard.pos, s.params()) }
