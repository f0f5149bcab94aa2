package evolve

import (
	"context"
	"errors"
	"fmt"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/replay"
	"github.com/gbt-policy/gbt/traverse"
)

// Trial says how one judging run was judged (requirement S6).
type Trial struct {
	Run    string `json:"run"`    // digest of the episode
	Judged string `json:"judged"` // Live or OnRecord
	Why    string `json:"why,omitempty"`
	// Changed says in a sentence what the successor changes of a live run: a call that
	// runs no longer, or fails.
	Changed string `json:"changed,omitempty"`
}

// How a run is judged: by running its calls again, with the policy in force, or by
// what the log holds of it.
const (
	Live     = "live"
	OnRecord = "on record"
)

// NoEnvironment is why no run is live where no environment is named.
const NoEnvironment = "no environment is named"

// stage is the live environment and the successes that it can run. A run belongs to
// it whose calls give there what the log has: from any other nobody could tell what
// the policy changes. It only refuses: an edit that a run speaks for gains nothing
// from it here.
type stage struct {
	ctx    context.Context
	env    replay.Env
	enc    *memo
	runs   map[string]*distill.Fresh // that are live, by id
	before map[string]*liveRun       // under the parent
	order  []string
	trials []Trial
}

// newStage runs the successes again, and then under the parent.
func newStage(ctx context.Context, b *base, fresh *distill.FreshLogs, opt *Options) (*stage, error) {
	s := &stage{ctx: ctx, env: opt.Env, enc: b.enc, runs: map[string]*distill.Fresh{}, before: map[string]*liveRun{}}
	for i := range fresh.Episodes {
		f := &fresh.Episodes[i]
		if f.Use != distill.UseSuccess {
			continue
		}
		id := idOf(f.Trace)
		why, err := s.reproduces(f, opt.Loose)
		if err != nil {
			return nil, err
		}
		if why != "" {
			s.trials = append(s.trials, Trial{Run: id, Judged: OnRecord, Why: why})
			continue
		}
		s.runs[id], s.order = f, append(s.order, id)
		s.trials = append(s.trials, Trial{Run: id, Judged: Live})
	}
	if len(s.order) == 0 {
		return s, nil
	}
	p, err := newPlayer(b.policy, b.enc, true)
	for _, id := range s.order {
		if err == nil {
			s.before[id], err = s.play(p, s.runs[id])
		}
	}
	return s, err
}

// reproduces says why a run cannot be judged live, or nothing.
func (s *stage) reproduces(f *distill.Fresh, loose bool) (string, error) {
	if s.env == nil {
		return NoEnvironment, nil
	}
	d, err := replay.Again(s.ctx, s.env, f.Episode, replay.Options{Loose: loose})
	switch {
	case errors.Is(err, replay.ErrUnknownTask):
		return "the environment does not know its task", nil
	case err != nil:
		return "", fmt.Errorf("live run %s: %w", f.Episode.ID, err)
	case d != nil:
		return fmt.Sprintf("run again, its step %d gives another %s than the log", d.Step+1, d.What), nil
	}
	return "", nil
}

// liveRun is a run under a policy, as the environment had it.
type liveRun struct {
	judged  bool // the environment has checkers of its own
	success bool // and they say so
	calls   []liveCall
}

// liveCall is one call of it.
type liveCall struct {
	step   int
	tool   string
	ran    bool
	failed bool
	by     []string // gates that stopped it
}

// play runs the calls of a run again with a policy in force: what it rejects does not
// run. What it asks about runs, for somebody said yes to it before.
func (s *stage) play(p *player, f *distill.Fresh) (*liveRun, error) {
	if err := s.env.Reset(s.ctx, f.Episode); err != nil {
		return nil, err
	}
	out := &liveRun{}
	session := p.policy.Start(traverse.Task{ID: f.Episode.ID, Text: f.Trace.Task, Shadow: true}, traverse.Env{UID: -1, GID: -1, Tools: f.Trace.Offered})
	at := -1
	for j := range f.Episode.Steps {
		if m := f.Path.Of[j]; m >= 0 && m != at {
			at = m
			session.Propose(proposal(f, m))
		}
		st := &f.Episode.Steps[j]
		c := traverse.Call{Tool: st.Tool, Args: []byte(st.Args)}
		if st.Status != corpora.StatusExecuted {
			session.Observe(c, ResultOf(st))
			continue
		}
		x := liveCall{step: j, tool: st.Tool}
		if a := session.Check(c); a.Would < gates.ApprovedWithConstraints { // a shadow session lets all pass
			x.by = a.Gates
			session.Observe(c, traverse.Result{Blocked: true})
		} else {
			res, err := s.env.Execute(s.ctx, replay.Call{Index: j, Tool: st.Tool, Args: st.Args, Cwd: st.Cwd})
			if err != nil {
				return nil, err
			}
			r := traverse.Result{Output: []byte(res.Text), Error: res.Error}
			if r.Error == "" && res.HasExit && res.ExitCode != 0 {
				r.Error = "exit status"
			}
			x.ran, x.failed = true, r.Error != ""
			session.Observe(c, r)
		}
		out.calls = append(out.calls, x)
	}
	return out, s.judge(out)
}

// judge asks the environment's own checkers about the end.
func (s *stage) judge(r *liveRun) error {
	j, ok := s.env.(replay.Judge)
	if !ok {
		return nil
	}
	end, err := j.Judge(s.ctx)
	r.judged, r.success = end.Outcome != corpora.OutcomeUnknown, end.Outcome == corpora.OutcomeSuccess
	return err
}

// worse says how a run ends worse than before, or nothing. Checkers know best;
// without any, a call that ran well has to do so still.
func (r *liveRun) worse(before *liveRun) string {
	if before.judged && before.success {
		if r.judged && r.success {
			return ""
		}
		if why := r.differs(before); why != "" {
			return "the environment calls it a success no longer: " + why
		}
		return "the environment calls it a success no longer"
	}
	return r.differs(before)
}

// differs names the first call that went another way.
func (r *liveRun) differs(before *liveRun) string {
	for i := range r.calls {
		was, is := &before.calls[i], &r.calls[i]
		switch {
		case was.ran && !is.ran:
			return fmt.Sprintf("its step %d (%s) does not run", is.step+1, is.tool)
		case was.ran && !was.failed && is.failed:
			return fmt.Sprintf("its step %d (%s) fails", is.step+1, is.tool)
		}
	}
	return ""
}

// fails are the live runs that end worse under a policy than under the parent.
func (s *stage) fails(p *artifacts.Policy, only map[string]bool) (map[string]string, error) {
	player, err := newPlayer(p, s.enc, true)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, id := range s.order {
		if only != nil && !only[id] {
			continue
		}
		r, err := s.play(player, s.runs[id])
		if err != nil {
			return nil, fmt.Errorf("live run %s: %w", s.runs[id].Episode.ID, err)
		}
		if why := r.worse(s.before[id]); why != "" {
			out[id] = why
		}
	}
	return out, s.ctx.Err()
}

// act judges the chosen edits in the environment, and says of every judging run how
// it was judged.
func (out *Result) act(ctx context.Context, b *base, g *distill.Gates, fresh *distill.FreshLogs, opt *Options) error {
	s, err := newStage(ctx, b, fresh, opt)
	if err != nil {
		return err
	}
	out.Trials = s.trials
	how := map[string]string{}
	for i := range out.Trials {
		how[out.Trials[i].Run] = out.Trials[i].Judged
	}
	for i := range out.Changes {
		out.Changes[i].Judged = how[out.Changes[i].Run]
	}
	if len(s.order) == 0 {
		return nil
	}
	t := &trial{b: b, g: g, run: s.fails, what: "successes end worse with it in the environment", allow: opt.tolerance() * float64(len(s.order)),
		count: func(j *Judgement, n int) { j.Live = n }}
	if err := out.regress(t); err != nil {
		return err
	}
	return out.tell(t)
}

// tell notes what is left of changes in the runs: within the tolerance.
func (out *Result) tell(t *trial) error {
	t.allow = 0
	lost, err := t.lost(out.chosen(), nil)
	for i := range out.Trials {
		out.Trials[i].Changed = lost[out.Trials[i].Run]
	}
	return err
}
