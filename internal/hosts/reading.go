package hosts

import (
	"encoding/json"
	"strings"
)

// Process is a finished hook process as its host sees it.
type Process struct {
	Stdout string
	Stderr string
	Exit   int
	// Died says that there is no exit code: the process could not be started,
	// ran into the host's time limit or was killed.
	Died bool
	// FailClosed is the host's setting that makes a failed hook block: Claude
	// Code's onFailure "block", Cursor's failClosed. Other hosts have none.
	FailClosed bool
}

// Outcome is what a host makes of a hook's answer.
type Outcome uint8

// The outcomes. The zero value is the one that must not be taken for a block.
const (
	Proceeds Outcome = iota
	Asks
	Blocks
)

// String returns the outcome as gbt doctor prints it.
func (o Outcome) String() string {
	switch o {
	case Asks:
		return "asks"
	case Blocks:
		return "blocked"
	}
	return "proceeds"
}

// Reading says what the host does with the call after this hook process. A Host
// without a name goes on with everything.
func (h Host) Reading(event string, p Process) Outcome {
	if h.read == nil {
		return Proceeds
	}
	return h.read(event, p)
}

func blocksIf(cond bool) Outcome {
	if cond {
		return Blocks
	}
	return Proceeds
}

// reply is every field that some host reads from stdout.
type reply struct {
	Specific struct {
		Event    string `json:"hookEventName"`
		Decision string `json:"permissionDecision"`
		Reason   string `json:"permissionDecisionReason"`
		Request  struct {
			Behavior string `json:"behavior"`
		} `json:"decision"`
	} `json:"hookSpecificOutput"`
	Continue   *bool  `json:"continue"`
	Decision   string `json:"decision"`
	Reason     string `json:"reason"`
	Permission string `json:"permission"`

	PermissionDecision string `json:"permissionDecision"`
}

func (p Process) reply() (r reply, ok bool) {
	out := strings.TrimSpace(p.Stdout)
	return r, strings.HasPrefix(out, "{") && json.Unmarshal([]byte(out), &r) == nil
}
