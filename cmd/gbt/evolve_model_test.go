package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// boxRuns are lines of runs that call some tools.
func boxRuns(success bool, from, to int, tools ...string) string {
	var b strings.Builder
	for i := from; i < to; i++ {
		fmt.Fprintf(&b, `{"id":"r%d","task_id":"task_%d","success":%v,"messages":[{"role":"user","content":"Look after the box number %d, password=hunter2x9Q4."}`, i, i, success, i)
		for k, tool := range tools {
			fmt.Fprintf(&b, `,{"role":"assistant","content":"","tool_calls":[{"id":"%d","type":"function","function":{"name":"%s","arguments":"{\"n\":\"private%d\"}"}}]},{"role":"tool","tool_call_id":"%d","content":"ok"}`, k, tool, i, k)
		}
		b.WriteString("]}\n")
	}
	return b.String()
}

// TestEvolveWithModel asks scripted servers: a good answer is an edit, which comes
// again from the answers that were kept; wrong, empty, hostile and slow ones are
// dropped with their reasons, and nothing else changes.
func TestEvolveWithModel(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write(t, "old.jsonl", boxRuns(true, 0, 12, "read_box", "lock_box")+boxRuns(true, 20, 32, "open_box", "mend_box", "lock_box"))
	write(t, "new.jsonl", boxRuns(false, 40, 42, "read_box", "lock_box"))
	t.Setenv("GBT_TEST_KEY", "secret-key")
	gbt := func(args ...string) (string, string, int) {
		var stdout, stderr bytes.Buffer
		code := run(append([]string{"gbt"}, args...), strings.NewReader(""), &stdout, &stderr)
		return stdout.String(), stderr.String(), code
	}
	if _, said, code := gbt("distill", "-q", "old.jsonl", "-o", "old.gbt"); code != 0 {
		t.Fatal(said)
	}
	var asked atomic.Int32 // a slow answer may still be on its way when the next question comes
	answer := func(w http.ResponseWriter) {}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		body, _ := io.ReadAll(r.Body)
		if r.Header.Get("Authorization") != "Bearer secret-key" || bytes.Contains(body, []byte("hunter2")) || bytes.Contains(body, []byte("private")) || !bytes.Contains(body, []byte("mend-box")) {
			t.Errorf("request %.900s", body)
		}
		answer(w)
	}))
	defer server.Close()
	says := func(text string) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) {
			fmt.Fprintf(w, `{"choices":[{"message":{"role":"assistant","content":%s}}]}`, strconv.Quote(text))
		}
	}
	evolve := func(out string, more ...string) string {
		t.Helper()
		args := append([]string{"evolve", "-q", "old.gbt", "--logs", "new.jsonl", "-o", out}, more...)
		got, said, code := gbt(args...)
		if code != 0 {
			t.Fatalf("status %d: %s", code, said)
		}
		return got
	}
	model := []string{"--diagnose", server.URL + "/v1", "--diagnose-model", "frozen-1", "--diagnose-key-env", "GBT_TEST_KEY", "--diagnose-timeout", "300ms"}
	evolve("alone.gbt")
	if asked.Load() != 0 {
		t.Fatal("asked without --diagnose")
	}
	answer = says(`{"step":2,"instead":"mend-box"}`)
	if got := evolve("next.gbt", append(model, "--diagnose-answers", "answers.json")...); !strings.Contains(got, "a model names its step 2") || asked.Load() != 2 {
		t.Errorf("asked %d times: %s", asked.Load(), got)
	}
	answer = says(`nothing`)
	evolve("again.gbt", append(model, "--diagnose-answers", "answers.json")...)
	if same(t, "next.gbt", "alone.gbt") || !same(t, "next.gbt", "again.gbt") || asked.Load() != 2 {
		t.Errorf("the answers that were kept give another policy, or %d questions", asked.Load())
	}
	for _, c := range []struct {
		name   string
		answer func(http.ResponseWriter)
		want   string
	}{
		{"wrong", says(`{"step":7,"instead":"mend-box"}`), "step 7 of a run of 2"},
		{"empty", says(""), "not the one line of JSON"},
		{"nothing at all", func(http.ResponseWriter) {}, "no answer"},
		{"an error", func(w http.ResponseWriter) { http.Error(w, "\x1b[2J", http.StatusInternalServerError) }, "no answer"},
		{"hostile", says(`{"step":2,"instead":"open:box\u001b[2J; rm -rf /"}`), "no success like the run shows"},
		{"hostile keys", says(`{"step":2,"instead":"mend-box","gates":[]}`), "not the one line of JSON"},
		{"slow", func(http.ResponseWriter) { time.Sleep(450 * time.Millisecond) }, "no answer"},
	} {
		t.Run(c.name, func(t *testing.T) {
			answer = c.answer
			got := evolve("x.gbt", model...)
			if strings.Count(got, c.want) != 2 || strings.Contains(got, "\x1b") {
				t.Errorf("%q", got)
			}
			if !same(t, "x.gbt", "alone.gbt") {
				t.Error("a dropped answer changes the policy")
			}
		})
	}
	for _, bad := range [][]string{{"--diagnose", "ftp://x"}, {"--diagnose", server.URL}, {"--diagnose-model", "m"}} {
		if _, said, code := gbt(append([]string{"evolve", "-q", "old.gbt", "--logs", "new.jsonl", "--list"}, bad...)...); code != exitUsage || !strings.Contains(said, "--diagnose") {
			t.Errorf("%q: status %d, %s", bad, code, said)
		}
	}
}

func same(t *testing.T, a, b string) bool {
	t.Helper()
	x, err := os.ReadFile(filepath.Clean(a))
	if err != nil {
		t.Fatal(err)
	}
	y, err := os.ReadFile(filepath.Clean(b))
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Equal(x, y)
}
