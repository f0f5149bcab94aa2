package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/internal/hosts"
)

// TestMain makes the test binary the hook itself where a test asks for that,
// so that real processes with real exit codes are tested.
func TestMain(m *testing.M) {
	if os.Getenv("GBT_HOOK_TEST_MAIN") == "1" {
		main()
	}
	os.Exit(m.Run())
}

// place is a workspace and a home directory of its own.
type place struct {
	dir, home string
}

func newPlace(t testing.TB) place {
	t.Helper()
	// Not below /tmp, which the guardrail takes for nobody's in particular: where
	// this clone lies there, in the home directory.
	here, err := filepath.Abs("testdata")
	if err == nil && (strings.HasPrefix(here, "/tmp/") || strings.HasPrefix(here, "/var/tmp/") || strings.HasPrefix(here, "/dev/shm/")) {
		here, err = os.UserHomeDir()
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(here, 0o755); err != nil {
		t.Fatal(err)
	}
	base, err := os.MkdirTemp(here, "place-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(base) })
	if base, err = filepath.EvalSymlinks(base); err != nil {
		t.Fatal(err)
	}
	p := place{filepath.Join(base, "home", "w"), filepath.Join(base, "home")}
	if err := os.MkdirAll(p.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return p
}

// start runs the hook as a process of its own.
func (p place) start(t *testing.T, stdin io.Reader, args ...string) hosts.Process {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), "GBT_HOOK_TEST_MAIN=1", "HOME="+p.home, "XDG_CACHE_HOME=", "CLAUDE_PROJECT_DIR=", "OPENHANDS_PROJECT_DIR=")
	cmd.Dir, cmd.Stdin = p.dir, stdin
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return hosts.Process{Stdout: stdout.String(), Stderr: stderr.String(), Exit: cmd.ProcessState.ExitCode(), Died: !cmd.ProcessState.Exited()}
}

// shellCall is a command line as the host describes it.
func (p place) shellCall(host, session, command string) string {
	h, _ := hosts.Lookup(host)
	var m map[string]any
	if err := json.Unmarshal([]byte(h.SampleCall(eventOf(host), p.dir, h.Samples.Shell, command)), &m); err != nil {
		panic(err)
	}
	for key, v := range m {
		if v == "gbt-doctor" { // an id
			m[key] = session
		}
	}
	delete(m, "tool_use_id") // would be the same for every call
	b, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// eventOf is the event that decides on a host's commands.
func eventOf(host string) string {
	h, _ := hosts.Lookup(host)
	i := slices.IndexFunc(h.Events, func(k hosts.EventKind) bool { return k.Sees == hosts.Commands })
	return h.Events[max(i, 0)].Name
}

func canAsk(host string) bool {
	h, _ := hosts.Lookup(host)
	return h.Event(eventOf(host)).Asks
}

// TestProcess holds real processes of every host to their exit codes, and to
// what the host makes of them.
func TestProcess(t *testing.T) {
	p := newPlace(t)
	asked := map[bool]hosts.Outcome{true: hosts.Asks, false: hosts.Blocks}
	never, hold, err := os.Pipe() // a file, so that the process waits and not the test
	if err != nil {
		t.Fatal(err)
	}
	defer never.Close()
	defer hold.Close()
	for _, name := range hosts.Names() {
		h, _ := hosts.Lookup(name)
		deny, failed := 2, 2
		switch name { // what they read is the answer, see package hosts
		case "cursor":
			deny = 0
		case "copilot":
			deny, failed = 0, 0
		}
		consent := deny
		if canAsk(name) {
			consent = 0
		}
		ok := p.shellCall(name, "s", "ls")
		tests := []struct {
			what  string
			stdin io.Reader
			args  []string
			exit  int
			want  hosts.Outcome
		}{
			{"harmless", strings.NewReader(ok), nil, 0, hosts.Proceeds},
			{"harmless build", strings.NewReader(p.shellCall(name, "s", "go test ./...")), nil, 0, hosts.Proceeds},
			{"dangerous", strings.NewReader(p.shellCall(name, "s", "rm -rf /")), nil, deny, hosts.Blocks},
			{"secret", strings.NewReader(p.shellCall(name, "s", "cat ~/.ssh/id_rsa")), nil, consent, asked[canAsk(name)]},
			{"unparsable command", strings.NewReader(p.shellCall(name, "s", "echo 'x")), nil, deny, hosts.Blocks},
			{"empty", strings.NewReader(""), nil, failed, hosts.Blocks},
			{"cut off", strings.NewReader(ok[:len(ok)/2]), nil, failed, hosts.Blocks},
			{"list", strings.NewReader("[" + ok + "]"), nil, failed, hosts.Blocks},
			{"twice", strings.NewReader(ok + ok), nil, failed, hosts.Blocks},
			{"too large", strings.NewReader(`{"a":"` + strings.Repeat("x", hosts.MaxInput) + `"}`), nil, failed, hosts.Blocks},
			{"invalid UTF-8", strings.NewReader(strings.Replace(ok, "ls", "ls \xff", 1)), nil, failed, hosts.Blocks},
			{"unknown event", strings.NewReader(strings.Replace(ok, eventOf(name), "Nonsense", 1)), nil, failed, hosts.Blocks},
			{"no input in time", never, []string{"-timeout", "100ms"}, failed, hosts.Blocks},
			{"no time", strings.NewReader(ok), []string{"-timeout", "0s"}, failed, hosts.Blocks},
			{"unknown flag", strings.NewReader(ok), []string{"-x"}, failed, hosts.Blocks},
			{"stray argument", strings.NewReader(ok), []string{"x"}, failed, hosts.Blocks},
			{"unknown profile", strings.NewReader(ok), []string{"-profile", "none"}, failed, hosts.Blocks},
			{"no such policy", strings.NewReader(ok), []string{"-policy", "missing.gbt"}, failed, hosts.Blocks},
			{"state that is no directory", strings.NewReader(ok), []string{"-state", os.Args[0]}, failed, hosts.Blocks},
			{"strict", strings.NewReader(p.shellCall(name, "s", "touch x")), []string{"-profile", "strict"}, consent, asked[canAsk(name)]},
			{"observe", strings.NewReader(p.shellCall(name, "s", "rm -rf /")), []string{"-profile", "observe"}, 0, hosts.Proceeds},
		}
		for _, tt := range tests {
			got := p.start(t, tt.stdin, append([]string{name}, tt.args...)...)
			if got.Exit != tt.exit || got.Died {
				t.Errorf("%s: %s: exit %d, want %d (%s)", name, tt.what, got.Exit, tt.exit, got.Stderr)
			}
			if outcome := h.Reading(eventOf(name), got); outcome != tt.want {
				t.Errorf("%s: %s: the host %v, want %v: %+v", name, tt.what, outcome, tt.want, got)
			}
			if tt.want == hosts.Blocks && !strings.Contains(got.Stdout+got.Stderr, "gbt") {
				t.Errorf("%s: %s: no reason given: %+v", name, tt.what, got)
			}
		}
	}
}

// TestNoHost: whatever host it was meant for, it blocks.
func TestNoHost(t *testing.T) {
	p := newPlace(t)
	for _, args := range [][]string{{}, {"emacs"}, {"-policy", "x"}, {""}} {
		got := p.start(t, strings.NewReader("{}"), args...)
		if got.Exit != 2 || got.Stderr == "" {
			t.Errorf("%q: %+v", args, got)
		}
	}
}
