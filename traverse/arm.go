package traverse

import (
	"fmt"

	"github.com/gbt-policy/gbt/gates"
)

// Arm is a part of a policy that a run obeys, for measurements (requirement Z6). Its zero
// value is the whole policy. The governance pack and the limits of a task stop a run in
// every arm.
type Arm uint8

// The arms.
const (
	Full         Arm = iota // gates, steering and recovery
	GatingOnly              // gates and steering: a stall has no way out
	RecoveryOnly            // steering and recovery: no gate is asked, no call stopped
	Raw                     // neither: proposals are explored, calls approved unseen
)

var armNames = [...]string{"full", "gating-only", "recovery-only", "raw"}

// String is the arm's name.
func (a Arm) String() string {
	if int(a) < len(armNames) {
		return armNames[a]
	}
	return armNames[Full]
}

// ParseArm returns the arm of a name.
func ParseArm(name string) (Arm, error) {
	for i, n := range armNames {
		if n == name {
			return Arm(i), nil
		}
	}
	return Full, fmt.Errorf("the arm is %.40q: give full, gating-only, recovery-only or raw", name)
}

func (a Arm) gates() bool    { return a == Full || a == GatingOnly || a > Raw }
func (a Arm) recovers() bool { return a == Full || a == RecoveryOnly || a > Raw }

// Arm is the arm that sessions of the policy run in.
func (p *Policy) Arm() Arm { return p.arm }

// unasked is the answer to a call in an arm without gates: nothing was asked, so there is
// no decision to name and nothing on record but the call.
func (s *Session) unasked(r *reading) Answer {
	a := Answer{Context: s.context(r), InMacro: true}
	a.Disposition, a.Would = gates.Approved, gates.Approved
	if s.halted() {
		a.Disposition, a.Would = gates.Rejected, gates.Rejected
		a.Reasons = []gates.Reason{{Rule: s.stopped, Effect: -1, Message: "The run is over: " + s.stopped + "."}}
	}
	return a
}
