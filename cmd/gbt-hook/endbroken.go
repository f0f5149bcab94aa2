package main

import (
	"io"
	"time"

	"github.com/gbt-policy/gbt/gates/rules"
	"github.com/gbt-policy/gbt/internal/decisions"
	"github.com/gbt-policy/gbt/internal/hosts"
	"github.com/gbt-policy/gbt/internal/rulebook"
)

// This file is about ends where a line of the rules cannot be read: it may have been one
// about the end. The agent is not sent back for it, since it may not mend rules; the user is
// told once in a session.

// untold is such a line, if the user has not been told of it.
func (s *session) untold(b *rulebook.Book) *rules.Fault {
	if f := b.Broken(); f != nil && f.Error() != s.ends.Broken {
		return f
	}
	return nil
}

// told keeps that the user is being told.
func (s *session) told(f *rules.Fault) {
	if f != nil {
		s.ends.Broken = f.Error()
	}
}

// noteBroken says which line cannot be read, behind what else is said.
func (v *endVerdict) noteBroken() string {
	if v.broken == nil {
		return ""
	}
	return " A line of the rules cannot be read, so that this end was not held against it: " + v.broken.Error() + ". Mend it; gbt rules lists what counts."
}

// letGoBroken lets an end go that is held against nothing, silently unless there is such a
// line to tell of.
func (c *config) letGoBroken(p *policy, s *session, e *hosts.End, f *rules.Fault, stderr io.Writer, start time.Time) (hosts.Output, error) {
	v := &endVerdict{broken: f}
	if f == nil || !c.host.AsksEnds() {
		return c.host.LetGo(""), nil
	}
	if s.told(f); s.file != "" {
		if err := s.save(); err != nil {
			return hosts.Output{}, err // else it would be said each time
		}
	}
	c.noteEnd(p, s, e, v, decisions.Ended, stderr, start)
	return c.host.LetGo(v.note()), nil
}
