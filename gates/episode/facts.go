package episode

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file is about facts that rules of people ask for: which commands ended well after
// the last change to the workspace.

// done is a command that ended well, with nothing changed since.
type done struct {
	Line string `json:"line"`
	Test bool   `json:"test,omitempty"`
}

// Bounds of what is kept of commands.
const (
	maxDone     = 32
	maxDoneLine = 300
)

// Succeeded notes that a call which ran ended well: its host says so. Commands whose end
// the call's own end does not show (a pipe, a list) are not taken to have.
func (m *Memory) Succeeded(c *gates.Context) {
	if c.Command == "" {
		return
	}
	for _, line := range shell.Parse(c.Command).Sure() {
		if len(line) > maxDoneLine {
			continue
		}
		x := done{Line: spaced(line), Test: isTest(line)}
		m.done = slices.DeleteFunc(m.done, func(y done) bool { return y.Line == x.Line })
		m.done = last(append(m.done, x), maxDone)
	}
}

// isTest says whether a command runs tests, by the words that calls are called by.
func isTest(line string) bool {
	args, err := json.Marshal(map[string]string{"command": line})
	return err == nil && call.ActionOf("bash", string(args)).Key == "test"
}

// Changes says whether a call may change the workspace.
func Changes(c *gates.Context) bool {
	return slices.ContainsFunc(c.Effects, mayChange) || slices.ContainsFunc(c.Runs(), switches)
}

// changed forgets what ended well if a call may have changed the workspace.
func (m *Memory) changed(c *gates.Context) {
	if Changes(c) {
		m.done = nil
	}
}

// mayChange says whether an effect may change a file of the workspace: builds and tests
// are taken to change nothing that they are about.
func mayChange(e effect.Effect) bool {
	switch e.Kind {
	case effect.Opaque:
		return true
	case effect.Write, effect.Delete:
		return e.Zone != effect.ZoneTemp && e.Zone != effect.ZoneStream && e.Zone != effect.ZoneKept && e.Zone != effect.ZoneRecord && !strings.Contains(e.Resource, "/.git/")
	case effect.Spawn:
		return e.Op == effect.OpRunFile || e.Op == effect.OpRunUnknown || e.Op == effect.OpEscape
	}
	return false
}

// switches says whether git puts other files into the workspace (git(1)).
func switches(r effect.Run) bool {
	switch r.Tool {
	case "git checkout", "git switch", "git merge", "git pull", "git rebase", "git reset", "git restore", "git stash", "git revert", "git cherry-pick", "git am", "git apply", "git bisect", "git submodule":
		return true
	}
	return len(r.Words) > 1 && r.Words[0] == "git" && r.Tool == ""
}

// fact answers what rules ask of what ran. Only a session that has had word of calls
// knows.
func (m *Memory) fact(name string) (value string, known bool) {
	line, ran := strings.CutPrefix(name, "ran ")
	if name != "tests" && !ran {
		return "", false
	}
	ok := slices.ContainsFunc(m.done, func(x done) bool { return ran && x.Line == spaced(line) || !ran && x.Test })
	switch {
	case ok && len(m.waiting) > 0 && slices.ContainsFunc(m.waiting, func(w Waiting) bool { return w.Changes }):
		return "", false // something that may be running changes what they were about
	case ok && ran:
		return "yes", true
	case ok:
		return "passed", true
	}
	return "no", true
}

// told asks the host what the memory does not know.
func (m *Memory) told(host func(string) (string, bool)) func(string) (string, bool) {
	return func(name string) (string, bool) {
		if name == "tests" || strings.HasPrefix(name, "ran ") {
			return m.fact(name)
		}
		if host == nil {
			return "", false
		}
		return host(name)
	}
}

// spaced is a line with one blank between its words.
func spaced(line string) string { return strings.Join(strings.Fields(line), " ") }
