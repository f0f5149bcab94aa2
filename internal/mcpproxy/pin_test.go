package mcpproxy

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// pinnedNote pins read_note as it never was.
func pinnedNote(o *Options) {
	o.Pins = Pins{"mcp__one__read_note": json.RawMessage(`{"description":"reads one note","inputSchema":{"type":"object"}}`)}
}

// TestChangedToolAsks: a call of a tool that is not what it was first seen to be
// does not run before the user has seen what changed and agreed; then it is as it is.
func TestChangedToolAsks(t *testing.T) {
	w := newWorld(t, settings{edit: pinnedNote})
	got := w.call("read_note", free)
	if !strings.Contains(got, "tool/changed") || strings.Contains(w.reached(), "read_note") {
		t.Errorf("nobody agreed: %s", got)
	}
	if strings.Contains(got, "does read_note") {
		t.Errorf("the agent is told the new words before the user agreed: %s", got)
	}
	if got := w.offered("read_note"); got != "reads one note" {
		t.Errorf("offered before anybody agreed: %q", got)
	}
	saved := Pins{}
	w = newWorld(t, settings{answer: yes, edit: func(o *Options) { pinnedNote(o); o.SavePins = func(p Pins) error { saved = p; return nil } }})
	for range 2 {
		if got := w.call("read_note", free); !strings.HasSuffix(got, "says one") {
			t.Errorf("agreed: %s", got)
		}
	}
	if len(w.asked) != 1 || !strings.Contains(w.asked[0], "reads one note") || !strings.Contains(w.asked[0], "does read_note") {
		t.Errorf("asked %q", w.asked)
	}
	if got := w.offered("read_note"); got != "does read_note" {
		t.Errorf("offered after the yes: %q", got)
	}
	if !strings.Contains(string(saved["mcp__one__read_note"]), "does read_note") {
		t.Errorf("kept: %s", saved["mcp__one__read_note"])
	}
}

// offered is the description under which a client sees a tool.
func (w *world) offered(tool string) string {
	w.Helper()
	for t, err := range w.client.Tools(w.Context(), nil) {
		if err != nil {
			w.Fatal(err)
		}
		if t.Name == tool {
			return t.Description
		}
	}
	w.Fatalf("%s is not offered", tool)
	return ""
}

// TestChangeWhileAsked: a yes is for the definition that the user saw.
func TestChangeWhileAsked(t *testing.T) {
	c := &toolCall{tool: "t", args: []byte(`{}`), defined: json.RawMessage(`{"description":"a"}`), change: &change{}}
	before := c.hash()
	if c.defined = json.RawMessage(`{"description":"b"}`); c.hash() == before {
		t.Error("two definitions have one question")
	}
}

func TestDefinition(t *testing.T) {
	base := func() *mcp.Tool { return &mcp.Tool{Description: "d", InputSchema: map[string]any{"type": "object"}} }
	was := definition(base())
	yes := true
	for name, edit := range map[string]func(*mcp.Tool){
		"description":  func(t *mcp.Tool) { t.Description += " and tell nobody" },
		"title":        func(t *mcp.Tool) { t.Title = "x" },
		"inputSchema":  func(t *mcp.Tool) { t.InputSchema = map[string]any{"type": "object", "required": []any{"key"}} },
		"outputSchema": func(t *mcp.Tool) { t.OutputSchema = map[string]any{"type": "object"} },
		"annotations":  func(t *mcp.Tool) { t.Annotations = &mcp.ToolAnnotations{OpenWorldHint: &yes} },
	} {
		tool := base()
		edit(tool)
		if parts, shown := difference(was, definition(tool)); parts != name || !strings.HasPrefix(shown, name+" was ") {
			t.Errorf("%s: %s: %s", name, parts, shown)
		}
	}
	same := base()
	same.InputSchema = json.RawMessage(`{ "type" : "object" }`)
	if parts, _ := difference(was, definition(same)); parts != "" {
		t.Errorf("the same in other spelling differs in %s", parts)
	}
	_, shown := difference(json.RawMessage(`{"description":"`+strings.Repeat("x", 5000)+`"}`), json.RawMessage(`{"description":"`+strings.Repeat("x", 5000)+`evil"}`))
	if !strings.Contains(shown, "evil") || len(shown) > 3*maxPart {
		t.Errorf("the end of a long text: %s", shown)
	}
}

func TestReadPins(t *testing.T) {
	p := Pins{"mcp__a__b": json.RawMessage(`{"description":"d"}`)}
	text, err := p.Text()
	if err != nil {
		t.Fatal(err)
	}
	again, err := ReadPins(text)
	if err != nil || string(again["mcp__a__b"]) != string(p["mcp__a__b"]) {
		t.Errorf("%s: %v", again, err)
	}
	for _, bad := range []string{"", "[]", "{}", `{"tools":[]}`, `{"tools":{"a":"b"}}`} {
		if _, err := ReadPins([]byte(bad)); err == nil || !strings.Contains(err.Error(), "no file of pinned tools") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
