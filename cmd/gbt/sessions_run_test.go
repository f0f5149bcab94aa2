//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gbt-policy/gbt/artifacts"
)

// counting is a simulated model that asks for another line of a file in every answer,
// never twice for the same one, and is finished after some.
type counting struct {
	*httptest.Server
	mu    sync.Mutex
	asked int
	until int
	onAsk func(n int)
}

func newCounting(t *testing.T, until int) *counting {
	m := &counting{until: until}
	m.Server = httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) {
		m.mu.Lock()
		m.asked++
		n, on := m.asked, m.onAsk
		m.mu.Unlock()
		if on != nil {
			on(n)
		}
		if n > m.until {
			io.WriteString(out, modelCalls("finish", `{}`))
			return
		}
		io.WriteString(out, modelCalls("bash", fmt.Sprintf(`{"command":"echo line%d >> log.txt"}`, n)))
	}))
	t.Cleanup(m.Close)
	return m
}

func (m *counting) when(on func(n int)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.onAsk = on
}

// sessionOutput runs gbt sessions and returns what it prints.
func sessionOutput(t *testing.T, want int, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := run(append([]string{"gbt", "sessions"}, args...), strings.NewReader(""), &stdout, &stderr); code != want {
		t.Fatalf("gbt sessions %q: status %d: %s%s", args, code, stdout.String(), stderr.String())
	}
	return stdout.String()
}

// TestRunSurvives kills gbt run -9 at random moments, resumes it until it ends, and
// finds every call that the record says ran done once, in order.
func TestRunSurvives(t *testing.T) {
	const seed, kills = 3, 8
	for _, store := range []string{"s.db", "s.sqlite"} {
		t.Run(store, func(t *testing.T) {
			w, rng, dir := newDoorWorld(t), rand.New(rand.NewPCG(seed, 1)), t.TempDir()
			store := filepath.Join(dir, store)
			model := newCounting(t, 14)
			out, record := filepath.Join(dir, "out"), filepath.Join(dir, "run.jsonl")
			args := []string{"run", "--store", store, "--task", "write lines into log.txt", "--policy", w.file, "--model", model.URL, "--check", "grep line log.txt", "--output", out, "--log", record, "--max-steps", "40"}
			id := ""
			for n := 0; ; n++ {
				if n > 0 {
					id = onlySession(t, store).ID
					args = []string{"sessions", "resume", "--store", store, id}
				}
				cmd := gbtCommand(t.Context(), args...)
				var said bytes.Buffer
				cmd.Stdout, cmd.Stderr = &said, &said
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				if n < kills {
					die := model.asked + 1 + rng.IntN(2)
					after := time.Duration(rng.IntN(60)) * time.Millisecond
					model.when(func(at int) {
						if at == die {
							time.AfterFunc(after, func() { cmd.Process.Kill() })
						}
					})
				}
				err := cmd.Wait()
				model.when(nil)
				if err == nil {
					if !strings.Contains(said.String(), "DONE (checks)") {
						t.Errorf("it ended with %s", said.String())
					}
					if strings.Contains(said.String(), "gbt sessions export") { // killed at its end: its record says less than was done
						onceEach(t, filepath.Join(out, "log.txt"))
						return
					}
					break
				}
				if s := onlySession(t, store); s.State == "succeeded" && exists(out) {
					onceEach(t, filepath.Join(out, "log.txt")) // killed when all was done, before it could say so or write its record
					return
				}
				if n >= kills {
					t.Fatalf("seed %d: after %d kills: %v\n%s", seed, n, err, said.String())
				}
			}
			sameLines(t, filepath.Join(out, "log.txt"), record)
			if s := onlySession(t, store); s.State != "succeeded" || len(s.Pending) > 0 {
				t.Errorf("session %+v", s)
			}
			sessionOutput(t, exitGood, "verify", "--store", store)
			if exists(filepath.Join(store+".d", id, "workspace", "base")) {
				t.Error("the workspace of a run that is over is left")
			}
		})
	}
}

func onlySession(t *testing.T, store string) sessionJSON {
	t.Helper()
	var list struct{ Sessions []sessionJSON }
	if err := json.Unmarshal([]byte(sessionOutput(t, exitGood, "list", "--json", "--store", store)), &list); err != nil || len(list.Sessions) != 1 {
		t.Fatalf("%v: %+v", err, list)
	}
	return list.Sessions[0]
}

// sameLines compares a file with the calls of a record that have a result.
// onceEach: no line was written twice.
func onceEach(t *testing.T, file string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Fields(string(data))
	if slices.Sort(lines); len(lines) == 0 || len(slices.Compact(slices.Clone(lines))) != len(lines) {
		t.Errorf("lines: %v", lines)
	}
}

func sameLines(t *testing.T, file, record string) {
	t.Helper()
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(record)
	if err != nil {
		t.Fatal(err)
	}
	var r struct {
		Messages []struct {
			Role  string
			Calls []struct {
				Function struct{ Arguments string }
			} `json:"tool_calls"`
			Error any
		}
	}
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	want, last := "", ""
	for _, m := range r.Messages {
		if len(m.Calls) == 1 {
			last = regexp.MustCompile(`line\d+`).FindString(m.Calls[0].Function.Arguments)
		}
		if m.Role == "tool" && m.Error == nil && last != "" {
			want, last = want+last+"\n", ""
		}
	}
	if string(got) != want || strings.Count(want, "\n") < 5 {
		t.Errorf("the file holds\n%s\nthe record says\n%s", got, want)
	}
}

// TestInterruptedRunGoesOn: a run whose model fails waits, obeys the policy of the
// resume, and its receipts say so.
func TestInterruptedRunGoesOn(t *testing.T) {
	w, dir := newDoorWorld(t), t.TempDir()
	t.Setenv("XDG_STATE_HOME", dir)
	model := newCounting(t, 3)
	var stdout, stderr bytes.Buffer
	gbt := func(want int, args ...string) {
		t.Helper()
		stdout.Reset()
		stderr.Reset()
		if code := run(append([]string{"gbt"}, args...), strings.NewReader(""), &stdout, &stderr); code != want {
			t.Fatalf("%q: status %d: %s%s", args, code, stdout.String(), stderr.String())
		}
	}
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	gbt(exitFindings, "run", "--task", "write lines into log.txt", "--policy", w.file, "--model", gone.URL, "--check", "grep line log.txt", "--timeout", "1s")
	id := regexp.MustCompile(`gbt sessions resume (\S+) goes on`).FindStringSubmatch(stderr.String())
	if id == nil {
		t.Fatalf("no word of how to go on: %s", stderr.String())
	}
	p := doorPolicy(t)
	p.Sequence = 2
	newer := filepath.Join(dir, "newer.gbt")
	data, err := artifacts.Encode(p)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(newer, data, 0o600); err != nil {
		t.Fatal(err)
	}
	gbt(exitGood, "sessions", "resume", id[1], "--policy", newer, "--model", model.URL)
	if !strings.HasSuffix(stdout.String(), "DONE (checks)\n") {
		t.Errorf("%s%s", stdout.String(), stderr.String())
	}
	gbt(exitGood, "sessions", "show", id[1])
	for _, want := range []string{"policy ", "running -> paused", "paused -> running", "running -> succeeded", "local-reversible", "bash"} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("no %q in\n%s", want, stdout.String())
		}
	}
	gbt(exitUsage, "sessions", "resume", id[1])
	gbt(exitGood, "sessions", "export", id[1])
	if n := strings.Count(stdout.String(), "\n"); n < 10 || !strings.HasPrefix(stdout.String(), `{"gbt_session":`) {
		t.Errorf("%d lines: %s", n, stdout.String())
	}
	gbt(exitGood, "sessions", "prune", "--older-than", "0s")
	gbt(exitGood, "sessions", "list")
	if stdout.Len() > 0 {
		t.Errorf("pruned, and there is %s", stdout.String())
	}
	gbt(exitUsage, "sessions", "list", "--state", "asleep")
}
