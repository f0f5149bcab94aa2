package mcpproxy

import (
	"bufio"
	"encoding/json"
	"io"
	"strings"
	"testing"
)

// TestLinesThatAreNoMessages: a client's broken line costs an answer and nothing
// else; the session and its servers go on, and nothing of the line runs.
func TestLinesThatAreNoMessages(t *testing.T) {
	w := newWorld(t, settings{})
	in, toProxy := io.Pipe()
	fromProxy, out := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- w.proxy.Run(t.Context(), Stdio(in, out))
		out.Close()
	}()
	answers := bufio.NewReader(fromProxy)
	ask := func(line string) (id string, code int) {
		t.Helper()
		if _, err := io.WriteString(toProxy, line+"\n"); err != nil {
			t.Fatal(err)
		}
		text, err := answers.ReadBytes('\n')
		if err != nil {
			t.Fatalf("%.80s: %v", line, err)
		}
		var a struct {
			ID    json.RawMessage
			Error struct{ Code int }
		}
		if err := json.Unmarshal(text, &a); err != nil {
			t.Fatalf("%.80s: %s", line, text)
		}
		return string(a.ID), a.Error.Code
	}
	ask(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`)
	if _, err := io.WriteString(toProxy, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n\n"); err != nil {
		t.Fatal(err)
	}
	run := `"method":"tools/call","params":{"name":"read_twice","arguments":{}}`
	for _, tt := range []struct {
		line, id string
		code     int
	}{
		{"not json", "null", -32700},
		{`{"jsonrpc":"2.0","id":1,` + run, "null", -32700},
		{`{"jsonrpc":"2.0","id":1,` + run + `}}`, "null", -32700},
		{`{"jsonrpc":"1.0","id":2,` + run + `}`, "2", -32600},
		{`{"id":"x",` + run + `}`, `"x"`, -32600},
		{`{"jsonrpc":"2.0","id":{"a":1},` + run + `}`, "null", -32600},
		{`5`, "null", -32600},
		{`[]`, "null", -32600},
		{`{"jsonrpc":"2.0","id":3,"method":"ping","params":{"a":"` + strings.Repeat("x", maxMessage) + `"}}`, "null", -32600},
		{`{"jsonrpc":"2.0","id":4,"method":"ping"}`, "4", 0},
	} {
		if id, code := ask(tt.line); id != tt.id || code != tt.code {
			t.Errorf("%.80s: id %s code %d", tt.line, id, code)
		}
	}
	if got := w.reached(); got != "" {
		t.Errorf("reached the server: %s", got)
	}
	if id, code := ask(`{"jsonrpc":"2.0","id":5,` + run + `}`); id != "5" || code != 0 || !strings.Contains(w.reached(), "read_twice") {
		t.Errorf("a call after them: id %s code %d, %s", id, code, w.reached())
	}
	if _, code := ask(`[{"jsonrpc":"2.0","id":6,"method":"ping"},{"id":7}]`); code != -32600 {
		t.Errorf("half a batch: code %d", code)
	}
	toProxy.Close()
	<-done
}

// TestBatchIsOneMessage: the bytes of a batch, which clients of older versions of
// the protocol may send, arrive as they are.
func TestBatchIsOneMessage(t *testing.T) {
	batch := `[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":"b","method":"tools/list","params":{}}]`
	m := &messages{in: bufio.NewReader(strings.NewReader("\n" + batch + "\n" + batch)), out: io.Discard}
	if got, err := io.ReadAll(m); err != nil || string(got) != batch+"\n"+batch+"\n" {
		t.Errorf("%s, %v", got, err)
	}
}
