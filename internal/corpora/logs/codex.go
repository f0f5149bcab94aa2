package logs

import (
	"fmt"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/gbt-policy/gbt/corpora"
)

// codexLayout is one line of a Codex rollout.
func codexLayout() layout {
	return layout{
		Layout: Layout{
			Name: "codex", Title: "Codex rollouts",
			Fields: chatFields | HasGroup | HasModel | HasError | HasExit | HasBlocked | HasCwd | HasDeltas | HasTimes | HasTokens | HasParent,
			Note:   "patch_apply_end events are observed deltas",
		},
		kind: isPart,
		need: []string{"type", "payload"},
		ok: func(v *fastjson.Value) bool {
			return v.Get("payload").Type() == fastjson.TypeObject && v.Get("type").Type() == fastjson.TypeString
		},
		gather: func(rd *reader) gatherer { return &codexSession{rd: rd} },
	}
}

// codexFlatLayout is a line of a rollout from before lines had payloads.
func codexFlatLayout() layout {
	l := codexLayout()
	l.need, l.none = []string{"type"}, []string{"payload", "uuid", "sessionId", "parentId", "messages"}
	l.ok = func(v *fastjson.Value) bool {
		switch string(v.GetStringBytes("type")) {
		case "message":
			return v.Get("role") != nil && v.Get("content") != nil && !isReply(v)
		case "function_call", "custom_tool_call", "local_shell_call":
			return v.Get("call_id") != nil
		case "function_call_output", "custom_tool_call_output":
			return v.Get("output") != nil
		case "reasoning":
			return v.Get("summary") != nil
		}
		return false
	}
	return l
}

// codexSession gathers one rollout.
type codexSession struct {
	rd         *reader
	began      bool
	id         string
	cwd        string
	said       string          // the agent's last words, for the event that repeats them
	heard      string          // the user's last words, likewise
	ended      map[string]bool // calls whose end event gave the result
	tokensIn   int64           // of the answer being read, until a call takes them
	tokensOut  int64
	lastTokens int64
}

func (g *codexSession) add(v *fastjson.Value, at place) {
	b := &g.rd.run
	if !g.began {
		g.began = true
		b.begin("codex", g.rd.partsOrigin(at))
		b.ep.Agent = "codex"
		g.ended = map[string]bool{}
	}
	p := v.Get("payload")
	when := unixNano(str(v, "timestamp"))
	switch kind := string(v.GetStringBytes("type")); kind {
	case "session_meta":
		g.meta(p)
	case "turn_context":
		g.cwd = str(p, "cwd")
		if m := str(p, "model"); m != "" {
			b.ep.Model = m
		}
	case "response_item":
		g.item(p, at, when)
	case "event_msg":
		g.event(p, when)
	case "compacted", "world_state":
	default:
		if p == nil {
			g.item(v, at, when)
			return
		}
		g.rd.skip(at, fmt.Sprintf("a line of a Codex rollout of the unknown type %q", clip(kind, 60)))
	}
}

func (g *codexSession) meta(p *fastjson.Value) {
	ep := &g.rd.run.ep
	if g.id != "" { // a resumed session repeats the head of the one before
		return
	}
	g.id, g.cwd = str(p, "id"), str(p, "cwd")
	ep.Version, ep.Group = str(p, "cli_version"), g.cwd
	if url := string(p.GetStringBytes("git", "repository_url")); url != "" {
		ep.Group = url
	}
	if parent := firstText(p, "parent_thread_id", "forked_from_id"); parent != "" {
		ep.Parent = "codex/" + parent
	}
}

// item reads a response item: what the model and its tools exchanged.
func (g *codexSession) item(p *fastjson.Value, at place, when int64) {
	rd := g.rd
	switch string(p.GetStringBytes("type")) {
	case "message":
		g.message(string(p.GetStringBytes("role")), text(p.Get("content")))
	case "reasoning":
		rd.run.say(partsText(p.GetArray("summary")))
	case "function_call":
		g.call(p, str(p, "name"), rd.codexArgs(p.Get("arguments")), at, when)
	case "custom_tool_call":
		g.call(p, str(p, "name"), rd.argsText(p.Get("input")), at, when)
	case "local_shell_call":
		g.call(p, "shell", rd.codexArgs(p.Get("action")), at, when)
	case "web_search_call":
		g.call(p, "web_search", rd.argsText(p.Get("action")), at, when)
	case "function_call_output", "custom_tool_call_output":
		g.output(p, when)
	}
}

func (g *codexSession) message(role, words string) {
	words = strings.TrimSpace(words)
	switch role {
	case "user":
		g.user(words)
	case "assistant":
		if words != g.said {
			g.said = words
			g.rd.run.say(words)
		}
	}
}

// user adds a user turn, unless it is the context that Codex adds in the
// user's name, or the same words again as an event.
func (g *codexSession) user(words string) {
	if strings.HasPrefix(words, "<turn_aborted>") {
		g.rd.run.stop()
	}
	for _, p := range []string{"<environment_context>", "<user_instructions>", "<permissions", "# AGENTS.md instructions", "<turn_aborted>", "<INSTRUCTIONS>"} {
		if strings.HasPrefix(words, p) {
			return
		}
	}
	if words != g.heard {
		g.heard = words
		g.rd.run.user(words)
	}
}

func (g *codexSession) call(p *fastjson.Value, name, args string, at place, when int64) {
	id := str(p, "call_id")
	if id == "" {
		id = str(p, "id")
	}
	g.rd.run.call(corpora.Step{
		CallID: id, Tool: name, Args: args, Cwd: g.cwd, Start: when, Line: at.line, Index: -1,
		TokensIn: g.tokensIn, TokensOut: g.tokensOut,
	})
	g.tokensIn, g.tokensOut = 0, 0
	g.said = ""
}

// codexArgs reads a call's arguments and unwraps a command that is a list run
// by a login shell, ["bash","-lc",LINE], to the line.
func (rd *reader) codexArgs(v *fastjson.Value) string {
	if v != nil && v.Type() == fastjson.TypeString {
		s := string(v.GetStringBytes())
		if len(s) > maxNested {
			return rd.args1("input", s)
		}
		parsed, err := rd.nested.Parse(s)
		if err != nil || parsed.Type() != fastjson.TypeObject {
			return rd.argsString(s)
		}
		v = parsed
	}
	cmd := v.GetArray("command")
	if len(cmd) != 3 || string(cmd[1].GetStringBytes()) != "-lc" && string(cmd[1].GetStringBytes()) != "-c" {
		return rd.argsText(v)
	}
	switch string(cmd[0].GetStringBytes()) {
	case "bash", "/bin/bash", "sh", "/bin/sh", "zsh", "/bin/zsh":
	default:
		return rd.argsText(v)
	}
	b := appendMember(append(rd.buf[:0], '{'), "command", string(cmd[2].GetStringBytes()))
	v.GetObject().Visit(func(k []byte, x *fastjson.Value) {
		if string(k) != "command" {
			b = append(appendString(append(b, ','), k), ':')
			b = appendJSON(b, x)
		}
	})
	rd.buf = append(b, '}')
	return string(rd.buf)
}
