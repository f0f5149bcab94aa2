package logs

import (
	"strings"

	"github.com/valyala/fastjson"

	"github.com/gbt-policy/gbt/corpora"
)

// rjudgeLayout is a record of R-Judge, AgentHarm judgements or ASSEBench.
func rjudgeLayout() layout {
	return layout{
		Layout: Layout{
			Name: "r-judge", Title: "R-Judge and ASSEBench records",
			Fields: HasTask | HasTaskID | HasGroup | HasText | HasHeard | HasArgs | HasResult | HasFinal | HasSafety,
			Note:   "actions are free text; what cannot be read as a call keeps its words as the argument \"input\"",
		},
		kind: isRecord,
		need: []string{"contents", "label"},
		ok:   func(v *fastjson.Value) bool { return v.Get("contents").Type() == fastjson.TypeArray },
		read: (*reader).rjudge,
	}
}

func (rd *reader) rjudge(v *fastjson.Value, at place) {
	b := &rd.run
	b.begin("r-judge", rd.origin(at))
	b.ep.Group = firstScalar(v, "application_scenario", "scenario")
	n := 0
	for _, session := range v.GetArray("contents") {
		for _, turn := range session.GetArray() {
			rd.rjudgeTurn(turn, n)
			n++
		}
	}
	b.ep.TaskID = "r-judge/" + scalar(v, "id") + "-" + hash(b.ep.Task)
	rd.rjudgeLabel(v, at)
	rd.done(b.ep.TaskID)
}

// rjudgeLabel reads the judgement: 0 is safe and 1 unsafe. Any other label is
// a problem and leaves the safety unknown; null says that nobody judged.
func (rd *reader) rjudgeLabel(v *fastjson.Value, at place) {
	l := v.Get("label")
	points, ok := gradeOf(l)
	switch {
	case ok && (points == 0 || points == 1):
	case l.Type() == fastjson.TypeNull:
		return
	default:
		rd.problem(at, CodeBadRecord, "the label is "+clip(l.String(), 40)+", neither 0 (safe) nor 1 (unsafe); the safety stays unknown")
		return
	}
	ep := &rd.run.ep
	ep.Safety = corpora.SafetySafe
	if points == 1 {
		ep.Safety = corpora.SafetyUnsafe
	}
	ep.Verdicts = []corpora.Verdict{{Step: -1, Unsafe: points == 1, Rule: "r-judge.label", Detail: str(v, "risk_description")}}
}

func (rd *reader) rjudgeTurn(t *fastjson.Value, i int) {
	b := &rd.run
	switch string(t.GetStringBytes("role")) {
	case "user":
		b.user(str(t, "content"))
	case "environment":
		b.result("", "", str(t, "content"), "")
	case "agent":
		b.say(firstText(t, "thought", "content"))
		if action := str(t, "action"); strings.TrimSpace(action) != "" {
			s := rd.freeAction(action)
			s.Index = i
			b.call(s)
		}
	}
}

// freeAction reads an action written as text: TOOL{…}, TOOL: {…}, TOOL(…),
// TOOL with "Action Input:" below it, a tool's name alone, or "Final Answer:".
// Anything else is words to the user.
func (rd *reader) freeAction(action string) corpora.Step {
	s := strings.TrimSpace(action)
	if rest, ok := strings.CutPrefix(s, "Final Answer:"); ok {
		return corpora.Step{Tool: "Final Answer", Args: rd.args1("input", strings.TrimSpace(rest))}
	}
	if tool, input, ok := strings.Cut(s, "Action Input:"); ok {
		if tool = strings.TrimSpace(tool); tool != "" && len(tool) <= 80 && !strings.ContainsAny(tool, "\n{(") {
			return corpora.Step{Tool: tool, Args: rd.looseArgs(input)}
		}
	}
	name := toolName(s)
	rest := strings.TrimSpace(strings.TrimPrefix(s[len(name):], ":"))
	switch {
	case name == "":
	case rest == "":
		return corpora.Step{Tool: name}
	case rest[0] == '{' && rest[len(rest)-1] == '}':
		return corpora.Step{Tool: name, Args: rd.looseArgs(rest)}
	case s[len(name)] == '(' && rest[len(rest)-1] == ')':
		return corpora.Step{Tool: name, Args: rd.looseArgs(rest[1 : len(rest)-1])}
	}
	return corpora.Step{Tool: "message", Args: rd.args1("input", s)}
}

// toolName is the identifier that s begins with; "" if there is none or it is
// too long to be a tool's.
func toolName(s string) string {
	n := 0
	for n < len(s) && (s[n] == '_' || s[n]|0x20 >= 'a' && s[n]|0x20 <= 'z' || n > 0 && (s[n] >= '0' && s[n] <= '9' || s[n] == '.' || s[n] == '-')) {
		n++
	}
	if n > 80 {
		return ""
	}
	return s[:n]
}

// looseArgs reads arguments that are JSON, or else a Python dictionary.
func (rd *reader) looseArgs(s string) string {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "{") && len(s) <= maxNested {
		if v, err := rd.nested.Parse(s); err == nil {
			rd.buf = appendJSON(rd.buf[:0], v)
			return string(rd.buf)
		}
		if b, ok := appendPython(rd.buf[:0], s); ok {
			rd.buf = b
			return string(b)
		}
	}
	return rd.argsString(s)
}
