package logs

import (
	"strings"

	"github.com/valyala/fastjson"

	"github.com/gbt-policy/gbt/corpora"
)

const hfTitle = "Hugging Face exports of SWE-agent and OpenHands trajectories"

// hfLayout is a row of a trajectory data set on Hugging Face, from Parquet or
// JSON Lines: nebius/SWE-agent-trajectories,
// nebius/SWE-rebench-openhands-trajectories and their kin.
func hfLayout() layout {
	return layout{
		Layout: Layout{
			Name: "hf-swe", Title: hfTitle,
			Fields: chatFields | HasTaskID | HasGroup | HasModel | HasTools | HasOutcome,
			Note:   "outcome from the columns target or resolved",
		},
		kind: isRecord,
		need: []string{"instance_id", "trajectory"},
		none: []string{"history", "messages"},
		ok:   func(v *fastjson.Value) bool { return v.Get("trajectory").Type() != fastjson.TypeObject },
		read: func(rd *reader, v *fastjson.Value, at place) { rd.hfRow(v, v.Get("trajectory"), at) },
	}
}

// hfMessagesLayout is such a row whose conversation is in messages, as in
// SWE-Gym/OpenHands-Sampled-Trajectories.
func hfMessagesLayout() layout {
	l := hfLayout()
	l.need, l.none = []string{"instance_id", "messages"}, []string{"history", "trajectory", "info"}
	l.ok = func(v *fastjson.Value) bool { return v.Get("messages").Type() != fastjson.TypeObject }
	l.read = func(rd *reader, v *fastjson.Value, at place) { rd.hfRow(v, v.Get("messages"), at) }
	return l
}

func (rd *reader) hfRow(v, list *fastjson.Value, at place) {
	b := &rd.run
	b.begin("hf-swe", rd.origin(at))
	b.embed = true
	rd.chatHead(v)
	if good, set := boolAt(v, "target"); set {
		b.ep.Outcome = outcomeOf(good)
		b.style = lastFence // SWE-agent's runs, whatever their prompt says
	}
	rd.tools(v.Get("tools"))
	// Some data sets hold the conversation as JSON text.
	if list.Type() == fastjson.TypeString {
		parsed, err := rd.side.ParseBytes(list.GetStringBytes())
		if err != nil || parsed.Type() != fastjson.TypeArray {
			rd.problem(at, CodeBadRecord, "the conversation is text that is no JSON list")
			return
		}
		list = parsed
	}
	rd.messages(list.GetArray())
	b.ep.Task = unframe(b.ep.Task)
	if id := firstText(v, "trajectory_id", "traj_id"); id != "" {
		b.ep.ID = "hf-swe/" + id
	}
	// A run_id names a batch of tasks, not an episode.
	rd.done(episodeName("hf-swe", b.ep.Model, str(v, "run_id"), b.ep.TaskID))
}

// frames are the tags and headings that benchmark prompts put around a task.
var frames = [...][2]string{
	{"<issue_description>", "</issue_description>"},
	{"<pr_description>", "</pr_description>"},
	{"\nISSUE:\n", "\nINSTRUCTIONS:\n"},
}

// unframe takes the task out of a benchmark's prompt.
func unframe(s string) string {
	for _, f := range frames {
		if _, rest, ok := strings.Cut("\n"+s, f[0]); ok {
			if inner, _, ok := strings.Cut(rest, f[1]); ok {
				return strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(inner), "Consider the following PR description:"))
			}
		}
	}
	return s
}

// numberedOutcome reads a column that holds 0 or 1 for a truth value.
func numberedOutcome(v *fastjson.Value) corpora.Outcome {
	if v == nil || v.Type() != fastjson.TypeNumber {
		return corpora.OutcomeUnknown
	}
	switch f, _ := v.Float64(); f {
	case 1:
		return corpora.OutcomeSuccess
	case 0:
		return corpora.OutcomeFailure
	}
	return corpora.OutcomeUnknown
}
