package logs

import (
	"cmp"

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

// message adds one chat message. Where the system prompt says that calls are
// written into the words, the next message is the answer to the call.
func (rd *reader) message(m *fastjson.Value, at place) {
	b := &rd.run
	content := m.Get("content")
	if content == nil || content.Type() == fastjson.TypeNull {
		content = firstOf(m, "text", "content")
	}
	switch string(m.GetStringBytes("role")) {
	case "system", "developer":
		if b.embed {
			b.style = cmp.Or(styleOf(text(m.Get("system_prompt"))), styleOf(text(content)), b.style)
		}
	case "assistant", "ai", "agent", "model":
		rd.assistant(m, content, at)
	case "tool", "function", "toolResult":
		rd.toolMessage(m, content)
	case "exit": // mini-swe-agent: the last command was the submission
		if b.style != noStyle || b.ep.Format == "mini-swe-agent" {
			rd.embeddedResult(content)
		}
	case "info":
	default: // user, human, and whatever else speaks to the agent
		words := rd.attachment(text(content))
		if rd.resultParts(content) { // what the user adds stands beside them
			b.user(words)
			return
		}
		if b.style != noStyle && rd.embeddedResult(content) {
			return
		}
		if b.embed && rd.answersFence(words, at) && rd.embeddedResult(content) {
			return
		}
		b.user(words)
	}
}

// assistant adds a turn of the agent: its words, then its calls.
func (rd *reader) assistant(m, content *fastjson.Value, at place) {
	b := &rd.run
	calls := m.Get("tool_calls")
	words := rd.attachment(text(content))
	b.say(thinkingText(content))
	if b.style != noStyle && len(calls.GetArray()) == 0 {
		var step corpora.Step
		var ok bool
		if words, step, ok = rd.embedded(words, b.style); ok {
			b.say(words)
			step.Line, step.Index = at.line, at.index
			b.call(step)
			return
		}
	}
	b.say(words)
	for _, s := range rd.partCalls(content, calls, at) {
		b.call(s)
	}
	rd.resultParts(content) // of tools that the model's provider runs
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
func (rd *reader) call(c *fastjson.Value, at place) { rd.run.call(rd.callStep(c, at)) }

func (rd *reader) callStep(c *fastjson.Value, at place) corpora.Step {
	f := c.Get("function")
	s := corpora.Step{CallID: callID(c), Line: at.line, Index: at.index}
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
	return s
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
	if rd.resultParts(content) {
		return
	}
	tool := firstText(m, "name", "function")
	if tool == "" {
		tool = string(m.GetStringBytes("tool_call", "function"))
	}
	fault, blocked := "", ""
	if e := m.Get("error"); e != nil {
		if fault = str(e, "message"); fault == "" {
			fault = text(e)
		}
		switch string(e.GetStringBytes("type")) {
		case "approval":
			blocked = "approver"
		case "parsing": // Inspect: the arguments did not fit the tool
			blocked = "argument check"
		}
	}
	if s := rd.run.result(str(m, "tool_call_id"), tool, rd.attachment(text(content)), rd.attachment(fault)); s != nil && blocked != "" {
		s.Status, s.BlockedBy = corpora.StatusBlocked, blocked
	}
}

// resultParts adds the results among content parts, and reports whether there
// were any.
func (rd *reader) resultParts(content *fastjson.Value) bool {
	list := partResults(content)
	for i := range list {
		rd.run.turnResult(&list[i])
	}
	return len(list) > 0
}
