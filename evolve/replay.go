package evolve

import (
	"context"
	"strconv"
	"sync"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/internal/tree/merge"
	"github.com/gbt-policy/gbt/traverse"
	"github.com/gbt-policy/gbt/tree"
	"github.com/gbt-policy/gbt/tree/text"
)

// step is what a policy made of one macro of a recorded run.
type step struct {
	prior   string // action two macros before it; "" for none
	before  string // action of the macro before it, the family's start at first
	took    string // action that the run took
	offered bool   // the policy offers it there
	heard   bool   // the traverser answered a proposal there
	reason  string // of its answer; "" for an advance
	said    string // action that the traverser chose by what the agent proposed; "" for none
	verdict traverse.Verdict
}

// right says that the traverser chose what the run did.
func (s *step) right() bool { return s.said == s.took }

// replayed is one run under one policy.
type replayed struct {
	covered bool
	steps   []step
	stopped []stop // calls that the policy would not let pass
}

// stop is one of them.
type stop struct {
	call  int      // its place in the episode
	gates []string // that did not let it pass
}

// player replays recorded runs through the traverser, in shadow sessions: the calls
// are those of the log, whatever the policy says.
type player struct {
	policy *traverse.Policy
	view   *tree.View
	enc    *memo
	checks bool // ask about every call too
}

func newPlayer(p *artifacts.Policy, enc *memo, checks bool) (*player, error) {
	t, err := traverse.New(p, traverse.Options{Encoder: enc})
	if err != nil {
		return nil, err
	}
	return &player{policy: t, view: tree.NewView(&p.Tree), enc: enc, checks: checks}, nil
}

// playSome plays the runs asked for under a policy; nil for the others.
func playSome(ctx context.Context, p *artifacts.Policy, enc *memo, runs []*distill.Fresh, which []bool, workers int) ([]*replayed, error) {
	player, err := newPlayer(p, enc, false)
	if err != nil {
		return nil, err
	}
	out := make([]*replayed, len(runs))
	spread(len(runs), workers, func(i int) {
		if which[i] && ctx.Err() == nil {
			out[i] = player.play(runs[i])
		}
	})
	return out, ctx.Err()
}

// replayAll plays all runs under a policy.
func replayAll(ctx context.Context, p *artifacts.Policy, enc *memo, runs []*Run, workers int) ([]*replayed, error) {
	fresh, which := make([]*distill.Fresh, len(runs)), make([]bool, len(runs))
	for i, r := range runs {
		fresh[i], which[i] = r.fresh, true
	}
	return playSome(ctx, p, enc, fresh, which, workers)
}

// play replays one run.
func (p *player) play(f *distill.Fresh) *replayed {
	out := p.walk(f)
	s := p.policy.Start(traverse.Task{ID: f.Episode.ID, Text: f.Trace.Task, Shadow: true}, traverse.Env{UID: -1, GID: -1, Tools: f.Trace.Offered})
	at, last := -1, -1
	for j := range f.Episode.Steps {
		if m := f.Path.Of[j]; m >= 0 && m != at {
			at = m
			move := s.Propose(proposal(f, m))
			if m == 0 || f.Trace.Macros[m].Key != f.Trace.Macros[m-1].Key {
				last++
			}
			out.hear(last, &move)
		}
		st := &f.Episode.Steps[j]
		c := traverse.Call{Tool: st.Tool, Args: []byte(st.Args)}
		if p.checks && st.Status != corpora.StatusBlocked {
			if a := s.Check(c); a.Would != gates.Approved { // a shadow session lets all pass
				out.stopped = append(out.stopped, stop{j, a.Gates})
			}
		}
		s.Observe(c, ResultOf(st))
	}
	return out
}

// walk lays out the run's steps: what was offered where it was taken.
func (p *player) walk(f *distill.Fresh) *replayed {
	cov, taken := merge.Follow(p.view, &p.policy.Artifact().Params, p.enc, f.Trace)
	out := &replayed{covered: cov.Full()}
	prior, before := "", ""
	if cov.Family >= 0 {
		before = p.view.States[p.view.Families[cov.Family].Start].Key
	}
	for i := range taken {
		x := &taken[i]
		took := f.Trace.Macros[x.Macro].Key
		out.steps = append(out.steps, step{prior: prior, before: before, took: took, offered: x.Offered && x.Child.Via != tree.ViaGeneric})
		prior, before = before, took
	}
	return out
}

// hear notes the answer to the first proposal of a step.
func (r *replayed) hear(i int, m *traverse.Move) {
	if i < 0 || i >= len(r.steps) {
		return
	}
	s := &r.steps[i]
	s.heard, s.verdict, s.reason = true, m.Verdict, m.Step.Reason
	if m.Step.Would != nil {
		s.verdict = *m.Step.Would
	}
	if s.verdict >= traverse.Fragile {
		s.said = actionOf(m.Step.Macro)
	}
}

// proposal is what the agent proposed before a macro: its words, else the call.
func proposal(f *distill.Fresh, macro int) traverse.Proposal {
	m := &f.Trace.Macros[macro]
	if m.Words != "" {
		return traverse.Proposal{Text: m.Words}
	}
	first := &f.Episode.Steps[m.From]
	return traverse.Proposal{Tool: first.Tool, Args: []byte(first.Args), Action: &call.Action{Key: m.Key, Delta: m.Does}}
}

// ResultOf is what a session is told of a recorded step: an exit status that is not
// zero is an error, for logs often hold no other sign of it.
func ResultOf(s *corpora.Step) traverse.Result {
	r := traverse.Result{Blocked: s.Status == corpora.StatusBlocked, Output: []byte(s.Result), Error: s.Error}
	if r.Error == "" && s.HasExit && s.ExitCode != 0 {
		r.Error = "exit status " + strconv.Itoa(s.ExitCode)
	}
	return r
}

// memo is the encoder that comes with the program, and remembers: the same words
// are asked of every candidate.
type memo struct {
	*distill.Encoder
	digest string
	mu     sync.Mutex
	have   map[string]tree.Vec
}

func newMemo() *memo {
	t := text.Default()
	return &memo{Encoder: distill.NewEncoder(t), digest: t.Digest(), have: map[string]tree.Vec{}}
}

// Digest implements traverse.Encoder.
func (m *memo) Digest() string { return m.digest }

// Embed implements traverse.Encoder.
func (m *memo) Embed(words string) tree.Vec {
	m.mu.Lock()
	v, ok := m.have[words]
	m.mu.Unlock()
	if ok {
		return v
	}
	v = m.Encoder.Embed(words)
	m.mu.Lock()
	m.have[words] = v
	m.mu.Unlock()
	return v
}

// spread runs fn for 0 to n-1 on some workers. Results go by index.
func spread(n, workers int, fn func(i int)) {
	workers = max(workers, 1)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < n; i += workers {
				fn(i)
			}
		})
	}
	wg.Wait()
}
