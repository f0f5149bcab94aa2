package logs

import (
	"fmt"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/gbt-policy/gbt/corpora"
)

// langchain is what the layouts of LangChain and LangGraph have in common. One
// collector takes them all: a dump may hold messages, lists of them and states
// side by side.
func langchain(need []string, ok func(*fastjson.Value) bool) layout {
	return layout{
		Layout: Layout{
			Name: "langchain", Title: "LangChain messages, LangGraph states and checkpoints",
			Fields: chatFields | HasModel | HasError | HasBlocked | HasTokens | HasParent,
			Note:   "messages as messages_to_dict, dumpd or model_dump write them, alone or in the messages channel of a state; the states of a thread are one run, and what a fork left behind is a run of its own",
		},
		kind: isPart, need: need, none: []string{"role", "payload", "uuid", "sessionId"}, ok: ok,
		gather: func(rd *reader) gatherer { return &langchainRuns{rd: rd, threads: map[string]*thread{}} },
	}
}

// langchainMessageLayout is one message: an element of a list, or a line.
func langchainMessageLayout() layout {
	return langchain([]string{"type"}, func(v *fastjson.Value) bool {
		kind, m := langchainMessage(v)
		return kind != "" && (m != v || m.Get("additional_kwargs") != nil || kind == "human" || kind == "ai")
	})
}

// langchainRecordLayout is a record with a list of messages: what a graph gives
// back.
func langchainRecordLayout() layout {
	return langchain([]string{"messages"}, isMessageState)
}

// isMessageState says whether v is a state whose messages are LangChain's.
func isMessageState(v *fastjson.Value) bool {
	list := v.GetArray("messages")
	if len(list) == 0 {
		return false
	}
	kind, _ := langchainMessage(list[0])
	return kind != "" && list[0].Get("role") == nil || isRepr(list[0]) || isUnserialised(list[0])
}

// isRepr says whether v is what Python prints for a message, which
// json.dumps(…, default=str) leaves of one.
func isRepr(v *fastjson.Value) bool {
	return strings.HasPrefix(string(v.GetStringBytes()), "content=")
}

// isUnserialised says whether v stands for an object that LangChain could not
// write (langchain_core.load.serializable, to_json_not_implemented).
func isUnserialised(v *fastjson.Value) bool {
	return v.Get("lc") != nil && string(v.GetStringBytes("type")) == "not_implemented"
}

// langchainMessage is the kind of a message and the object that holds its
// fields; no kind if v is none. The forms are {"type","data"} of
// messages_to_dict, the constructors {"lc","type","id","kwargs"} of dumpd, and
// the fields themselves.
func langchainMessage(v *fastjson.Value) (kind string, m *fastjson.Value) {
	name, m := string(v.GetStringBytes("type")), v
	switch path := v.GetArray("id"); {
	case v.Get("lc") != nil && v.Get("kwargs") != nil && len(path) > 0:
		name, m = string(path[len(path)-1].GetStringBytes()), v.Get("kwargs")
	case v.Get("data", "content") != nil:
		m = v.Get("data")
	case name == "":
		name = string(v.GetStringBytes("role"))
	}
	kind = strings.ToLower(strings.TrimSuffix(strings.TrimSuffix(name, "Chunk"), "Message"))
	switch {
	case kind == "remove": // a state's order to forget a message
		return kind, m
	case m.Get("content") == nil:
		return "", nil
	case kind == "chat":
		return speaker(str(m, "role")), m
	case v.Get("type") == nil:
		return speaker(kind), m
	case kind == "human" || kind == "ai" || kind == "tool" || kind == "function" || kind == "system":
		return speaker(kind), m
	}
	return "", nil
}

// speaker is LangChain's word for who speaks in a role.
func speaker(role string) string {
	switch role {
	case "human", "user":
		return "human"
	case "ai", "assistant":
		return "ai"
	case "tool", "function":
		return "tool"
	case "system", "developer":
		return "system"
	}
	return ""
}

// langchainTurn reads one message.
func (rd *reader) langchainTurn(kind string, m *fastjson.Value, at place) turn {
	t := turn{id: str(m, "id"), line: at.line}
	content := m.Get("content")
	switch kind {
	case "human":
		t.user = text(content)
		t.results = partResults(content)
	case "ai":
		head := m.Get("response_metadata")
		t.model = firstText(head, "model_name", "model", "model_id")
		t.words = join(thinkingText(content), strings.TrimSpace(text(content)))
		t.calls = rd.langchainCalls(m, content, at)
		t.results = partResults(content)
		t.tokensIn, t.tokensOut = m.GetInt64("usage_metadata", "input_tokens"), m.GetInt64("usage_metadata", "output_tokens")
	case "tool":
		r := turnResult{id: str(m, "tool_call_id"), tool: str(m, "name"), out: text(content)}
		if str(m, "status") == "error" {
			r.fault = r.out
		}
		t.results = []turnResult{r}
	}
	return t
}

// langchainCalls is the calls of an answer: its list, which older programs kept
// in OpenAI's form among the other arguments, its blocks, and the calls that
// LangChain could not read and so never ran.
func (rd *reader) langchainCalls(m, content *fastjson.Value, at place) []corpora.Step {
	list := m.Get("tool_calls")
	if len(list.GetArray()) == 0 {
		list = m.Get("additional_kwargs", "tool_calls")
	}
	bad := m.GetArray("invalid_tool_calls")
	var out []corpora.Step
	for _, s := range rd.partCalls(content, list, at) {
		if len(bad) == 0 || !isListed(m.Get("invalid_tool_calls"), s.CallID) {
			out = append(out, s)
		}
	}
	for _, c := range list.GetArray() {
		out = append(out, rd.callStep(c, at))
	}
	if f := m.Get("additional_kwargs", "function_call"); f != nil && len(out) == 0 {
		out = append(out, rd.callStep(f, at))
	}
	for _, c := range bad {
		s := rd.callStep(c, at)
		s.Status, s.BlockedBy, s.Error = corpora.StatusBlocked, "argument check", str(c, "error")
		out = append(out, s)
	}
	return out
}

// unreadMessage says why message i of a list was not read.
func (rd *reader) unreadMessage(v *fastjson.Value, at place, i int) {
	const next = "dump messages with langchain_core.messages.messages_to_dict or langchain_core.load.dumpd"
	switch {
	case isRepr(v):
		rd.problem(at, CodeBadRecord, fmt.Sprintf("from message %d on the messages are the text that Python prints for them, which does not tell their calls: %s", i, next))
	case isUnserialised(v):
		rd.problem(at, CodeBadRecord, fmt.Sprintf("from message %d on there are messages that the program which dumped them could not write: %s", i, next))
	default:
		rd.skip(at, fmt.Sprintf("a LangChain message of the unknown type %q", clip(string(v.GetStringBytes("type")), 60)))
	}
}
