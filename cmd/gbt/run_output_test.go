//go:build unix

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gbt-policy/gbt/internal/runner"
	"github.com/gbt-policy/gbt/traverse"
)

// TestKeepOutput: a pipe in the workspace costs itself and nothing else.
func TestKeepOutput(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "out")
	for _, err := range []error{
		os.MkdirAll(filepath.Join(from, "d", "e"), 0o755),
		syscall.Mkfifo(filepath.Join(from, "a"), 0o600),
		syscall.Mkfifo(filepath.Join(from, "d", "pipe"), 0o600),
		os.WriteFile(filepath.Join(from, "d", "z"), []byte("kept"), 0o700),
		os.Symlink("d/z", filepath.Join(from, "link")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	var stderr bytes.Buffer
	if err := keepOutput(&env{stderr: &stderr}, to, from); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(to, "link"))
	st, statErr := os.Stat(filepath.Join(to, "d", "z"))
	if err != nil || statErr != nil || string(data) != "kept" || st.Mode().Perm()&0o100 == 0 {
		t.Errorf("%q %v %v %v", data, err, st, statErr)
	}
	if _, err := os.Lstat(filepath.Join(to, "a")); !os.IsNotExist(err) || strings.Count(stderr.String(), "left out") != 2 {
		t.Errorf("%v, stderr %s", err, stderr.String())
	}
}

// TestVerdictSaysWhatIsUncovered: a plan that no check covers says for what.
func TestVerdictSaysWhatIsUncovered(t *testing.T) {
	var stdout bytes.Buffer
	out := &runner.Outcome{Outcome: traverse.Outcome{Reason: "plan-uncovered"}, Status: traverse.Status{Stopped: "plan-uncovered", Uncovered: []string{"file:a.py", "tests"}}}
	if err := runVerdict(&env{stdout: &stdout, stderr: &stdout}, out); err == nil || !strings.HasSuffix(stdout.String(), "STALL: plan-uncovered: no check that would fail without it covers file:a.py, tests\n") {
		t.Errorf("%v %s", err, stdout.String())
	}
}
