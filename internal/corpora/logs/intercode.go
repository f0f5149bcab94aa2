package logs

import (
	"path"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/gbt-policy/gbt/corpora"
)

const intercodeFields = HasTask | HasTaskID | HasGroup | HasText | HasArgs | HasResult | HasError | HasOutcome

// intercodeLayout is an entry of an InterCode result file.
func intercodeLayout() layout {
	return layout{
		Layout: Layout{
			Name: "intercode", Title: "InterCode results (bash, SQL, Python, CTF)", Fields: intercodeFields,
			Note: "success is a reward of exactly 1; the agent's words are there in ReAct files only",
		},
		kind: isRecord,
		need: []string{"environment", "query", "turn_history"},
		read: (*reader).intercode,
	}
}

// intercodeHumanLayout is an entry of the human study of InterCode.
func intercodeHumanLayout() layout {
	return layout{
		Layout: Layout{Name: "intercode", Title: "InterCode results", Fields: intercodeFields},
		kind:   isRecord,
		need:   []string{"environment", "query", "trajectory", "reward"},
		read:   (*reader).intercodeHuman,
	}
}

func (rd *reader) intercode(v *fastjson.Value, at place) {
	rd.intercodeHead(v, at, scalar(v, "task_id"))
	b := &rd.run
	if reward, ok := finite(v.Get("summary", "max_reward")); ok {
		b.ep.Outcome = outcomeOf(reward == 1)
	}
	h := v.Get("turn_history")
	actions, outs := h.GetArray("actions"), h.GetArray("observations")
	valid, thoughts := h.GetArray("valid_action"), h.GetArray("thoughts")
	for i, a := range actions {
		if i < len(thoughts) {
			b.say(text(thoughts[i]))
		}
		s := rd.intercodeCall(text(a), str(v, "environment"))
		s.Index = i
		p := b.call(s)
		if i < len(outs) {
			p.Result, p.Status = text(outs[i]), corpora.StatusExecuted
		}
		if i < len(valid) && valid[i].Type() == fastjson.TypeFalse {
			p.Error = p.Result // the environment calls it invalid
		}
	}
	rd.done("intercode/" + b.ep.TaskID)
}

func (rd *reader) intercodeHuman(v *fastjson.Value, at place) {
	rd.intercodeHead(v, at, scalar(v, "query_idx"))
	b := &rd.run
	b.ep.Agent = "human"
	if reward, ok := finite(v.Get("reward")); ok {
		b.ep.Outcome = outcomeOf(reward == 1)
	}
	for i, t := range v.GetArray("trajectory") {
		s := rd.intercodeCall(str(t, "action"), str(v, "environment"))
		s.Index, s.Result, s.Status = i, text(t.Get("observation")), corpora.StatusExecuted
		b.call(s)
	}
	rd.done("intercode/" + b.ep.TaskID)
}

// intercodeHead begins the run. Task ids repeat between the data sets of one
// environment, so the task is named by its id and a hash of the query.
func (rd *reader) intercodeHead(v *fastjson.Value, at place, id string) {
	b := &rd.run
	b.begin("intercode", rd.origin(at))
	env := str(v, "environment")
	b.ep.Task = str(v, "query")
	b.ep.TaskID = env + "/" + id + "-" + hash(b.ep.Task)
	b.ep.Group = env
	if data := str(v, "dataset"); data != "" {
		b.ep.Group += "/" + strings.TrimSuffix(path.Base(data), ".json")
	}
}

// intercodeCall is one action: a line for the environment's interpreter, bare
// or as execute[LINE]; or submit, bare, with an answer, or as submit[…].
func (rd *reader) intercodeCall(action, env string) corpora.Step {
	action = strings.TrimSpace(action)
	if word, rest, _ := strings.Cut(action, " "); word == "submit" {
		if rest = strings.TrimSpace(rest); rest == "" {
			return corpora.Step{Tool: "submit"}
		}
		return corpora.Step{Tool: "submit", Args: rd.args1("answer", rest)}
	}
	line := action
	if name, inner, ok := bracketed(action); ok {
		switch name {
		case "execute":
			line = inner
		case "submit":
			return corpora.Step{Tool: "submit", Args: rd.args1("answer", inner)}
		}
	}
	switch strings.TrimPrefix(env, "ic_") {
	case "sql":
		return corpora.Step{Tool: "sql", Args: rd.args1("query", line)}
	case "python":
		return corpora.Step{Tool: "python", Args: rd.args1("code", line)}
	}
	return corpora.Step{Tool: "bash", Args: rd.args1("command", line)}
}

// bracketed splits NAME[INNER].
func bracketed(s string) (name, inner string, ok bool) {
	name, inner, ok = strings.Cut(s, "[")
	if !ok || !strings.HasSuffix(inner, "]") || strings.ContainsAny(name, " \t\n") {
		return "", "", false
	}
	return name, strings.TrimSuffix(inner, "]"), true
}
