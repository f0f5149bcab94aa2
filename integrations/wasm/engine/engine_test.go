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

// opened is an engine with a policy of the repository's own logs.
func opened(t testing.TB) *Engine {
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
	e := &Engine{}
	request, _ := json.Marshal(map[string]any{"do": "open", "policy": data})
	if out := string(e.Do(request)); !strings.Contains(out, `"ok":true`) {
		t.Fatal(out)
	}
	return e
}

// TestRequests sends a whole session and its mistakes.
func TestRequests(t *testing.T) {
	e := opened(t)
	last := map[string]any{}
	for _, x := range []struct{ send, want string }{
		{`{"do":"start","session":"1","task":{"id":"1","text":"fix the bug","checks":[{"id":"tests"}]},"env":{"cwd":"/w","roots":["/w"],"uid":-1,"gid":-1}}`, `"routed":true`},
		{`{"do":"propose","session":"1","text":"let me read the source file"}`, `"verdict":"`},
		{`{"do":"check","session":"1","tool":"bash","args":{"command":"cat a.py"}}`, `"allowed":true`},
		{`{"do":"observe","session":"1","tool":"bash","args":{"command":"cat a.py"},"output":"x"}`, `{"ok":true}`},
		{`{"do":"check","session":"1","tool":"bash","args":{"command":"npm publish"}}`, `"disposition":"approved_with_constraints"`},
		{`{"do":"confirm","session":"1","token":"none"}`, `"confirmed":false`},
		{`{"do":"check","session":"1","tool":"bash","args":{"command":"rm -rf /"}}`, `"disposition":"rejected"`},
		{`{"do":"finish","session":"1"}`, `"reason":"check-not-executed:tests"`},
		{`{"do":"report","session":"1","check":"tests","passed":true}`, `"known":true`},
		{`{"do":"status","session":"1"}`, `"spine":["view"]`},
		{`{"do":"save","session":"1"}`, `"data":"`},
		{`{"do":"finish","session":"1"}`, `"done":true`},
		{`{"do":"propose","session":"1","seconds":99999}`, `"verdict":"stall"`},
		{`{"do":"close","session":"1"}`, `{"ok":true}`},
		{`{"do":"status","session":"1"}`, `no session`},
		{`{"do":"dance","session":"1"}`, `no session`},
		{`{"do":"start","flags":1}`, `unknown field`},
		{`{"do":"open","policy":"AAAA"}`, `"ok":false`},
		{`{"do":"open","keys":["no key"]}`, `"ok":false`},
		{`[]`, `"ok":false`},
	} {
		out := string(e.Do([]byte(x.send)))
		if !strings.Contains(out, x.want) {
			t.Errorf("%s\nanswers %s\nwant %s", x.send, out, x.want)
		}
		if err := json.Unmarshal([]byte(out), &last); err != nil {
			t.Errorf("%s: %v", x.send, err)
		}
	}
	if out := string((&Engine{}).Do([]byte(`{"do":"status","session":"1"}`))); !strings.Contains(out, "open one first") {
		t.Error(out)
	}
}

// FuzzDo feeds hostile requests: every one is answered with one JSON object.
func FuzzDo(f *testing.F) {
	e := opened(f)
	for _, s := range []string{`{"do":"start","session":"1"}`, `{"do":"propose","session":"1","text":"x"}`, `{"do":"check","session":"1","tool":"bash","args":"{"}`,
		`{"do":"observe","session":"1","tool":"bash","args":7}`, `{"do":"resume","session":"2","data":"e30="}`, `{"do":"finish","session":"1"}`, `{"do":"save","session":"1"}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		var out map[string]any
		if err := json.Unmarshal(e.Do(line), &out); err != nil || out["ok"] == nil {
			t.Fatalf("%q: %v %v", line, out, err)
		}
	})
}
