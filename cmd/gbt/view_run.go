package main

import (
	"cmp"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/evolve"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/internal/artifacts/review"
	"github.com/gbt-policy/gbt/internal/artifacts/view"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
	"github.com/gbt-policy/gbt/segment"
	"github.com/gbt-policy/gbt/traverse"
	"github.com/gbt-policy/gbt/tree"
)

// viewRun replays the episode that --episode names through the policy; nil if the
// logs are not named.
func viewRun(e *env, c *cli.Context, side *policySide) (*view.Run, error) {
	if c.IsSet("episode") && !c.IsSet("logs") || c.IsSet("logs") && !c.IsSet("episode") && !c.Bool("calls") {
		return nil, fail(exitUsage, "--logs and --episode go together, or --logs and --calls: gbt view POLICY --logs runs/ --episode ID (gbt inspect lists ids)")
	}
	if !c.IsSet("episode") {
		return nil, nil
	}
	want := c.String("episode")
	var found *corpora.Episode
	problems := newImportSummary()
	for rec := range logs.Open(c.StringSlice("logs"), logs.Options{Stdin: e.stdin, Workers: jobs(c)}).Records(c.Context) {
		if rec.Problem != nil {
			problems.problem(rec.Problem)
		}
		if rec.Episode != nil && found == nil && strings.HasPrefix(rec.Episode.ID, want) {
			found = rec.Episode
		}
	}
	if err := c.Context.Err(); err != nil {
		return nil, cannotRead(c.Context, err)
	}
	problems.printProblems(e.stderr)
	if found == nil {
		return nil, fail(exitInput, "no episode has an id that begins with %q; gbt inspect lists them", want)
	}
	p, err := traverse.New(side.p, traverse.Options{Digest: side.info.Digest})
	if err != nil {
		return nil, fail(exitInput, "%s: %v", side.file, err)
	}
	return walkRun(p, found), nil
}

// walkRun leads an episode along the tree. What stood in its calls is not kept.
func walkRun(p *traverse.Policy, ep *corpora.Episode) *view.Run {
	run := &view.Run{ID: ep.ID, Outcome: outcomeNames[ep.Outcome]}
	walkEpisode(p, ep, func(_ int, a *traverse.Answer, at *view.RunStep) {
		for _, r := range a.Reasons {
			at.Because = append(at.Because, becauseOf(&r))
		}
		run.Steps = append(run.Steps, *at)
	})
	return run
}

// walkEpisode leads an episode through a session that only looks on: a proposal before
// each macro, then its calls. each is told of every call, where it stands, and what
// became of it.
func walkEpisode(p *traverse.Policy, ep *corpora.Episode, each func(i int, a *traverse.Answer, at *view.RunStep)) {
	ids, path := review.NodeIDs(p.Artifact()), segment.Segment(ep, profileOf(p))
	s := p.Start(traverse.Task{ID: ep.ID, Text: ep.Task, Shadow: true}, envOf(ep))
	at, now := -1, view.RunStep{}
	for i := range ep.Steps {
		step := &ep.Steps[i]
		if m := path.Of[i]; m >= 0 && m != at {
			at = m
			macro := &path.Macros[m]
			move := s.Propose(traverse.Proposal{Tool: step.Tool, Args: []byte(step.Args), Action: &call.Action{Key: macro.Key, Delta: macro.Does}})
			now = view.RunStep{Macro: macro.Key, Verdict: verdictOf(&move).String(), Why: cmp.Or(move.Step.Lost, move.Step.Reason)}
			if n := move.Step.Node; n >= 0 {
				now.Node = ids[n]
			}
		}
		c := traverse.Call{Tool: step.Tool, Args: []byte(step.Args)}
		answer := s.Check(c)
		one := now
		one.Tool, one.Does = step.Tool, disposition(&answer)
		each(i, &answer, &one)
		s.Observe(c, evolve.ResultOf(step))
	}
}

// profileOf says how a policy cuts runs into macros.
func profileOf(p *traverse.Policy) segment.Profile {
	if p.Artifact().Params.Profile == tree.ReferenceProfile {
		return segment.Reference
	}
	return segment.Default
}

// envOf is where a run began. The first directory that the log names is taken for
// the workspace, as learning does.
func envOf(ep *corpora.Episode) traverse.Env {
	out := traverse.Env{UID: -1, GID: -1, Tools: ep.Tools}
	for i := range ep.Steps {
		if cwd := ep.Steps[i].Cwd; cwd != "" {
			out.Cwd, out.Roots = cwd, []string{cwd}
			break
		}
	}
	return out
}

// becauseOf is a gate's message, or the name of a rule of the guardrail, whose
// messages name what the call would touch.
func becauseOf(r *gates.Reason) string {
	if strings.HasPrefix(r.Rule, "gate/") && r.Message != "" {
		return r.Message
	}
	return r.Rule
}

// verdictOf is what a session would have said that does more than look on.
func verdictOf(m *traverse.Move) traverse.Verdict {
	if m.Step.Would != nil {
		return *m.Step.Would
	}
	return m.Verdict
}

// disposition is the stricter of what was said and what would have been.
func disposition(a *traverse.Answer) string {
	return min(a.Would, a.Disposition).String() // a lower one is stricter
}
