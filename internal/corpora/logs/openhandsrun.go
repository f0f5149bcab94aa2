package logs

import (
	"strings"

	"github.com/valyala/fastjson"

	"github.com/gbt-policy/gbt/corpora"
)

// openhandsRun turns V0 events into steps. Observations name the action they
// answer by its id; older logs, which have no ids, alternate.
type openhandsRun struct {
	rd          *reader
	instruction string
	began       bool
	response    string  // the answer of the model that the last call came from
	ids         []int64 // ids[i] is the event id of step i, -1 if none
}

// entry reads one element of a history: an event, or the pair of an action and
// its observation that the oldest logs hold.
func (r *openhandsRun) entry(e *fastjson.Value, at place) {
	if e.Type() == fastjson.TypeArray {
		pair, _ := e.Array()
		for _, x := range pair {
			r.event(x, at)
		}
		return
	}
	r.event(e, at)
}

func (r *openhandsRun) event(v *fastjson.Value, at place) {
	if a := v.GetStringBytes("action"); len(a) > 0 {
		r.action(string(a), v, at)
	} else if o := v.GetStringBytes("observation"); len(o) > 0 {
		r.observation(string(o), v)
	}
}

// action reads an event of the agent or the user. The oldest logs have no
// args: everything stands in the event itself, and the source is missing, so
// their first message is the user's.
func (r *openhandsRun) action(name string, v *fastjson.Value, at place) {
	b := &r.rd.run
	args, source := v.Get("args"), string(v.GetStringBytes("source"))
	if args == nil {
		args = v
		if source == "" {
			source = "agent"
			if name == "message" && !r.began {
				source = "user"
			}
		}
	}
	r.began = true
	if source == "user" && name == "message" {
		r.heard(str(args, "content"))
	}
	if source != "agent" {
		return
	}
	switch name {
	case "message":
		b.say(str(args, "content"))
	case "think":
		b.say(str(args, "thought"))
	case "finish", "reject":
		b.say(firstText(args, "final_thought", "thought"))
		if m := strings.TrimSpace(str(v, "message")); b.words == "" {
			b.say(m)
		}
	case "null", "recall", "change_agent_state", "system", "condensation", "condensation_request", "push", "send_pr":
	default:
		r.step(name, v, args, at)
	}
}

func firstText(v *fastjson.Value, names ...string) string {
	for _, n := range names {
		if s := str(v, n); strings.TrimSpace(s) != "" {
			return s
		}
	}
	return ""
}

// heard adds a user turn. The first one often wraps the task in instructions
// of the benchmark; then the task is known already and nothing is new.
func (r *openhandsRun) heard(s string) {
	b := &r.rd.run
	if len(b.steps) == 0 && b.ep.Task != "" && (strings.TrimSpace(s) == r.instruction || strings.Contains(s, b.ep.Task)) {
		return
	}
	b.user(s)
}

func (r *openhandsRun) step(name string, v, args *fastjson.Value, at place) {
	b := &r.rd.run
	b.say(str(args, "thought"))
	meta := v.Get("tool_call_metadata")
	s := corpora.Step{
		Tool: name, Args: r.rd.openhandsArgs(name, args), CallID: str(meta, "tool_call_id"),
		Line: at.line, Index: at.index, Start: unixNano(str(v, "timestamp")),
	}
	if m := meta.Get("model_response"); m != nil {
		if b.ep.Model == "" {
			b.ep.Model = str(m, "model")
		}
		// Calls of one response repeat its tokens: the first has them.
		if id := str(m, "id"); id == "" || id != r.response {
			r.response = id
			s.TokensIn, s.TokensOut = m.GetInt64("usage", "prompt_tokens"), m.GetInt64("usage", "completion_tokens")
		}
	}
	for _, k := range []string{"confirmation_state", "is_confirmed"} {
		if string(args.GetStringBytes(k)) == "rejected" {
			s.Status, s.BlockedBy = corpora.StatusBlocked, "user"
		}
	}
	b.call(s)
	id := int64(-1)
	if v.Get("id") != nil {
		id = v.GetInt64("id")
	}
	r.ids = append(r.ids, id)
}

// openhandsArgs keeps what the agent chose and drops what the runtime adds.
func (rd *reader) openhandsArgs(name string, args *fastjson.Value) string {
	o := args.GetObject()
	if o == nil {
		return "{}"
	}
	b := append(rd.buf[:0], '{')
	o.Visit(func(k []byte, v *fastjson.Value) {
		if openhandsNoise(name, string(k), v) {
			return
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(appendString(b, k), ':')
		b = appendJSON(b, v)
	})
	rd.buf = append(b, '}')
	return string(rd.buf)
}

// openhandsNoise says whether an argument was filled in by the runtime or is a
// default that no one chose.
func openhandsNoise(action, key string, v *fastjson.Value) bool {
	switch key {
	case "thought", "blocking", "hidden", "confirmation_state", "is_confirmed", "impl_source", "kernel_init_code",
		"include_extra", "security_risk", "action_risk", "keep_prompt", "is_static", "return_axtree", "cwd",
		"translated_ipython_code", "action", "source", "id", "timestamp", "message", "outputs":
		return true
	case "start":
		return action == "edit" || v.GetInt() == 0
	case "end":
		return action == "edit" || v.GetInt() == -1
	case "content":
		return action == "edit" && len(v.GetStringBytes()) == 0
	}
	return v.Type() == fastjson.TypeNull || v.Type() == fastjson.TypeFalse
}

func (r *openhandsRun) observation(kind string, v *fastjson.Value) {
	switch kind {
	case "recall", "null", "agent_state_changed", "system", "condense":
		return
	}
	s := r.target(v)
	if s == nil {
		return
	}
	content, extras := str(v, "content"), v.Get("extras")
	s.End = unixNano(str(v, "timestamp"))
	switch {
	case kind == "user_rejected":
		s.Status, s.BlockedBy, s.Error = corpora.StatusBlocked, "user", content
		return
	case kind == "error" && strings.HasPrefix(content, "The action has not been executed"):
		s.Status, s.BlockedBy, s.Error = corpora.StatusBlocked, "runtime", content
		return
	}
	s.Status, s.Result = corpora.StatusExecuted, content
	if kind == "error" || strings.HasPrefix(content, "ERROR:") {
		s.Error = content
	}
	r.process(s, v, extras)
	if kind == "edit" && s.Error == "" {
		editDelta(s, extras)
	}
}

// target is the step that an observation answers.
func (r *openhandsRun) target(v *fastjson.Value) *corpora.Step {
	b := &r.rd.run
	if v.Get("cause") == nil {
		for i := range b.steps {
			if b.open[i] {
				return b.close(i)
			}
		}
		return nil
	}
	cause := v.GetInt64("cause")
	for i := len(r.ids) - 1; i >= 0; i-- {
		if r.ids[i] == cause {
			return b.close(i)
		}
	}
	return nil
}

// process adds the exit code and the working directory of a command.
func (r *openhandsRun) process(s *corpora.Step, v, extras *fastjson.Value) {
	code := extras.Get("metadata", "exit_code")
	if code == nil {
		code = extras.Get("exit_code")
	}
	if code == nil {
		code = v.Get("exit_code")
	}
	if code != nil && code.Type() == fastjson.TypeNumber {
		s.ExitCode, s.HasExit = code.GetInt(), code.GetInt() >= 0 // -1: still running
	}
	s.Cwd = string(extras.GetStringBytes("metadata", "working_dir"))
	if ok, set := boolAt(v, "success"); set && !ok && s.Error == "" && !s.HasExit {
		s.Error = s.Result
	}
}
