package hosts

import (
	"bytes"
	"encoding/json"
	"slices"
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

// Effect is what a host makes of a hook's answer.
type Effect uint8

// The effects. The zero value is the one that must not be taken for a block.
const (
	Proceeds Effect = iota
	Asks
	Blocks
)

// String returns the effect as gbt doctor prints it.
func (e Effect) String() string {
	switch e {
	case Asks:
		return "asks"
	case Blocks:
		return "blocked"
	}
	return "proceeds"
}

// Reading says what the host does with the call after this hook process.
func (h Host) Reading(event string, p Process) Effect {
	switch h.Name {
	case "claude-code":
		return readClaude(event, p)
	case "codex":
		return readCodex(event, p)
	case "gemini":
		return readGemini(p)
	case "cursor":
		return readCursor(event, p)
	case "opencode":
		return readOpencode(p)
	case "openhands":
		return readOpenHands(p)
	}
	return Proceeds
}

func blocksIf(cond bool) Effect {
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
}

func (p Process) reply() (r reply, ok bool) {
	out := strings.TrimSpace(p.Stdout)
	return r, strings.HasPrefix(out, "{") && json.Unmarshal([]byte(out), &r) == nil
}

func readClaude(event string, p Process) Effect {
	if p.Died {
		return blocksIf(p.FailClosed)
	}
	switch p.Exit {
	case exitBlocked:
		return Blocks
	case exitDecided:
		r, ok := p.reply()
		switch s := r.Specific; {
		case !ok:
			return Proceeds
		case r.Continue != nil && !*r.Continue:
			return Blocks
		case s.Event == event && event == eventPermissionRequest:
			return blocksIf(s.Request.Behavior == "deny")
		case s.Event == event && s.Decision == "deny":
			return Blocks
		case s.Event == event && s.Decision == "ask":
			return Asks
		}
		return Proceeds
	}
	return blocksIf(p.FailClosed)
}

// codexKeys are the keys that Codex's output schema has; any other makes the
// output invalid.
var codexKeys = [...]string{"continue", "decision", "hookSpecificOutput", "reason", "stopReason", "suppressOutput", "systemMessage"}

func readCodex(event string, p Process) Effect {
	switch {
	case p.Died:
		return Proceeds
	case p.Exit == exitBlocked:
		return blocksIf(strings.TrimSpace(p.Stderr) != "")
	case p.Exit != exitDecided:
		return Proceeds
	}
	var top map[string]json.RawMessage
	if json.Unmarshal(bytes.TrimSpace([]byte(p.Stdout)), &top) != nil {
		return Proceeds
	}
	for k := range top {
		if !slices.Contains(codexKeys[:], k) {
			return Proceeds
		}
	}
	r, ok := p.reply()
	s := r.Specific
	if event == eventPermissionRequest {
		return blocksIf(ok && s.Event == event && s.Request.Behavior == "deny")
	}
	return blocksIf(ok && (s.Event == event && s.Decision == "deny" && s.Reason != "" || r.Decision == "block" && r.Reason != ""))
}

func readGemini(p Process) Effect {
	if p.Died {
		return Proceeds
	}
	if p.Exit == exitDecided {
		r, ok := p.reply()
		return blocksIf(ok && (r.Decision == "deny" || r.Decision == "block" || r.Continue != nil && !*r.Continue))
	}
	return blocksIf(p.Exit == exitBlocked && strings.TrimSpace(p.Stderr) != "")
}

func readCursor(event string, p Process) Effect {
	if !p.Died && p.Exit == exitBlocked {
		return Blocks
	}
	r, ok := p.reply()
	if p.Died || p.Exit != exitDecided || !ok {
		return blocksIf(p.FailClosed)
	}
	switch r.Permission {
	case "allow":
		return Proceeds
	case "deny":
		return Blocks
	case "ask":
		if event == eventBeforeShell || event == eventBeforeMCP {
			return Asks
		}
		return Proceeds
	}
	return blocksIf(p.FailClosed)
}

func readOpencode(p Process) Effect {
	r, ok := p.reply()
	return blocksIf(p.Died || p.Exit != exitDecided || !ok || r.Decision != "allow")
}

func readOpenHands(p Process) Effect {
	if p.Died {
		return Proceeds
	}
	r, _ := p.reply()
	return blocksIf(p.Exit == exitBlocked || r.Decision == "deny" || r.Decision == "block" || r.Continue != nil && !*r.Continue)
}
