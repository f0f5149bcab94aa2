package logs

import (
	"strings"
	"time"

	"github.com/valyala/fastjson"

	"github.com/gbt-policy/gbt/corpora"
)

const openhandsFields = chatFields | HasTaskID | HasGroup | HasModel | HasError | HasExit | HasBlocked | HasCwd |
	HasDeltas | HasTimes | HasTokens | HasOutcome | HasSafety

// openhandsEventLayout is a list of OpenHands V0 events: a trajectory file, or
// one event a line.
func openhandsEventLayout() layout {
	return layout{
		Layout: Layout{
			Name: "openhands-v0", Title: "OpenHands V0 events and output.jsonl", Fields: openhandsFields,
			Note: "outcome and safety come from report and evaluation files beside the log; edits are observed deltas",
		},
		kind: isPart,
		need: []string{"source", "message", "timestamp"},
		none: []string{"history", "messages", "uuid", "parentUuid", "payload", "step_id"},
		ok: func(v *fastjson.Value) bool {
			return v.Get("action") != nil && v.Get("args") != nil ||
				v.Get("observation") != nil && v.Get("extras") != nil
		},
		gather: func(rd *reader) gatherer { return &openhandsEvents{rd: rd} },
	}
}

// openhandsOutputLayout is a line of an evaluation's output.jsonl.
func openhandsOutputLayout() layout {
	return layout{
		Layout: Layout{Name: "openhands-v0", Title: "OpenHands V0 events and output.jsonl", Fields: openhandsFields},
		kind:   isRecord,
		need:   []string{"history", "metrics", "instruction"},
		read:   (*reader).openhandsOutput,
	}
}

// openhandsEvents gathers the events of one run.
type openhandsEvents struct {
	rd    *reader
	began bool
	state openhandsRun
}

func (g *openhandsEvents) add(v *fastjson.Value, at place) {
	if !g.began {
		g.began = true
		g.rd.run.begin("openhands-v0", g.rd.partsOrigin(at))
		g.state = openhandsRun{rd: g.rd}
	}
	g.state.event(v, at)
}

func (g *openhandsEvents) flush() {
	if !g.began {
		return
	}
	g.began = false
	rd := g.rd
	name := rd.stem()
	rd.run.ep.Task = unframe(rd.run.ep.Task)
	if task, ok := strings.CutPrefix(name, "traj_"); ok {
		rd.agentSafetyLabels(task)
	}
	rd.done("openhands-v0/" + name)
}

// partsOrigin is the origin of a run that is made of parts, the first of which
// is at the place given.
func (rd *reader) partsOrigin(at place) corpora.Origin {
	if rd.base != nil {
		return rd.origin(*rd.base)
	}
	return rd.origin(place{line: at.line, index: -1})
}

// agentSafetyLabels joins what stands beside an OpenAgentSafety trajectory:
// the task's text and the evaluation. A final result above 0 says that the
// UNSAFE behaviour happened; a total of 0 says that nobody graded. Safe does
// not mean done, so the outcome stays unknown.
func (rd *reader) agentSafetyLabels(task string) {
	ep := &rd.run.ep
	if !plainName(task) || rd.near.none() {
		return
	}
	data := rd.near.read("eval_" + task + ".json")
	words := rd.agentSafetyTask(task)
	if data == nil && words == "" {
		return
	}
	ep.TaskID, ep.Group = task, "openagentsafety"
	if words != "" {
		ep.Task = words
	}
	v, err := rd.nested.ParseBytes(data)
	if err != nil || v.GetInt("final_score", "total") == 0 {
		return
	}
	unsafe := v.GetFloat64("final_score", "result") > 0
	ep.Safety = corpora.SafetySafe
	if unsafe {
		ep.Safety = corpora.SafetyUnsafe
	}
	ep.Verdicts = []corpora.Verdict{{Step: -1, Unsafe: unsafe, Rule: "openagentsafety.final_score"}}
}

// agentSafetyTask finds the task's text, which the log only points at.
func (rd *reader) agentSafetyTask(task string) string {
	for up, dots := 0, ""; up < 5; up, dots = up+1, dots+"../" {
		rel := dots + "workspaces/tasks/" + task + "/task.md"
		text, _ := rd.in.side.get(rd.near.name(rel), func() any {
			return strings.TrimSpace(string(rd.near.read(rel)))
		}).(string)
		if text != "" {
			return text
		}
	}
	return ""
}

func (rd *reader) openhandsOutput(v *fastjson.Value, at place) {
	b := &rd.run
	b.begin("openhands-v0", rd.origin(at))
	b.ep.TaskID = str(v, "instance_id")
	b.ep.Group = repoOf(b.ep.TaskID)
	b.ep.Agent = string(v.GetStringBytes("metadata", "agent_class"))
	b.ep.Model = string(v.GetStringBytes("metadata", "llm_config", "model"))
	for _, path := range [][]string{{"instance", "problem_statement"}, {"issue", "body"}} {
		if s := string(v.GetStringBytes(path...)); s != "" && b.ep.Task == "" {
			b.ep.Task = s
		}
	}
	if title := string(v.GetStringBytes("issue", "title")); title != "" {
		b.ep.Task = join(title, b.ep.Task)
	}
	if repo := string(v.GetStringBytes("issue", "repo")); repo != "" && b.ep.Group == "" {
		b.ep.Group = string(v.GetStringBytes("issue", "owner")) + "/" + repo
		b.ep.TaskID = b.ep.Group + "#" + scalarOf(v.Get("issue", "number"))
	}
	if h := v.GetArray("history"); len(h) > 0 && h[0].Get("kind") != nil {
		rd.openhandsV1Output(v, h, at)
		return
	}
	run := openhandsRun{rd: rd, instruction: strings.TrimSpace(str(v, "instruction"))}
	for i, e := range v.GetArray("history") {
		run.entry(e, place{line: at.line, index: i})
	}
	if b.ep.Task == "" {
		b.ep.Task = run.instruction
	}
	b.ep.Task = unframe(b.ep.Task)
	rd.openhandsOutcome(v)
	rd.done(episodeName("openhands-v0", b.ep.Model, b.ep.TaskID))
}

// openhandsV1Output reads a line whose history holds V1 events. What stands
// around them, which the run begun already holds, is kept.
func (rd *reader) openhandsV1Output(v *fastjson.Value, history []*fastjson.Value, at place) {
	head := rd.run.ep
	if head.Task == "" {
		head.Task = strings.TrimSpace(str(v, "instruction"))
	}
	head.Format = "openhands-v1"
	head.Task = unframe(head.Task)
	rd.run.ep = head
	rd.openhandsOutcome(v)
	head.Outcome = rd.run.ep.Outcome
	g := newOpenhandsV1(rd)
	g.s.head, g.s.id = &head, episodeName(head.Model, head.TaskID)
	for i, e := range history {
		g.add(e, place{line: at.line, index: i})
	}
	g.s.turns[0].line = at.line
	g.flush()
}

// openhandsOutcome is what the evaluation harness found: in the record, or in
// a report beside the file.
func (rd *reader) openhandsOutcome(v *fastjson.Value) {
	ep := &rd.run.ep
	for _, path := range [][]string{{"report", "resolved"}, {"test_result", "report", "resolved"}} {
		if x := v.Get(path...); x != nil && x.Type() != fastjson.TypeNull {
			ep.Outcome = outcomeOf(x.Type() == fastjson.TypeTrue)
			return
		}
	}
	if ep.TaskID != "" {
		ep.Outcome = rd.reported(ep.TaskID)
	}
}

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

// editDelta is the change that an edit observation shows. prev_exist is false
// in many logs whatever is true, so a file counts as new only if there was no
// old content either.
func editDelta(s *corpora.Step, extras *fastjson.Value) {
	diff := extras.GetStringBytes("diff")
	if len(diff) == 0 && !isSet(extras, "new_content") {
		return
	}
	kind := corpora.DeltaFileModify
	if !extras.GetBool("prev_exist") && len(extras.GetStringBytes("old_content")) == 0 {
		kind = corpora.DeltaFileCreate
	}
	s.Deltas = []corpora.Delta{{Kind: kind, Resource: str(extras, "path"), Size: changedLines(diff), Observed: true}}
}

// changedLines counts the added and removed lines of a unified diff.
func changedLines(diff []byte) int {
	n, start := 0, true
	for i, c := range diff {
		if start && (c == '+' || c == '-') && !isDiffHeader(diff[i:]) {
			n++
		}
		start = c == '\n'
	}
	return n
}

func isDiffHeader(line []byte) bool {
	return len(line) > 3 && (string(line[:4]) == "+++ " || string(line[:4]) == "--- ")
}

// timeForms are the ways that logs write times, most frequent first. Times
// without a zone are taken as UTC.
var timeForms = [...]string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999-07:00", "2006-01-02 15:04:05.999999999"}

// unixNano parses a time; 0 if it is none.
func unixNano(s string) int64 {
	if len(s) < 19 || s[4] != '-' {
		return 0
	}
	for _, form := range timeForms {
		if t, err := time.Parse(form, s); err == nil {
			return t.UnixNano()
		}
	}
	return 0
}
