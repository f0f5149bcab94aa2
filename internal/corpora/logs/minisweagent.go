package logs

import (
	"strings"

	"github.com/valyala/fastjson"

	"github.com/gbt-policy/gbt/corpora"
)

const miniFields = HasTask | HasTaskID | HasGroup | HasModel | HasText | HasCallID | HasArgs | HasResult | HasExit | HasTimes | HasFinal |
	HasOutcome | HasTokens

// miniLayout is a mini-swe-agent .traj.json: an object with info and messages.
func miniLayout() layout {
	return layout{
		Layout: Layout{
			Name: "mini-swe-agent", Title: "mini-swe-agent .traj.json and message arrays", Fields: miniFields,
			Note: "outcome is joined from a report beside the log, or from terminal-bench results",
		},
		kind: isRecord,
		need: []string{"messages", "info"},
		ok: func(v *fastjson.Value) bool {
			return strings.HasPrefix(str(v, "trajectory_format"), "mini-swe-agent") ||
				v.Get("info", "mini_version") != nil || v.Get("info", "model_stats") != nil
		},
		read: (*reader).mini,
	}
}

func (rd *reader) mini(v *fastjson.Value, at place) {
	b := &rd.run
	b.begin("mini-swe-agent", rd.origin(at))
	b.embed = true
	b.ep.Version, b.ep.Agent = strings.TrimPrefix(str(v, "trajectory_format"), "mini-swe-agent-"), "mini-swe-agent"
	info := v.Get("info")
	b.ep.Model = string(info.GetStringBytes("config", "model", "model_name"))
	b.ep.TaskID = str(v, "instance_id")
	for i, m := range v.GetArray("messages") {
		rd.miniMessage(m, place{index: i})
	}
	rd.miniTask()
	if b.ep.TaskID == "" && repoOf(rd.stem()) != "" {
		b.ep.TaskID = rd.stem()
	}
	if b.ep.TaskID != "" {
		b.ep.Group = repoOf(b.ep.TaskID)
		b.ep.Outcome = rd.reported(b.ep.TaskID)
	}
	rd.done("mini-swe-agent/" + rd.stem())
}

// miniMessage adds a message. From format 1.1 on, what ran and what came back
// stands in extra, so the words need no parsing.
func (rd *reader) miniMessage(m *fastjson.Value, at place) {
	b := &rd.run
	extra := m.Get("extra")
	actions := extra.GetArray("actions")
	switch {
	case len(actions) > 0:
		rd.miniActions(m, actions, at)
	case extra.Get("returncode") != nil && len(b.steps) > 0:
		rd.miniResult(m, extra)
	default:
		rd.message(m, at)
	}
}

func (rd *reader) miniActions(m *fastjson.Value, actions []*fastjson.Value, at place) {
	b := &rd.run
	words := text(m.Get("content"))
	if rest, _, ok := rd.embedded(words, oneFence); ok {
		words = rest
	}
	b.say(words)
	usage := m.Get("extra", "response", "usage")
	for i, a := range actions {
		s := corpora.Step{
			Tool: "bash", Args: rd.args1("command", str(a, "command")), CallID: str(a, "tool_call_id"),
			Line: at.line, Index: at.index,
		}
		if i == 0 {
			s.TokensIn, s.TokensOut = usage.GetInt64("prompt_tokens"), usage.GetInt64("completion_tokens")
		}
		s.Start = miniTime(m)
		b.call(s)
	}
}

// miniTime is the time of a message, which mini-swe-agent writes in seconds.
func miniTime(m *fastjson.Value) int64 {
	return int64(m.GetFloat64("extra", "timestamp")*1e3) * 1e6
}

func (rd *reader) miniResult(m, extra *fastjson.Value) {
	out := str(extra, "raw_output")
	if out == "" {
		out = outputOf(text(m.Get("content")))
	}
	s := rd.run.result(str(m, "tool_call_id"), "", out, str(extra, "exception_info"))
	if s == nil {
		return
	}
	s.End = miniTime(m)
	if str(extra, "exception_info") == "action was not executed" {
		s.Status, s.BlockedBy = corpora.StatusBlocked, "runtime"
	} else if extra.Get("returncode").Type() == fastjson.TypeNumber {
		s.ExitCode, s.HasExit = extra.GetInt("returncode"), true
	}
}

// miniTask cuts the task out of the default prompt, which frames it.
func (rd *reader) miniTask() {
	ep := &rd.run.ep
	task := ep.Task
	if ep.Task = unframe(task); ep.Task != task {
		return
	}
	if rest, ok := strings.CutPrefix(task, "Please solve this issue:"); ok {
		rest, _, _ = strings.Cut(rest, "\n\nYou can execute bash commands and edit files")
		ep.Task = strings.TrimSpace(rest)
	}
}
