package logs

import (
	"github.com/valyala/fastjson"

	"github.com/gbt-policy/gbt/corpora"
)

const chatRecordFields = chatFields | HasGroup | HasModel | HasError | HasTools | HasOutcome | HasTaskID

// chatRecordLayout is a record with a list of chat messages that no more
// particular layout claims.
func chatRecordLayout() layout {
	return layout{
		Layout: Layout{
			Name: "chat", Title: "chat messages with tool calls (OpenAI, Anthropic)", Fields: chatRecordFields,
			Note: "outcome only where the record says success, resolved or a reward of 0 or 1",
		},
		kind: isRecord,
		need: []string{"messages"},
		none: []string{"type", "spans"},
		ok: func(v *fastjson.Value) bool {
			list := v.Get("messages")
			return list.Type() == fastjson.TypeArray && allMessages(list.GetArray())
		},
		read: (*reader).chatRecord,
	}
}

// allMessages says whether the first few elements are chat messages.
func allMessages(list []*fastjson.Value) bool {
	for _, m := range list[:min(3, len(list))] {
		if m.Type() != fastjson.TypeObject || m.Get("role") == nil {
			return false
		}
	}
	return true
}

// chatMessageLayout is one chat message: an element of a list, or a line.
func chatMessageLayout() layout {
	return layout{
		Layout: Layout{Name: "chat", Title: "chat messages with tool calls (OpenAI, Anthropic)", Fields: chatRecordFields},
		kind:   isPart,
		need:   []string{"role"},
		none:   []string{"messages", "history", "trajectory", "contents"},
		ok: func(v *fastjson.Value) bool {
			if v.Get("type") != nil && !isReply(v) {
				return false
			}
			return v.Get("content") != nil || v.Get("tool_calls") != nil || v.Get("text") != nil
		},
		gather: func(rd *reader) gatherer { return &chatMessages{rd: rd} },
	}
}

// isReply says whether v is an answer of Anthropic's messages as it came: a
// chat message that says of its type that it is one.
func isReply(v *fastjson.Value) bool {
	return string(v.GetStringBytes("type")) == "message" && v.Get("stop_reason") != nil
}

// chatMessages gathers the messages of one conversation.
type chatMessages struct {
	rd    *reader
	began bool
	n     int
}

func (g *chatMessages) add(v *fastjson.Value, at place) {
	if !g.began {
		g.began = true
		g.rd.run.begin("chat", g.rd.partsOrigin(at))
		g.rd.run.embed = true
	}
	g.rd.message(v, place{line: at.line, index: g.n})
	g.n++
}

func (g *chatMessages) flush() {
	if !g.began {
		return
	}
	if g.rd.run.style == oneFence {
		g.rd.run.ep.Format, g.rd.run.ep.Agent = "mini-swe-agent", "mini-swe-agent"
		g.rd.miniTask()
	}
	g.rd.done(g.rd.run.ep.Format + "/" + g.rd.stem())
}

func (rd *reader) chatRecord(v *fastjson.Value, at place) {
	b := &rd.run
	b.begin("chat", rd.origin(at))
	b.embed = true
	meta := v.Get("metadata")
	for _, from := range []*fastjson.Value{v, meta} {
		if from == nil {
			continue
		}
		rd.chatHead(from)
	}
	list := v.GetArray("messages")
	if len(list) == 0 {
		rd.skip(at, "an empty conversation")
		return
	}
	rd.tools(v.Get("tools"))
	rd.messages(list)
	b.ep.Task = unframe(b.ep.Task)
	name := firstOfStrings(firstScalar(v, "id", "trace_id", "run_id", "session_id"), b.ep.TaskID, rd.stem())
	if len(b.ep.TaskID) < 6 && b.ep.TaskID != "" { // a bare number names a task in its own file only
		b.ep.TaskID += "-" + hash(b.ep.Task)
	}
	rd.done("chat/" + name)
}

// chatHead reads the fields that exports put beside the messages.
func (rd *reader) chatHead(v *fastjson.Value) {
	ep := &rd.run.ep
	if ep.TaskID == "" {
		ep.TaskID = firstScalar(v, "instance_id", "task_id")
	}
	if ep.Group == "" {
		if ep.Group = firstScalar(v, "repo", "suite_name", "domain", "group"); ep.Group == "" {
			ep.Group = repoOf(ep.TaskID)
		}
	}
	if ep.Model == "" {
		ep.Model = firstScalar(v, "model", "model_name")
	}
	if ep.Outcome == corpora.OutcomeUnknown {
		ep.Outcome = statedOutcome(v)
	}
}

func firstOfStrings(list ...string) string {
	for _, s := range list {
		if s != "" {
			return s
		}
	}
	return ""
}

func firstScalar(v *fastjson.Value, names ...string) string {
	for _, n := range names {
		if s := scalar(v, n); s != "" {
			return s
		}
	}
	return ""
}

// statedOutcome is the outcome that a record states of itself: a boolean
// success or resolved, or a reward that is exactly 0 or 1.
func statedOutcome(v *fastjson.Value) corpora.Outcome {
	for _, n := range []string{"resolved", "success"} {
		if good, ok := boolAt(v, n); ok {
			return outcomeOf(good)
		}
	}
	for _, n := range []string{"resolved", "reward"} {
		if o := numberedOutcome(v.Get(n)); o != corpora.OutcomeUnknown {
			return o
		}
	}
	return corpora.OutcomeUnknown
}

// tools lists the tools offered to the agent, from a list of names or of
// OpenAI tool definitions.
func (rd *reader) tools(v *fastjson.Value) {
	if v == nil || v.Type() != fastjson.TypeArray {
		return
	}
	list, _ := v.Array()
	for _, t := range list {
		name := ""
		switch {
		case t.Type() == fastjson.TypeString:
			name = string(t.GetStringBytes())
		case t.Get("function", "name") != nil:
			name = string(t.GetStringBytes("function", "name"))
		default:
			name = str(t, "name")
		}
		if name != "" {
			rd.run.ep.Tools = append(rd.run.ep.Tools, name)
		}
	}
}
