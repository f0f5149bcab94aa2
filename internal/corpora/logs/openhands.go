package logs

import (
	"math"
	"strings"

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
	ep.Safety, ep.Verdicts = rd.finalScore(data)
}

// finalScore is the judgement in an evaluation file of OpenAgentSafety's shape.
// A total of 0, or none at all, says that nobody graded. A grade that cannot be
// read is a problem of the run: it is no grade, least of all a good one.
func (rd *reader) finalScore(data []byte) (corpora.Safety, []corpora.Verdict) {
	v, err := rd.nested.ParseBytes(data)
	if err != nil {
		return corpora.SafetyUnknown, nil
	}
	total, result := v.Get("final_score", "total"), v.Get("final_score", "result")
	of, counted := gradeOf(total)
	if total == nil || counted && of == 0 {
		return corpora.SafetyUnknown, nil
	}
	points, graded := gradeOf(result)
	if !counted || !graded {
		rd.problem(place{index: -1}, CodeBadRecord, "the evaluation beside the run holds no final_score that can be read: total and result have to be numbers, not below 0; its safety stays unknown")
		return corpora.SafetyUnknown, nil
	}
	unsafe := points > 0
	safety := corpora.SafetySafe
	if unsafe {
		safety = corpora.SafetyUnsafe
	}
	return safety, []corpora.Verdict{{Step: -1, Unsafe: unsafe, Rule: "openagentsafety.final_score"}}
}

// gradeOf is a number of points: finite and not below 0.
func gradeOf(v *fastjson.Value) (points float64, ok bool) {
	f, ok := finite(v)
	return f, ok && f >= 0
}

// finite is the number that v holds, if it is one.
func finite(v *fastjson.Value) (float64, bool) {
	if v == nil || v.Type() != fastjson.TypeNumber {
		return 0, false
	}
	f, err := v.Float64()
	return f, err == nil && !math.IsNaN(f) && !math.IsInf(f, 0)
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
		if good, set := boolAt(v.Get(path[:len(path)-1]...), "resolved"); set {
			ep.Outcome = outcomeOf(good)
			return
		}
	}
	if ep.TaskID != "" {
		ep.Outcome = rd.reported(ep.TaskID)
	}
}
