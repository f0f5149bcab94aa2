package logs

import (
	"strings"

	"github.com/valyala/fastjson"

	"github.com/gbt-policy/gbt/corpora"
)

// atifLayout is a trajectory in the Agent Trajectory Interchange Format.
func atifLayout() layout {
	return layout{
		Layout: Layout{
			Name: "atif", Title: "ATIF trajectories (Harbor)",
			Fields: chatFields | HasTaskID | HasModel | HasTools | HasTimes | HasTokens | HasParent | HasOutcome,
			Note:   "outcome is joined from result.json of the trial above the file; a reward of 1 is a success, anything less a failure",
		},
		kind: isRecord,
		need: []string{"schema_version", "steps", "agent"},
		ok:   func(v *fastjson.Value) bool { return strings.HasPrefix(str(v, "schema_version"), "ATIF-") },
		read: func(rd *reader, v *fastjson.Value, at place) { rd.atif(v, at, "") },
	}
}

func (rd *reader) atif(v *fastjson.Value, at place, parent string) {
	b := &rd.run
	b.begin("atif", rd.origin(at))
	b.ep.Version = strings.TrimPrefix(str(v, "schema_version"), "ATIF-v")
	b.ep.Agent, b.ep.Model = string(v.GetStringBytes("agent", "name")), string(v.GetStringBytes("agent", "model_name"))
	b.ep.Parent = parent
	rd.tools(v.Get("agent", "tool_definitions"))
	for i, s := range v.GetArray("steps") {
		if !s.GetBool("is_copied_context") {
			rd.atifStep(s, place{line: at.line, index: i})
		}
	}
	m := v.Get("final_metrics")
	b.ep.TokensIn, b.ep.TokensOut = m.GetInt64("total_prompt_tokens"), m.GetInt64("total_completion_tokens")
	if parent == "" {
		rd.harborResult()
	}
	id := firstText(v, "trajectory_id", "session_id")
	if id != "" {
		b.ep.ID = "atif/" + id
	}
	rd.done("atif/" + rd.stem())
	for _, sub := range v.GetArray("subagent_trajectories") {
		rd.atif(sub, at, "atif/"+id)
	}
}

func (rd *reader) atifStep(s *fastjson.Value, at place) {
	b := &rd.run
	words := text(s.Get("message"))
	switch string(s.GetStringBytes("source")) {
	case "user":
		b.user(words)
		return
	case "agent":
	default:
		return
	}
	b.say(str(s, "reasoning_content"))
	b.say(words)
	m := s.Get("metrics")
	for i, c := range s.GetArray("tool_calls") {
		step := corpora.Step{
			CallID: str(c, "tool_call_id"), Tool: str(c, "function_name"), Args: rd.argsText(c.Get("arguments")),
			Line: at.line, Index: at.index, Start: unixNano(str(s, "timestamp")),
		}
		if i == 0 {
			step.TokensIn, step.TokensOut = m.GetInt64("prompt_tokens"), m.GetInt64("completion_tokens")
		}
		b.call(step)
	}
	for _, r := range s.GetArray("observation", "results") {
		b.result(str(r, "source_call_id"), "", text(r.Get("content")), "")
	}
}

// harborResult joins the result of the trial whose agent directory the
// trajectory lies in.
func (rd *reader) harborResult() {
	if rd.near.none() {
		return
	}
	ep := &rd.run.ep
	for _, rel := range []string{"../result.json", "result.json"} {
		v, err := rd.nested.ParseBytes(rd.near.read(rel))
		if err != nil || v.Get("trial_name") == nil || v.Get("task_name") == nil {
			continue
		}
		ep.TaskID = str(v, "task_name")
		if reward, ok := finite(v.Get("verifier_result", "rewards", "reward")); ok {
			ep.Outcome = outcomeOf(reward >= 1)
		}
		return
	}
}
