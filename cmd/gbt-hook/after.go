package main

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/hosts"
)

// note records what the host tells after a call ran, or what the user said.
// Nothing can be blocked here: what goes wrong is said, and the calls that wait
// for word of them go on counting as run.
func (c *config) note(stdin io.Reader, start time.Time) hosts.Output {
	if err := c.noteEvent(stdin, start); err != nil {
		return c.host.Trouble(err.Error())
	}
	return c.host.Noted()
}

func (c *config) noteEvent(stdin io.Reader, start time.Time) error {
	data, err := io.ReadAll(io.LimitReader(stdin, hosts.MaxInput+1))
	if err != nil || c.state == "" || c.state == "none" {
		return err
	}
	e, err := c.host.DecodeEvent(data)
	if err != nil {
		return err
	}
	p, err := c.load()
	if err != nil {
		return err
	}
	s, err := c.openSession(&e.Input)
	if err != nil {
		return err
	}
	defer s.close()
	if e.Call.Tool == "" {
		s.settle(e.Agent)
	} else if err := c.ran(p, s, e, start.Unix()); err != nil {
		return err
	}
	if p.gates {
		if err := s.observe(e); err != nil {
			return err
		}
	}
	return s.save()
}

// ran moves a call from those that may have run to those that did.
func (c *config) ran(p *policy, s *session, e *hosts.Event, now int64) error {
	if !c.host.Reports {
		return nil // it counts as run from the answer on
	}
	s.Reported = true
	waiting := s.take(callKey(&e.Input))
	if e.Declined || e.Elsewhere && waiting == nil {
		return nil
	}
	if waiting != nil {
		s.Flow = merged(s.Flow, waiting.Flow)
	}
	ctx, _, err := c.context(p, s, &e.Input, s.Flow, s.History)
	if err != nil {
		return err
	}
	s.add(ctx.Records(now), ctx.After())
	return nil
}

// waiting is a call that was let through and of which nobody has said yet
// whether it ran.
type waiting struct {
	Key     string
	Agent   string         `json:",omitempty"`
	Records []gates.Record `json:",omitempty"`
	Flow    gates.Flow     // what the call would add
}

// maxWaiting bounds the calls that wait. The oldest one counts as run then.
const maxWaiting = 64

// believed is what the session may have done: what ran, and what may be running.
func (s *session) believed() (gates.Flow, []gates.Record) {
	flow, history := s.Flow, s.History
	for i := range s.Waiting {
		flow = merged(flow, s.Waiting[i].Flow)
		history = append(history[:len(history):len(history)], s.Waiting[i].Records...)
	}
	return flow, history
}

// wait notes a call that was let through. What it writes may hold what a call
// that still waits has read; that it read something sensitive itself is its own.
func (s *session) wait(in *hosts.Input, ctx *gates.Context, now int64) {
	key, alone := callKey(in), *ctx
	alone.Flow = s.Flow
	w := waiting{Key: key, Agent: in.Agent, Records: ctx.Records(now), Flow: added(ctx.Flow, ctx.After())}
	w.Flow.SensitiveRead = !s.Flow.SensitiveRead && alone.After().SensitiveRead
	if old := s.take(key); old != nil {
		w.Flow = merged(old.Flow, w.Flow)
	}
	s.Waiting = append(s.Waiting, w)
	for len(s.Waiting) > maxWaiting {
		s.add(s.Waiting[0].Records, merged(s.Flow, s.Waiting[0].Flow))
		s.Waiting = s.Waiting[1:]
	}
}

// take removes the waiting call with a key.
func (s *session) take(key string) *waiting {
	i := slices.IndexFunc(s.Waiting, func(w waiting) bool { return w.Key == key })
	if i < 0 {
		return nil
	}
	w := s.Waiting[i]
	s.Waiting = slices.Delete(s.Waiting, i, i+1)
	return &w
}

// settle is called when the user says something new: what an agent's user was
// asked about before and has not run by now was declined. That is believed only
// in a session that has had word of a call that ran; elsewhere the host, or
// somebody's settings, may not tell.
func (s *session) settle(agent string) {
	if s.Reported {
		s.Waiting = slices.DeleteFunc(s.Waiting, func(w waiting) bool { return w.Agent == agent })
	}
}

func callKey(in *hosts.Input) string {
	id := in.CallID
	if id == "" {
		id = fmt.Sprintf("%s\x00%s", in.Call.Tool, in.Call.Args)
	}
	return digest(id)
}

// merged is the flow of both.
func merged(a, b gates.Flow) gates.Flow {
	return gates.Flow{
		SensitiveRead: a.SensitiveRead || b.SensitiveRead,
		Derived:       append(slices.Clone(a.Derived), missing(a.Derived, b.Derived)...),
		Unvetted:      append(slices.Clone(a.Unvetted), missing(a.Unvetted, b.Unvetted)...),
	}
}

// added is what after holds beyond before.
func added(before, after gates.Flow) gates.Flow {
	return gates.Flow{
		SensitiveRead: after.SensitiveRead && !before.SensitiveRead,
		Derived:       missing(before.Derived, after.Derived),
		Unvetted:      missing(before.Unvetted, after.Unvetted),
	}
}

func missing(have, list []string) []string {
	var out []string
	for _, s := range list {
		if !slices.Contains(have, s) {
			out = append(out, s)
		}
	}
	return out
}
