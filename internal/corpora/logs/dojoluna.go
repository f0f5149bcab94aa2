package logs

import (
	"github.com/valyala/fastjson"

	"github.com/gbt-policy/gbt/corpora"
)

// dojoLunaLayout is a run of the dojo-luna benchmark.
func dojoLunaLayout() layout {
	return layout{
		Layout: Layout{
			Name: "dojo-luna", Title: "dojo-luna runs",
			Fields: chatFields | HasTaskID | HasGroup | HasModel | HasTools | HasError | HasOutcome | HasSafety,
			Note:   "here security true means safe, the opposite of AgentDojo's export",
		},
		kind: isRecord,
		need: []string{"messages", "evaluation"},
		ok: func(v *fastjson.Value) bool {
			_, security := boolAt(v.Get("evaluation"), "security")
			return security || v.Get("user_prompt") != nil
		},
		read: (*reader).dojoLuna,
	}
}

func (rd *reader) dojoLuna(v *fastjson.Value, at place) {
	b := &rd.run
	b.begin("dojo-luna", rd.origin(at))
	b.ep.Group, b.ep.Model = firstScalar(v, "domain", "suite_name"), str(v, "pipeline_name")
	b.ep.TaskID = b.ep.Group + "/" + firstScalar(v, "task_id", "user_task_id")
	rd.tools(v.Get("available_tools"))
	e := v.Get("evaluation")
	if good, set := boolAt(e, "utility"); set {
		b.ep.Outcome = outcomeOf(good)
	}
	if safe, set := boolAt(e, "security"); set {
		b.ep.Safety = corpora.SafetyUnsafe
		if safe {
			b.ep.Safety = corpora.SafetySafe
		}
		b.ep.Verdicts = []corpora.Verdict{{Step: -1, Unsafe: !safe, Rule: "dojo-luna.security", Detail: str(e, "outcome")}}
	}
	b.user(str(v, "user_prompt"))
	rd.messages(v.GetArray("messages"))
	if b.ep.ID = str(v, "run_id"); b.ep.ID != "" {
		b.ep.ID = "dojo-luna/" + b.ep.ID
	}
	rd.done("dojo-luna/" + b.ep.TaskID)
}
