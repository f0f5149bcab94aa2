package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/internal/replay/workspace"
)

const onePlan = `task: copy a.txt to b.txt and to c.txt
states:
  - id: first
    does: copy a.txt to b.txt
    checks: [{command: cmp a.txt b.txt}]
  - id: second
    does: copy a.txt to c.txt
    checks: [{file: {path: c.txt, contains: hello}}]
`

// TestRunPlan: gbt run follows a plan, commits every step with the workspace as it was,
// and goes on from there after it was cut off.
func TestRunPlan(t *testing.T) {
	if w, err := workspace.New(t.Context(), workspace.Options{}); err != nil {
		t.Fatalf("NOT TESTED: %v", err)
	} else {
		w.Close()
	}
	world := newDoorWorld(t)
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"plan.yaml": onePlan, "other.yaml": strings.Replace(onePlan, "first", "begin", 1)} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll("dir", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("dir/a.txt", []byte("hello\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	gbt := func(want int, answers []string, args ...string) string {
		t.Helper()
		model := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) {
			if len(answers) == 0 {
				out.WriteHeader(400)
				return
			}
			io.WriteString(out, answers[0])
			answers = answers[1:]
		}))
		defer model.Close()
		var stdout, stderr bytes.Buffer
		line := append([]string{"gbt", "run", "--policy", world.file, "--model", model.URL, "--dir", "dir"}, args...)
		if got := run(line, strings.NewReader(""), &stdout, &stderr); got != want {
			t.Fatalf("status %d, want %d: %s%s", got, want, stdout.String(), stderr.String())
		}
		return stdout.String() + stderr.String()
	}
	finish := modelCalls("finish", `{}`)
	first := []string{modelCalls("bash", `{"command":"cp a.txt b.txt"}`), finish}
	second := []string{modelCalls("bash", `{"command":"cp a.txt c.txt"}`), finish}
	// The model goes away after the first state.
	if out := gbt(exitFindings, first, "--plan", "plan.yaml", "--git", "history"); !strings.Contains(out, "STALL: model") {
		t.Error(out)
	}
	if out := gbt(exitGood, second, "--plan", "plan.yaml", "--git", "history"); !strings.Contains(out, "\nDONE (checks)\n") || !strings.Contains(out, "check first-1: passed, status 0, output sha256 ") {
		t.Error(out)
	}
	log, err := exec.Command("git", "-C", "history", "log", "--oneline").Output()
	if n := strings.Count(string(log), "a step of the plan"); err != nil || n < 5 {
		t.Errorf("%d commits: %s %v", n, log, err)
	}
	if b, err := os.ReadFile("history/workspace/c.txt"); err != nil || string(b) != "hello\n" {
		t.Errorf("%q %v", b, err)
	}
	if out := gbt(exitUsage, nil, "--plan", "other.yaml", "--git", "history"); !strings.Contains(out, "history of another plan") {
		t.Error(out)
	}
	if out := gbt(exitUsage, nil, "--plan", "plan.yaml", "--git", "dir"); !strings.Contains(out, "neither empty nor") {
		t.Error(out)
	}
	gbt(exitUsage, nil, "--plan", "plan.yaml", "--check", "true")
	gbt(exitUsage, nil, "--task", "x", "--git", "history")
}
