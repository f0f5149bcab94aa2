package gates

import (
	"path"
	"slices"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file is about lines that load what they make themselves. Such a file counts as it
// would after the line: nobody can say in which order a line with branches does its work.

// nobodyVetted are the files that nobody vetted where the call's programs start: those that
// count where they are started, and those that count where something loads them.
func (c *Context) nobodyVetted() (started, loaded []string) {
	started = c.ofOthers(slices.Clone(c.Flow.Unvetted))
	if len(started) > 0 {
		started = c.remade(started) // a line may run what it makes itself
	}
	leaves := c.lineLeaves()
	for _, u := range c.unread(leaves) {
		started = with(started, u)
	}
	return started, append(slices.Clone(started), leaves...)
}

// lineLeaves are the files that nobody vetted after the call, where it runs something and
// writes; else none.
func (c *Context) lineLeaves() []string {
	runs, writes := false, len(c.written) > 0
	for i := range c.Effects {
		e := &c.Effects[i]
		switch e.Kind {
		case effect.Spawn:
			switch e.Op {
			case effect.OpRunFile, effect.OpBuild, effect.OpRun, effect.OpRunCode:
				runs = true
			}
		case effect.Write:
			writes = writes || e.Zone != effect.ZoneStream
		}
	}
	if !runs || !writes {
		return nil
	}
	list := c.unvetted(c.made())
	return slices.DeleteFunc(list, func(u string) bool { return path.Ext(u) == "" && c.byCode(u) })
}

// byCode says whether only code that the call spells out makes a file: a name without an
// ending is a directory or data as a rule.
func (c *Context) byCode(file string) bool {
	made := false
	for i := range c.Effects {
		if e := &c.Effects[i]; e.Kind == effect.Write && e.Resource == file {
			if made = searched(codeWriters[:], e.Program); !made {
				return false
			}
		}
	}
	return made
}

// unread are those of files that nobody vetted whose contents the call does not spell out:
// what it spells out and starts is judged by what it does.
func (c *Context) unread(files []string) []string {
	var out []string
	for _, f := range files {
		if !slices.ContainsFunc(c.written, func(w effect.Written) bool { return project+w.Path == f || w.Path == f }) {
			out = append(out, f)
		}
	}
	return out
}

// left is what a file holds after the call, where the call changes it: changed says whether
// it does, known whether anybody can tell.
func (c *Context) left(file string) (text string, changed, known bool) {
	changed = slices.ContainsFunc(c.Effects, func(e Effect) bool {
		return e.Kind == effect.Write && (e.Resource == file || copies(e.Program) && e.Resource == path.Dir(file)) && e.Op != effect.OpChmod && e.Op != effect.OpChown && e.Program != "touch"
	})
	if !changed {
		return "", false, false
	}
	for _, m := range c.made() {
		if m.Path == file {
			return m.Text, true, m.Known
		}
	}
	return "", false, false
}
