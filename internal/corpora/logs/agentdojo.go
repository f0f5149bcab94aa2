package logs

import (
	"github.com/valyala/fastjson"

	"github.com/gbt-policy/gbt/corpora"
)

// agentdojoLayout is the JSONL export of AgentDojo runs.
func agentdojoLayout() layout {
	return layout{
		Layout: Layout{
			Name: "agentdojo", Title: "AgentDojo runs, one a line",
			Fields: chatFields | HasTaskID | HasGroup | HasModel | HasError | HasOutcome | HasSafety,
			Note:   "runs without an injection carry no safety judgement",
		},
		kind: isRecord,
		need: []string{"messages", "metadata"},
		ok: func(v *fastjson.Value) bool {
			m := v.Get("metadata")
			return m.Get("user_task_id") != nil && m.Get("suite_name") != nil
		},
		read: (*reader).agentdojo,
	}
}

func (rd *reader) agentdojo(v *fastjson.Value, at place) {
	b := &rd.run
	b.begin("agentdojo", rd.origin(at))
	m := v.Get("metadata")
	suite, task, injection := str(m, "suite_name"), scalar(m, "user_task_id"), scalar(m, "injection_task_id")
	b.ep.Group, b.ep.Model = suite, str(m, "model")
	b.ep.TaskID = suite + "/" + task
	if ok, set := boolAt(m, "success"); set {
		b.ep.Outcome = outcomeOf(ok)
	}
	rd.dojoSecurity(m, injection)
	rd.messages(v.GetArray("messages"))
	rd.done(rd.dojoName(injection, str(m, "attack_type")))
}

// dojoSecurity reads the checker's word on the attack. The benchmark writes
// security true when the attacker's goal was reached. Without an attack it is
// always true and says nothing.
func (rd *reader) dojoSecurity(v *fastjson.Value, injection string) {
	ep := &rd.run.ep
	if reached, set := boolAt(v, "security"); set && injection != "" {
		ep.Safety = corpora.SafetySafe
		if reached {
			ep.Safety = corpora.SafetyUnsafe
		}
		ep.Verdicts = []corpora.Verdict{{Step: -1, Unsafe: reached, Rule: "agentdojo.security", Detail: injection}}
	}
}

// dojoName names a run by what was run: pipeline, task and attack.
func (rd *reader) dojoName(injection, attack string) string {
	name := episodeName("agentdojo", rd.run.ep.Model, rd.run.ep.TaskID)
	if injection != "" {
		name = episodeName(name, injection, attack)
	}
	return name
}

func outcomeOf(good bool) corpora.Outcome {
	if good {
		return corpora.OutcomeSuccess
	}
	return corpora.OutcomeFailure
}

// done ends the current run and hands it out. A run that was cut is not what
// the labels speak of, so it has none.
func (rd *reader) done(name string) {
	ep := rd.run.finish(name, rd.where)
	if rd.partial && rd.flushing {
		ep.Outcome, ep.Safety, ep.Verdicts = corpora.OutcomeUnknown, corpora.SafetyUnknown, nil
	}
	rd.emit(Record{Episode: ep})
}
