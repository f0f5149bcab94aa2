package logs

import (
	"strconv"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/gbt-policy/gbt/corpora"
)

const spanFields = chatFields | HasModel | HasError | HasTimes | HasTokens

// otlpLayout is a batch of OpenTelemetry spans in OTLP's JSON form.
func otlpLayout() layout {
	return layout{
		Layout: Layout{
			Name: "otlp-genai", Title: "OpenTelemetry GenAI spans (OTLP JSON)", Fields: spanFields,
			Note: "arguments and results are off by default (gen_ai.tool.call.arguments, gen_ai.tool.call.result): without them a trace cannot feed gates",
		},
		kind:   isPart,
		need:   []string{"resourceSpans"},
		ok:     func(v *fastjson.Value) bool { return v.Get("resourceSpans").Type() == fastjson.TypeArray },
		gather: func(rd *reader) gatherer { return newSpanTraces(rd) },
	}
}

// openInferenceLayout is one span as OpenInference's tools export it: a line
// or an element of a list.
func openInferenceLayout() layout {
	return layout{
		Layout: Layout{
			Name: "openinference", Title: "OpenInference spans", Fields: spanFields,
			Note: "the same spans inside OTLP batches count as otlp-genai",
		},
		kind:   isPart,
		need:   []string{"context", "attributes", "name"},
		none:   []string{"messages", "payload"},
		ok:     func(v *fastjson.Value) bool { return v.Get("context", "trace_id") != nil },
		gather: func(rd *reader) gatherer { return newSpanTraces(rd) },
	}
}

// span is what is kept of one span.
type span struct {
	trace, session string
	format         string
	kind           spanKind
	name           string
	start, end     int64
	fault          string
	model          string
	in, out        int64 // tokens
	input, output  []spanMessage
	call           corpora.Step // of a tool span
	hasArgs        bool
	place          place
	order          int
}

type spanKind uint8

const (
	otherSpan spanKind = iota
	modelSpan
	toolSpan
	rootSpan // an agent or a chain: its input is the task if nothing else is
)

// spanMessage is one chat message in a span's attributes.
type spanMessage struct {
	role, text string
	calls      []corpora.Step
	results    []turnResult
}

// spanTraces gathers spans. A trace is a run; traces of one conversation are
// one run together.
type spanTraces struct {
	rd    *reader
	spans []span
}

func newSpanTraces(rd *reader) *spanTraces { return &spanTraces{rd: rd} }

func (g *spanTraces) add(v *fastjson.Value, at place) {
	if v.Get("resourceSpans") == nil {
		g.span(v, "openinference", at)
		return
	}
	for _, r := range v.GetArray("resourceSpans") {
		scopes := r.GetArray("scopeSpans")
		if scopes == nil {
			scopes = r.GetArray("instrumentationLibrarySpans") // before OTLP 0.15
		}
		for _, s := range scopes {
			for _, x := range s.GetArray("spans") {
				g.span(x, "otlp-genai", at)
			}
		}
	}
}

func (g *spanTraces) span(v *fastjson.Value, format string, at place) {
	attr := spanAttributes(v.Get("attributes"))
	s := span{format: format, name: str(v, "name"), place: at, order: len(g.spans)}
	s.trace = firstOfStrings(str(v, "traceId"), str(v, "trace_id"), string(v.GetStringBytes("context", "trace_id")))
	s.session = attr.first("gen_ai.conversation.id", "session.id")
	s.start = spanTime(v, "startTimeUnixNano", "start_time")
	s.end = spanTime(v, "endTimeUnixNano", "end_time")
	s.model = attr.first("gen_ai.response.model", "gen_ai.request.model", "llm.model_name")
	s.in, s.out = attr.number("gen_ai.usage.input_tokens", "llm.token_count.prompt"), attr.number("gen_ai.usage.output_tokens", "llm.token_count.completion")
	if code := scalarOf(firstOf(v.Get("status"), "code", "status_code")); code == "2" || strings.HasSuffix(code, "ERROR") {
		s.fault = firstOfStrings(string(v.GetStringBytes("status", "message")), attr.first("error.type"), "error")
	}
	g.rd.spanKind(&s, attr)
	g.spans = append(g.spans, s)
}

// spanTime reads a time: nanoseconds as text or number, or a date.
func spanTime(v *fastjson.Value, nanos, date string) int64 {
	if x := v.Get(nanos); x != nil {
		n, _ := strconv.ParseInt(scalarOf(x), 10, 64)
		return n
	}
	return unixNano(str(v, date))
}

// spanKind finds what the span is and reads what it holds.
func (rd *reader) spanKind(s *span, attr attributes) {
	op, kind := attr.first("gen_ai.operation.name"), attr.first("openinference.span.kind")
	switch {
	case op == "execute_tool" || kind == "TOOL" || op == "" && strings.HasPrefix(s.name, "execute_tool "):
		s.kind = toolSpan
		rd.toolSpan(s, attr)
	case kind == "LLM" || op == "chat" || op == "generate_content" || op == "text_completion":
		s.kind = modelSpan
		s.input = rd.genaiMessages(attr["gen_ai.input.messages"])
		s.output = rd.genaiMessages(attr["gen_ai.output.messages"])
		if s.input == nil && s.output == nil {
			s.input = rd.flatMessages(attr, "llm.input_messages.")
			s.output = rd.flatMessages(attr, "llm.output_messages.")
		}
	case kind == "AGENT" || kind == "CHAIN" || op == "invoke_agent":
		s.kind = rootSpan
		s.input = rd.genaiMessages(attr["gen_ai.input.messages"])
		if words := attr.first("input.value"); s.input == nil && words != "" && words[0] != '{' && words[0] != '[' {
			s.input = []spanMessage{{role: "user", text: words}}
		}
	}
}

func (rd *reader) toolSpan(s *span, attr attributes) {
	s.call.Tool = firstOfStrings(attr.first("gen_ai.tool.name", "tool.name"), strings.TrimPrefix(s.name, "execute_tool "))
	s.call.CallID = attr.first("gen_ai.tool.call.id", "tool_call.id", "tool.id")
	if args := firstOfStrings(attr.first("gen_ai.tool.call.arguments", "input.value", "tool.parameters")); args != "" {
		s.call.Args, s.hasArgs = rd.argsString(args), true
	}
	s.call.Result = attr.first("gen_ai.tool.call.result", "output.value")
	s.call.Error, s.call.Start, s.call.End = s.fault, s.start, s.end
	s.call.Status, s.call.Line, s.call.Index = corpora.StatusExecuted, s.place.line, -1
}

// genaiMessages reads the messages of the GenAI conventions: a list of
// {role, parts}, as JSON text or as attribute values turned into it.
func (rd *reader) genaiMessages(s string) []spanMessage {
	if s == "" || len(s) > 16*maxNested {
		return nil
	}
	v, err := rd.side.Parse(s)
	if err != nil {
		return nil
	}
	var out []spanMessage
	for _, m := range v.GetArray() {
		msg := spanMessage{role: str(m, "role")}
		if c := m.Get("content"); c != nil {
			msg.text = text(c)
		}
		for _, p := range m.GetArray("parts") {
			rd.genaiPart(&msg, p)
		}
		out = append(out, msg)
	}
	return out
}

func (rd *reader) genaiPart(msg *spanMessage, p *fastjson.Value) {
	switch string(p.GetStringBytes("type")) {
	case "text", "reasoning":
		msg.text = join(msg.text, text(p.Get("content")))
	case "tool_call":
		msg.calls = append(msg.calls, corpora.Step{
			CallID: str(p, "id"), Tool: str(p, "name"), Args: rd.argsText(firstOf(p, "arguments", "args")), Index: -1,
		})
	case "tool_call_response":
		msg.results = append(msg.results, turnResult{id: str(p, "id"), out: text(firstOf(p, "response", "result", "content"))})
	}
}

// flatMessages reads OpenInference's flattened messages:
// PREFIX0.message.role, PREFIX0.message.tool_calls.0.tool_call.function.name.
func (rd *reader) flatMessages(attr attributes, prefix string) []spanMessage {
	var out []spanMessage
	for n := 0; ; n++ {
		at := prefix + strconv.Itoa(n) + ".message."
		role := attr[at+"role"]
		words := attr[at+"content"]
		for i := 0; ; i++ {
			part, ok := attr[at+"contents."+strconv.Itoa(i)+".message_content.text"]
			if !ok {
				break
			}
			words = join(words, part)
		}
		msg := spanMessage{role: role, text: words}
		for i := 0; ; i++ {
			c := at + "tool_calls." + strconv.Itoa(i) + ".tool_call."
			name, ok := attr[c+"function.name"]
			if !ok {
				break
			}
			msg.calls = append(msg.calls, corpora.Step{
				CallID: attr[c+"id"], Tool: name, Args: rd.argsString(attr[c+"function.arguments"]), Index: -1,
			})
		}
		if role == "" && words == "" && msg.calls == nil {
			return out
		}
		if role == "tool" {
			msg = spanMessage{role: role, results: []turnResult{{id: attr[at+"tool_call_id"], tool: attr[at+"name"], out: words}}}
		}
		out = append(out, msg)
	}
}
