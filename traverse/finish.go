package traverse

// checkState is what is known of one completion check.
type checkState struct {
	ID       string `json:"id"`
	Executed bool   `json:"executed,omitempty"`
	Passed   bool   `json:"passed,omitempty"`
	At       int64  `json:"at,omitempty"` // changes there may have been when it ran
}

// maxRefusals is how often a claim to be done is sent back before the run ends
// as a stall (requirement V6).
const maxRefusals = 3

// Report notes that the host ran a completion check. ok is false for a check
// that the task does not name.
func (s *Session) Report(id string, passed bool) (ok bool) {
	for i := range s.checks {
		if c := &s.checks[i]; c.ID == id {
			c.Executed, c.Passed, c.At = true, passed, s.changed
			return true
		}
	}
	return false
}

// Changed notes that something changed though no call was observed to do it, as
// when a completion check itself writes. What was reported before is stale.
func (s *Session) Changed() { s.changed++ }

// Finding is one completion check in an outcome.
type Finding struct {
	ID       string `json:"id"`
	Executed bool   `json:"executed"`
	Passed   bool   `json:"passed"`
	Reason   string `json:"reason,omitempty"`
}

// The bases of an outcome: what DONE rests on.
const (
	BasisChecks = "checks" // every completion check of the task ran after the last change, and passed
	BasisLeaf   = "leaf"   // the task names no check: the run ended where successful runs end; nobody examined the result
)

// Outcome is the answer to a claim to be done.
type Outcome struct {
	Done   bool   `json:"done"`
	Reason string `json:"reason,omitempty"` // of a stall: the first check that is not met
	Basis  string `json:"basis,omitempty"`
	// Again says that the run is still open: meet what Findings name, and finish
	// again. After three refusals the run is over.
	Again    bool      `json:"again"`
	Findings []Finding `json:"findings"`
	Covered  bool      `json:"covered"`
	Lost     string    `json:"lost,omitempty"`
}

// Finish answers the executor's claim to be done (H1): DONE if every completion
// check was executed and passed after the last change, and STALL otherwise.
// Nothing that the executor says counts; the claim is a request to look.
func (s *Session) Finish() Outcome {
	if !s.halted() {
		told := s.macro.told
		s.closeMacro()
		s.endStep()
		s.macro.told = told // a claim is no proposal: what was stopped stays so
	}
	out := Outcome{Basis: BasisLeaf, Findings: s.findings()}
	if len(s.checks) > 0 {
		out.Basis = BasisChecks
	}
	for _, f := range out.Findings {
		if !f.Passed && out.Reason == "" {
			out.Reason = f.Reason
		}
	}
	out.Done = out.Reason == ""
	out.Lost = s.lossAtEnd()
	out.Covered = out.Lost == ""
	switch {
	case out.Done:
		s.stopped = "done"
	case s.stopped == "":
		s.refused++
		out.Again = s.refused < maxRefusals
		if !out.Again {
			s.stopped = "stall:" + out.Reason
		}
	}
	return out
}

// findings executes the structural checks and lists the host's.
func (s *Session) findings() []Finding {
	out := []Finding{s.finding("run-open", s.stopped == "" || s.stopped == "done", "stopped:"+s.stopped)}
	out = append(out, s.finding("no-recovery-under-way", !s.recovery.active(), "recovery-under-way"))
	out = append(out, s.finding("nothing-unapproved", s.stats.Unapproved == 0 || s.task.Shadow, "unapproved-call"))
	if len(s.checks) == 0 {
		return append(out, s.leaf())
	}
	for _, c := range s.checks {
		f := Finding{ID: c.ID, Executed: c.Executed, Passed: c.Executed && c.Passed && c.At == s.changed}
		switch {
		case !c.Executed:
			f.Reason = "check-not-executed:" + c.ID
		case !c.Passed:
			f.Reason = "check-failed:" + c.ID
		case !f.Passed:
			f.Executed = false
			f.Reason = "check-stale:" + c.ID
		}
		out = append(out, f)
	}
	return out
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

func (s *Session) finding(id string, passed bool, reason string) Finding {
	if passed {
		reason = ""
	}
	return Finding{ID: id, Executed: true, Passed: passed, Reason: reason}
}

// atLeaf reports whether successful runs ended at the place that the executed
// calls lead to.
func (s *Session) atLeaf() bool { return s.p.view.AtLeaf(&s.guard.pos, s.params()) }
