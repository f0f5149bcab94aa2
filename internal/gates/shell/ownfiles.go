package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/keeps"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file reads the files of the workspace's own that inline code loads, where the language's
// reader has to know what a function does before it lets a call of it through. Nothing is run or
// looked up but the names that the code spells out.

// Bounds of what is followed for one piece of inline code.
const (
	maxOwnFiles = 24
	maxOwnText  = 256 << 10
)

// ownFiles are files of the workspace while they are followed.
type ownFiles struct {
	m     *machine
	first bool // nothing ran before on the line that may have changed a file
	read  int  // how many were read, and how much
	size  int
}

// ownFiles begins to follow files. Whatever else than a look came before on the line may have
// changed what lies there.
func (m *machine) ownFiles() ownFiles {
	first := len(m.moves) == 0
	for i := range m.files {
		zone, _, _ := m.p.Where(m.files[i].path)
		first = first && zone == effect.ZoneTemp && !mark.Has(m.files[i].path)
	}
	for i := range min(m.before, len(m.effects)) {
		e := &m.effects[i]
		first = first && (e.Kind == effect.Read || e.Kind == effect.Write && e.Zone == effect.ZoneTemp && !mark.Has(e.Resource) || e.Kind == effect.Spawn && e.Op == effect.OpRun && keeps.Program(e.Program, keeps.Files))
	}
	return ownFiles{m: m, first: first}
}

// text is what a file of the workspace holds when the line begins, if nothing on the line may
// have changed it; settled says that the session did not either.
func (o *ownFiles) text(full string) (text string, settled, ok bool) {
	m := o.m
	if m.p.TextOf == nil || mark.Has(full) || m.p.There == nil || !m.p.There(full) || !o.first {
		return "", false, false
	}
	if zone, secret, _ := m.p.Where(full); zone != effect.ZoneWorkspace || secret || dependency(full) {
		return "", false, false
	}
	if text, ok = m.p.TextOf(full); !ok {
		return "", false, false
	}
	if o.read, o.size = o.read+1, o.size+len(text); o.read > maxOwnFiles || o.size > maxOwnText {
		return "", false, false
	}
	return text, m.p.Settled != nil && m.p.Settled(full), true
}

// find is the first of a path with each of these endings, blank-separated, at which a file lies.
func (o *ownFiles) find(full, endings string) (string, bool) {
	m := o.m
	if m.p.There == nil || mark.Has(full) {
		return "", false
	}
	for end := range strings.SplitSeq(endings, " ") {
		if file := full + end; m.p.There(file) {
			if _, ok := m.p.TextOf(file); ok {
				return file, true
			}
		}
	}
	return "", false
}
