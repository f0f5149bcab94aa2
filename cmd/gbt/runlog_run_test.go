package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
	"github.com/gbt-policy/gbt/internal/runner"
	"github.com/gbt-policy/gbt/replay"
	"github.com/gbt-policy/gbt/traverse"
)

// exitEnv is an environment in which every command ends with one status, but for the
// completion checks before anything was done, which fail.
type exitEnv struct {
	doorEnv
	code, examined int
}

func (e *exitEnv) Examine(context.Context, string) (replay.Result, error) {
	if e.examined++; e.examined == 1 {
		return replay.Result{HasExit: true, ExitCode: 1}, nil
	}
	return replay.Result{HasExit: true, ExitCode: e.code}, nil
}

func (e *exitEnv) Execute(context.Context, replay.Call) (replay.Result, error) {
	return replay.Result{Text: "calc.go", HasExit: true, ExitCode: e.code}, nil
}

// TestRunsOfRun: what gbt run writes is read by gbt evolve: what was stopped, what
// came back, and the outcome that the completion checks say.
func TestRunsOfRun(t *testing.T) {
	w := newDoorWorld(t)
	t.Chdir(t.TempDir())
	for i := range 8 {
		asked := 0
		model := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) {
			switch asked++; asked {
			case 1:
				io.WriteString(out, modelCalls("bash", `{"command":"ls"}`))
			case 2:
				io.WriteString(out, modelCalls("bash", `{"command":"rm -rf /"}`))
			default:
				io.WriteString(out, modelCalls("finish", `{}`))
			}
		}))
		_, err := runner.Run(t.Context(), runner.Options{
			Policy: w.policy, Env: &exitEnv{code: i % 2},
			Task:  traverse.Task{ID: "t", Text: "look at the project " + string(rune('a'+i)), Limits: traverse.Limits{Steps: 4}, Checks: []traverse.Check{{ID: "c", Text: "make check"}}},
			Model: &runner.Model{URL: model.URL, Name: "m", Calls: runner.CallsAuto},
			Save:  func(record []byte) error { return os.WriteFile(fmt.Sprintf("run%d.jsonl", i), record, 0o600) },
		})
		model.Close()
		if err != nil {
			t.Fatal(err)
		}
	}
	outcomes := map[corpora.Outcome]int{}
	for r := range logs.Open([]string{"."}, logs.Options{}).Records(t.Context()) {
		e := r.Episode
		if e == nil || len(e.Steps) < 2 {
			t.Fatalf("%+v", r)
		}
		outcomes[e.Outcome]++
		if s := e.Steps; s[0].Status != corpora.StatusExecuted || !strings.Contains(s[0].Result, "calc.go") || s[1].Status != corpora.StatusBlocked || s[1].BlockedBy == "user" {
			t.Errorf("%+v", s)
		}
	}
	if outcomes[corpora.OutcomeFailure] != 4 {
		t.Errorf("outcomes %v", outcomes)
	}
	var stdout, stderr bytes.Buffer
	code := run([]string{"gbt", "evolve", "-q", w.file, "--logs", ".", "--list"}, strings.NewReader(""), &stdout, &stderr)
	if code != exitGood || !strings.Contains(stdout.String(), " 8 episodes: ") {
		t.Errorf("status %d: %s%s", code, stdout.String(), stderr.String())
	}
}
