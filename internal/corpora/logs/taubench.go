package logs

import (
	"strings"

	"github.com/valyala/fastjson"
)

// taubenchLayout is a result file of tau-bench.
func taubenchLayout() layout {
	return layout{
		Layout: Layout{
			Name: "tau-bench", Title: "tau-bench results",
			Fields: chatFields | HasTaskID | HasGroup | HasOutcome,
			Note:   "the task text is the simulated user's first message: the agent never sees the instruction behind it",
		},
		kind: isRecord,
		need: []string{"traj", "reward", "task_id"},
		read: (*reader).taubench,
	}
}

func (rd *reader) taubench(v *fastjson.Value, at place) {
	b := &rd.run
	b.begin("tau-bench", rd.origin(at))
	list := v.GetArray("traj")
	b.ep.Group = rd.tauDomain(list)
	b.ep.TaskID = b.ep.Group + "/" + scalar(v, "task_id")
	if reward, ok := finite(v.Get("reward")); ok {
		b.ep.Outcome = outcomeOf(reward == 1)
	}
	rd.messages(list)
	if b.ep.Task == "" {
		b.ep.Task = string(v.GetStringBytes("info", "task", "instruction"))
	}
	rd.done("tau-bench/" + b.ep.TaskID + "/trial-" + scalar(v, "trial"))
}

// tauDomain is the domain of a run: the first word of the policy that heads
// the conversation ("# Airline Agent Policy"), else the last word of the
// file's name.
func (rd *reader) tauDomain(list []*fastjson.Value) string {
	if len(list) > 0 && string(list[0].GetStringBytes("role")) == "system" {
		line, _, _ := strings.Cut(string(list[0].GetStringBytes("content")), "\n")
		words := strings.Fields(strings.ToLower(line))
		if len(words) >= 3 && words[0] == "#" && words[2] == "agent" {
			return words[1]
		}
	}
	base := rd.stem()
	return strings.ToLower(base[strings.LastIndexAny(base, "-_")+1:])
}
