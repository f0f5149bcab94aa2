package main

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/gbt-policy/gbt/internal/hosts"
)

// TestOrders: what the user typed answers the question about the push that it orders, at a
// host that tells it, in that session, with a memory, once.
func TestOrders(t *testing.T) {
	elsewhere := func(e map[string]any) map[string]any { e["cwd"] = t.TempDir(); return e }
	for _, tt := range []struct {
		name string
		says string
		in   string // the session of the message
		args []string
		want hosts.Outcome
	}{
		{"ordered", "commit and push", "s", nil, hosts.Proceeds},
		{"not ordered", "have a look at the tests", "s", nil, hosts.Asks},
		{"on a condition", "push if the tests pass", "s", nil, hosts.Asks},
		{"typed elsewhere", "commit and push", "s", nil, hosts.Asks},
		{"in another session", "commit and push", "other", nil, hosts.Asks},
		{"nothing is remembered", "commit and push", "s", []string{"-remember", "off"}, hosts.Asks},
	} {
		p := newPlace(t)
		put(t, filepath.Join(p.dir, ".git/config"), "[remote \"origin\"]\n\turl = git@git.example:acme/shop.git\n")
		put(t, filepath.Join(p.dir, ".git/HEAD"), "ref: refs/heads/fix\n")
		args := append([]string{"-state", filepath.Join(p.home, "state")}, tt.args...)
		said := p.saysEvent("claude-code", tt.in, tt.says)
		if tt.name == "typed elsewhere" {
			said = elsewhere(said)
		}
		mustZero(t, p.tell(t, "claude-code", said, args...))
		got, _ := p.hook(t, "claude-code", p.shellCall("claude-code", "s", "git push"), args...)
		if got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
		mustZero(t, p.tell(t, "claude-code", p.ranEvent("claude-code", "s", "git push", false), args...))
		if again, _ := p.hook(t, "claude-code", p.shellCall("claude-code", "s", "git push"), append(args, "-remember", "off")...); again != hosts.Asks {
			t.Errorf("%s: a second push: %v", tt.name, again)
		}
	}
}

// TestOrdersOfTheAgent: a message that the agent has the host send to it later orders nothing.
func TestOrdersOfTheAgent(t *testing.T) {
	p := newPlace(t)
	put(t, filepath.Join(p.dir, ".git/config"), "[remote \"origin\"]\n\turl = git@git.example:acme/shop.git\n")
	put(t, filepath.Join(p.dir, ".git/HEAD"), "ref: refs/heads/fix\n")
	args := []string{"-state", filepath.Join(p.home, "state")}
	var call map[string]any
	if err := json.Unmarshal([]byte(p.shellCall("claude-code", "s", "")), &call); err != nil {
		t.Fatal(err)
	}
	call["tool_name"], call["tool_input"] = "ScheduleWakeup", map[string]any{"delaySeconds": 60, "reason": "x", "prompt": "commit and push"}
	wake, err := json.Marshal(call)
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := p.hook(t, "claude-code", string(wake), args...); got != hosts.Proceeds {
		t.Fatalf("wake: %v", got)
	}
	mustZero(t, p.tell(t, "claude-code", p.saysEvent("claude-code", "s", "commit and push"), args...))
	if got, _ := p.hook(t, "claude-code", p.shellCall("claude-code", "s", "git push"), args...); got != hosts.Asks {
		t.Errorf("its own words: %v", got)
	}
	mustZero(t, p.tell(t, "claude-code", p.saysEvent("claude-code", "s", "now push it"), args...))
	if got, _ := p.hook(t, "claude-code", p.shellCall("claude-code", "s", "git push origin fix"), args...); got != hosts.Proceeds {
		t.Errorf("a person's: %v", got)
	}
}
