package main

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/episode"
	"github.com/gbt-policy/gbt/internal/hosts"
)

// hook runs the hook in this process and says what the host makes of it.
func (p place) hook(t *testing.T, host, input string, args ...string) (hosts.Outcome, string) {
	t.Helper()
	t.Setenv("HOME", p.home)
	t.Setenv("CLAUDE_PROJECT_DIR", "")
	var stdout, stderr bytes.Buffer
	code := run(append([]string{host}, args...), strings.NewReader(input), &stdout, &stderr)
	h, _ := hosts.Lookup(host)
	got := hosts.Process{Stdout: stdout.String(), Stderr: stderr.String(), Exit: code}
	return h.Reading(eventOf(host), got), got.Stdout + got.Stderr
}

func (p place) claude(t *testing.T, session, command string, args ...string) hosts.Outcome {
	t.Helper()
	e, _ := p.hook(t, "claude-code", p.shellCall("claude-code", session, command), args...)
	return e
}

// TestFlowOverCalls: a secret read in one call and a send in another of the
// same session.
func TestFlowOverCalls(t *testing.T) {
	p := newPlace(t)
	state := filepath.Join(p.home, "state")
	args := []string{"-state", state, "-allow-host", "example.com"}
	fetch := "curl https://example.com/x"
	if got := p.claude(t, "a", fetch, args...); got != hosts.Proceeds {
		t.Fatalf("a fetch before: %v", got)
	}
	if got := p.claude(t, "a", "cat ~/.ssh/id_rsa", args...); got != hosts.Asks {
		t.Fatalf("the secret: %v", got)
	}
	if got := p.claude(t, "a", fetch, args...); got != hosts.Asks {
		t.Errorf("a fetch after reading a secret: %v", got)
	}
	if got := p.claude(t, "b", fetch, args...); got != hosts.Proceeds {
		t.Errorf("a fetch of another session: %v", got)
	}
	if got := p.claude(t, "a", fetch, args[2:]...); got != hosts.Proceeds {
		t.Errorf("without state: %v", got)
	}
	// Blocked calls did not run and leave nothing behind.
	for range 2 {
		if e, _ := p.hook(t, "codex", p.shellCall("codex", "c", "cat ~/.ssh/id_rsa"), args...); e != hosts.Blocks {
			t.Errorf("codex: %v", e)
		}
	}
	if e, _ := p.hook(t, "codex", p.shellCall("codex", "c", fetch), args...); e != hosts.Proceeds {
		t.Errorf("codex: a fetch after a read that was blocked: %v", e)
	}
}

// TestAmbiguous: arguments that two readers could take for different ones block.
func TestAmbiguous(t *testing.T) {
	p := newPlace(t)
	for _, args := range []string{`{"command":"ls","Command":"rm -rf /"}`, `{"command":"ls","x":{"s":1,"S":2}}`, `{"command":"ls","command":"ls"}`} {
		in := strings.Replace(p.shellCall("claude-code", "a", "ls"), `{"command":"ls"}`, args, 1)
		if e, _ := p.hook(t, "claude-code", in); e != hosts.Blocks {
			t.Errorf("%s: %v", args, e)
		}
	}
}

func TestState(t *testing.T) {
	p := newPlace(t)
	state := filepath.Join(p.home, "state")
	if got := p.claude(t, "a", "touch x", "-state", state); got != hosts.Proceeds {
		t.Fatal(got)
	}
	files, err := filepath.Glob(filepath.Join(state, "*.json"))
	if err != nil || len(files) != 1 {
		t.Fatalf("state files: %v %v", files, err)
	}
	data, err := os.ReadFile(files[0])
	head, memory, _ := bytes.Cut(data, []byte("\n"))
	var s struct{ Root string }
	var past struct{ Waiting []episode.Waiting }
	if err != nil || json.Unmarshal(head, &s) != nil || json.Unmarshal(memory, &past) != nil || s.Root != p.dir || len(past.Waiting) != 1 || past.Waiting[0].Records[0].Resource != filepath.Join(p.dir, "x") || strings.Contains(files[0], "/a.json") {
		t.Errorf("%s: %s %v", files[0], data, err)
	}
	for _, broken := range []string{"", "{", `{"Format":3}`, "{\"Format\":3}\n{\"version\":1,\"history\":7}\n", `{"Format":4}`, `{"Format":1,"History":7}`, `{"Format":2,"Waiting":7}`, strings.Repeat(" ", maxSession+1)} {
		if err := os.WriteFile(files[0], []byte(broken), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := p.claude(t, "a", "ls", "-state", state); got != hosts.Blocks {
			t.Errorf("state %.20q: %v", broken, got)
		}
	}
	old := filepath.Join(state, "old.json")
	if err := errors.Join(os.WriteFile(old, nil, 0o600), os.Chtimes(old, time.Time{}, time.Now().Add(-2*keepSessions))); err != nil {
		t.Fatal(err)
	}
	p.claude(t, "new", "touch x", "-state", state)
	if _, err := os.Stat(old); !os.IsNotExist(err) {
		t.Errorf("an old session's file stays: %v", err)
	}
}

// TestStateSideBySide: hooks of one session that run at once lose nothing.
func TestStateSideBySide(t *testing.T) {
	p := newPlace(t)
	state := filepath.Join(p.home, "state")
	p.claude(t, "a", "cat ~/.ssh/id_rsa", "-state", state)
	var wg sync.WaitGroup
	const n = 12
	for i := range n {
		wg.Go(func() {
			in := p.shellCall("claude-code", "a", fmt.Sprintf("touch f%d", i))
			if got := p.start(t, strings.NewReader(in), "claude-code", "-state", state); got.Exit != 0 {
				t.Errorf("exit %d: %s", got.Exit, got.Stderr)
			}
		})
	}
	wg.Wait()
	files, _ := filepath.Glob(filepath.Join(state, "*.json"))
	if len(files) != 1 {
		t.Fatalf("state files: %v", files)
	}
	s := session{file: files[0]}
	if err := s.read(); err != nil {
		t.Fatal(err)
	}
	var st gates.State
	if s.past.Before(&st); len(st.Flow.Derived) != n {
		t.Errorf("%d of %d files remembered: %+v", len(st.Flow.Derived), n, st.Flow)
	}
}

func TestRoots(t *testing.T) {
	p := newPlace(t)
	other := filepath.Join(p.home, "other")
	if err := os.MkdirAll(other, 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(file string) string { return "touch " + file }
	tests := []struct {
		what, cwd, env, command string
		args                    []string
		want                    hosts.Outcome
	}{
		{"inside the working directory", p.dir, "", write("x"), nil, hosts.Proceeds},
		{"outside it", p.dir, "", write(other + "/x"), nil, hosts.Asks},
		{"another root on the command line", p.dir, "", write(other + "/x"), []string{"-root", other}, hosts.Proceeds},
		{"the roots of the command line are all", p.dir, "", write(p.dir + "/x"), []string{"-root", other}, hosts.Asks},
		{"the project's directory, from elsewhere", other, p.dir, write(p.dir + "/x"), nil, hosts.Proceeds},
		{"elsewhere, with a project's directory", other, p.dir, write("x"), nil, hosts.Asks},
		{"the whole system is no workspace", "/", "", write("/srv/x"), nil, hosts.Asks},
		{"a system directory is no workspace", "/etc", "", write("/etc/x"), nil, hosts.Asks},
		{"the home is no workspace", p.home, "", write(p.home + "/x"), nil, hosts.Asks},
		{"what holds the home is no workspace", filepath.Dir(p.home), "", write(filepath.Dir(p.home) + "/x"), nil, hosts.Asks},
		{"no working directory", "", "", write("/srv/x"), nil, hosts.Asks},
		{"protected", p.dir, "", write("keep/x"), []string{"-protect", filepath.Join(p.dir, "keep")}, hosts.Asks},
	}
	for _, tt := range tests {
		in := strings.Replace(p.shellCall("claude-code", "s", tt.command), `"cwd":"`+p.dir+`"`, `"cwd":"`+tt.cwd+`"`, 1)
		t.Setenv("HOME", p.home)
		t.Setenv("CLAUDE_PROJECT_DIR", tt.env)
		var stdout, stderr bytes.Buffer
		code := run(append([]string{"claude-code"}, tt.args...), strings.NewReader(in), &stdout, &stderr)
		h, _ := hosts.Lookup("claude-code")
		if got := h.Reading("PreToolUse", hosts.Process{Stdout: stdout.String(), Stderr: stderr.String(), Exit: code}); got != tt.want && !(tt.want == hosts.Asks && got == hosts.Blocks) {
			t.Errorf("%s: %v, want %v: %s", tt.what, got, tt.want, stdout.String())
		}
	}
}

// TestRootStaysWhereTheSessionBegan: an agent that changes its directory does
// not take its workspace along.
func TestRootStaysWhereTheSessionBegan(t *testing.T) {
	p := newPlace(t)
	state := filepath.Join(p.home, "state")
	p.claude(t, "a", "touch x", "-state", state)
	other := filepath.Join(p.home, "other")
	if err := os.MkdirAll(other, 0o755); err != nil {
		t.Fatal(err)
	}
	moved := strings.Replace(p.shellCall("claude-code", "a", "touch x"), `"cwd":"`+p.dir+`"`, `"cwd":"`+other+`"`, 1)
	if got, _ := p.hook(t, "claude-code", moved, "-state", state); got != hosts.Asks {
		t.Errorf("a write after moving away: %v", got)
	}
	if got, _ := p.hook(t, "claude-code", moved); got != hosts.Proceeds {
		t.Errorf("without state it can't know: %v", got)
	}
}

// TestLinks: a link inside the workspace does not make what it leads to inside.
func TestLinks(t *testing.T) {
	p := newPlace(t)
	out := filepath.Join(p.home, "out")
	if err := errors.Join(os.MkdirAll(filepath.Join(out, "deep"), 0o755), os.MkdirAll(filepath.Join(p.dir, "in"), 0o755),
		os.Symlink(out, filepath.Join(p.dir, "direct")), os.Symlink("../out/deep", filepath.Join(p.dir, "relative")),
		os.Symlink("direct", filepath.Join(p.dir, "chain")), os.Symlink("../missing", filepath.Join(p.dir, "dangling")),
		os.Symlink("../x", filepath.Join(out, "deep", "up")), os.Symlink("in", filepath.Join(p.dir, "fine")),
		os.Symlink("loop", filepath.Join(p.dir, "loop"))); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]hosts.Outcome{
		"in/x": hosts.Proceeds, "fine/x": hosts.Proceeds, "new/x": hosts.Proceeds,
		"direct/x": hosts.Asks, "relative/x": hosts.Asks, "chain/x": hosts.Asks, "dangling": hosts.Asks, "chain/deep/up": hosts.Asks, "./in/../direct/x": hosts.Asks,
		"direct/*": hosts.Asks,
	} {
		for _, cmd := range []string{"touch " + file, "cd in && touch ../" + file} {
			if got := p.claude(t, "s", cmd); got != want {
				t.Errorf("%s: %v, want %v", cmd, got, want)
			}
		}
	}
	// What goes up from a link is elsewhere than it looks.
	for cmd, want := range map[string]hosts.Outcome{
		"touch direct/../x": hosts.Blocks, "touch './direct'/\"..\"/x": hosts.Blocks, "touch in/../chain/deep/../../x": hosts.Blocks, "cat <relative/../y": hosts.Blocks,
		"touch in/../x": hosts.Proceeds, "touch fine/../x": hosts.Proceeds, "touch direct..x": hosts.Proceeds, "touch new/../x": hosts.Proceeds,
		"cd direct && touch ../x": hosts.Asks, "cd chain/deep; touch ../../w2/x": hosts.Asks, "cd fine && touch ../x": hosts.Proceeds,
	} {
		if got := p.claude(t, "s", cmd); got != want {
			t.Errorf("%s: %v, want %v", cmd, got, want)
		}
	}
	if got := p.claude(t, "s", "touch direct/../x", "-profile", "observe"); got != hosts.Proceeds {
		t.Errorf("observing: %v", got)
	}
	read := strings.Replace(strings.Replace(p.shellCall("claude-code", "s", "direct/../x"), `"command"`, `"file_path"`, 1), `"Bash"`, `"Write"`, 1)
	if got, _ := p.hook(t, "claude-code", read); got != hosts.Blocks {
		t.Errorf("a file tool: %v", got)
	}
	// A workspace that is itself reached through a link is an ordinary one.
	if err := os.Symlink(p.dir, filepath.Join(p.home, "alias")); err != nil {
		t.Fatal(err)
	}
	q := place{filepath.Join(p.home, "alias"), p.home}
	for cmd, want := range map[string]hosts.Outcome{"touch in/../x": hosts.Proceeds, "touch x": hosts.Proceeds, "touch direct/x": hosts.Asks, "touch " + p.dir + "/x": hosts.Proceeds} {
		if got := q.claude(t, "s", cmd); got != want {
			t.Errorf("in the alias: %s: %v, want %v", cmd, got, want)
		}
	}
	if got := p.claude(t, "s", "touch loop/x"); got == hosts.Blocks {
		t.Errorf("a link to itself: %v", got)
	}
}

// TestOwnFiles: an agent can't quietly change what decides on it.
func TestOwnFiles(t *testing.T) {
	p := newPlace(t)
	policy, pub := p.policy(t, artifacts.Guardrail{})
	log, state := filepath.Join(p.dir, "decisions.jsonl"), filepath.Join(p.dir, "state")
	args := []string{"-policy", policy, "-trust", pub, "-log", log, "-state", state}
	for _, f := range []string{policy, pub, log, filepath.Join(state, "x.json"), filepath.Join(p.dir, ".openhands/hooks.json"), filepath.Join(p.dir, ".claude/settings.json")} {
		if got := p.claude(t, "s", "echo > "+f, args...); got == hosts.Proceeds {
			t.Errorf("writing %s: %v", f, got)
		}
	}
	if got := p.claude(t, "s", "echo > "+filepath.Join(p.dir, "free"), args...); got != hosts.Proceeds {
		t.Errorf("writing a file: %v", got)
	}
	data, err := os.ReadFile(log)
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	if err != nil || len(lines) != 7 || strings.Contains(string(data), "echo") {
		t.Fatalf("log: %v\n%s", err, data)
	}
	var e entry
	if err := json.Unmarshal([]byte(lines[0]), &e); err != nil || e.Tool != "Bash" || e.Verdict != "approved_with_constraints" || len(e.ID) != 32 || len(e.Policy) != 64 || e.Session == "s" || len(e.Rules) == 0 {
		t.Errorf("log entry %+v %v", e, err)
	}
}

// policy seals a policy whose signer is in a key file beside it.
func (p place) policy(t testing.TB, g artifacts.Guardrail) (file, pub string) {
	t.Helper()
	data, err := os.ReadFile("../../artifacts/testdata/vectors/good-minimal.gbt")
	if err != nil {
		t.Fatal(err)
	}
	pol, _, err := artifacts.Open(data, artifacts.Trust{})
	if err != nil {
		t.Fatal(err)
	}
	pol.Guardrail = g
	return p.seal(t, pol)
}

// seal writes a policy that is signed, and its signer's key.
func (p place) seal(t testing.TB, pol *artifacts.Policy) (file, pub string) {
	t.Helper()
	priv := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, 32))
	data, err := artifacts.Encode(pol)
	if err == nil {
		data, err = artifacts.Sign(data, priv)
	}
	if err != nil {
		t.Fatal(err)
	}
	file, pub = filepath.Join(p.dir, "p.gbt"), filepath.Join(p.dir, "p.pub")
	if err := errors.Join(os.WriteFile(file, data, 0o600), os.WriteFile(pub, artifacts.MarshalPublicKey(priv.Public().(ed25519.PublicKey)), 0o600)); err != nil {
		t.Fatal(err)
	}
	return file, pub
}
