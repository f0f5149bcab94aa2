package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/hosts"
)

// brokenReader panics, or fails.
type brokenReader struct{ panics bool }

func (r brokenReader) Read([]byte) (int, error) {
	if r.panics {
		panic("a broken invariant")
	}
	return 0, errors.New("no input")
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("nobody listens") }

// TestFailures: what goes wrong inside the hook ends in the blocked form.
func TestFailures(t *testing.T) {
	for _, name := range hosts.Names() {
		h, _ := hosts.Lookup(name)
		for _, r := range []brokenReader{{true}, {false}} {
			var stdout, stderr bytes.Buffer
			code := run([]string{name}, r, &stdout, &stderr)
			got := hosts.Process{Stdout: stdout.String(), Stderr: stderr.String(), Exit: code}
			if code != exitBlocked && name != "copilot" || h.Reading(eventOf(name), got) != hosts.Blocks {
				t.Errorf("%s: %+v: %+v", name, r, got)
			}
		}
		p := newPlace(t)
		for _, cmd := range []string{"ls", "rm -rf /"} {
			var stderr bytes.Buffer
			code := run([]string{name}, strings.NewReader(p.shellCall(name, "s", cmd)), brokenWriter{}, &stderr)
			// Silence that approves needs nobody to listen.
			silent := cmd == "ls" && h.Pass(&hosts.Input{}) == (hosts.Output{})
			if code != exitBlocked && !silent {
				t.Errorf("%s: %s: exit %d although nobody read the answer", name, cmd, code)
			}
		}
	}
}

// TestNoShell: a host that starts the installed command line without a shell
// hands over its end as arguments; other arguments are refused.
func TestNoShell(t *testing.T) {
	p := newPlace(t)
	for _, tt := range []struct {
		more []string
		code int
	}{
		{[]string{"||", "exit", "2"}, 0},
		{[]string{"||", "sh", "-c", "command -v \"$0\"; exit 2", "gbt-hook", "codex", "||", "exit", "2"}, 0},
		{[]string{"||", "true", "||", "exit", "2"}, exitBlocked},
		{[]string{"||", "exit", "0"}, exitBlocked},
		{[]string{"exit", "2"}, exitBlocked},
		{[]string{"||", "exit", "2", "||", "exit", "2"}, exitBlocked},
	} {
		var stdout, stderr bytes.Buffer
		code := run(append([]string{"codex"}, tt.more...), strings.NewReader(p.shellCall("codex", "s", "ls")), &stdout, &stderr)
		if code != tt.code {
			t.Errorf("%q: exit %d: %s", tt.more, code, stderr.String())
		}
	}
}

func TestPolicy(t *testing.T) {
	p := newPlace(t)
	strict, pub := p.policy(t, artifacts.Guardrail{Rules: gates.Guardrail{Profile: gates.ProfileStrict}})
	data, err := os.ReadFile(strict)
	if err != nil {
		t.Fatal(err)
	}
	file := func(name string, data []byte) string {
		full := filepath.Join(p.dir, name)
		if err := os.WriteFile(full, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return full
	}
	unsigned, err := artifacts.Unsigned(data)
	if err != nil {
		t.Fatal(err)
	}
	bad := bytes.Clone(data)
	bad[len(bad)-20] ^= 1
	rooted := newPlace(t)
	withRoots, rootsPub := rooted.policy(t, artifacts.Guardrail{Roots: []string{p.home + "/work"}})
	tests := []struct {
		what, command string
		args          []string
		want          hosts.Outcome
	}{
		{"none", "touch x", nil, hosts.Proceeds},
		{"strict, read", "ls", []string{"-policy", strict, "-trust", pub}, hosts.Proceeds},
		{"strict, write", "touch x", []string{"-policy", strict, "-trust", pub}, hosts.Asks},
		{"strict, no trusted key", "touch x", []string{"-policy", strict}, hosts.Asks},
		{"looser profile", "ls", []string{"-policy", strict, "-trust", pub, "-profile", "workspace"}, hosts.Blocks},
		{"looser hosts", "ls", []string{"-policy", strict, "-trust", pub, "-allow-host", "example.com"}, hosts.Blocks},
		{"unsigned", "ls", []string{"-policy", file("unsigned.gbt", unsigned), "-trust", pub}, hosts.Blocks},
		{"changed", "ls", []string{"-policy", file("bad.gbt", bad), "-trust", pub}, hosts.Blocks},
		{"not a policy", "ls", []string{"-policy", file("junk.gbt", []byte("junk"))}, hosts.Blocks},
		{"no key there", "ls", []string{"-policy", strict, "-trust", pub + "x"}, hosts.Blocks},
		{"not a key", "ls", []string{"-policy", strict, "-trust", file("junk.pub", []byte("junk"))}, hosts.Blocks},
		{"a key and no policy", "ls", []string{"-trust", pub}, hosts.Blocks},
		{"a need of one", "ls", []string{"-policy", strict, "-trust", pub, "-need", "1"}, hosts.Proceeds},
		{"one of two signatures", "ls", []string{"-policy", strict, "-trust", pub, "-trust", rootsPub, "-need", "2"}, hosts.Blocks},
		{"a need that no policy meets", "ls", []string{"-policy", strict, "-trust", pub, "-need", "2"}, hosts.Blocks},
		{"a need and no key", "ls", []string{"-policy", strict, "-need", "1"}, hosts.Blocks},
		{"a need and no policy", "ls", []string{"-need", "1"}, hosts.Blocks},
		{"the least sequence", "ls", []string{"-policy", strict, "-trust", pub, "-min-sequence", "1"}, hosts.Proceeds},
		{"below the least", "ls", []string{"-policy", strict, "-trust", pub, "-min-sequence", "2"}, hosts.Blocks},
		{"a newer one was seen", "ls", []string{"-policy", strict, "-trust", pub, "-seen", file("newer", []byte("gbt seen 1\nsequence 2\n"))}, hosts.Blocks},
		{"the same was seen", "ls", []string{"-policy", strict, "-trust", pub, "-seen", file("same", []byte("gbt seen 1\nsequence 1\n"))}, hosts.Proceeds},
		{"a damaged memory", "ls", []string{"-policy", strict, "-trust", pub, "-seen", file("damaged", []byte("gbt seen 1\n"))}, hosts.Blocks},
		{"its memory is its own", "rm " + strict + ".seen", []string{"-policy", strict, "-trust", pub}, hosts.Blocks},
		{"an empty name", "ls", []string{"-policy", strict, "-trust", ""}, hosts.Blocks},
		{"an empty policy", "ls", []string{"-policy", ""}, hosts.Blocks},
		{"an empty profile", "ls", []string{"-profile="}, hosts.Blocks},
		{"a directory", "ls", []string{"-policy", p.dir}, hosts.Blocks},
		{"roots of the policy", "touch " + p.home + "/work/x", []string{"-policy", withRoots, "-trust", rootsPub}, hosts.Proceeds},
		{"roots of the command line beside them", "ls", []string{"-policy", withRoots, "-trust", rootsPub, "-root", p.dir}, hosts.Blocks},
		{"the home as a root", "ls", []string{"-root", p.home}, hosts.Blocks},
		{"the root of the file system as a root", "ls", []string{"-root", "/"}, hosts.Blocks},
		{"tighter profile", "touch x", []string{"-policy", withRoots, "-trust", rootsPub, "-profile", "strict"}, hosts.Asks},
	}
	for _, tt := range tests {
		e, out := p.hook(t, "claude-code", p.shellCall("claude-code", "s", tt.command), tt.args...)
		if e != tt.want {
			t.Errorf("%s: %v, want %v: %s", tt.what, e, tt.want, out)
		}
	}
}

// TestAskLater: Cursor's preToolUse leaves a question to the hook that can ask,
// and nothing else.
func TestAskLater(t *testing.T) {
	p := newPlace(t)
	call := func(tool, args string) string {
		return `{"hook_event_name":"preToolUse","conversation_id":"c","workspace_roots":["` + p.dir + `"],"tool_name":"` + tool + `","tool_input":` + args + `}`
	}
	state := filepath.Join(p.home, "state")
	for _, tt := range []struct {
		tool, args string
		now, later hosts.Outcome
	}{
		{"Shell", `{"command":"ls"}`, hosts.Proceeds, hosts.Proceeds},
		{"Shell", `{"command":"rm -rf /"}`, hosts.Blocks, hosts.Blocks},
		{"Shell", `{"command":"cat ~/.ssh/id_rsa"}`, hosts.Blocks, hosts.Proceeds},
		{"MCP:frobnicate", `{}`, hosts.Blocks, hosts.Proceeds},
		{"Frobnicate", `{}`, hosts.Blocks, hosts.Blocks},
		{"Read", `{"file_path":"` + p.home + `/.ssh/id_rsa"}`, hosts.Blocks, hosts.Blocks},
	} {
		now, _ := p.hook(t, "cursor", call(tt.tool, tt.args))
		later, out := p.hook(t, "cursor", call(tt.tool, tt.args), "-ask-later", "-state", state)
		if now != tt.now || later != tt.later {
			t.Errorf("%s %s: %v and %v, want %v and %v: %s", tt.tool, tt.args, now, later, tt.now, tt.later, out)
		}
	}
	files, _ := filepath.Glob(filepath.Join(state, "*.json"))
	for _, f := range files {
		if data, _ := os.ReadFile(f); bytes.Contains(data, []byte(`"SensitiveRead":true`)) {
			t.Errorf("a call that is decided elsewhere was recorded: %s", data)
		}
	}
}

// TestHelp: help is for a person alone; behind a host's name it is one more
// argument that the hook does not know, and blocks.
func TestHelp(t *testing.T) {
	for _, tt := range []struct {
		args []string
		exit int
	}{{[]string{"--help"}, 0}, {[]string{"-h"}, 0}, {[]string{"claude-code", "--help"}, exitBlocked}, {[]string{"--help", "claude-code"}, exitBlocked}, {nil, exitBlocked}, {[]string{"nope"}, exitBlocked}} {
		var stdout, stderr bytes.Buffer
		if code := run(tt.args, strings.NewReader(""), &stdout, &stderr); code != tt.exit {
			t.Errorf("%q: exit %d", tt.args, code)
		}
		if help := strings.Contains(stdout.String(), "usage: gbt-hook HOST"); help != (tt.exit == 0) {
			t.Errorf("%q: help %v: %s", tt.args, help, stdout.String())
		}
	}
}
