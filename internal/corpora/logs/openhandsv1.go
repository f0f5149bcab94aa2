package logs

import (
	"fmt"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/gbt-policy/gbt/corpora"
)

const openhandsV1Fields = chatFields | HasTaskID | HasGroup | HasModel | HasTools | HasError | HasExit | HasBlocked | HasCwd |
	HasDeltas | HasTimes | HasTokens | HasParent | HasOutcome | HasSafety

// openhandsV1Layout is one event of the OpenHands SDK (V1): a file of an event
// directory, an element of a list, or a line.
func openhandsV1Layout() layout {
	return layout{
		Layout: Layout{
			Name: "openhands-v1", Title: "OpenHands V1 SDK event directories and event lists", Fields: openhandsV1Fields,
			Note: "a rejected action was not executed and counts as blocked; edits with the file's old and new content are observed deltas; " +
				"outcome and safety come from report.json and eval_<id>.json beside the conversation's directory",
		},
		kind: isPart,
		need: []string{"kind", "id", "timestamp", "source"},
		none: []string{"messages", "payload", "args"},
		ok: func(v *fastjson.Value) bool {
			k := string(v.GetStringBytes("kind"))
			return strings.HasSuffix(k, "Event") || strings.HasSuffix(k, "Observation") || strings.HasPrefix(k, "Condensation")
		},
		gather: func(rd *reader) gatherer { return newOpenhandsV1(rd) },
	}
}

// openhandsV1 gathers the events of one conversation, which form a tree.
type openhandsV1 struct {
	rd      *reader
	s       session
	tools   []string
	blocked map[string]string // action event id -> what blocked it
}

func newOpenhandsV1(rd *reader) *openhandsV1 {
	return &openhandsV1{
		rd: rd, s: session{format: "openhands-v1", id: rd.stem(), agent: "openhands"}, blocked: map[string]string{},
	}
}

func (g *openhandsV1) add(v *fastjson.Value, at place) {
	t := turn{id: str(v, "id"), parent: str(v, "parent_id"), line: at.line}
	when := unixNano(str(v, "timestamp"))
	switch kind := string(v.GetStringBytes("kind")); kind {
	case "SystemPromptEvent":
		g.systemPrompt(v)
	case "MessageEvent":
		words := text(v.Get("llm_message", "content"))
		if string(v.GetStringBytes("source")) == "agent" {
			t.words = strings.TrimSpace(words)
		} else {
			t.user = strings.TrimSpace(words)
		}
	case "ActionEvent":
		g.action(&t, v, at, when)
	case "ObservationEvent":
		t.results = []turnResult{v1Observation(v, when)}
	case "UserRejectObservation":
		by := firstText(v, "rejection_source")
		if by == "" {
			by = "user"
		}
		reason := str(v, "rejection_reason")
		t.results = []turnResult{{id: str(v, "tool_call_id"), out: reason, fault: reason, blockedBy: by, end: when}}
	case "AgentErrorEvent":
		t.results = []turnResult{{id: str(v, "tool_call_id"), out: str(v, "error"), fault: str(v, "error"), end: when}}
	case "HookExecutionEvent":
		if v.GetBool("blocked") {
			g.blocked[str(v, "action_id")] = "hook"
		}
	case "Condensation", "CondensationRequest", "CondensationSummaryEvent", "ConversationStateUpdateEvent", "PauseEvent",
		"InterruptEvent", "ConversationErrorEvent", "LLMCompletionLogEvent", "TokenEvent", "SecurityAnalysisEvent",
		"StreamingDeltaEvent", "ACPToolCallEvent":
	default:
		g.rd.skip(at, fmt.Sprintf("an OpenHands event of the unknown kind %q", clip(kind, 60)))
	}
	g.s.turns = append(g.s.turns, t)
}

func (g *openhandsV1) systemPrompt(v *fastjson.Value) {
	for _, t := range v.GetArray("tools") {
		if name := firstText(t, "name", "title"); name != "" {
			g.tools = append(g.tools, name)
		} else if name := string(t.GetStringBytes("function", "name")); name != "" {
			g.tools = append(g.tools, name)
		}
	}
}

// action reads a call. Finishing and thinking are words, not calls.
func (g *openhandsV1) action(t *turn, v *fastjson.Value, at place, when int64) {
	name := str(v, "tool_name")
	t.group = str(v, "llm_response_id")
	t.words = join(strings.TrimSpace(str(v, "reasoning_content")), strings.TrimSpace(text(v.Get("thought"))))
	switch name {
	case "finish":
		t.words = join(t.words, strings.TrimSpace(string(v.GetStringBytes("action", "message"))))
		return
	case "think":
		t.words = join(t.words, strings.TrimSpace(string(v.GetStringBytes("action", "thought"))))
		return
	}
	call := corpora.Step{
		CallID: str(v, "tool_call_id"), Tool: name, Args: g.rd.v1Args(v), Line: at.line, Index: at.index, Start: when,
	}
	if a := v.Get("action"); a == nil || a.Type() == fastjson.TypeNull {
		call.Status, call.BlockedBy = corpora.StatusBlocked, "argument check"
	}
	t.calls = []corpora.Step{call}
}

// v1Args is the arguments as the model wrote them, without what the SDK asks
// it to add for display and risk.
func (rd *reader) v1Args(v *fastjson.Value) string {
	raw := firstOf(v.Get("tool_call"), "arguments")
	if raw == nil {
		raw = v.Get("tool_call", "function", "arguments")
	}
	noise := []string{"security_risk", "summary"}
	if raw == nil || raw.Type() == fastjson.TypeNull {
		raw, noise = v.Get("action"), append(noise, "kind")
	}
	if raw != nil && raw.Type() == fastjson.TypeString {
		s := string(raw.GetStringBytes())
		if len(s) > maxNested {
			return rd.args1("input", s)
		}
		parsed, err := rd.nested.Parse(s)
		if err != nil {
			return rd.argsString(s)
		}
		raw = parsed
	}
	if o := raw.GetObject(); o != nil {
		for _, k := range noise {
			o.Del(k)
		}
	}
	return rd.argsText(raw)
}

func v1Observation(v *fastjson.Value, when int64) turnResult {
	o := v.Get("observation")
	r := turnResult{id: str(v, "tool_call_id"), out: text(o.Get("content")), end: when}
	if r.out == "" {
		r.out = firstText(o, "output", "error")
	}
	if o.GetBool("is_error") || isSet(o, "error") && len(o.GetStringBytes("error")) > 0 {
		r.fault = r.out
	}
	for _, c := range []*fastjson.Value{o.Get("metadata", "exit_code"), o.Get("exit_code")} {
		if c != nil && c.Type() == fastjson.TypeNumber && c.GetInt() >= 0 && !r.hasExit {
			r.exit, r.hasExit = c.GetInt(), true
		}
	}
	r.cwd = string(o.GetStringBytes("metadata", "working_dir"))
	if d, ok := v1Delta(o); ok && r.fault == "" {
		r.deltas = []corpora.Delta{d}
	}
	return r
}

// v1Delta is the change that a file editor's observation shows.
func v1Delta(o *fastjson.Value) (corpora.Delta, bool) {
	path := str(o, "path")
	if path == "" || !isSet(o, "new_content") || string(o.GetStringBytes("command")) == "view" {
		return corpora.Delta{}, false
	}
	before, after := str(o, "old_content"), str(o, "new_content")
	if before == after {
		return corpora.Delta{}, false
	}
	d := corpora.Delta{Kind: corpora.DeltaFileModify, Resource: path, Size: changedBetween(before, after), Observed: true}
	if exists, set := boolAt(o, "prev_exist"); set && !exists && before == "" {
		d.Kind = corpora.DeltaFileCreate
	}
	return d, true
}

// changedBetween counts the lines removed and added between two contents: all
// lines between the first and the last that differ.
func changedBetween(before, after string) int {
	a, b := splitLines(before), splitLines(after)
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return len(a) + len(b)
}

func splitLines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

func (g *openhandsV1) flush() {
	g.applyBlocks()
	g.rd.emitSession(&g.s)
	g.s.turns = nil
}

// applyBlocks marks the calls that a hook stopped.
func (g *openhandsV1) applyBlocks() {
	for i := range g.s.turns {
		t := &g.s.turns[i]
		if by, ok := g.blocked[t.id]; ok {
			for j := range t.calls {
				t.calls[j].Status, t.calls[j].BlockedBy = corpora.StatusBlocked, by
			}
		}
	}
}
