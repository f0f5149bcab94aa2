package evolve

import (
	"context"
	"fmt"
	"slices"

	"github.com/gbt-policy/gbt/internal/evolve/diagnose"
	"github.com/gbt-policy/gbt/internal/evolve/localise"
)

// Diagnoser is asked where failed covered runs went wrong, beside the localiser.
// Digests name what was asked and how: they stand in the evidence of its edits.
type Diagnoser interface {
	Ask(ctx context.Context, q *diagnose.Question) (diagnose.Answer, error)
	Digests() (model, template string)
}

// Dropped is an answer of a Diagnoser that came to nothing.
type Dropped struct {
	Run string `json:"run"`
	Why string `json:"why"`
}

// Bounds on a consultation, chosen for its cost: a server that failed so often in a
// row is not asked again.
const (
	maxQuestions = 64
	maxSilent    = 3
)

// consult remembers answers: edits are proposed by all runs and by halves of them,
// and nobody is asked twice.
type consult struct {
	ctx    context.Context
	asks   Diagnoser
	have   map[string]heard // by run
	silent int
}

// heard is an answer, or why there is none.
type heard struct {
	diagnose.Answer
	why string
}

func newConsult(ctx context.Context, d Diagnoser) *consult {
	if d == nil {
		return nil
	}
	return &consult{ctx: ctx, asks: d, have: map[string]heard{}}
}

func (c *consult) ask(run string, q *diagnose.Question) heard {
	if h, ok := c.have[run]; ok {
		return h
	}
	var h heard
	switch {
	case c.silent >= maxSilent:
		h.why = fmt.Sprintf("not asked: the model failed %d times in a row", maxSilent)
	case len(c.have) >= maxQuestions:
		h.why = fmt.Sprintf("not asked: %d questions are the limit", maxQuestions)
	default:
		var err error
		if h.Answer, err = c.asks.Ask(c.ctx, q); err != nil {
			h.why = err.Error()
			c.silent++
		} else {
			c.silent = 0
		}
	}
	c.have[run] = h
	return h
}

// second asks about failed runs, and makes edits of the answers that hold: by the
// rules of repair, from macros that a success like the run has shown.
func (l *library) second(failed []*Run, have map[string]bool, c *consult) (edits []*Edit, found []Diagnosis, dropped []Dropped, err error) {
	if c == nil {
		return nil, nil, nil, nil
	}
	for _, r := range failed {
		if err := c.ctx.Err(); err != nil {
			return nil, nil, nil, err
		}
		paths, err := l.near(r)
		if err != nil {
			return nil, nil, nil, err
		}
		d, to, why := l.hold(r, c.ask(r.id(), l.question(r, paths)), paths)
		if why != "" {
			dropped = append(dropped, Dropped{r.id(), why})
			continue
		}
		model, template := c.asks.Digests()
		d.Model = model
		found = append(found, d)
		if e := l.repair(r, &d, to); e != nil && !have[e.name()] {
			have[e.name()] = true
			e.Evidence.Model, e.Evidence.Template = model, template
			e.Why = fmt.Sprintf("a covered run failed; a model names its step %d, and this for it, which %d successes like it did", d.Step, d.Paths)
			edits = append(edits, e)
		}
	}
	return edits, found, dropped, nil
}

func (l *library) question(r *Run, paths [][]int32) *diagnose.Question {
	q := &diagnose.Question{Task: r.Trace.Task}
	for i := range r.Steps {
		q.Steps = append(q.Steps, r.Key(i))
	}
	for _, p := range paths {
		for _, s := range p {
			if s != localise.None && !l.b.view.States[s].Generic {
				q.Instead = append(q.Instead, l.b.view.States[s].Action())
			}
		}
	}
	slices.Sort(q.Instead)
	q.Instead = slices.Compact(q.Instead)
	return q
}

// hold holds an answer against the run and the successes like it, and says why it
// comes to nothing.
func (l *library) hold(r *Run, h heard, paths [][]int32) (d Diagnosis, to int32, why string) {
	switch {
	case h.why != "":
		return d, 0, h.why
	case h.Step == 0:
		return d, 0, "the model names no step"
	case h.Step < 1 || h.Step > len(r.Steps):
		return d, 0, fmt.Sprintf("the model names step %d of a run of %d", h.Step, len(r.Steps))
	case h.Instead == r.Key(h.Step-1):
		return d, 0, "the model names what the run did"
	}
	v := l.b.view
	to = localise.None
	n := 0
	for _, p := range paths {
		if i := slices.IndexFunc(p, func(s int32) bool {
			return s != localise.None && !v.States[s].Generic && v.States[s].Action() == h.Instead
		}); i >= 0 {
			n++
			if to == localise.None || v.States[p[i]].Family == r.Family {
				to = p[i]
			}
		}
	}
	if to == localise.None {
		return d, 0, "the model names a macro that no success like the run shows"
	}
	step := &r.Steps[h.Step-1]
	return Diagnosis{
		Run: r.id(), Family: v.Families[r.Family].Name, Step: h.Step, After: v.States[step.From].Action(), Took: r.Key(h.Step - 1), Instead: h.Instead, Paths: n,
		Offered: slices.ContainsFunc(step.Choices, func(s int32) bool { return !v.States[s].Generic && v.States[s].Action() == h.Instead }),
	}, to, ""
}
