package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gbt-policy/gbt/internal/hosts"
)

// toolCall is a call of another tool than the shell, and result what the host tells of it later.
func (p place) toolCall(session, tool string, input map[string]any) (call string, result map[string]any) {
	m := map[string]any{"hook_event_name": "PreToolUse", "session_id": session, "cwd": p.dir, "tool_name": tool, "tool_input": input}
	b, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	m["hook_event_name"], m["tool_response"] = "PostToolUse", map[string]any{"stdout": "x"}
	return string(b), m
}

// TestNotesOfSessions: an agent notes its own words for later sessions, until a page came in.
func TestNotesOfSessions(t *testing.T) {
	r := newRepo(t)
	name := strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' {
			return c
		}
		return '-'
	}, r.dir)
	memory := filepath.Join(r.home, ".claude", "projects", name, "memory")
	note := func(file string) string {
		call, _ := r.toolCall("a", "Write", map[string]any{"file_path": file, "content": "- build with make\n"})
		return call
	}
	if got, text := r.hook(t, "claude-code", note(filepath.Join(memory, "a.md")), r.args...); got != hosts.Proceeds {
		t.Errorf("a note: %v %s", got, text)
	}
	if got, _ := r.hook(t, "claude-code", note(filepath.Join(r.home, ".claude", "projects", name+"x", "memory", "a.md")), r.args...); got != hosts.Asks {
		t.Errorf("of another project: %v", got)
	}
	page, came := r.toolCall("a", "WebFetch", map[string]any{"url": "https://nginx.org/en/docs/", "prompt": "x"})
	if got, text := r.hook(t, "claude-code", page, r.args...); got != hosts.Proceeds {
		t.Fatalf("a page: %v %s", got, text)
	}
	mustZero(t, r.tell(t, "claude-code", came, r.args...))
	got, text := r.hook(t, "claude-code", note(filepath.Join(memory, "b.md")), r.args...)
	if got != hosts.Asks || !strings.Contains(text, "notes that a coding agent is told in later sessions of a project") {
		t.Errorf("after a page: %v %s", got, text)
	}
}

// TestSavedResults: a result too long to show may be read where the host put it while a call of
// the session ran.
func TestSavedResults(t *testing.T) {
	r := newRepo(t)
	if bornAt(r.dir) == 0 {
		t.Skip("nobody says when files were made here")
	}
	out := filepath.Join(r.home, ".local", "share", "opencode", "tool-output")
	put(t, filepath.Join(out, "tool_old"), "theirs")
	time.Sleep(clockSlack + 10*time.Millisecond)
	if got, _ := r.hook(t, "opencode", r.shellCall("opencode", "a", "ls"), r.args...); got != hosts.Proceeds {
		t.Fatal(got)
	}
	put(t, filepath.Join(out, "tool_new"), "ours")
	mustZero(t, r.tell(t, "opencode", map[string]any{"event": "tool.execute.after", "tool": "bash", "sessionID": "a", "callID": "a", "directory": r.dir, "worktree": r.dir, "args": map[string]any{"command": "ls"}, "output": "x"}, r.args...))
	for file, want := range map[string]hosts.Outcome{"tool_new": hosts.Proceeds, "tool_old": hosts.Blocks, "tool_*": hosts.Blocks} {
		if got, text := r.hook(t, "opencode", r.shellCall("opencode", "a", "cat "+out+"/"+file), r.args...); got != want {
			t.Errorf("%s: %v, want %v %s", file, got, want, text)
		}
	}
	if got, _ := r.hook(t, "opencode", r.shellCall("opencode", "b", "cat "+out+"/tool_new"), r.args...); got != hosts.Blocks {
		t.Errorf("of another session: %v", got)
	}
}
