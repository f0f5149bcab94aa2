package logs

import (
	"strconv"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/gbt-policy/gbt/corpora"
)

// whowhenLayout is a Who&When record: a failed conversation of several agents
// with the step that failed it.
func whowhenLayout() layout {
	return layout{
		Layout: Layout{
			Name: "whowhen", Title: "Who&When conversations",
			Fields: HasTask | HasTaskID | HasGroup | HasText | HasArgs | HasOutcome,
			Note:   "every message is a step; all runs failed, and a verdict with rule whowhen.mistake marks the deciding step (it is not a safety judgement)",
		},
		kind: isRecord,
		need: []string{"history", "mistake_agent", "mistake_step"},
		read: (*reader).whowhen,
	}
}

// MistakeRule is the rule of the verdict by which a log tells at which step a run
// failed. It judges no safety.
const MistakeRule = "whowhen.mistake"

func (rd *reader) whowhen(v *fastjson.Value, at place) {
	b := &rd.run
	b.begin("whowhen", rd.origin(at))
	b.ep.Task, b.ep.TaskID, b.ep.Group = str(v, "question"), str(v, "question_ID"), "level-"+scalar(v, "level")
	b.ep.Outcome = corpora.OutcomeFailure
	for _, k := range []string{"is_correct", "is_corrected"} {
		if good, set := boolAt(v, k); set && good {
			b.ep.Outcome = corpora.OutcomeSuccess
		}
	}
	for i, m := range v.GetArray("history") {
		actor := str(m, "name")
		if actor == "" {
			actor = str(m, "role")
		}
		words := text(m.Get("content"))
		b.call(corpora.Step{
			Tool: "message", Actor: actor, Args: rd.args1("content", words), Text: words, Status: corpora.StatusExecuted, Index: i,
		})
	}
	// The step is no violation: Unsafe stays false.
	if n, err := strconv.Atoi(strings.TrimSpace(scalar(v, "mistake_step"))); err == nil && n >= 0 && n < len(b.steps) {
		b.ep.Verdicts = []corpora.Verdict{{
			Step: n, Rule: MistakeRule, Detail: join(str(v, "mistake_agent"), str(v, "mistake_reason")),
		}}
	}
	rd.done("whowhen/" + b.ep.TaskID)
}
