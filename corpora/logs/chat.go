package logs

import (
	"bytes"

	"github.com/valyala/fastjson"

	"github.com/gbt-policy/gbt/corpora"
)

// chatFields is what OpenAI chat messages can hold.
const chatFields = HasTask | HasText | HasHeard | HasCallID | HasArgs | HasResult | HasFinal

// messages adds a list of chat messages to the run: OpenAI chat completions in
// their nested and flat forms, and messages whose content parts hold the calls
// (Anthropic).
func (rd *reader) messages(list []*fastjson.Value) {
	for i, m := range list {
		rd.message(m, place{index: i})
	}
}

func (rd *reader) message(m *fastjson.Value, at place) {
	b := &rd.run
	content := m.Get("content")
	switch string(m.GetStringBytes("role")) {
	case "system", "developer":
	case "user", "human":
		if !rd.resultParts(content) {
			b.user(text(content))
		}
	case "assistant", "ai", "agent", "model":
		rd.assistant(m, content, at)
	case "tool", "function":
		rd.toolMessage(m, content)
	}
}

// assistant adds a turn of the agent: its words, then its calls.
func (rd *reader) assistant(m, content *fastjson.Value, at place) {
	b := &rd.run
	b.say(text(content))
	if content != nil && content.Type() == fastjson.TypeArray {
		parts, _ := content.Array()
		rd.callParts(parts, at)
	}
	calls := m.Get("tool_calls")
	if calls == nil || calls.Type() != fastjson.TypeArray {
		if f := m.Get("function_call"); f != nil && f.Type() == fastjson.TypeObject {
			rd.call(f, at)
		}
		return
	}
	list, _ := calls.Array()
	for _, c := range list {
		rd.call(c, at)
	}
}

// call adds one entry of tool_calls: {"id","function":{"name","arguments"}},
// or flat with function, or name, as the tool's name.
func (rd *reader) call(c *fastjson.Value, at place) {
	f := c.Get("function")
	s := corpora.Step{CallID: str(c, "id"), Line: at.line, Index: at.index}
	from := c
	switch {
	case f != nil && f.Type() == fastjson.TypeObject:
		from = f
		s.Tool = str(f, "name")
	case f != nil && f.Type() == fastjson.TypeString:
		s.Tool = str(c, "function")
	default:
		s.Tool = str(c, "name")
	}
	s.Args = rd.argsText(firstOf(from, "arguments", "args", "input", "parameters"))
	rd.run.call(s)
}

// firstOf is the first of the keys that v has.
func firstOf(v *fastjson.Value, names ...string) *fastjson.Value {
	for _, name := range names {
		if x := v.Get(name); x != nil {
			return x
		}
	}
	return nil
}

// toolMessage adds a result. AgentDojo and Inspect put a fault beside it.
func (rd *reader) toolMessage(m, content *fastjson.Value) {
	tool := str(m, "name")
	if tool == "" {
		tool = string(m.GetStringBytes("tool_call", "function"))
	}
	fault := ""
	if e := m.Get("error"); e != nil {
		if fault = str(e, "message"); fault == "" {
			fault = text(e)
		}
	}
	rd.run.result(str(m, "tool_call_id"), tool, text(content), fault)
}

// callParts adds the calls among content parts.
func (rd *reader) callParts(parts []*fastjson.Value, at place) {
	for _, p := range parts {
		switch string(p.GetStringBytes("type")) {
		case "tool_use", "toolCall", "tool_call", "server_tool_use":
			rd.call(p, at)
		}
	}
}

// resultParts adds the results among content parts, and reports whether there
// were any.
func (rd *reader) resultParts(content *fastjson.Value) bool {
	if content == nil || content.Type() != fastjson.TypeArray {
		return false
	}
	parts, _ := content.Array()
	found := false
	for _, p := range parts {
		if !bytes.Equal(p.GetStringBytes("type"), []byte("tool_result")) {
			continue
		}
		found = true
		out, fault := text(p.Get("content")), ""
		if p.GetBool("is_error") {
			fault = out
		}
		rd.run.result(str(p, "tool_use_id"), "", out, fault)
	}
	return found
}
