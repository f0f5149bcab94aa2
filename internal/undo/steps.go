package undo

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Step is something that changed a workspace.
type Step struct {
	ID      string   `msgpack:"i"`
	Time    int64    `msgpack:"t"` // when it began, in nanoseconds since 1970
	Session string   `msgpack:"s,omitempty"`
	Agent   string   `msgpack:"a,omitempty"`
	What    string   `msgpack:"w,omitempty"`
	Outside []string `msgpack:"o,omitempty"` // what of it no undo can take back
	Tier    Tier     `msgpack:"r,omitempty"`
	Silent  bool     `msgpack:"q,omitempty"`
	Other   bool     `msgpack:"x,omitempty"` // no call of an agent: a person, or another program
	Undo    bool     `msgpack:"u,omitempty"` // an undo

	Changes  []Change `msgpack:"-"` // by path, the first state and the last
	Lost     int      `msgpack:"-"` // contents that were not kept
	Done     bool     `msgpack:"-"` // it was looked at after it ran
	UndoneBy string   `msgpack:"-"` // the undo that took it back, unless that was undone
	seq      uint64
	frames   []uint64 // of each change, the frame that told it
}

// frames reads the whole journal and holds it against where it ended.
func (j *Journal) frames(each func(*frame)) error {
	c := chain{file: j.chain.file}
	if err := c.read(each); err != nil {
		return err
	}
	if c.seq != j.chain.seq || c.last != j.chain.last {
		return fmt.Errorf("%w: it ends elsewhere than it did", ErrJournal)
	}
	return nil
}

// Steps are all steps, the oldest first. It reads and verifies the whole journal.
func (j *Journal) Steps() ([]Step, error) {
	var steps []Step
	at := map[string]int{}
	err := j.frames(func(f *frame) {
		if f.Open != nil {
			s := *f.Open
			s.seq = f.Seq
			at[s.ID] = len(steps)
			steps = append(steps, s)
		}
		if f.Note != nil {
			if i, ok := at[f.Note.Step]; ok {
				steps[i].take(f)
			}
			for _, id := range f.Note.Reversed {
				if i, ok := at[id]; ok {
					steps[i].UndoneBy = f.Note.Step
				}
			}
		}
	})
	if err != nil {
		return nil, fmt.Errorf("undo: %w", err)
	}
	stillUndone(steps, at)
	return steps, nil
}

// stillUndone takes back the word of undos that were undone themselves.
func stillUndone(steps []Step, at map[string]int) {
	for i := len(steps) - 1; i >= 0; i-- { // an undo comes behind what it undid
		if by, ok := at[steps[i].UndoneBy]; ok && steps[by].UndoneBy != "" {
			steps[i].UndoneBy = ""
		}
	}
}

// take adds what a look found.
func (s *Step) take(f *frame) {
	n := f.Note
	s.Done = s.Done || n.Done
	s.Lost += n.Lost
	s.Tier = min(s.Tier, n.Tier)
	for _, c := range n.Changes {
		i, found := slices.BinarySearchFunc(s.Changes, c.Path, func(c Change, p string) int { return strings.Compare(c.Path, p) })
		if found {
			s.Changes[i].After = c.After
			s.frames[i] = f.Seq
			continue
		}
		s.Changes = slices.Insert(s.Changes, i, c)
		s.frames = slices.Insert(s.frames, i, f.Seq)
	}
}

// Selection says which steps to take back.
type Selection struct {
	Steps    []string // by id, or the beginning of one
	Sessions []string
	Since    time.Time // all since then
	Others   bool      // those that were no calls too, with Since
}

// Select picks steps, the oldest first. A name that fits nothing, or two steps, is an
// error; undos are only taken when they are named.
func (j *Journal) Select(want Selection) ([]Step, error) {
	all, err := j.Steps()
	if err != nil {
		return nil, err
	}
	chosen := map[string]bool{}
	for _, id := range want.Steps {
		full, err := named(all, id)
		if err != nil {
			return nil, err
		}
		chosen[full] = true
	}
	out := slices.DeleteFunc(all, func(s Step) bool {
		since := !want.Since.IsZero() && s.Time >= want.Since.UnixNano() && (want.Others || !s.Other)
		session := slices.Contains(want.Sessions, s.Session) && s.Session != ""
		return !chosen[s.ID] && (s.Undo || s.UndoneBy != "" || !since && !session)
	})
	for _, s := range want.Sessions {
		if !slices.ContainsFunc(out, func(x Step) bool { return x.Session == s }) {
			return nil, fmt.Errorf("undo: no step of a session %q is left to take back", s)
		}
	}
	return out, nil
}

func named(all []Step, id string) (string, error) {
	var fits []string
	for i := range all {
		if strings.HasPrefix(all[i].ID, id) && len(id) >= 4 {
			fits = append(fits, all[i].ID)
		}
	}
	switch len(fits) {
	case 0:
		return "", fmt.Errorf("undo: no step %q; give at least four letters of an id that gbt undo lists", id)
	case 1:
		return fits[0], nil
	}
	return "", fmt.Errorf("undo: %q is the beginning of %s", id, strings.Join(fits, " and "))
}

// Rel is a path as people read it: below the workspace, or whole.
func (j *Journal) Rel(path string) string {
	if rel, err := filepath.Rel(j.opts.Root, path); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return rel
	}
	return path
}
