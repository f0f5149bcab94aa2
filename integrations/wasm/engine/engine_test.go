package engine

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
)

// line is one request.
func line(method, params string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":` + params + `}`
}

// policy is one of the repository's own logs, as openPolicy takes it.
func policy(t testing.TB) string {
	t.Helper()
	in := logs.Open([]string{filepath.Join("..", "..", "..", "examples", "logs", "mini-swe-agent", "repair-careful")}, logs.Options{})
	res, err := distill.Run(t.Context(), in, distill.Options{Config: distill.DefaultConfig(), TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	data, err := artifacts.Encode(res.Policy)
	if err != nil {
		t.Fatal(err)
	}
	params, err := json.Marshal(map[string]any{"policy": data})
	if err != nil {
		t.Fatal(err)
	}
	return string(params)
}

// opened is an engine with that policy.
func opened(t testing.TB) *Engine {
	t.Helper()
	e := &Engine{}
	if out := string(e.Do([]byte(line("openPolicy", policy(t))))); !strings.Contains(out, `"result":{"digest":"`) {
		t.Fatal(out)
	}
	return e
}

// TestLines sends a whole session and its mistakes.
func TestLines(t *testing.T) {
	e := opened(t)
	for _, x := range []struct{ method, params, want string }{
		{"startSession", `{"task":{"id":"1","text":"fix the bug","checks":[{"id":"tests"}]},"env":{"cwd":"/w","roots":["/w"]}}`, `"routed":true`},
		{"propose", `{"session":"1","text":"let me read the source file"}`, `"verdict":"`},
		{"check", `{"session":"1","call":{"tool":"bash","args":{"command":"cat a.py"}}}`, `"allowed":true`},
		{"observe", `{"session":"1","call":{"tool":"bash","args":{"command":"cat a.py"}},"result":{"output":"x"}}`, `"calls":1`},
		{"check", `{"session":"1","call":{"tool":"bash","args":{"command":"npm publish"}}}`, `"disposition":"approved_with_constraints"`},
		{"confirm", `{"session":"1","confirmation":"none","agreed":true}`, `"confirmation-unknown"`},
		{"check", `{"session":"1","call":{"tool":"bash","args":{"command":"rm -rf /"}}}`, `"disposition":"rejected"`},
		{"check", `{"session":"1","call":{"tool":"bash","args":{"command":"ls","command":"rm -rf /"}}}`, `"disposition":"revision_required"`},
		{"checkCall", `{"call":{"tool":"bash","args":{"command":"rm -rf /"}}}`, `"disposition":"rejected"`},
		{"finish", `{"session":"1"}`, `"reason":"check-not-executed:tests"`},
		{"report", `{"session":"1","id":"tests","passed":true}`, `"status":`},
		{"getSession", `{"session":"1"}`, `"spine":["view"]`},
		{"saveSession", `{"session":"1"}`, `"data":"`},
		{"finish", `{"session":"1"}`, `"done":true`},
		{"propose", `{"session":"1","text":"x","used":{"seconds":99999}}`, `"verdict":"stall"`},
		{"deleteSession", `{"session":"1"}`, `"result":{}`},
		{"getSession", `{"session":"1"}`, `"session-deleted"`},
		{"dance", `{"session":"1"}`, `"error":{"code":-32601,`},
		{"startSession", `{"flags":1}`, `unknown field`},
		{"openPolicy", `{"policy":"AAAA"}`, `"invalid-request"`},
		{"openPolicy", `{"keys":["no key"]}`, `"invalid-request"`},
		{"restoreSession", `{"data":"AAAA"}`, `"invalid-request"`},
	} {
		out := string(e.Do([]byte(line(x.method, x.params))))
		if !strings.Contains(out, x.want) {
			t.Errorf("%s %s\nanswers %s\nwant %s", x.method, x.params, out, x.want)
		}
	}
	if out := string(e.Do([]byte(`[]`))); !strings.Contains(out, `"code":-32600`) {
		t.Error(out)
	}
}

// TestNoPolicy answers nothing before there is one.
func TestNoPolicy(t *testing.T) {
	for method, params := range map[string]string{"getPolicy": `{}`, "saveSession": `{"session":"1"}`, "restoreSession": `{"data":"AAAA"}`, "checkCall": `{"call":{"tool":"ls"}}`} {
		var e Engine
		if out := string(e.Do([]byte(line(method, params)))); !strings.Contains(out, `"no-policy"`) {
			t.Errorf("%s: %s", method, out)
		}
	}
}

// TestRestore goes on with a session in another engine.
func TestRestore(t *testing.T) {
	e, other := opened(t), opened(t)
	e.Do([]byte(line("startSession", `{"task":{"id":"1","text":"fix the bug"}}`)))
	var saved struct{ Result struct{ Data string } }
	if err := json.Unmarshal(e.Do([]byte(line("saveSession", `{"session":"1"}`))), &saved); err != nil {
		t.Fatal(err)
	}
	if out := string(other.Do([]byte(line("restoreSession", `{"data":"`+saved.Result.Data+`"}`)))); !strings.Contains(out, `"result":{"session":"1"`) {
		t.Error(out)
	}
}

// FuzzDo feeds hostile lines: each is answered with one JSON-RPC object, or is a
// notification.
func FuzzDo(f *testing.F) {
	e := opened(f)
	for _, s := range []string{
		line("startSession", `{"task":{"id":"1","text":"x"}}`), line("propose", `{"session":"1","text":"x"}`), line("check", `{"session":"1","call":{"tool":"bash","args":"{"}}`),
		line("observe", `{"session":"1","call":{"tool":"bash","args":7}}`), line("restoreSession", `{"data":"e30="}`), line("finish", `{"session":"1"}`), line("saveSession", `{"session":"1"}`),
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		out := e.Do(data)
		if out == nil {
			return
		}
		var reply map[string]json.RawMessage
		if err := json.Unmarshal(out, &reply); err != nil || string(reply["jsonrpc"]) != `"2.0"` || (reply["result"] == nil) == (reply["error"] == nil) {
			t.Fatalf("%q: %s %v", data, out, err)
		}
	})
}
