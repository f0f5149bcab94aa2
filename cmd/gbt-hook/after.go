package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/gates/orders"
	"github.com/gbt-policy/gbt/gates/scope"
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
	if err != nil {
		return err
	}
	e, err := c.host.DecodeEvent(data)
	if err != nil {
		return err
	}
	if own, err := c.ownWords(e); own || err != nil {
		return err
	}
	unkept := c.answered(e, start)
	if (c.state == "" || c.state == "none") && !c.undoes() && (c.receipts == "" || c.receipts == "none") {
		return unkept
	}
	return errors.Join(unkept, c.noteState(e, start))
}

// ownWords says whether a message of the user's is what the hook told the agent at an end:
// some hosts send it on in that form. Nobody answered anything with it.
func (c *config) ownWords(e *hosts.Event) (bool, error) {
	if e.Call.Tool != "" || !strings.Contains(e.Prompt, endMark) {
		return false, nil
	}
	s, err := c.openSession(&e.Input)
	if err != nil {
		return false, err
	}
	defer s.close()
	return !s.spoke(e.Prompt), nil
}

// noteState records an event in the session's state.
func (c *config) noteState(e *hosts.Event, start time.Time) error {
	p, err := c.load()
	if err != nil {
		return err
	}
	s, err := c.openSession(&e.Input)
	if err != nil {
		return err
	}
	defer s.close()
	s.past.Forgetful = !c.consents
	if e.Call.Tool == "" {
		s.spoke(e.Prompt)
		s.past.Settle(e.Agent)
		s.calls.settle()
		s.saved.settle()
		s.works.settle()
		home, _ := os.UserHomeDir()
		var list []orders.Order
		if !s.past.Says(e.Prompt) { // else the host wakes its agent with the agent's own words
			list = orders.Of(e.Prompt)
			at := effect.Places{Cwd: firstOf(e.State.Cwd, s.root), Home: home, Roots: c.rootsOf(p, s, &e.Input, home), NamesOf: namesIn}.Normal()
			s.past.Named(scope.Named(s.past.Places(), orders.PlacesOf(e.Prompt), &at, realPlace))
		}
		s.past.Told(list, typedIn(firstOf(e.State.Cwd, s.root)))
		s.settled(func(x *seen) bool { return x.Agent == e.Agent })
		if err := c.endSteps(c.rootsOf(p, s, &e.Input, home), &e.Input); err != nil {
			return err
		}
	} else if err := c.ran(p, s, e, start); err != nil {
		return err
	}
	if p.gates { // nothing else asks where values come from
		s.observe(e)
	}
	return s.save()
}

// realPlace follows the links of a path, and says whether anything is there.
func realPlace(path string) (string, bool) {
	real, err := filepath.EvalSymlinks(path)
	return real, err == nil
}

// typedIn is where a message was typed, as its orders mean it.
func typedIn(dir string) scope.From {
	repo, _ := repositoryOf(dir)
	return scope.FromOf(&repo)
}

// ran moves a call from those that may have run to those that did.
func (c *config) ran(p *policy, s *session, e *hosts.Event, start time.Time) error {
	now, key := start.Unix(), callKey(&e.Input)
	if !c.host.Reports {
		s.saved.end(key, !e.Declined, start)
		return nil // it counts as run from the answer on
	}
	s.calls.end(key, !e.Declined, start)
	s.works.end(key, !e.Declined, start)
	s.settled(func(x *seen) bool { return x.Key == key })
	known := s.past.Waits(key)
	said := c.outcome(s, e)
	if e.Declined {
		s.past.Report(key, true)
	}
	if e.Declined && !c.undoes() || e.Elsewhere && !known {
		return said
	}
	ctx, _, err := c.context(p, s, &e.Input, func(st *gates.State) {
		s.past.At(key, st)
		st.After = true
	})
	if err != nil {
		return errors.Join(said, err)
	}
	if !e.Declined {
		s.changed(c, p, ctx)
		s.past.Ended(key, ctx, now)
		if e.Succeeded {
			s.past.Succeeded(ctx)
			s.past.Establish(ctx, resultsOf(e)...)
			s.past.Recorded(ctx, resultsOf(e)...)
		}
	}
	return errors.Join(said, c.remembered(&e.Input, ctx))
}

// observe adds what came back from a call, or a text of the user's.
func (s *session) observe(e *hosts.Event) {
	s.past.Hear(e.Prompt)
	s.past.Returned(e.Call.Tool, e.Call.Args, resultsOf(e)...)
}

// resultsOf are the texts that came back.
func resultsOf(e *hosts.Event) []string {
	texts := make([]string, len(e.Results))
	for i, r := range e.Results {
		texts[i] = string(r)
	}
	return texts
}

func callKey(in *hosts.Input) string {
	id := in.CallID
	if id == "" {
		id = fmt.Sprintf("%s\x00%s", in.Call.Tool, in.Call.Args)
	}
	return digest(id)
}
