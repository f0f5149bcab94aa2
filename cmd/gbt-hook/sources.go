package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/origin"
	"github.com/gbt-policy/gbt/internal/hosts"
)

// maxIndex bounds what a session keeps of results on disk. It is read before
// every call, so it is smaller than what the index itself could hold: reading
// this much and asking for one value takes 6 ms of two busy cores, which keeps
// the whole process below eight empty ones (GOGC=off, BenchmarkSources).
const maxIndex = 192 << 10

// sources says where values come from. What was seen and is no longer known,
// because there was too much of it, may have held any value.
type sources struct {
	index   origin.Index
	dropped bool
}

// Find implements gates.Sources.
func (x *sources) Find(value string) (from, source, form string) {
	from, source, form = x.index.Find(value)
	if from == origin.OriginAgent && x.dropped && value != "" {
		return origin.OriginUntrusted, origin.Dropped, "~"
	}
	return from, source, form
}

func (s *session) flowFile() string { return s.file + ".flow" }

// sources reads what the session has seen.
func (s *session) sources() (gates.Sources, error) {
	if s.file == "" {
		return nil, nil
	}
	x, err := s.readIndex()
	return x, err
}

func (s *session) readIndex() (*sources, error) {
	x := &sources{dropped: s.Dropped}
	data, err := os.ReadFile(s.flowFile())
	if errors.Is(err, fs.ErrNotExist) {
		return x, s.wantIndex()
	}
	if err == nil && len(data) > 2*maxIndex {
		err = errors.New("it is too large")
	}
	if err == nil {
		err = x.index.UnmarshalBinary(data)
	}
	if err != nil {
		return nil, fmt.Errorf("the session's state %s: %w; end the session and remove the file", s.flowFile(), err)
	}
	return x, nil
}

// wantIndex refuses a session whose index has gone: values out of results would
// pass for the agent's own.
func (s *session) wantIndex() error {
	if s.Observed {
		return fmt.Errorf("the session's state %s is missing; end the session", s.flowFile())
	}
	return nil
}

// observe adds a result, or a text of the user's, to what the session has seen.
func (s *session) observe(e *hosts.Event) error {
	if s.file == "" {
		return nil
	}
	x, err := s.readIndex()
	if err != nil {
		return err
	}
	before, err := x.index.MarshalBinary()
	if err != nil {
		return err
	}
	size := len(before)
	if e.Prompt != "" && size+len(e.Prompt) <= maxIndex {
		x.index.Task(e.Prompt) // one that is not known names nothing, which is on the strict side
	}
	for _, r := range e.Results {
		if size += len(r); size > maxIndex {
			s.Dropped = true
			break
		}
		x.index.ObserveCall(e.Call.Tool, e.Call.Args, r)
	}
	data, err := x.index.MarshalBinary()
	if err != nil {
		return err
	}
	if len(data) > maxIndex {
		s.Dropped, data = true, before // decoded forms made it larger than its texts
	}
	s.Observed = true
	return replaceFile(s.flowFile(), data)
}
