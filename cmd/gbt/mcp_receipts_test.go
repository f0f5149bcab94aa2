package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gbt-policy/gbt/internal/receipts"
)

// TestMCPReceipts runs gbt mcp in front of a server: each call has a receipt before it
// reaches the server and one of what came of it, stopped ones have theirs, and no secret of
// theirs is on the disk.
func TestMCPReceipts(t *testing.T) {
	reached := ""
	up := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server {
		return doorServer("write_file", came{text: "hello"}, &reached)
	}, nil))
	defer up.Close()
	dir := t.TempDir()
	servers, store := filepath.Join(dir, "servers.json"), filepath.Join(dir, "s.sqlite")
	if err := os.WriteFile(servers, fmt.Appendf(nil, `{"mcpServers":{"tools":{"url":%q}}}`, up.URL), 0o600); err != nil {
		t.Fatal(err)
	}
	const secret = "ghp_Zq81xTnV0aWcLr5PbK72mYdEoUs49hJ3GfQi"
	cmd := gbtCommand(t.Context(), "mcp", "--servers", servers, "--store", store, "--root", filepath.Join(dir, "w"), "--task", "write a file", "--log", "off")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c := &lineClient{t: t, in: in, out: bufio.NewReader(out)}
	c.send("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`)
	io.WriteString(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	c.send("tools/call", fmt.Sprintf(`{"name":"write_file","arguments":{"path":%q,"content":"token %s"}}`, filepath.Join(dir, "w", "a"), secret))
	c.send("tools/call", `{"name":"write_file","arguments":{"path":"/etc/passwd","content":"x"}}`)
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v: %s", err, complaints.String())
	}
	s := onlySession(t, store)
	if s.Kind != "mcp" || s.State != "failed" || s.Calls != 1 || len(s.Pending) > 0 {
		t.Errorf("%+v", s)
	}
	kinds := map[receipts.Kind]*receipts.Receipt{}
	for _, line := range strings.Split(strings.TrimSpace(sessionOutput(t, exitGood, "export", "--store", store, s.ID)), "\n")[1:] {
		r, err := receipts.Decode([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		kinds[r.Kind] = r
	}
	call, stopped, outcome := kinds[receipts.Call], kinds[receipts.Stopped], kinds[receipts.Outcome]
	if call == nil || stopped == nil || outcome == nil {
		t.Fatalf("receipts of %v", kinds)
	}
	if call.Tool != "mcp__tools__write_file" || call.Snapshot != receipts.AuditOnly || call.Reversal != receipts.NotReversed {
		t.Errorf("%+v", call)
	}
	if outcome.Of != call.ID || !json.Valid(outcome.Payload) || stopped.Reason != "rejected" && stopped.Reason != "approved_with_constraints" {
		t.Errorf("%+v, %+v", outcome, stopped)
	}
	files, _ := filepath.Glob(store + "*")
	for _, f := range files {
		if data, err := os.ReadFile(f); err != nil || bytes.Contains(data, []byte(secret)) {
			t.Errorf("%s holds the secret, or %v", f, err)
		}
	}
	sessionOutput(t, exitGood, "verify", "--store", store)
	var report, said bytes.Buffer
	if code := run([]string{"gbt", "undo", "--store", store, call.ID, "--yes"}, strings.NewReader(""), &report, &said); code != exitFindings || !strings.Contains(report.String(), "gbt did not run it and kept no snapshot") {
		t.Errorf("undo: status %d: %s%s", code, report.String(), said.String())
	}
}
