package undo

import (
	"fmt"
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
	j.state = &state{objects: map[string]int64{}, recent: manifest{}}
	data, err := os.ReadFile(j.stateFile())
	if err == nil {
		if s, err := decodeState(data); err == nil && s.seq <= j.chain.seq {
			j.state = s
		}
	}
	kept := filepath.Join(j.opts.Dir, "objects")
	if !j.state.known { // never looked at, or what was seen is lost
		j.repo = findRepo(j.opts.Root, kept)
		j.state.top = j.repo.top
		return nil
	}
	if j.state.top != "" {
		j.repo = findRepo(j.opts.Root, kept)
	}
	if data, err := os.ReadFile(j.recentFile()); err == nil {
		j.state.decodeRecent(data) // one that is of another state is told by the journal
	}
	return j.catchUp()
}

// catchUp takes over what was written down since the state was.
func (j *Journal) catchUp() error {
	if j.state.seq >= j.chain.seq {
		return nil
	}
	c := chain{file: j.chain.file, seq: j.state.seq, end: j.state.end, last: j.state.last}
	err := c.read(func(f *frame) {
		if f.Note != nil {
			for _, x := range f.Note.Changes {
				j.state.change(manifest{x.Path: x.After})
			}
		}
	})
	if err == nil && (c.seq != j.chain.seq || c.last != j.chain.last) {
		err = fmt.Errorf("%w: it ends elsewhere than it did", ErrJournal)
	}
	return err
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
	l, old, quick := j.quick()
	if !quick {
		return j.settleAll(step)
	}
	if l.failed != nil {
		return AuditOnly, l.failed
	}
	j.repo.keepObjects(j.state.objects)
	for path := range old {
		if _, there := l.out[path]; !there {
			j.state.change(manifest{path: Entry{}})
		}
	}
	j.state.change(l.out)
	tier, found := j.tierOf(l), changes(old, l.out)
	if err := j.tell(step, tier, found, l.lost); err != nil {
		return AuditOnly, err
	}
	if len(old)+len(l.out) == 0 {
		return tier, nil
	}
	return tier, j.saveRecent()
}

// settleAll takes a whole look.
func (j *Journal) settleAll(step string) (Tier, error) {
	first, before := !j.state.known, manifest(nil)
	if !first {
		before = j.state.all()
	}
	j.repo.read()
	l := j.looking(before)
	now, err := l.scan(append([]string{j.opts.Root}, j.repo.outside()...)...)
	if err != nil {
		return AuditOnly, err
	}
	j.repo.keepObjects(j.state.objects)
	found := changes(before, now)
	if first {
		found = nil // nothing was known: this is what the workspace began with
	}
	tier := j.tierOf(l)
	j.state.set(now)
	if err := j.tell(step, tier, found, l.lost); err != nil {
		return AuditOnly, err
	}
	if first || l.moved+len(found) > 0 {
		return tier, j.save()
	}
	return tier, nil
}

// tell writes down what a look found.
func (j *Journal) tell(step string, t Tier, found []Change, lost int) (err error) {
	if len(found) == 0 && step == "" {
		return nil
	}
	if step == "" {
		if step, err = j.others(); err != nil {
			return err
		}
	}
	return j.note(step, t, found, lost)
}

// at notes up to where the state knows the journal.
func (s *state) at(c *chain) { s.seq, s.end, s.last = c.seq, c.end, c.last }

func (j *Journal) save() error {
	j.state.at(&j.chain)
	data := j.state.encode()
	if err := replaceFile(j.stateFile(), data); err != nil {
		return err
	}
	os.Remove(j.recentFile())
	s, err := decodeState(data)
	if err == nil {
		j.state = s
	}
	return err
}

// maxRecent is how many names may differ before all are written anew.
const maxRecent = 2048

func (j *Journal) saveRecent() error {
	if len(j.state.recent) > maxRecent {
		return j.save()
	}
	j.state.at(&j.chain)
	return replaceFile(j.recentFile(), j.state.encodeRecent())
}

func (j *Journal) recentFile() string { return filepath.Join(j.opts.Dir, "recent") }

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
		name := missing(absoluteIn(j.opts.Root, p), j.opts.Root)
		if real, err := filepath.EvalSymlinks(filepath.Dir(name)); err != nil || real != filepath.Dir(name) {
			return nil, nil, AuditOnly, nil // it lies elsewhere
		}
		held = append(held, name)
	}
	slices.Sort(held)
	held = slices.Compact(held)
	now, l, err := j.part(held)
	if err != nil {
		return nil, nil, AuditOnly, err
	}
	for _, p := range keys(now) {
		if e := now[p]; e.Kind != File || e.id.links > 1 {
			return nil, nil, AuditOnly, nil // other names change with it: those of the file, where a link leads, or what a directory holds
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
