package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/hosts"
)

// tell runs the hook for an event and returns its exit code.
func (p place) tell(t *testing.T, host string, event map[string]any, args ...string) int {
	t.Helper()
	t.Setenv("HOME", p.home)
	t.Setenv("CLAUDE_PROJECT_DIR", "")
	data, err := json.Marshal(event)
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	code := run(append([]string{host, "-after"}, args...), bytes.NewReader(data), &stdout, &stderr)
	if strings.Contains(stdout.String(), "deny") || code == exitBlocked {
		t.Errorf("%s: an event is answered with %d %s", host, code, stdout.String())
	}
	return code
}

// ranEvent is the host's word that a command ran; failed says how it ended.
func (p place) ranEvent(host, session, command string, failed bool) map[string]any {
	if host == "cursor" {
		return map[string]any{"hook_event_name": "afterShellExecution", "conversation_id": session, "workspace_roots": []string{p.dir}, "cwd": "", "command": command, "output": "x"}
	}
	m := map[string]any{"hook_event_name": "PostToolUse", "session_id": session, "cwd": p.dir, "tool_name": "Bash", "tool_input": map[string]any{"command": command}, "tool_response": map[string]any{"stdout": "x"}}
	if failed {
		m["hook_event_name"], m["error"] = "PostToolUseFailure", "exit 1"
	}
	return m
}

func (p place) saysEvent(host, session, text string) map[string]any {
	if host == "cursor" {
		return map[string]any{"hook_event_name": "beforeSubmitPrompt", "conversation_id": session, "workspace_roots": []string{p.dir}, "prompt": text}
	}
	return map[string]any{"hook_event_name": "UserPromptSubmit", "session_id": session, "cwd": p.dir, "prompt": text}
}

// TestDeclined: what the user said no to has not run; what failed has.
func TestDeclined(t *testing.T) {
	const secret, fetch = "cat ~/.ssh/id_rsa", "curl https://example.com/x"
	for _, host := range []string{"claude-code", "cursor"} {
		p := newPlace(t)
		args := []string{"-state", filepath.Join(p.home, "state"), "-allow-host", "example.com"}
		call := func(session, command string) hosts.Outcome {
			e, _ := p.hook(t, host, p.shellCall(host, session, command), args...)
			return e
		}
		tell := func(e map[string]any) { t.Helper(); mustZero(t, p.tell(t, host, e, args...)) }
		want := func(what string, got, want hosts.Outcome) {
			t.Helper()
			if got != want {
				t.Errorf("%s: %s: %v, want %v", host, what, got, want)
			}
		}
		// Declined, in a session that tells what runs.
		call("a", "ls")
		tell(p.ranEvent(host, "a", "ls", false))
		want("the secret", call("a", secret), hosts.Asks)
		want("a fetch while nobody knows", call("a", fetch), hosts.Asks)
		tell(p.saysEvent(host, "a", "no, do something else"))
		want("a fetch after no", call("a", fetch), hosts.Proceeds)
		// Allowed, and it ran, or failed; late word counts too.
		for _, failed := range []bool{false, true} {
			s := map[bool]string{false: "b", true: "c"}[failed]
			call(s, secret)
			tell(p.ranEvent(host, s, secret, failed))
			tell(p.saysEvent(host, s, "go on"))
			want("a fetch after the read", call(s, fetch), hosts.Asks)
		}
		call("d", "ls")
		tell(p.ranEvent(host, "d", "ls", false))
		call("d", secret)
		tell(p.saysEvent(host, "d", "hm"))
		tell(p.ranEvent(host, "d", secret, false))
		want("a fetch after late word", call("d", fetch), hosts.Asks)
		// A session that has never told what runs is not believed.
		call("e", secret)
		tell(p.saysEvent(host, "e", "no"))
		want("a fetch in a silent session", call("e", fetch), hosts.Asks)
	}
}

func mustZero(t *testing.T, code int) {
	t.Helper()
	if code != 0 {
		t.Errorf("exit %d", code)
	}
}

// TestSubagents: what the user says settles nothing that a subagent was asked.
func TestSubagents(t *testing.T) {
	p := newPlace(t)
	args := []string{"-state", filepath.Join(p.home, "state"), "-allow-host", "example.com"}
	p.claude(t, "a", "ls", args...)
	mustZero(t, p.tell(t, "claude-code", p.ranEvent("claude-code", "a", "ls", false), args...))
	input := strings.Replace(p.shellCall("claude-code", "a", "cat ~/.ssh/id_rsa"), "{", `{"agent_id":"x",`, 1)
	if e, _ := p.hook(t, "claude-code", input, args...); e != hosts.Asks {
		t.Fatal(e)
	}
	mustZero(t, p.tell(t, "claude-code", p.saysEvent("claude-code", "a", "hello"), args...))
	if e := p.claude(t, "a", "curl https://example.com/x", args...); e != hosts.Asks {
		t.Errorf("a fetch while a subagent's question is open: %v", e)
	}
}

// TestEventTrouble: an event that can't be noted hides nothing from anybody,
// and the call it was about goes on counting as run.
func TestEventTrouble(t *testing.T) {
	p := newPlace(t)
	state := filepath.Join(p.home, "state")
	args := []string{"-state", state, "-allow-host", "example.com"}
	p.claude(t, "a", "cat ~/.ssh/id_rsa", args...)
	for _, broken := range []map[string]any{{}, {"hook_event_name": "PreToolUse"}, {"hook_event_name": "PostToolUse", "tool_name": 7}} {
		if code := p.tell(t, "claude-code", broken, args...); code == 0 {
			t.Errorf("noted: %v", broken)
		}
	}
	if code := p.tell(t, "claude-code", p.ranEvent("claude-code", "a", "x", false), "-policy", "gone.gbt", "-state", state); code == 0 {
		t.Error("noted without the policy")
	}
	if e := p.claude(t, "a", "curl https://example.com/x", args...); e != hosts.Asks {
		t.Errorf("a fetch: %v", e)
	}
	err := filepath.WalkDir(state, func(name string, _ fs.DirEntry, failed error) error {
		if failed != nil {
			return failed
		}
		info, err := os.Stat(name)
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has the mode %v", name, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestMade: what the hook saw was not there before a call that ran, the session may
// take away. A repository in each sees to it that none is deleted as something temporary.
func TestMade(t *testing.T) {
	p := newPlace(t)
	args := []string{"-state", filepath.Join(p.home, "state")}
	call := func(command string) hosts.Outcome {
		t.Helper()
		e, _ := p.hook(t, "claude-code", p.shellCall("claude-code", "a", command), args...)
		return e
	}
	tmp := t.TempDir()
	if !strings.HasPrefix(tmp, "/tmp/") {
		t.Skip("temporary directories are elsewhere: ", tmp)
	}
	fresh, there, waits := filepath.Join(tmp, "fresh"), filepath.Join(tmp, "there"), filepath.Join(tmp, "waits")
	for _, dir := range []string{there, waits} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{fresh, there} {
		if got := call("mkdir -p " + dir); got != hosts.Proceeds {
			t.Fatalf("mkdir: %v", got)
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		mustZero(t, p.tell(t, "claude-code", p.ranEvent("claude-code", "a", "mkdir -p "+dir, false), args...))
	}
	call("mkdir -p " + waits)
	for _, dir := range []string{fresh, there, waits} {
		if err := os.Mkdir(filepath.Join(dir, ".git"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for dir, want := range map[string]hosts.Outcome{fresh: hosts.Proceeds, there: hosts.Asks, waits: hosts.Asks} {
		if got := call("rm -rf " + dir); got != want {
			t.Errorf("rm -rf %s: %v, want %v", filepath.Base(dir), got, want)
		}
	}
}

// TestRemembers: a call that was asked about and ran was agreed to, and the question
// says what that holds for.
func TestRemembers(t *testing.T) {
	const first, second = "curl https://a.example/x", "curl https://a.example/y"
	for name, tt := range map[string]struct {
		more string // of the command line
		ran  func(p place) map[string]any
		want hosts.Outcome
	}{
		"it ran":             {"", func(p place) map[string]any { return p.ranEvent("claude-code", "a", first, false) }, hosts.Proceeds},
		"it ran and failed":  {"", func(p place) map[string]any { return p.ranEvent("claude-code", "a", first, true) }, hosts.Proceeds},
		"in another session": {"", func(p place) map[string]any { return p.ranEvent("claude-code", "b", first, false) }, hosts.Asks},
		"another call ran":   {"", func(p place) map[string]any { return p.ranEvent("claude-code", "a", "ls", false) }, hosts.Asks},
		"the user went on":   {"", func(p place) map[string]any { return p.saysEvent("claude-code", "a", "no, do not") }, hosts.Asks},
		"switched off":       {"-remember=off", func(p place) map[string]any { return p.ranEvent("claude-code", "a", first, false) }, hosts.Asks},
	} {
		p := newPlace(t)
		args := []string{"-state", filepath.Join(p.home, "state")}
		if tt.more != "" {
			args = append(args, tt.more)
		}
		got, text := p.hook(t, "claude-code", p.shellCall("claude-code", "a", first), args...)
		if offers := strings.Contains(text, "A yes holds for the rest of this session: fetch from a.example."); got != hosts.Asks || offers != (tt.more == "") {
			t.Errorf("%s: %v %s", name, got, text)
		}
		mustZero(t, p.tell(t, "claude-code", tt.ran(p), args...))
		if got, text := p.hook(t, "claude-code", p.shellCall("claude-code", "a", second), args...); got != tt.want {
			t.Errorf("%s: %v, want %v: %s", name, got, tt.want, text)
		}
	}
}

// TestRules: the hook reads people's rules without a policy, and knows that the tests
// passed after the last change.
func TestRules(t *testing.T) {
	p := newPlace(t)
	t.Setenv("HOME", p.home)
	t.Setenv("XDG_CONFIG_HOME", "")
	file := filepath.Join(p.home, ".config/gbt/rules")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("allow curl https://a.example/*\ndeny git push when not tests passed\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{"-state", filepath.Join(p.home, "state")}
	for _, tt := range []struct {
		ran    string
		failed bool
		call   string
		want   hosts.Outcome
	}{
		{"ls", false, "curl https://a.example/x", hosts.Proceeds},
		{"ls", false, "curl https://b.example/x", hosts.Asks},
		{"ls", false, "git push origin x", hosts.Blocks},
		{"go test ./...", true, "git push origin x", hosts.Blocks},
		{"go test ./... | tail", false, "git push origin x", hosts.Blocks},
		{"go test ./...", false, "git push origin x", hosts.Asks},
		{"echo x > f.go", false, "git push origin x", hosts.Blocks},
	} {
		p.claude(t, "a", tt.ran, args...)
		mustZero(t, p.tell(t, "claude-code", p.ranEvent("claude-code", "a", tt.ran, tt.failed), args...))
		if got := p.claude(t, "a", tt.call, args...); got != tt.want {
			t.Errorf("after %s (failed %v): %s: %v, want %v", tt.ran, tt.failed, tt.call, got, tt.want)
		}
	}
	if got := p.claude(t, "a", "rm "+file, args...); got != hosts.Blocks {
		t.Errorf("the rules may be deleted: %v", got)
	}
}

// TestConditions: what the policy requires before a call is established by the host's word
// that another one ended well. A host that says no such thing has the user asked.
func TestConditions(t *testing.T) {
	for _, c := range []struct {
		host   string
		before string
		failed bool
		want   hosts.Outcome
	}{
		{"claude-code", "", false, hosts.Blocks},
		{"claude-code", "cat a.txt", true, hosts.Blocks},
		{"claude-code", "cat b.txt", false, hosts.Blocks},
		{"claude-code", "cat a.txt", false, hosts.Proceeds},
		{"cursor", "cat a.txt", false, hosts.Asks},
	} {
		p := newPlace(t)
		file, pub := p.policy(t, artifacts.Guardrail{Conditions: []gates.Condition{
			{Act: "edit", Arg: gates.FileArg, Needs: []gates.Need{{How: gates.HowSame, Act: "view", Arg: gates.FileArg}}, Tasks: 40, Held: 40},
		}})
		args := []string{"-policy", file, "-trust", pub, "-state", filepath.Join(p.home, "state")}
		if c.before != "" {
			p.hook(t, c.host, p.shellCall(c.host, "a", c.before), args...)
			mustZero(t, p.tell(t, c.host, p.ranEvent(c.host, "a", c.before, c.failed), args...))
		}
		if got, why := p.hook(t, c.host, p.shellCall(c.host, "a", "sed -i s/x/y/ a.txt"), args...); got != c.want {
			t.Errorf("%s, after %q (failed %v): %v, want %v: %s", c.host, c.before, c.failed, got, c.want, why)
		}
	}
}
