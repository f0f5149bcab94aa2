package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
	"github.com/gbt-policy/gbt/internal/mcpproxy"
)

// TestRunsOfMCP: what passes through the proxy comes back as episodes, one for each
// task, with what came of each call, and without the secrets in them.
func TestRunsOfMCP(t *testing.T) {
	name := filepath.Join(t.TempDir(), "runs.jsonl")
	var stderr strings.Builder
	l, err := openRunLog(&env{stderr: &stderr}, name)
	if err != nil {
		t.Fatal(err)
	}
	reached := ""
	up := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return doorServer("write_file", came{text: "hello"}, &reached) }, nil))
	defer up.Close()
	p, err := mcpproxy.New(t.Context(), mcpproxy.Options{
		Servers: []mcpproxy.Server{{Name: "tools", URL: up.URL}}, Checker: &gates.Checker{}, Task: "answer the mail; password=hunter2x9Q4",
		State:  func() gates.State { return gates.State{Cwd: "/w", Roots: []string{"/w"}, UID: -1, GID: -1} },
		Record: l.proxied(),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	c := newLineClient(t, p)
	defer c.close()
	for _, call := range []string{
		`{"name":"read_inbox","arguments":{}}`,
		`{"name":"write_file","arguments":{"path":"/w/a","api_key":"kx-4481"}}`,
		`{"name":"write_file","arguments":{"path":"/etc/passwd"}}`,
	} {
		c.send("tools/call", call)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(name)
	if err != nil || strings.Contains(string(data), "hunter2") || strings.Contains(string(data), "kx-4481") {
		t.Errorf("%v: a secret is in %s", err, data)
	}
	var got []*corpora.Episode
	for r := range logs.Open([]string{name}, logs.Options{}).Records(t.Context()) {
		if r.Episode == nil {
			t.Fatalf("%+v", r)
		}
		got = append(got, r.Episode)
	}
	if len(got) != 1 || !strings.HasPrefix(got[0].Task, "answer the mail") || len(got[0].Steps) != 3 {
		t.Fatalf("%d episodes from\n%s", len(got), data)
	}
	s := got[0].Steps
	if s[0].Status != corpora.StatusExecuted || s[0].Result != "hello" || s[1].Status != corpora.StatusExecuted || s[2].Status != corpora.StatusBlocked || s[2].BlockedBy != "gbt" {
		t.Errorf("%+v", s)
	}
}

// TestRunsCannotBeWritten: a full disk costs the lines, is said once, and stops nobody.
func TestRunsCannotBeWritten(t *testing.T) {
	var stderr strings.Builder
	l, err := openRunLog(&env{stderr: &stderr}, filepath.Join(t.TempDir(), "runs.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	l.file.Close()
	note := l.proxied()
	note(&mcpproxy.Part{Op: "startSession", Task: "x"})
	note(&mcpproxy.Part{Op: "check", Tool: "a", Args: []byte("{}")})
	if strings.Count(stderr.String(), "parts of runs are missing") != 1 {
		t.Errorf("said %q", stderr.String())
	}
}
