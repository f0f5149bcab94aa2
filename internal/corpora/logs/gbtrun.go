package logs

import (
	"github.com/valyala/fastjson"

	"github.com/gbt-policy/gbt/corpora"
)

// gbtRunLayout is a line of gbt serve --runs and gbt mcp --runs: one operation of
// docs/openapi.yaml on one session, with what is kept of its request and answer.
// Sessions run side by side, so their lines mix.
func gbtRunLayout() layout {
	return layout{
		Layout: Layout{
			Name: "gbt-run", Title: "sessions of gbt serve and gbt mcp (--runs)",
			Fields: HasTask | HasTaskID | HasTools | HasText | HasArgs | HasResult | HasError | HasBlocked | HasCwd | HasOutcome,
			Note:   "outcome only where completion checks were reported",
		},
		kind:   isPart,
		need:   []string{"gbt_run", "session", "op"},
		gather: func(rd *reader) gatherer { return &gbtRuns{rd: rd, of: map[string]*gbtRun{}} },
	}
}

// gbtRunVersion is the version of the lines that this program reads and writes.
const gbtRunVersion = 1

// gbtRuns gathers the sessions of one file.
type gbtRuns struct {
	rd    *reader
	of    map[string]*gbtRun
	order []string
}

// gbtRun is one session.
type gbtRun struct {
	at     place
	task   string
	cwd    string
	tools  []string
	parts  []gbtPart
	checks map[string]bool // completion checks, as they were reported last
	done   bool            // by completion checks
}

// gbtPart is what the agent said, a call that was asked about, or one that a result
// was told of.
type gbtPart struct {
	words    string
	step     corpora.Step
	decision string // of a call that was asked about
	told     bool
}

func (g *gbtRuns) add(v *fastjson.Value, at place) {
	if n := v.GetInt("gbt_run"); n != gbtRunVersion {
		g.rd.problem(at, CodeUnknownLayout, "a line of gbt's own runs of another version than this program reads: use the gbt that wrote it, or a newer one")
		return
	}
	id, op := str(v, "session"), str(v, "op")
	if id == "" {
		g.rd.problem(at, CodeUnknownLayout, "a line of gbt's own runs without its session")
		return
	}
	r := g.of[id]
	if r == nil || op == "startSession" && len(r.parts) > 0 {
		if r != nil { // a server without memory gave the id again
			g.emit(id, r)
		} else {
			g.order = append(g.order, id)
		}
		r = &gbtRun{at: at, checks: map[string]bool{}}
		g.of[id] = r
	}
	if !r.take(g.rd, op, v, at) {
		g.rd.skip(at, "a line of gbt's own runs with an operation that tells of no call")
	}
}

// take adds one line. It reports whether the operation is known.
func (r *gbtRun) take(rd *reader, op string, v *fastjson.Value, at place) bool {
	in, out := v.Get("request"), v.Get("answer")
	switch op {
	case "startSession":
		r.task, r.cwd = str(in.Get("task"), "text"), str(in.Get("env"), "cwd")
		for _, t := range in.GetArray("env", "tools") {
			r.tools = append(r.tools, string(t.GetStringBytes()))
		}
	case "propose":
		r.parts = append(r.parts, gbtPart{words: str(in, "text")})
	case "check":
		r.parts = append(r.parts, gbtPart{step: r.call(rd, in, at), decision: str(out, "disposition")})
	case "observe":
		p := gbtPart{step: r.call(rd, in, at), told: true}
		p.step.Status, p.step.Result, p.step.Error = corpora.StatusExecuted, str(in.Get("result"), "output"), str(in.Get("result"), "error")
		if in.GetBool("result", "blocked") {
			p.step.Status, p.step.BlockedBy = corpora.StatusBlocked, "host"
		}
		if v.GetBool("declined") {
			p.step.BlockedBy = "user"
		}
		r.parts = append(r.parts, p)
	case "report":
		r.checks[str(in, "id")] = in.GetBool("passed")
	case "finish":
		r.done = out.GetBool("done") && str(out, "basis") == "checks"
	default:
		return false
	}
	return true
}

func (r *gbtRun) call(rd *reader, in *fastjson.Value, at place) corpora.Step {
	c := in.Get("call")
	cwd := str(c.Get("env"), "cwd")
	if cwd == "" {
		cwd = r.cwd
	}
	return corpora.Step{Tool: str(c, "tool"), Args: rd.argsText(c.Get("args")), Cwd: cwd, Line: at.line, Index: at.index}
}

func (g *gbtRuns) flush() {
	for _, id := range g.order {
		g.emit(id, g.of[id])
	}
	g.order, g.of = nil, map[string]*gbtRun{}
}

// emit hands out a session as an episode.
func (g *gbtRuns) emit(id string, r *gbtRun) {
	b := &g.rd.run
	b.begin("gbt-run", g.rd.origin(r.at))
	b.user(r.task)
	b.ep.Tools, b.ep.Outcome = r.tools, r.outcome()
	var asked []int // steps whose decision is known and whose result is not
	decision := map[int]string{}
	for i := range r.parts {
		switch p := &r.parts[i]; {
		case p.words != "":
			b.say(p.words)
		case p.step.Tool == "":
		default:
			asked = b.gbtCall(p, asked, decision)
		}
	}
	for _, i := range asked { // nobody told what came of them
		if d := decision[i]; d != "" && d != approved {
			b.steps[i].Status, b.steps[i].BlockedBy = corpora.StatusBlocked, "gbt"
		}
	}
	g.rd.done(episodeName("gbt-run", id))
}

// approved and confirmable are two dispositions of package gates.
const approved, confirmable = "approved", "approved_with_constraints"

// gbtCall adds a call, or joins it to the one that it is about: a result to the call
// that was asked about first, a second question to the one that needed somebody's
// consent.
func (b *runBuilder) gbtCall(p *gbtPart, asked []int, decision map[int]string) []int {
	for k, i := range asked {
		s := &b.steps[i]
		if s.Tool != p.step.Tool || s.Args != p.step.Args || !p.told && decision[i] != confirmable {
			continue
		}
		if !p.told {
			decision[i] = p.decision
			return asked
		}
		s.Status, s.BlockedBy, s.Result, s.Error = p.step.Status, p.step.BlockedBy, p.step.Result, p.step.Error
		if s.BlockedBy == "host" && decision[i] != approved {
			s.BlockedBy = "gbt"
		}
		return append(asked[:k:k], asked[k+1:]...)
	}
	b.call(p.step)
	i := len(b.steps) - 1
	if p.told {
		return asked
	}
	decision[i] = p.decision
	return append(asked, i)
}

// outcome is what completion checks say, which the host ran: a claim to be done is
// no judgement.
func (r *gbtRun) outcome() corpora.Outcome {
	if r.done {
		return corpora.OutcomeSuccess
	}
	for _, passed := range r.checks {
		if !passed {
			return corpora.OutcomeFailure
		}
	}
	return corpora.OutcomeUnknown
}

// decisionLayouts are the logs of decisions, which hold no run.
func decisionLayouts() []layout {
	return []layout{
		{kind: isSkip, need: []string{"decision_id", "disposition", "policy", "line", "input"}, reason: decisionsOnly},
		{kind: isSkip, need: []string{"observed", "policy", "line", "session"}, reason: decisionsOnly},
		{kind: isSkip, need: []string{"decision_id", "disposition", "host", "event", "us"}, reason: "decisions of a hook, without the calls: give the sessions that the host keeps"},
	}
}

const decisionsOnly = "decisions without results or tasks: gbt serve and gbt mcp keep whole runs with --runs"
