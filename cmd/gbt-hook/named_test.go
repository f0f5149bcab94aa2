package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/internal/hosts"
)

// TestNamedPlaces: what the user's message names may be read, as it lies on this disk, in that session
// and with a memory.
func TestNamedPlaces(t *testing.T) {
	other := func(p place) string { return filepath.Join(p.home, "other", "sub") }
	for _, tt := range []struct {
		name  string
		says  string
		reads string
		in    string // the session of the message
		args  []string
		want  hosts.Outcome
	}{
		{"named", "look at ~/other/sub", "cat ~/other/sub/a.txt", "s", nil, hosts.Proceeds},
		{"named from here", "look at ../other/sub", "cat ../other/sub/a.txt", "s", nil, hosts.Proceeds},
		{"searched", "look at ~/other/sub", "grep -rn foo ~/other/sub", "s", nil, hosts.Proceeds},
		{"by another way", "look at ~/link", "cat ~/other/sub/a.txt", "s", nil, hosts.Proceeds},
		{"through the link that was named", "look at ~/link", "cat ~/link/a.txt", "s", nil, hosts.Proceeds},
		{"not named", "have a look at the tests", "cat ~/other/sub/a.txt", "s", nil, hosts.Asks},
		{"left alone", "don't look at ~/other/sub", "cat ~/other/sub/a.txt", "s", nil, hosts.Asks},
		{"through a link in it", "look at ~/other/sub", "cat ~/other/sub/out/x.txt", "s", nil, hosts.Asks},
		{"a link of the workspace", "look at ./in and then " + "/W/in", "cat in/x.txt", "s", nil, hosts.Asks},
		{"not there", "look at ~/other/gone", "cat ~/other/gone/a.txt", "s", nil, hosts.Asks},
		{"a search that finds secrets", "look at ~/keys", "grep -rn foo ~/keys", "s", nil, hosts.Asks},
		{"a search that a link leads to secrets", "look at ~/linked", "grep -R foo ~/linked", "s", nil, hosts.Asks},
		{"a pattern that a link leads to secrets", "look at ~/linked", "cat ~/linked/*", "s", nil, hosts.Asks},
		{"a search with links in the place", "look at ~/fine", "grep -R foo ~/fine", "s", nil, hosts.Proceeds},
		{"a search that a link leads elsewhere", "look at ~/out", "grep -R foo ~/out", "s", nil, hosts.Asks},
		{"a pattern that a link leads elsewhere", "look at ~/out", "cat ~/out/deep/*", "s", nil, hosts.Asks},
		{"all files that a link leads elsewhere", "look at ~/out", "find ~/out -exec cat {} +", "s", nil, hosts.Asks},
		{"a search that follows no link", "look at ~/out", "grep -r foo ~/out", "s", nil, hosts.Proceeds},
		{"a repository", "look at ~/repo", "git -C ~/repo status", "s", nil, hosts.Proceeds},
		{"a repository that starts something", "look at ~/turned", "git -C ~/turned status", "s", nil, hosts.Asks},
		{"by a tool", "look at ~/other/sub", "Read ~/other/sub/a.txt", "s", nil, hosts.Proceeds},
		{"what holds a home", "look at ~/backup", "cat ~/backup/a.txt", "s", nil, hosts.Asks},
		{"in another session", "look at ~/other/sub", "cat ~/other/sub/a.txt", "t", nil, hosts.Asks},
		{"nothing is remembered", "look at ~/other/sub", "cat ~/other/sub/a.txt", "s", []string{"-remember", "off"}, hosts.Asks},
	} {
		p := newPlace(t)
		for _, file := range []string{"other/sub/a.txt", "private/x.txt", "keys/a.txt", "keys/.env", "linked/a.txt", "fine/sub/a.txt", "backup/a.txt", "backup/.bashrc", "out/deep/a.txt"} {
			put(t, filepath.Join(p.home, file), "foo\n")
		}
		put(t, filepath.Join(p.home, "repo/.git/config"), "[core]\n\tbare = false\n")
		put(t, filepath.Join(p.home, "turned/.git/config"), "[core]\n\tfsmonitor = ./run\n")
		for _, dir := range []string{"repo", "turned"} {
			put(t, filepath.Join(p.home, dir, ".git/HEAD"), "ref: refs/heads/fix\n")
		}
		for from, to := range map[string]string{"link": other(p), "other/sub/out": filepath.Join(p.home, "private"), "w/in": filepath.Join(p.home, "private"), "linked/more": filepath.Join(p.home, "keys"), "fine/again": filepath.Join(p.home, "fine", "sub"), "out/deep/more": filepath.Join(p.home, "private", "x.txt")} {
			if err := os.Symlink(to, filepath.Join(p.home, from)); err != nil {
				t.Fatal(err)
			}
		}
		args := append([]string{"-state", filepath.Join(p.home, "state")}, tt.args...)
		mustZero(t, p.tell(t, "claude-code", p.saysEvent("claude-code", tt.in, strings.ReplaceAll(tt.says, "/W", p.dir)), args...))
		call := p.shellCall("claude-code", "s", tt.reads)
		if file, ok := strings.CutPrefix(tt.reads, "Read ~"); ok {
			call = toolCall(t, call, "Read", map[string]any{"file_path": p.home + file})
		}
		if got, out := p.hook(t, "claude-code", call, args...); got != tt.want {
			t.Errorf("%s: %v, want %v: %s", tt.name, got, tt.want, out)
		}
	}
}

// TestNamedByTheAgent: a message that the agent has the host send to it later names nothing, and takes
// nothing back.
func TestNamedByTheAgent(t *testing.T) {
	p := newPlace(t)
	put(t, filepath.Join(p.home, "other/a.txt"), "foo\n")
	args := []string{"-state", filepath.Join(p.home, "state")}
	wake := toolCall(t, p.shellCall("claude-code", "s", ""), "ScheduleWakeup", map[string]any{"delaySeconds": 60, "reason": "x", "prompt": "look at ~/other/a.txt"})
	if got, _ := p.hook(t, "claude-code", wake, args...); got != hosts.Proceeds {
		t.Fatalf("wake: %v", got)
	}
	const read = "cat ~/other/a.txt"
	mustZero(t, p.tell(t, "claude-code", p.saysEvent("claude-code", "s", "look at ~/other/a.txt"), args...))
	if got, _ := p.hook(t, "claude-code", p.shellCall("claude-code", "s", read), args...); got != hosts.Asks {
		t.Errorf("its own words: %v", got)
	}
	mustZero(t, p.tell(t, "claude-code", p.saysEvent("claude-code", "s", "please read ~/other/a.txt"), args...))
	if got, _ := p.hook(t, "claude-code", p.shellCall("claude-code", "s", read), args...); got != hosts.Proceeds {
		t.Errorf("a person's: %v", got)
	}
}

// toolCall is a call of a tool in place of one of the shell.
func toolCall(t *testing.T, call, tool string, args map[string]any) string {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal([]byte(call), &m); err != nil {
		t.Fatal(err)
	}
	m["tool_name"], m["tool_input"] = tool, args
	out, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
