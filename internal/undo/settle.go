package undo

import (
	"os"
	"path/filepath"
	"slices"
	"time"
)

// load reads what the last look saw, and what the journal says since.
func (j *Journal) load() error {
	if j.state != nil {
		return nil
	}
	j.state = &state{objects: map[string]int64{}}
	data, err := os.ReadFile(j.stateFile())
	if err == nil {
		if s, err := decodeState(data); err == nil && s.seq <= j.chain.seq {
			j.state = s
		}
	}
	kept := filepath.Join(j.opts.Dir, "objects")
	if j.state.names == nil { // never looked at, or what was seen is lost
		j.repo = findRepo(j.opts.Root, kept)
		j.state.top = j.repo.top
		return nil
	}
	if j.state.top != "" {
		j.repo = findRepo(j.opts.Root, kept)
	}
	return j.catchUp()
}

// catchUp takes over what was written down since the state was.
func (j *Journal) catchUp() error {
	if j.state.seq == j.chain.seq {
		return nil
	}
	return j.frames(func(f *frame) {
		if f.Seq > j.state.seq && f.Note != nil {
			for _, c := range f.Note.Changes {
				if c.After.Kind == Absent {
					delete(j.state.names, c.Path)
				} else {
					j.state.names[c.Path] = c.After
				}
			}
		}
	})
}

func (j *Journal) stateFile() string { return filepath.Join(j.opts.Dir, "state") }

// looking is a look with the journal's bounds.
func (j *Journal) looking(old manifest) *look {
	l := &look{repo: &j.repo, blobs: &j.blobs, old: old, now: time.Now().UnixNano(), max: bounds{file: j.opts.MaxFile, bytes: j.opts.MaxBytes, names: j.opts.MaxNames}}
	j.blobs.bytes, j.blobs.copied, j.blobs.linked = 0, false, false
	if j.opts.Limit > 0 {
		l.max.until = time.Now().Add(j.opts.Limit)
	}
	if j.state != nil && j.state.top != "" {
		l.skip = []string{filepath.Join(j.opts.Root, ".git", "objects")}
		if j.repo.common != "" {
			l.skip = append(l.skip, filepath.Join(j.repo.common, "objects"))
		}
	}
	return l
}

// settle looks at everything and puts what changed down to a step; the empty step is
// somebody else's doing.
func (j *Journal) settle(step string) (Tier, error) {
	if err := j.load(); err != nil {
		return AuditOnly, err
	}
	first := j.state.names == nil
	j.repo.read()
	l := j.looking(j.state.names)
	now, err := l.scan(append([]string{j.opts.Root}, j.repo.outside()...)...)
	if err != nil {
		return AuditOnly, err
	}
	j.repo.keepObjects(j.state.objects)
	found := changes(j.state.names, now)
	if first {
		found = nil // nothing was known: this is what the workspace began with
	}
	tier := j.tierOf(l)
	j.state.names = now
	if len(found) > 0 || step != "" {
		if step == "" {
			if step, err = j.others(); err != nil {
				return AuditOnly, err
			}
		}
		if err := j.note(step, tier, found, l.lost); err != nil {
			return AuditOnly, err
		}
	}
	if first || l.moved+len(found) > 0 {
		return tier, j.save()
	}
	return tier, nil
}

func (j *Journal) save() error {
	j.state.seq = j.chain.seq
	return replaceFile(j.stateFile(), j.state.encode())
}

// tierOf is the weakest way in which something had to be kept.
func (j *Journal) tierOf(l *look) Tier {
	switch {
	case l.lost > 0:
		return AuditOnly
	case j.blobs.linked && !j.blobs.copied:
		return COW
	}
	return CopyFS
}

// others opens the step of changes that no call made.
func (j *Journal) others() (string, error) {
	now := j.opts.Now().UnixNano()
	s := Step{ID: newID(), Time: now, Other: true, What: "changed by somebody else"}
	return s.ID, j.chain.add(&frame{Time: now, Open: &s})
}

func (j *Journal) note(step string, t Tier, found []Change, lost int) error {
	return j.chain.add(&frame{Time: j.opts.Now().UnixNano(), Note: &note{Step: step, Done: true, Tier: t, Changes: found, Lost: lost}})
}

// hold looks at some names only. It says no where they are not all there is to look at.
func (j *Journal) hold(paths []string) (held []string, before []Change, t Tier, err error) {
	for _, p := range paths {
		held = append(held, missing(absoluteIn(j.opts.Root, p), j.opts.Root))
	}
	slices.Sort(held)
	held = slices.Compact(held)
	now, l, err := j.part(held)
	if err != nil {
		return nil, nil, AuditOnly, err
	}
	for _, p := range keys(now) {
		if e := now[p]; e.Kind == File && e.id.links > 1 {
			return nil, nil, AuditOnly, nil // its other names change with it
		}
		before = append(before, Change{Path: p, Before: now[p]})
	}
	return held, before, j.tierOf(l), nil
}

// missing is the highest directory above a name that is not there, or the name: what a
// call makes above its file goes with it.
func missing(name, root string) string {
	for up := filepath.Dir(name); below(up, root) && up != root; up = filepath.Dir(up) {
		if _, err := os.Lstat(up); err == nil {
			break
		}
		name = up
	}
	return name
}

// part is what stands at some names, and below them.
func (j *Journal) part(paths []string) (manifest, *look, error) {
	l := j.looking(nil)
	l.repo = &repo{} // reading the index costs more than copying what one call names
	var there []string
	for _, p := range paths {
		if _, err := os.Lstat(p); err == nil {
			there = append(there, p)
		}
	}
	m, err := l.scan(there...)
	return m, l, err
}

func (j *Journal) settleHeld(s *openStep) error {
	before := manifest{}
	for _, c := range s.Held {
		before[c.Path] = c.Before
	}
	after, l, err := j.part(s.Paths)
	if err != nil {
		return err
	}
	return j.note(s.Step.ID, j.tierOf(l), changes(before, after), l.lost)
}
