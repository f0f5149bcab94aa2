package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/internal/hosts"
)

// asker is a session in which the host asks the hook before each call, and again when it
// is about to ask its user.
type asker struct {
	place
	t     *testing.T
	state string
	more  []string
	mode  string
	agent string
	dir   string
}

func newAsker(t *testing.T, more ...string) *asker {
	p := newPlace(t)
	return &asker{place: p, t: t, state: filepath.Join(p.home, "state"), more: more, mode: "default", dir: p.dir}
}

// event is what the host writes. An id is left out where the host leaves it out.
func (a *asker) event(name, id, tool, args string) string {
	m := map[string]any{"hook_event_name": name, "session_id": "s", "cwd": a.dir, "permission_mode": a.mode, "tool_name": tool, "tool_input": json.RawMessage(args)}
	if id != "" {
		m["tool_use_id"] = id
	}
	if a.agent != "" {
		m["agent_id"] = a.agent
	}
	if name == "PostToolUse" {
		m["tool_response"] = map[string]any{"stdout": "", "stderr": "", "interrupted": false}
	}
	b, err := json.Marshal(m)
	if err != nil {
		a.t.Fatal(err)
	}
	return string(b)
}

// tell runs the hook on an event and says what the host makes of the answer.
func (a *asker) tell(name, input string) (hosts.Outcome, hosts.Process) {
	a.t.Helper()
	a.t.Setenv("HOME", a.home)
	a.t.Setenv("CLAUDE_PROJECT_DIR", a.place.dir)
	args := append([]string{"claude-code", "-state", a.state, "-approve"}, a.more...)
	if strings.HasPrefix(name, "Post") || name == "UserPromptSubmit" {
		args = append(args, "-after")
	}
	var stdout, stderr bytes.Buffer
	code := run(args, strings.NewReader(input), &stdout, &stderr)
	h, _ := hosts.Lookup("claude-code")
	p := hosts.Process{Stdout: stdout.String(), Stderr: stderr.String(), Exit: code}
	return h.Reading(name, p), p
}

// call is a call of a tool: what the hook says before it, and to the host's own question.
func (a *asker) call(id, tool, args string) (before, asked hosts.Outcome) {
	a.t.Helper()
	before, _ = a.tell("PreToolUse", a.event("PreToolUse", id, tool, args))
	asked, _ = a.tell("PermissionRequest", a.event("PermissionRequest", "", tool, args))
	return before, asked
}

func (a *asker) shell(id, command string) (before, asked hosts.Outcome) {
	a.t.Helper()
	b, err := json.Marshal(map[string]string{"command": command, "description": "a step"})
	if err != nil {
		a.t.Fatal(err)
	}
	return a.call(id, "Bash", string(b))
}

// TestApprove: which of the host's own questions are answered with yes, and which not.
func TestApprove(t *testing.T) {
	const yes, left, no = hosts.Proceeds, hosts.Asks, hosts.Blocks
	for _, tt := range []struct {
		name, mode, tool, args string
		want                   hosts.Outcome
	}{
		{"a build", "default", "Bash", `{"command":"make test"}`, yes},
		{"a commit", "default", "Bash", `{"command":"git add -A && git commit -m x","timeout":1000}`, yes},
		{"a read outside the workspace", "default", "Read", `{"file_path":"/usr/include/stdio.h"}`, yes},
		{"a file in a temporary directory", "default", "Bash", `{"command":"go test ./... > /tmp/out.txt"}`, yes},
		{"a push", "default", "Bash", `{"command":"git push origin main"}`, left},
		{"a program nobody knows", "default", "Bash", `{"command":"frobnicate --all"}`, left},
		{"a build and a push", "default", "Bash", `{"command":"make test && git push"}`, left},
		{"a disk", "default", "Bash", `{"command":"rm -rf /"}`, no},
		{"an edit in the shell", "default", "Bash", `{"command":"echo x > a.go"}`, left},
		{"an edit in code", "default", "Bash", `{"command":"python3 -c \"open('a.py','w').write('x')\""}`, left},
		{"a patch of git", "default", "Bash", `{"command":"git apply p"}`, left},
		{"a patch of git that is given", "default", "Bash", `{"command":"git -C . apply - <<E\nx\nE"}`, left},
		{"a patch", "default", "Bash", `{"command":"patch -p1 < p"}`, left},
		{"a patch by another program", "default", "Bash", `{"command":"ls *.diff | xargs -n1 git apply"}`, left},
		{"a patch in a shell of its own", "default", "Bash", `{"command":"timeout 5 bash -c 'patch -p1 < p'"}`, left},
		{"a patch, edits accepted", "acceptEdits", "Bash", `{"command":"git apply p"}`, yes},
		{"a stash", "default", "Bash", `{"command":"git stash"}`, left},
		{"a format", "default", "Bash", `{"command":"gofmt -w ."}`, left},
		{"a format by a tool's command", "default", "Bash", `{"command":"go fmt ./..."}`, left},
		{"a look at a repository", "default", "Bash", `{"command":"git log -p -3 && git diff --stat"}`, yes},
		{"a search", "default", "Bash", `{"command":"grep -rn -i -w apply ."}`, yes},
		{"a test run", "default", "Bash", `{"command":"go test ./... && go vet ./..."}`, yes},
		{"a deletion", "default", "Bash", `{"command":"mkdir d; rm -r d"}`, left},
		{"an edit in the shell, edits accepted", "acceptEdits", "Bash", `{"command":"echo x > a.go"}`, yes},
		{"an edit", "default", "Write", `{"file_path":"a.go","content":"x"}`, left},
		{"an edit, edits accepted", "acceptEdits", "Write", `{"file_path":"a.go","content":"x"}`, left},
		{"a command outside the sandbox", "default", "Bash", `{"command":"ls","dangerouslyDisableSandbox":true}`, left},
		{"an argument nobody knows", "default", "Bash", `{"command":"ls","as":"root"}`, left},
		{"a question to the user", "default", "AskUserQuestion", `{"questions":[]}`, left},
		{"a plan", "default", "ExitPlanMode", `{"plan":"x"}`, left},
		{"the beginning of a plan", "default", "EnterPlanMode", `{}`, left},
		{"a tool of a server", "default", "mcp__notes__list", `{}`, left},
		{"a tool nobody knows", "default", "Frobnicate", `{}`, left},
		{"in plan mode", "plan", "Bash", `{"command":"make test"}`, left},
		{"where nothing is asked", "dontAsk", "Bash", `{"command":"make test"}`, left},
		{"in a mode nobody knows", "other", "Bash", `{"command":"make test"}`, left},
		{"where the host tells no mode", "", "Bash", `{"command":"make test"}`, left},
	} {
		a := newAsker(t)
		a.mode = tt.mode
		if before, asked := a.call("1", tt.tool, tt.args); asked != tt.want || (before == no) != (tt.want == no) {
			t.Errorf("%s: %v, then %v, want %v", tt.name, before, asked, tt.want)
		}
	}
}

// TestApproveIsOneDecision: the host's question changes nothing that the session
// remembers, and what is decided on it is what was decided before.
func TestApproveIsOneDecision(t *testing.T) {
	a := newAsker(t)
	memory := func() string {
		files, err := filepath.Glob(filepath.Join(a.state, "*.json"))
		if err != nil || len(files) != 1 {
			t.Fatalf("%v %v", files, err)
		}
		data, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	for i, line := range []string{"make test", "git push origin main", "cat ~/.ssh/id_rsa", "make test"} {
		b, _ := json.Marshal(map[string]string{"command": line})
		before, _ := a.tell("PreToolUse", a.event("PreToolUse", string(rune('a'+i)), "Bash", string(b)))
		was := memory()
		for range 2 {
			asked, _ := a.tell("PermissionRequest", a.event("PermissionRequest", "", "Bash", string(b)))
			if before == hosts.Asks && asked != hosts.Asks {
				t.Errorf("%s: asked before and now %v", line, asked)
			}
		}
		if memory() != was {
			t.Errorf("%s: the host's question changed the session's memory", line)
		}
	}
	// What made something of its own and takes it away again is approved before; a second
	// look would not see that it is the session's own.
	a = newAsker(t)
	a.mode = "acceptEdits"
	if err := os.WriteFile(filepath.Join(a.place.dir, "kept"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	a.shell("1", "touch fresh")
	in := a.event("PostToolUse", "1", "Bash", `{"command":"touch fresh","description":"a step"}`)
	if err := os.WriteFile(filepath.Join(a.place.dir, "fresh"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, p := a.tell("PostToolUse", in); p.Exit != 0 {
		t.Fatal(p.Stderr)
	}
	if before, asked := a.shell("2", "rm fresh"); before != hosts.Proceeds || asked != hosts.Proceeds {
		t.Errorf("what the session made: %v, then %v", before, asked)
	}
}

// TestApproveNeedsADecision: a question about a call that was not decided on in just this
// form is the user's.
func TestApproveNeedsADecision(t *testing.T) {
	ask := func(a *asker, args string) hosts.Outcome {
		got, _ := a.tell("PermissionRequest", a.event("PermissionRequest", "", "Bash", args))
		return got
	}
	const args = `{"command":"make test"}`
	for name, change := range map[string]func(*asker) string{
		"another command":   func(*asker) string { return `{"command":"make all"}` },
		"another directory": func(a *asker) string { a.dir = a.home; return args },
		"another mode":      func(a *asker) string { a.mode = "acceptEdits"; return args },
		"another agent":     func(a *asker) string { a.agent = "b"; return args },
		"without -approve":  func(a *asker) string { a.more = []string{"-approve=false"}; return args },
	} {
		a := newAsker(t)
		a.tell("PreToolUse", a.event("PreToolUse", "1", "Bash", args))
		if got := ask(a, args); got != hosts.Proceeds {
			t.Fatalf("the call itself: %v", got)
		}
		if got := ask(a, change(a)); got != hosts.Asks {
			t.Errorf("%s: %v", name, got)
		}
	}
	a := newAsker(t)
	if got := ask(a, args); got != hosts.Asks {
		t.Errorf("never decided on: %v", got)
	}
	a.tell("PreToolUse", a.event("PreToolUse", "1", "Bash", args))
	a.tell("PostToolUse", a.event("PostToolUse", "1", "Bash", args))
	if got := ask(a, args); got != hosts.Asks {
		t.Errorf("after it ran: %v", got)
	}
}

// TestApproveTainted: in a session that read a secret, or is about to, nothing is answered;
// nor for a call that was decided on before it did.
func TestApproveTainted(t *testing.T) {
	a := newAsker(t)
	a.tell("PreToolUse", a.event("PreToolUse", "1", "Bash", `{"command":"make test"}`))
	if before, asked := a.shell("2", "cat ~/.ssh/id_rsa"); before != hosts.Asks || asked != hosts.Asks {
		t.Errorf("the read itself: %v, then %v", before, asked)
	}
	if got, _ := a.tell("PermissionRequest", a.event("PermissionRequest", "", "Bash", `{"command":"make test"}`)); got != hosts.Asks {
		t.Errorf("decided on before: %v", got)
	}
	if before, asked := a.shell("3", "make lint"); before != hosts.Proceeds || asked != hosts.Asks {
		t.Errorf("after it: %v, then %v", before, asked)
	}
}

// TestApproveKeepsTheUsersAsk: what the user's own settings want asked stays asked.
func TestApproveKeepsTheUsersAsk(t *testing.T) {
	ask := func(rules string) string { return `{"permissions":{"ask":[` + rules + `]}}` }
	for _, tt := range []struct {
		name, file, text string
		want             hosts.Outcome
	}{
		{"another program", "w/.claude/settings.json", ask(`"Bash(git push *)"`), hosts.Proceeds},
		{"another tool", "w/.claude/settings.json", ask(`"WebFetch"`), hosts.Proceeds},
		{"allowed and denied", "w/.claude/settings.json", `{"permissions":{"deny":["Bash(make *)"],"allow":["Bash"]}}`, hosts.Proceeds},
		{"in the project", "w/.claude/settings.json", ask(`"Bash(make *)"`), hosts.Asks},
		{"in the project's local file", "w/.claude/settings.local.json", ask(`"Bash(make:*)"`), hosts.Asks},
		{"in the user's", ".claude/settings.json", ask(`"Bash"`), hosts.Asks},
		{"with a star", ".claude/settings.json", ask(`"Bash(* test)"`), hosts.Asks},
		{"about files", ".claude/settings.json", ask(`"Read(./x/**)"`), hosts.Asks},
		{"about an argument", ".claude/settings.json", ask(`"Bash(command:make*)"`), hosts.Asks},
		{"above the project", ".claude/settings.local.json", ask(`"Bash(make *)"`), hosts.Asks},
		{"no JSON", ".claude/settings.json", `{"permissions":{"ask":[}}`, hosts.Asks},
		{"no list", ".claude/settings.json", `{"permissions":{"ask":"Bash"}}`, hosts.Asks},
	} {
		a := newAsker(t)
		name := filepath.Join(a.home, tt.file)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, asked := a.shell("1", "make test"); asked != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, asked, tt.want)
		}
	}
	a := newAsker(t)
	if err := os.MkdirAll(filepath.Join(a.place.dir, ".claude", "settings.json"), 0o755); err != nil { // which no read gets through
		t.Fatal(err)
	}
	if _, asked := a.shell("1", "make test"); asked != hosts.Asks {
		t.Errorf("a file that can't be read: %v", asked)
	}
}

// TestApproveTwins: of two equal calls that both wait nobody knows which is asked about, so
// both must have been approved.
func TestApproveTwins(t *testing.T) {
	a := newAsker(t)
	s := &session{seen: []seen{{Key: "1", About: "x", Left: "not approved"}, {Key: "2", About: "x"}}}
	in := &hosts.Input{Event: "PermissionRequest"}
	c, err := parseArgs([]string{"claude-code", "-approve", "-state", a.state})
	if err != nil {
		t.Fatal(err)
	}
	s.seen[0].About, s.seen[1].About = digest(in.PromptKey()), digest(in.PromptKey())
	if out, done := c.prompted(s, in); !done || out.Stdout != "" {
		t.Errorf("one was left to the user: %+v %v", out, done)
	}
	s.seen[0].Left = ""
	if out, done := c.prompted(s, in); !done || !strings.Contains(out.Stdout, `"allow"`) {
		t.Errorf("both were approved: %+v %v", out, done)
	}
}

// TestApproveProfile: a profile that stops nothing approves nothing either.
func TestApproveProfile(t *testing.T) {
	a := newAsker(t, "-profile", "observe")
	for _, line := range []string{"git push origin main", "rm -rf /"} {
		if _, asked := a.shell("1", line); asked != hosts.Asks {
			t.Errorf("%s: %v", line, asked)
		}
	}
	if _, asked := a.shell("2", "make test"); asked != hosts.Proceeds {
		t.Errorf("a build: %v", asked)
	}
}

// TestApproveArgs: what -approve needs.
func TestApproveArgs(t *testing.T) {
	for _, args := range [][]string{{"claude-code", "-approve"}, {"claude-code", "-approve", "-state", "none"}, {"codex", "-approve", "-state", "auto"}, {"gemini", "-approve", "-state", "auto"}} {
		if _, err := parseArgs(args); err == nil {
			t.Errorf("%v is taken", args)
		}
	}
}
