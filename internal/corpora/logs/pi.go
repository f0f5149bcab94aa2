package logs

import (
	"fmt"
	"strings"

	"github.com/valyala/fastjson"
)

// piLayout is one line of a session of the pi coding agent.
func piLayout() layout {
	return layout{
		Layout: Layout{
			Name: "pi", Title: "pi coding agent sessions",
			Fields: chatFields | HasGroup | HasModel | HasError | HasCwd | HasTimes | HasTokens | HasParent,
		},
		kind: isPart,
		need: []string{"type", "id", "timestamp"},
		none: []string{"payload", "uuid", "sessionId", "call_id", "source", "messages"},
		ok: func(v *fastjson.Value) bool {
			kind := string(v.GetStringBytes("type"))
			return kind == "session" && v.Get("cwd") != nil || v.Get("parentId") != nil
		},
		gather: func(rd *reader) gatherer { return &piSession{rd: rd} },
	}
}

// piSession gathers the session of one file.
type piSession struct {
	rd *reader
	s  session
}

func (g *piSession) add(v *fastjson.Value, at place) {
	kind := string(v.GetStringBytes("type"))
	switch kind {
	case "session":
		g.flush()
		g.s = session{format: "pi", id: str(v, "id"), version: scalar(v, "version"), agent: "pi", group: str(v, "cwd"), parent: str(v, "parentSession")}
		return
	case "message", "compaction", "model_change", "thinking_level_change", "branch_summary", "custom", "custom_message", "label", "session_info":
	default:
		g.rd.skip(at, fmt.Sprintf("a line of a pi session of the unknown type %q", clip(kind, 60)))
	}
	if g.s.format == "" {
		g.s = session{format: "pi", id: g.rd.stem(), agent: "pi"}
	}
	g.s.turns = append(g.s.turns, g.turn(v, at))
}

func (g *piSession) turn(v *fastjson.Value, at place) turn {
	t := turn{id: str(v, "id"), parent: str(v, "parentId"), line: at.line, cwd: g.s.group}
	m := v.Get("message")
	content := m.Get("content")
	when := unixNano(str(v, "timestamp"))
	switch string(m.GetStringBytes("role")) {
	case "user":
		t.user = text(content)
	case "assistant":
		t.model = strings.TrimPrefix(str(m, "provider")+"/"+str(m, "model"), "/")
		t.words = join(thinkingText(content), strings.TrimSpace(text(content)))
		t.calls = g.rd.turnCalls(content, at.line, when)
		u := m.Get("usage")
		t.tokensIn = u.GetInt64("input") + u.GetInt64("cacheRead") + u.GetInt64("cacheWrite")
		t.tokensOut = u.GetInt64("output")
	case "toolResult":
		r := turnResult{id: str(m, "toolCallId"), tool: str(m, "toolName"), out: text(content), end: when}
		if m.GetBool("isError") {
			r.fault = r.out
		}
		t.results = append(t.results, r)
	}
	return t
}

func (g *piSession) flush() {
	if g.s.format != "" {
		g.rd.emitSession(&g.s)
	}
	g.s = session{}
}
