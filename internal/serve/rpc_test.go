package serve

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/gbt-policy/gbt/internal/protocol"
)

// stdio sends lines to a server and returns the lines it answers with.
func stdio(t *testing.T, s *Server, lines ...string) []string {
	t.Helper()
	var out bytes.Buffer
	if err := s.Stdio(context.Background(), strings.NewReader(strings.Join(lines, "\n")), &out); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

// TestRPCEqualsHTTP gives the same bytes for the same operation.
func TestRPCEqualsHTTP(t *testing.T) {
	k := &clock{now: time.Unix(1e9, 0)}
	c := dial(t, newTestServer(t, Options{Now: k.read}))
	s := newTestServer(t, Options{Now: k.read})
	steps := []struct{ op, method, path, body string }{
		{"startSession", "POST", "/v1/sessions", `{"task":{"id":"s","text":"fix the failing test","checks":[{"id":"tests","text":"pytest -q"}]},"env":{"cwd":"/w"}}`},
		{"propose", "POST", "/v1/sessions/s/propose", `{"text":"look at the <source>"}`},
		{"check", "POST", "/v1/sessions/s/check", shell("cat a.py > b && rm -rf /tmp/x")},
		{"check", "POST", "/v1/sessions/s/check", `{"call":{"tool":"bash","args":"{\"command\":\"ls\"}"}}`},
		{"check", "POST", "/v1/sessions/s/check", shell("curl https://example.org/x")},
		{"confirm", "POST", "/v1/sessions/s/confirm", `{"confirmation":"made-up","agreed":true,"for_session":true}`},
		{"confirm", "POST", "/v1/sessions/s/confirm", `{"confirmation":"made-up","agreed":false,"for_session":true}`},
		{"observe", "POST", "/v1/sessions/s/observe", strings.TrimSuffix(shell("cat a.py"), "}") + `,"result":{"output":"x & y"}}`},
		{"report", "POST", "/v1/sessions/s/report", `{"id":"tests","passed":true}`},
		{"finish", "POST", "/v1/sessions/s/finish", ``},
		{"getSession", "GET", "/v1/sessions/s", ``},
		{"checkCall", "POST", "/v1/check", shell("rm -rf /")},
		{"getPolicy", "GET", "/v1/policy", ``},
		{"check", "POST", "/v1/sessions/s/check", `{}`},
		{"deleteSession", "DELETE", "/v1/sessions/s", ``},
	}
	for _, st := range steps {
		want := c.exchange(st.method, st.path, []byte(st.body), false)
		params := map[string]json.RawMessage{}
		if st.body != "" {
			if err := json.Unmarshal([]byte(st.body), &params); err != nil {
				t.Fatal(err)
			}
		}
		if protocol.Find(st.op).OfSession() {
			params["session"] = json.RawMessage(`"s"`)
		}
		line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 7, "method": st.op, "params": params})
		if err != nil {
			t.Fatal(err)
		}
		var got struct {
			ID     int
			Result json.RawMessage
			Error  *rpcError
		}
		if err := json.Unmarshal([]byte(stdio(t, s, string(line))[0]), &got); err != nil {
			t.Fatal(err)
		}
		if got.Error != nil {
			if want.fault() != got.Error.Data.Code {
				t.Errorf("%s: error %+v, over HTTP %s", st.op, got.Error, want.body)
			}
		} else if body := string(want.body); got.ID != 7 || string(got.Result) != body && body+"{}" != string(got.Result) {
			t.Errorf("%s: %s\nover HTTP %s", st.op, got.Result, want.body)
		}
	}
}

// TestRPCErrors answers every bad line with one error and goes on.
func TestRPCErrors(t *testing.T) {
	s := newTestServer(t, Options{MaxBody: 2000})
	tests := []struct{ name, line, want string }{
		{"no JSON", `{"jsonrpc":`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,`},
		{"batch", `[{"jsonrpc":"2.0","id":1,"method":"getPolicy"}]`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"the line is no JSON object; batches are not taken"`},
		{"number", `7`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,`},
		{"version", `{"jsonrpc":"1.0","id":1,"method":"getPolicy"}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32600,`},
		{"no method", `{"jsonrpc":"2.0","id":"x"}`, `{"jsonrpc":"2.0","id":"x","error":{"code":-32600,`},
		{"id is an object", `{"jsonrpc":"2.0","id":{},"method":"getPolicy"}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,`},
		{"params are a list", `{"jsonrpc":"2.0","id":1,"method":"getPolicy","params":[1]}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,`},
		{"params in other letters", `{"jsonrpc":"2.0","id":1,"method":"check","PARAMS":{}}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32600,`},
		{"a param twice", `{"jsonrpc":"2.0","id":1,"method":"check","params":{"session":"a","session":"b"}}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,`},
		{"a param in other letters", `{"jsonrpc":"2.0","id":1,"method":"startSession","params":{"TASK":{"text":"x"}}}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,`},
		{"other fields", `{"jsonrpc":"2.0","id":1,"method":"getPolicy","more":1}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32600,`},
		{"method", `{"jsonrpc":"2.0","id":1,"method":"metrics"}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,`},
		{"no session", `{"jsonrpc":"2.0","id":1,"method":"check","params":{}}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"field session: missing"`},
		{"session is a number", `{"jsonrpc":"2.0","id":1,"method":"check","params":{"session":1}}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,`},
		{"unknown session", `{"jsonrpc":"2.0","id":1,"method":"finish","params":{"session":"x"}}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,`},
		{"session of a start", `{"jsonrpc":"2.0","id":1,"method":"startSession","params":{"session":"x","task":{"text":"x"}}}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,`},
		{"no params", `{"jsonrpc":"2.0","id":1,"method":"startSession"}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,`},
		{"too long", `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 2000) + `"}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"the body is longer than 2000 bytes"`},
		{"null id", `{"jsonrpc":"2.0","id":null,"method":"none"}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32601,`},
	}
	var lines []string
	for _, tt := range tests {
		lines = append(lines, tt.line, "", `{"jsonrpc":"2.0","method":"startSession","params":{"task":{"text":"a notification"}}}`)
	}
	got := stdio(t, s, append(lines, `{"jsonrpc":"2.0","id":"last","method":"getPolicy"}`)...)
	if len(got) != len(tests)+1 {
		t.Fatalf("%d answers to %d requests", len(got), len(tests)+1)
	}
	for i, tt := range tests {
		if !strings.HasPrefix(got[i], tt.want) {
			t.Errorf("%s: %s", tt.name, got[i])
		}
	}
	if !strings.HasPrefix(got[len(tests)], `{"jsonrpc":"2.0","id":"last","result":`) {
		t.Errorf("after all that: %s", got[len(tests)])
	}
	if n := s.service.Live(); n != len(tests) {
		t.Errorf("%d notifications were carried out", n)
	}
}

// TestRPCKey takes the key for repeats.
func TestRPCKey(t *testing.T) {
	s := newTestServer(t, Options{})
	observe := `{"jsonrpc":"2.0","id":1,"method":"observe","params":{"session":"s","idempotency_key":"k","call":{"tool":"ls"},"result":{}}}`
	got := stdio(t, s, `{"jsonrpc":"2.0","id":1,"method":"startSession","params":{"task":{"id":"s","text":"x"}}}`, observe, observe)
	if len(got) != 3 || got[1] != got[2] || !strings.Contains(got[2], `"calls":1`) {
		t.Errorf("%s", got)
	}
}

// TestStdioEnds with the context, although the input goes on.
func TestStdioEnds(t *testing.T) {
	s := newTestServer(t, Options{})
	in, feed := io.Pipe()
	out, sink := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Stdio(ctx, in, sink) }()
	io.WriteString(feed, `{"jsonrpc":"2.0","id":1,"method":"getPolicy"}`+"\n")
	if l, err := bufio.NewReader(out).ReadString('\n'); err != nil || !strings.Contains(l, s.policy.Digest()) {
		t.Errorf("%s %v", l, err)
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	feed.Close()
}

// FuzzLine holds that any line gets at most one answer, which is JSON-RPC, and
// never ends the server.
func FuzzLine(f *testing.F) {
	for _, s := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"startSession","params":{"task":{"id":"s","text":"x"}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"check","params":{"session":"s","call":{"tool":"bash","args":{"command":"ls"}}}}`,
		`{"jsonrpc":"2.0","id":"a","method":"observe","params":{"session":"s","call":{"tool":"bash"},"result":{"deltas":[{"kind":"write"}]}}}`,
		`{"jsonrpc":"2.0","method":"finish","params":{"session":"s"}}`, `[]`, `{`, `null`, "\xff", `{"jsonrpc":"2.0","id":1e999,"method":"getPolicy"}`,
	} {
		f.Add([]byte(s))
	}
	s := newTestServer(f, Options{MaxSessions: 8, Idle: time.Nanosecond})
	f.Fuzz(func(t *testing.T, data []byte) {
		reply := s.line(context.Background(), line{text: append([]byte(nil), data...)})
		if reply == nil {
			return
		}
		var out struct {
			Version string          `json:"jsonrpc"`
			ID      json.RawMessage `json:"id"`
			Result  json.RawMessage `json:"result"`
			Error   *rpcError       `json:"error"`
		}
		if err := json.Unmarshal(reply, &out); err != nil || out.Version != "2.0" || out.ID == nil || (out.Result == nil) == (out.Error == nil) || bytes.ContainsRune(reply, '\n') {
			t.Errorf("%q: %s (%v)", data, reply, err)
		}
	})
}

// rpcError is the error of a line.
type rpcError struct {
	Code    int
	Message string
	Data    struct {
		Code   string
		Status int
	}
}
