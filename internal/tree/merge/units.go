package merge

import (
	"errors"
	"iter"
)

// ErrOneGroup says that a structural hold-out has nothing to hold out.
var ErrOneGroup = errors.New("all episodes belong to one suite, repository or site: none can be held out")

// units joins what must not be split: the runs of one task, known by its id, and
// tasks of several ids with one text. With groups, whole suites, repositories or
// sites are units (protocol C of 003 §I.3), and two that share a task are one.
//
// It is a union-find over hashes whose roots are the least of their set, so that
// neither order nor parts matter.
type units struct {
	groups bool
	up     map[uint64]uint64 // towards the root, of a task's or group's key
	text   map[uint64]uint64 // a key seen with a text
	names  map[uint64]bool   // keys of the groups, if they count
}

func newUnits(groups bool) *units {
	return &units{groups: groups, up: map[uint64]uint64{}, text: map[uint64]uint64{}, names: map[uint64]bool{}}
}

// add joins a trace's task with everything it shares.
func (u *units) add(t *Trace) {
	key := u.root(t.TaskKey)
	if t.TextKey != 0 {
		first, ok := u.text[t.TextKey]
		if !ok {
			first = key
			u.text[t.TextKey] = key
		}
		u.join(first, key)
	}
	if u.groups {
		u.names[groupKey(t)] = true
		u.join(groupKey(t), key)
	}
}

func groupKey(t *Trace) uint64 { return hash64("group", groupName(t)) }

func (u *units) root(key uint64) uint64 {
	for {
		up, ok := u.up[key]
		if !ok {
			return key
		}
		key = up
	}
}

func (u *units) join(a, b uint64) {
	a, b = u.root(a), u.root(b)
	if a != b {
		u.up[max(a, b)] = min(a, b)
	}
}

func (u *units) union(o *units) {
	for a, b := range o.up {
		u.join(a, b)
	}
	for key := range o.names {
		u.names[key] = true
	}
	for text, key := range o.text {
		if first, ok := u.text[text]; ok {
			u.join(first, key)
		} else {
			u.text[text] = key
		}
	}
}

// single reports whether all groups are one unit.
func (u *units) single() bool {
	roots := map[uint64]bool{}
	for key := range u.names {
		roots[u.root(key)] = true
	}
	return len(roots) < 2
}

// folded is a Source whose traces are folded by unit. Its units are complete:
// they are only read.
type folded struct {
	Source
	units *units
}

// Part implements Source.
func (s *folded) Part(i int) iter.Seq2[*Trace, error] {
	return func(yield func(*Trace, error) bool) {
		for t, err := range s.Source.Part(i) {
			if t != nil {
				moved := *t
				moved.FoldKey = s.units.of(t)
				t = &moved
			}
			if !yield(t, err) {
				return
			}
		}
	}
}

// of returns the key that decides a trace's fold. Failures of tasks that nobody
// ever solved were not added; with groups, theirs is the one of their group.
func (u *units) of(t *Trace) uint64 {
	if u.groups {
		return u.root(groupKey(t))
	}
	return u.root(t.TaskKey)
}
