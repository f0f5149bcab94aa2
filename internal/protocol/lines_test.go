package protocol

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestOperations holds the table together: each row has one thing to do, and
// one name.
func TestOperations(t *testing.T) {
	seen := map[string]bool{}
	for _, op := range Operations() {
		if (op.turn == nil) == (op.do == nil) || op.turn != nil && !op.OfSession() || seen[op.Name] || Find(op.Name).Path != op.Path {
			t.Errorf("%s: %+v", op.Name, op)
		}
		seen[op.Name] = true
	}
	if len(seen) < 11 || Find("none") != nil {
		t.Errorf("%d operations", len(seen))
	}
}

// TestLines answers a carrier's own methods beside those of the contract.
func TestLines(t *testing.T) {
	s := newService(t, Options{})
	l := Lines{
		Do: func(r *Request) (json.RawMessage, *Fault) { return s.Do(context.Background(), r) },
		Own: map[string]func([]byte) (json.RawMessage, *Fault){
			"echo": func(params []byte) (json.RawMessage, *Fault) { return params, nil },
			"fail": func([]byte) (json.RawMessage, *Fault) { return nil, Conflict("no-policy", "call openPolicy first") },
		},
	}
	for _, x := range []struct{ method, params, want string }{
		{"echo", `{"session":"s","idempotency_key":"k"}`, `{"jsonrpc":"2.0","id":1,"result":{"idempotency_key":"k","session":"s"}}`},
		{"fail", `{}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"call openPolicy first","data":{"code":"no-policy","status":409}}}`},
		{"none", `{}`, `"error":{"code":-32601,"message":"no method none","data":{"code":"not-found","status":404}}`},
		{"startSession", fmt.Sprintf(begin, "s"), `"result":{"session":"s",`},
		{"check", `{"session":"s","call":{"tool":"bash","args":{"command":"rm -rf /"}}}`, `"disposition":"rejected"`},
		{"finish", `{"session":"s"}`, `"done":false`},
		{"finish", `{"session":"t"}`, `"data":{"code":"session-unknown","status":404}`},
	} {
		out := string(l.Answer([]byte(`{"jsonrpc":"2.0","id":1,"method":"` + x.method + `","params":` + x.params + `}`)))
		if !strings.Contains(out, x.want) {
			t.Errorf("%s %s: %s\nwant %s", x.method, x.params, out, x.want)
		}
	}
	if out := l.Answer([]byte(`{"jsonrpc":"2.0","method":"echo","params":{}}`)); out != nil {
		t.Errorf("a notification is answered: %s", out)
	}
}

// TestRestore brings a saved session back in another service, as it was.
func TestRestore(t *testing.T) {
	s, other := newService(t, Options{}), newService(t, Options{})
	do(s, "startSession", "", fmt.Sprintf(begin, "s"))
	do(s, "check", "s", `{"call":{"tool":"bash","args":{"command":"rm -rf /"}}}`)
	data, f := s.Save(context.Background(), "s")
	if f != nil {
		t.Fatal(f)
	}
	if id, f := other.Restore(data); f != nil || id != "s" {
		t.Fatalf("%q %v", id, f)
	}
	want, _ := do(s, "getSession", "s", "")
	if got, code := do(other, "getSession", "s", ""); string(got) != string(want) || !strings.Contains(string(got), `"op":"check"`) {
		t.Errorf("%s %s\nwant %s", code, got, want)
	}
	if _, f := other.Restore(data); f == nil || f.Code != "session-exists" {
		t.Errorf("restored twice: %v", f)
	}
	for _, bad := range [][]byte{nil, []byte("x"), data[:len(data)-1], []byte(strings.Replace(string(data), `"id":"s"`, `"id":"t"`, 1))} {
		if _, f := other.Restore(bad); f == nil || f.Code != "invalid-request" {
			t.Errorf("%.60q is restored: %v", bad, f)
		}
	}
	if _, f := s.Save(context.Background(), "none"); f == nil || f.Code != "session-unknown" {
		t.Errorf("saved: %v", f)
	}
}
