package shell

import (
	"slices"
	"strings"
)

// This file names what makes a program that nobody knows, most often another agent, go on
// without asking its user. Such a program asks anyway; with one of these it is asked
// about each time, and the question says why.

// skipping are parts of options that take questions away: --dangerously-skip-permissions
// (Claude Code's CLI reference), --dangerously-bypass-approvals-and-sandbox, --yolo and
// --full-auto (Codex' command line reference), --yes-always (aider's options reference),
// --allow-all-tools (Copilot's command line), --skip-permissions-unsafe (droid).
var skipping = [...]string{"dangerously", "skip-permissions", "bypass-approval", "yolo", "full-auto", "yes-always", "allow-all", "auto-approve", "no-confirm"}

// skippingValues are values of options that do the same: of --permission-mode (Claude Code),
// --approval-mode (Gemini CLI, reference/configuration.md), --sandbox and --ask-for-approval
// (Codex).
var skippingValues = [...]string{"bypassPermissions", "danger-full-access", "yolo"}

// unconfirmed asks about the options of a line that take questions away.
func (m *machine) unconfirmed(name string, args []string) {
	for i, a := range args {
		option, value, _ := strings.Cut(a, "=")
		switch {
		case len(a) > 2 && strings.HasPrefix(a, "--") && slices.ContainsFunc(skipping[:], func(w string) bool { return strings.Contains(option, w) }),
			slices.Contains(skippingValues[:], value),
			i > 0 && strings.HasPrefix(args[i-1], "-") && slices.Contains(skippingValues[:], a),
			i > 0 && a == "never" && (args[i-1] == "-a" || args[i-1] == "--ask-for-approval"), a == "--ask-for-approval=never",
			a == "-y" && (name == "gemini" || name == "qwen"):
			m.escape(name + " " + a)
		}
	}
}
