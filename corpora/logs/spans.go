package logs

import (
	"cmp"
	"slices"
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

// flush makes a run of every trace.
func (g *spanTraces) flush() {
	byRun := map[string][]int{}
	var runs []string
	sessions := map[string]string{}
	for i := range g.spans {
		if s := &g.spans[i]; s.session != "" && sessions[s.trace] == "" {
			sessions[s.trace] = s.session
		}
	}
	for i := range g.spans {
		key := firstOfStrings(sessions[g.spans[i].trace], g.spans[i].trace)
		if byRun[key] == nil {
			runs = append(runs, key)
		}
		byRun[key] = append(byRun[key], i)
	}
	for _, key := range runs {
		g.run(key, byRun[key])
	}
	g.spans = nil
}

// run replays the spans of one run in the order of their start.
func (g *spanTraces) run(id string, spans []int) {
	slices.SortStableFunc(spans, func(a, b int) int {
		return cmp.Or(cmp.Compare(g.spans[a].start, g.spans[b].start), cmp.Compare(g.spans[a].order, g.spans[b].order))
	})
	first := &g.spans[spans[0]]
	b := &g.rd.run
	b.begin(first.format, g.rd.partsOrigin(first.place))
	known, tools, args := false, 0, 0
	for _, i := range spans {
		s := &g.spans[i]
		known = known || s.kind != otherSpan
		if s.kind == toolSpan {
			tools++
			if s.hasArgs {
				args++
			}
		}
		g.replay(s)
	}
	if !known {
		g.rd.skip(first.place, "a trace without GenAI spans")
		return
	}
	if tools > 0 && args == 0 && !slices.ContainsFunc(b.steps, func(s corpora.Step) bool { return s.Args != "{}" }) {
		g.rd.problem(first.place, CodeNoArguments,
			"no call of this trace has its arguments, which instrumentations leave out by default: it cannot feed gates; switch content capture on")
	}
	b.ep.ID = first.format + "/" + id
	g.rd.done(b.ep.ID)
}

func (g *spanTraces) replay(s *span) {
	b := &g.rd.run
	switch s.kind {
	case rootSpan:
		for _, m := range s.input {
			if m.role == "user" && b.ep.Task == "" {
				b.user(m.text)
			}
		}
	case modelSpan:
		if s.model != "" {
			b.ep.Model = s.model
		}
		b.ep.TokensIn += s.in
		b.ep.TokensOut += s.out
		g.heard(s.input)
		g.spoken(s)
	case toolSpan:
		g.toolRun(s)
	}
}

// heard reads a model's input for what is new in it: the task, and results
// that no tool span has given.
func (g *spanTraces) heard(input []spanMessage) {
	b := &g.rd.run
	for _, m := range input {
		if m.role == "user" && b.ep.Task == "" {
			b.user(m.text)
		}
		for i := range m.results {
			if r := &m.results[i]; r.id != "" {
				b.turnResult(r)
			}
		}
	}
}

func (g *spanTraces) spoken(s *span) {
	b := &g.rd.run
	n := 0
	for _, m := range s.output {
		b.say(m.text)
		for _, c := range m.calls {
			c.Line, c.Start = s.place.line, s.end
			if n == 0 {
				c.TokensIn, c.TokensOut = s.in, s.out
			}
			n++
			b.call(c)
		}
	}
}

// toolRun gives the run of a tool to the call that asked for it; a trace
// without messages has the run alone.
func (g *spanTraces) toolRun(s *span) {
	b := &g.rd.run
	var asked *corpora.Step
	for i := range b.steps {
		c := &b.steps[i]
		if b.open[i] && (s.call.CallID != "" && c.CallID == s.call.CallID || s.call.CallID == "" && c.Tool == s.call.Tool) {
			asked = b.close(i)
			break
		}
	}
	if asked == nil {
		b.call(s.call)
		b.close(len(b.steps) - 1)
		return
	}
	asked.Result, asked.Error, asked.Status = s.call.Result, s.call.Error, corpora.StatusExecuted
	asked.Start, asked.End = s.call.Start, s.call.End
	if asked.Args == "{}" && s.hasArgs {
		asked.Args = s.call.Args
	}
}
