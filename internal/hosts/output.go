package hosts

import "encoding/json"

// Output is what a hook process leaves behind.
type Output struct {
	Stdout string
	Stderr string
	Exit   int
}

// The exit codes that all hosts agree on. Any other code makes every one of
// them go on with the call.
const (
	exitDecided = 0
	exitBlocked = 2
)

// answer is a decision in the words of a host.
type answer struct {
	verdict permission
	reason  string // for the agent
	person  string // for who is asked, or sees what was blocked
	// disposition is gbt's own, for readers of ours.
	disposition string
	// failure says that nothing was decided: the hook itself could not.
	failure bool
}

type permission uint8

// The zero verdict blocks.
const (
	block permission = iota
	ask
	allow
)

// ownOutput is what gbt's own adapters read, and OpenHands.
type ownOutput struct {
	Decision    string `json:"decision"`
	Reason      string `json:"reason,omitempty"`
	Disposition string `json:"disposition"`
}

func encodeOwn(_ *Input, a answer) Output {
	if a.verdict == allow {
		return Output{Stdout: encodeJSON(ownOutput{"allow", "", a.disposition})}
	}
	return Output{
		Stdout: encodeJSON(ownOutput{"deny", a.reason, a.disposition}),
		Stderr: a.reason + "\n", Exit: exitBlocked,
	}
}

// encodeJSON encodes one of this package's own output types, which have only
// strings in them and can't fail.
func encodeJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic("gbt: internal error: " + err.Error())
	}
	return string(b) + "\n"
}
