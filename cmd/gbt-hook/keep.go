package main

import (
	"slices"
	"strings"
	"time"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/scope"
	"github.com/gbt-policy/gbt/gates/wording"
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
	e.Tool, e.ID, e.Verdict, e.Policy = cutTool(in.Call.Tool), d.ID(ctx, p.digest), d.Disposition.String(), p.digest
	e.Microsec = time.Since(start).Microseconds()
	if d.Disposition != gates.Approved {
		e.Gates, e.Asked = d.Gates, wording.Of(ctx, d).Person
		e.Scope = counted(ctx, d)
		e.Blocked = e.Asks() && !c.host.CanAsk(in)
		if len(ctx.Roots) > 0 {
			e.In = ctx.Roots[0]
		}
		for _, r := range d.Reasons {
			e.Rules = append(e.Rules, r.Rule)
		}
	}
	return log.Add(&e)
}

// counted is the scope that a question is counted under: pushes of all branches together.
// The words of a command line are no part of the log.
func counted(ctx *gates.Context, d *gates.Decision) []string {
	all := scope.Of(ctx, d)
	if len(all) == 0 {
		return nil
	}
	at := 0
	if len(all) > 1 && slices.ContainsFunc(d.Effects, func(e gates.Effect) bool { return e.Ref != "" }) {
		at = 1
	}
	if slices.ContainsFunc(all[at], func(name string) bool { return strings.HasPrefix(name, "run exactly ") }) {
		return nil
	}
	return all[at]
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

// maxTool bounds the name of a tool in the log, in bytes.
const maxTool = 200

func cutTool(name string) string { return name[:min(len(name), maxTool)] }
