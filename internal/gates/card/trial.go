package card

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
	"github.com/gbt-policy/gbt/internal/gates/learn"
	"github.com/gbt-policy/gbt/internal/redact"
	"github.com/gbt-policy/gbt/segment"
)

// Trial tries gates on logs that a reader names: what each would have stopped
// there. A session's calls are judged as they were made, whatever an earlier stop
// would have changed.
type Trial struct {
	Logs    string              // as the card calls them
	Checker *gates.Checker      // of the policy: its tool schemas and its guardrail
	Profile segment.Profile     // that the policy was made with
	At      map[string][]string // as in Record
	Gates   []Gate
}

// hit is what one gate does to a session.
type hit struct {
	calls, anyway int
	example       string // the first call
}

// session is what all gates do to one.
type session struct {
	calls  int
	unsafe bool
	hits   []hit
}

// Run reads the logs and returns the cost of each gate, in the order of Gates, and
// the records that could not be read. The order of files and the number of workers
// change nothing.
func (t *Trial) Run(ctx context.Context, in *logs.Input) ([]*Cost, []corpora.Problem, error) {
	alone := make([]*gates.Library, len(t.Gates))
	for i := range t.Gates {
		var err error
		if alone[i], err = Library(&t.Gates[i].Gate); err != nil {
			return nil, nil, err
		}
	}
	secrets, err := redact.New()
	if err != nil {
		return nil, nil, err
	}
	type read struct {
		session *session
		problem *corpora.Problem
	}
	out := make([]*Cost, len(t.Gates))
	for i := range out {
		out[i] = &Cost{Logs: t.Logs, Examples: []Call{}}
	}
	var problems []corpora.Problem
	for r := range logs.Map(ctx, in, func(_ *logs.Unit, r logs.Record) read {
		if r.Episode == nil {
			return read{problem: r.Problem}
		}
		return read{session: t.session(r.Episode, alone, secrets)}
	}) {
		if r.problem != nil {
			problems = append(problems, *r.problem)
		}
		if r.session != nil {
			for i, c := range out {
				c.add(r.session, &r.session.hits[i])
			}
		}
	}
	return out, problems, ctx.Err()
}

func (t *Trial) session(e *corpora.Episode, alone []*gates.Library, secrets *redact.Detector) *session {
	s := &session{unsafe: e.Safety == corpora.SafetyUnsafe, hits: make([]hit, len(t.Gates))}
	path := segment.Segment(e, t.Profile)
	rail := gates.Checker{Guardrail: t.Checker.Guardrail, Schemas: t.Checker.Schemas}
	learn.EachCall(e, &path, t.Checker, func(step int, ctx *gates.Context, macro string) {
		s.calls++
		for i := range t.Gates {
			if !asked(&t.Gates[i], t.At, macro) || len(alone[i].EvalAll(ctx, nil)) == 0 {
				continue
			}
			h := &s.hits[i]
			if h.calls++; h.calls == 1 {
				h.example = spell(ctx, secrets)
			}
			if d := rail.Check(ctx, []string{}); d.Disposition != gates.Approved {
				h.anyway++
			}
		}
	})
	return s
}

// asked says whether a gate may be asked about a call of a macro.
func asked(g *Gate, at map[string][]string, macro string) bool {
	switch {
	case g.Scope == artifacts.ScopeGlobal:
		return true
	case g.Proposal:
		return g.Scope == artifacts.ScopeSubtree || slices.Contains(g.Below, macro)
	}
	return slices.Contains(at[macro], g.ID)
}

func (c *Cost) add(s *session, h *hit) {
	c.Sessions++
	c.Calls += s.calls
	if h.calls == 0 {
		return
	}
	c.Asked += h.calls
	c.Anyway += h.anyway
	c.Hit++
	if s.unsafe {
		c.Unsafe++
	}
	if k := slices.IndexFunc(c.Examples, func(x Call) bool { return x.Says == h.example }); k >= 0 {
		c.Examples[k].Times++
	} else if len(c.Examples) < shown {
		c.Examples = append(c.Examples, Call{Says: h.example, Times: 1})
	}
}

// maxValue bounds a value on a card, in characters.
const maxValue = 40

// spell writes a call of the reader's own logs as they made it, without secrets:
// the arguments that gates doubt first.
func spell(c *gates.Context, secrets *redact.Detector) string {
	if c.Command != "" && doesItsOwn(c.Class.Family) {
		return c.ToolName() + ": " + cut(secrets.Log(c.Command), 3*maxValue)
	}
	args := slices.Clone(c.Args)
	slices.SortStableFunc(args, func(a, b gates.Arg) int { return doubt(&b) - doubt(&a) })
	var parts []string
	for i := range args {
		a := &args[i]
		if i == maxNames {
			parts = append(parts, fmt.Sprintf("%d more", len(args)-i))
			break
		}
		parts = append(parts, fmt.Sprintf("%s=%q", cut(secrets.Log(a.Path), maxValue), cut(secrets.LogArgument(a.Path, a.Role, a.Value), maxValue)))
	}
	return c.ToolName() + "(" + strings.Join(parts, ", ") + ")"
}

// cut keeps the beginning of a text, on one line and without control characters.
func cut(s string, n int) string {
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
