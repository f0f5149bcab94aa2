package logs

import (
	"cmp"
	"slices"

	"github.com/gbt-policy/gbt/corpora"
)

// flush makes a run of every trace.
func (g *spanTraces) flush() {
	byRun := map[string][]int{}
	var runs []string
	sessions := map[string]string{}
	for i := range g.spans {
		if s := &g.spans[i]; s.session != "" && sessions[s.trace] == "" {
			sessions[s.trace] = s.session
		}
	}
	for i := range g.spans {
		key := firstOfStrings(sessions[g.spans[i].trace], g.spans[i].trace)
		if byRun[key] == nil {
			runs = append(runs, key)
		}
		byRun[key] = append(byRun[key], i)
	}
	for _, key := range runs {
		g.run(key, byRun[key])
	}
	g.spans = nil
}

// run replays the spans of one run in the order of their start.
func (g *spanTraces) run(id string, spans []int) {
	slices.SortStableFunc(spans, func(a, b int) int {
		return cmp.Or(cmp.Compare(g.spans[a].start, g.spans[b].start), cmp.Compare(g.spans[a].order, g.spans[b].order))
	})
	first := &g.spans[spans[0]]
	b := &g.rd.run
	b.begin(first.format, g.rd.partsOrigin(first.place))
	known, tools, args := false, 0, 0
	for _, i := range spans {
		s := &g.spans[i]
		known = known || s.kind != otherSpan
		if s.kind == toolSpan {
			tools++
			if s.hasArgs {
				args++
			}
		}
		g.replay(s)
	}
	if !known {
		g.rd.skip(first.place, "a trace without GenAI spans")
		return
	}
	if tools > 0 && args == 0 && !slices.ContainsFunc(b.steps, func(s corpora.Step) bool { return s.Args != "{}" }) {
		g.rd.problem(first.place, CodeNoArguments,
			"no call of this trace has its arguments, which instrumentations leave out by default: it cannot feed gates; switch content capture on")
	}
	b.ep.ID = first.format + "/" + id
	g.rd.done(b.ep.ID)
}

func (g *spanTraces) replay(s *span) {
	b := &g.rd.run
	switch s.kind {
	case rootSpan:
		for _, m := range s.input {
			if m.role == "user" && b.ep.Task == "" {
				b.user(m.text)
			}
		}
	case modelSpan:
		if s.model != "" {
			b.ep.Model = s.model
		}
		b.ep.TokensIn += s.in
		b.ep.TokensOut += s.out
		g.heard(s.input)
		g.spoken(s)
	case toolSpan:
		g.toolRun(s)
	}
}

// heard reads a model's input for what is new in it: the task, and results
// that no tool span has given.
func (g *spanTraces) heard(input []spanMessage) {
	b := &g.rd.run
	for _, m := range input {
		if m.role == "user" && b.ep.Task == "" {
			b.user(m.text)
		}
		for i := range m.results {
			if r := &m.results[i]; r.id != "" {
				b.turnResult(r)
			}
		}
	}
}

func (g *spanTraces) spoken(s *span) {
	b := &g.rd.run
	n := 0
	for _, m := range s.output {
		b.say(m.text)
		for _, c := range m.calls {
			c.Line, c.Start = s.place.line, s.end
			if n == 0 {
				c.TokensIn, c.TokensOut = s.in, s.out
			}
			n++
			b.call(c)
		}
	}
}

// toolRun gives the run of a tool to the call that asked for it; a trace
// without messages has the run alone.
func (g *spanTraces) toolRun(s *span) {
	b := &g.rd.run
	var asked *corpora.Step
	for i := range b.steps {
		c := &b.steps[i]
		if b.open[i] && (s.call.CallID != "" && c.CallID == s.call.CallID || s.call.CallID == "" && c.Tool == s.call.Tool) {
			asked = b.close(i)
			break
		}
	}
	if asked == nil {
		b.call(s.call)
		b.close(len(b.steps) - 1)
		return
	}
	asked.Result, asked.Error, asked.Status = s.call.Result, s.call.Error, corpora.StatusExecuted
	asked.Start, asked.End = s.call.Start, s.call.End
	if asked.Args == "{}" && s.hasArgs {
		asked.Args = s.call.Args
	}
}
