package main

import (
	"time"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/decisions"
	"github.com/gbt-policy/gbt/internal/hosts"
)

// Words of -log that name no file.
const (
	logAuto = "auto" // the user's own decision log, as without -log
	logOff  = "off"
)

// kept is the user's decision log, which is written unless -log says otherwise; nil for
// none. What gbt doctor asks is nobody's decision.
func (c *config) kept(in *hosts.Input) (*decisions.Log, error) {
	if c.log != "" && c.log != logAuto || c.host.Probed(in) {
		return nil, nil
	}
	dir, err := decisions.DefaultDir()
	return &decisions.Log{Dir: dir}, err
}

// keep notes a decision in the user's log.
func (c *config) keep(p *policy, s *session, in *hosts.Input, ctx *gates.Context, d *gates.Decision, start time.Time) error {
	log, err := c.kept(in)
	if log == nil || err != nil {
		return err
	}
	e := c.entry(s.name, in, start)
	e.Decided(ctx, d, d.ID(ctx, p.digest), p.digest)
	e.Blocked = e.Asks() && !c.host.CanAsk(in)
	e.Microsec = time.Since(start).Microseconds()
	return log.Add(&e)
}

// answered notes what an event tells about a question: the call ran, or was declined, or
// the user went on without it.
func (c *config) answered(e *hosts.Event, now time.Time) error {
	log, err := c.kept(&e.Input)
	if log == nil || err != nil || !c.host.Reports {
		return err
	}
	a := c.entry(sessionName(c.host.Name, e.Session), &e.Input, now)
	switch {
	case e.Call.Tool == "":
		a.Call, a.Answer = "", decisions.AnswerRest
	case e.Declined:
		a.Answer = decisions.AnswerNo
	default:
		a.Answer = decisions.AnswerYes
	}
	return log.Answer(&a)
}

func (c *config) entry(session string, in *hosts.Input, now time.Time) decisions.Entry {
	e := decisions.Entry{Time: now.UTC(), Host: c.host.Name, Session: session, Call: callKey(in)}
	if in.Agent != "" {
		e.Agent = digest(in.Agent)
	}
	return e
}
