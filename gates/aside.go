package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file is about files that lie beside the settings of coding agents and that no agent loads by itself:
// they are ordinary files of the workspace, as a script in another directory is.

// BesideSettings is State.Aside by what says of a file whether it is one that no agent loads by itself, or of a
// directory that is made whether it lies beside settings. It takes the guard from what a call does with single
// files of that kind; a text that is put there counts as any that the session writes.
func BesideSettings(aside func(file string, made bool) bool) func(*Context) {
	return func(c *Context) {
		if c.Elsewhere == "" {
			c.besideSettings(aside)
		}
	}
}

func (c *Context) besideSettings(aside func(file string, made bool) bool) {
	var list []int
	for i := range c.Effects {
		e := &c.Effects[i]
		if !e.Protected || e.Sensitive || e.Glob || e.Deferred || e.Zone != effect.ZoneWorkspace || !exact(e.Resource) || strings.Contains(e.Resource, "/../") || c.IsOwn(e) {
			continue
		}
		made := e.Program == "mkdir" && e.Op == effect.OpCreate
		switch {
		case e.Kind == effect.Write && (e.Op == effect.OpCreate || e.Op == effect.OpModify || e.Op == effect.OpChmod):
		case e.Kind == effect.Delete && e.Op == effect.OpRemove:
		default:
			continue
		}
		if c.stamp != nil && strings.HasSuffix(c.stamp(e.Resource), Linked) {
			continue // what it is under another name, nobody sees
		}
		if aside(e.Resource, made) {
			list = append(list, i)
		}
	}
	if len(list) == 0 {
		return
	}
	c.Effects = slices.Clone(c.Effects)
	for _, i := range list {
		c.Effects[i].Protected = false
	}
}

// GuardsStarted is State.Aside that goes before another one: it puts under guard what the call changes of the
// files that something starts unasked, and of all files right in the directories that are told.
func GuardsStarted(started func() (files, dirs []string), next func(*Context)) func(*Context) {
	return func(c *Context) {
		if c.Elsewhere == "" {
			c.guardsStarted(started)
		}
		next(c)
	}
}

func (c *Context) guardsStarted(started func() (files, dirs []string)) {
	cloned := false
	for i := range c.Effects {
		e := &c.Effects[i]
		if e.Kind != effect.Write && e.Kind != effect.Delete || e.Protected || e.Zone != effect.ZoneWorkspace {
			continue
		}
		files, dirs := started()
		changed := func(f string) bool { ok, _ := path.Match(e.Resource, f); return f == e.Resource || e.Glob && ok }
		if !slices.ContainsFunc(files, changed) && !isAmong(dirs, path.Dir(e.Resource)) {
			continue
		}
		if !cloned {
			c.Effects, cloned = slices.Clone(c.Effects), true
		}
		c.Effects[i].Protected = true
	}
}
