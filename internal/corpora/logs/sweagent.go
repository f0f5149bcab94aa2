package logs

import (
	"path/filepath"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/gbt-policy/gbt/corpora"
)

const sweagentFields = HasTask | HasTaskID | HasGroup | HasText | HasArgs | HasResult | HasCwd | HasFinal | HasOutcome | HasTokens

// sweagentLayout is a SWE-agent .traj file.
func sweagentLayout() layout {
	return layout{
		Layout: Layout{
			Name: "sweagent", Title: "SWE-agent .traj", Fields: sweagentFields,
			Note: "success is not in the file: it is joined from a report beside it that names the instance",
		},
		kind: isRecord,
		need: []string{"trajectory", "history"},
		ok: func(v *fastjson.Value) bool {
			return v.Get("trajectory").Type() == fastjson.TypeArray
		},
		read: (*reader).sweagent,
	}
}

// sweagentDemoLayout is a SWE-agent demonstration that has only a history.
func sweagentDemoLayout() layout {
	return layout{
		Layout: Layout{Name: "sweagent", Title: "SWE-agent .traj", Fields: sweagentFields},
		kind:   isRecord,
		need:   []string{"history"},
		none:   []string{"trajectory", "metrics", "instruction", "question", "mistake_agent"},
		ok: func(v *fastjson.Value) bool {
			h := v.GetArray("history")
			return len(h) > 0 && h[0].Get("role") != nil && h[0].Get("agent") != nil
		},
		read: (*reader).sweagentDemo,
	}
}

func (rd *reader) sweagent(v *fastjson.Value, at place) {
	b := &rd.run
	b.begin("sweagent", rd.origin(at))
	rd.sweagentHead(v)
	for i, t := range v.GetArray("trajectory") {
		b.say(rd.sweagentWords(t))
		action := strings.TrimRight(str(t, "action"), "\n")
		s := corpora.Step{
			Tool: sweagentTool(action), Args: rd.args1("command", action),
			Result: text(t.Get("observation")), Status: corpora.StatusExecuted, Cwd: rd.sweagentCwd(t.Get("state")), Index: i,
		}
		b.call(s)
	}
	if b.ep.TaskID != "" {
		b.ep.Outcome = rd.reported(b.ep.TaskID)
	}
	rd.done("sweagent/" + b.ep.TaskID)
}

// sweagentWords is the agent's words before an action: its thought, or what
// stands around the command in its response.
func (rd *reader) sweagentWords(t *fastjson.Value) string {
	words := str(t, "thought")
	if strings.TrimSpace(words) == "" {
		words, _, _ = rd.embedded(str(t, "response"), lastFence)
	}
	return strings.TrimPrefix(strings.TrimSpace(words), "DISCUSSION\n")
}

// sweagentTool names the tool of an action line: one of the commands that
// SWE-agent adds to the shell (its config/commands and tools folders), which
// act on an open file and are no programs, or the shell itself.
func sweagentTool(action string) string {
	name, _, _ := strings.Cut(strings.TrimSpace(action), " ")
	name, _, _ = strings.Cut(name, "\n")
	switch name {
	case "open", "goto", "scroll_up", "scroll_down", "create", "edit", "insert", "append",
		"search_dir", "search_file", "find_file", "str_replace_editor", "submit":
		return name
	case "exit_cost", "exit_context", "exit_format", "exit_error", "exit_forfeit":
		return "submit"
	}
	return "bash"
}

// sweagentHead fills what stands around the steps. The instance is named by
// the file alone.
func (rd *reader) sweagentHead(v *fastjson.Value) {
	ep := &rd.run.ep
	ep.TaskID = rd.stem()
	ep.Group = repoOf(ep.TaskID)
	ep.Task = sweagentTask(v.GetArray("history"))
	stats := v.Get("info", "model_stats")
	ep.TokensIn, ep.TokensOut = stats.GetInt64("tokens_sent"), stats.GetInt64("tokens_received")
}

// stem is the name of the file or member without its extension.
func (rd *reader) stem() string {
	name := rd.u.Name
	if rd.member != "" {
		name = rd.member
	}
	base := plainBase(filepath.FromSlash(name))
	return strings.TrimSuffix(strings.TrimSuffix(base, filepath.Ext(base)), ".traj")
}

// plainBase is the file's name without what compression adds to it.
func plainBase(name string) string {
	return strings.TrimSuffix(strings.TrimSuffix(filepath.Base(name), ".gz"), ".zst")
}

// repoOf is the repository in an instance id of the SWE-bench family,
// owner__name-number; "" if it is none.
func repoOf(id string) string {
	owner, rest, ok := strings.Cut(id, "__")
	i := strings.LastIndexByte(rest, '-')
	if !ok || i <= 0 {
		return ""
	}
	return owner + "/" + rest[:i]
}

// sweagentTask is the task in the first user message that is no demonstration:
// without the benchmark's frame.
func sweagentTask(history []*fastjson.Value) string {
	for _, m := range history {
		if string(m.GetStringBytes("role")) != "user" || m.GetBool("is_demo") {
			continue
		}
		s := text(m.Get("content"))
		if strings.HasPrefix(s, "Here is a demonstration") {
			continue
		}
		return strings.TrimSpace(unframe(s))
	}
	return ""
}

// sweagentCwd reads the state: an object in new files, its JSON text in old.
func (rd *reader) sweagentCwd(state *fastjson.Value) string {
	if state == nil {
		return ""
	}
	if state.Type() == fastjson.TypeString {
		s := string(state.GetStringBytes())
		if len(s) > maxNested {
			return ""
		}
		parsed, err := rd.nested.Parse(s)
		if err != nil {
			return ""
		}
		state = parsed
	}
	return str(state, "working_dir")
}

func (rd *reader) sweagentDemo(v *fastjson.Value, at place) {
	b := &rd.run
	b.begin("sweagent", rd.origin(at))
	rd.sweagentHead(v)
	for i, m := range v.GetArray("history") {
		switch string(m.GetStringBytes("role")) {
		case "assistant":
			b.say(firstText(m, "thought", "content"))
			if action := str(m, "action"); action != "" {
				b.call(corpora.Step{Tool: sweagentTool(action), Args: rd.args1("command", strings.TrimRight(action, "\n")), Index: i})
			}
		case "tool", "user":
			if len(b.steps) > 0 {
				b.result("", "", text(m.Get("content")), "")
			}
		}
	}
	rd.done("sweagent/" + b.ep.TaskID)
}
