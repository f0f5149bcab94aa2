package beside

import (
	"bytes"
	"context"
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/gbt-policy/gbt/corpora"
)

// Hook is a program that answers Claude Code's PreToolUse hook for shell commands, as
// Dippy does; whatever it does not answer is asked or not as Else says. It remembers
// nothing by itself, so its questions have the scopes of Else.
type Hook struct {
	Argv []string
	Else Guard
	seen map[string]string // by command and directory
}

// hookLimit ends a program that does not answer: then it has said nothing.
const hookLimit = 10 * time.Second

// Asks implements Guard.
func (h *Hook) Asks(s *corpora.Step) (bool, []Scope) {
	asks, scopes := h.Else.Asks(s)
	if !slices.Contains(shellTools, strings.ToLower(s.Tool)) {
		return asks, scopes
	}
	switch h.answer(s) {
	case "allow":
		return false, nil
	case "ask", "deny":
		return true, scopes
	}
	return asks, scopes
}

// answer runs the program, once for each command in each directory.
func (h *Hook) answer(s *corpora.Step) string {
	var args map[string]any
	_ = json.Unmarshal([]byte(s.Args), &args) // what is no object has no command
	key := s.Cwd + "\x00" + commandOf(args)
	if got, ok := h.seen[key]; ok {
		return got
	}
	input, err := json.Marshal(map[string]any{
		"hook_event_name": "PreToolUse", "session_id": "s", "cwd": s.Cwd, "permission_mode": "default", "tool_name": "Bash", "tool_input": map[string]any{"command": commandOf(args)},
	})
	if err != nil {
		return ""
	}
	ctx, stop := context.WithTimeout(context.Background(), hookLimit)
	defer stop()
	cmd := exec.CommandContext(ctx, h.Argv[0], h.Argv[1:]...)
	cmd.Stdin = bytes.NewReader(input)
	text, err := cmd.Output()
	if h.seen == nil {
		h.seen = map[string]string{}
	}
	h.seen[key] = decisionIn(text, err)
	return h.seen[key]
}

// decisionIn reads an answer: exit 2 is a deny whatever was printed.
func decisionIn(text []byte, err error) string {
	if e, ok := err.(*exec.ExitError); ok && e.ExitCode() == 2 {
		return "deny"
	}
	var r struct {
		Specific struct {
			Decision string `json:"permissionDecision"`
		} `json:"hookSpecificOutput"`
	}
	if json.Unmarshal(text, &r) != nil {
		return ""
	}
	return r.Specific.Decision
}
