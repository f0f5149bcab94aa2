package replay

import (
	"context"
	"fmt"
	"strconv"

	"github.com/gbt-policy/gbt/corpora"
)

// Runner is an environment without snapshots.
type Runner interface {
	Reset(ctx context.Context, ep *corpora.Episode) error
	Execute(ctx context.Context, call Call) (Result, error)
	Close() error
}

// Prefix makes an Env of a Runner: a state is the list of the calls that led to
// it, and is restored by running them again from the beginning. That they give
// the same results again is checked; an environment for which they do not is
// refused.
type Prefix struct {
	Runner
	ep    *corpora.Episode
	ran   []ran
	marks [][]ran
}

// ran is a call and its result's text.
type ran struct {
	call Call
	text string
}

// NewPrefix returns an Env over r.
func NewPrefix(r Runner) *Prefix { return &Prefix{Runner: r} }

// Reset begins an episode.
func (p *Prefix) Reset(ctx context.Context, ep *corpora.Episode) error {
	p.ep, p.ran, p.marks = ep, nil, nil
	return p.Runner.Reset(ctx, ep)
}

// Execute runs one call.
func (p *Prefix) Execute(ctx context.Context, c Call) (Result, error) {
	r, err := p.Runner.Execute(ctx, c)
	if err == nil {
		p.ran = append(p.ran, ran{c, r.Text})
	}
	return r, err
}

// Checkpoint keeps the calls so far.
func (p *Prefix) Checkpoint(context.Context) (Mark, error) {
	p.marks = append(p.marks, p.ran[:len(p.ran):len(p.ran)])
	return Mark(strconv.Itoa(len(p.marks) - 1)), nil
}

// Restore runs the calls up to the mark again.
func (p *Prefix) Restore(ctx context.Context, m Mark) error {
	n, err := strconv.Atoi(string(m))
	if err != nil || n < 0 || n >= len(p.marks) {
		return fmt.Errorf("unknown mark %q", m)
	}
	if err := p.Runner.Reset(ctx, p.ep); err != nil {
		return err
	}
	p.ran = nil
	for _, was := range p.marks[n] {
		r, err := p.Execute(ctx, was.call)
		if err != nil {
			return err
		}
		if r.Text != was.text {
			return fmt.Errorf("call %d (%s) gave another result when it was run again", was.call.Index+1, was.call.Tool)
		}
	}
	return nil
}
