package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file remembers what the episode wrote, so that what later calls make of it
// can be judged by what it holds, or asks where nobody can tell.

// Limits of Flow.Made, which every hook reads anew: scripts and settings are far
// shorter than the first, and what a session works on at a time than the second.
const (
	maxMadeText  = 8 << 10
	maxMadeTexts = 96 << 10
)

// made returns the files that the episode has written after the call.
func (c *Context) made() []Made {
	out := append([]Made(nil), c.Flow.Made...)
	for i := range c.Effects {
		e := &c.Effects[i]
		if e.Kind == effect.Delete && !e.Glob {
			out = withoutMade(out, e.Resource)
		}
		if e.Kind != effect.Write || e.Zone == effect.ZoneStream || e.Glob || c.holdsCwd(e.Resource) || e.Op == effect.OpChmod || e.Op == effect.OpChown {
			continue
		}
		if e.Program == "touch" && c.wrote(e.Resource) {
			continue
		}
		if e.Program != "mkdir" {
			out = append(withoutMade(out, e.Resource), Made{Path: e.Resource})
		}
	}
	out = c.copied(out)
	for i := range c.written {
		w := &c.written[i]
		text, known := c.whole(w)
		known = known && (!w.Perhaps || c.surelyWrote(w))
		out = append(withoutMade(out, w.Path), short(Made{Path: w.Path, Text: text, Known: known}))
	}
	return shortened(out)
}

// copied gives copies the texts of the files that they are made of.
func (c *Context) copied(out []Made) []Made {
	var from []Made
	for _, m := range c.Flow.Made {
		for i := range c.Effects {
			if c.Effects[i].Resource == m.Path && c.brings(i) {
				from = append(from, m)
				break
			}
		}
	}
	if len(from) == 0 {
		return out
	}
	for i := range c.Effects {
		e := &c.Effects[i]
		if e.Kind != effect.Write || !c.brings(i) || slices.ContainsFunc(from, func(m Made) bool { return m.Path == e.Resource }) {
			continue
		}
		for _, m := range from {
			below := path.Join(e.Resource, path.Base(m.Path))
			out = append(withoutMade(out, below), Made{Path: below, Text: m.Text, Known: m.Known})
		}
		if len(from) == 1 {
			out = append(withoutMade(out, e.Resource), Made{Path: e.Resource, Text: from[0].Text, Known: from[0].Known})
		}
	}
	return out
}

// brings says whether an effect is of a program that brings files to other names.
func (c *Context) brings(i int) bool {
	e := &c.Effects[i]
	return copies(e.Program) || e.Program == "ln" || e.Op == effect.OpMove || c.gitMoves(i)
}

// whole is all of a written file, where it is known.
func (c *Context) whole(w *effect.Written) (string, bool) {
	if w.Known && (!w.Part || w.Made) {
		return w.Text, true
	}
	before, ok := c.before(w.Path)
	if !ok || w.Old == "" || !w.Known {
		return "", false
	}
	return strings.Replace(before, w.Old, w.Text, 1), strings.Contains(before, w.Old)
}

// before is what a file held that the episode wrote. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) before(file string) (string, bool) {
	for i := len(c.Flow.Made) - 1; i >= 0; i-- {
		if m := &c.Flow.Made[i]; m.Path == file {
			return m.Text, m.Known
		}
	}
	return "", false
}

//go:noinline
func withoutMade(list []Made, file string) []Made {
	out := list[:0]
	for _, m := range list {
		if m.Path != file {
			out = append(out, m)
		}
	}
	return out
}

// short is m without a text that is too long to keep.
func short(m Made) Made {
	if len(m.Text) > maxMadeText {
		m.Text, m.Known = "", false
	}
	return m
}

// shortened keeps the newest within the limits: of older ones first the texts go,
// then the names.
func shortened(list []Made) []Made {
	list = list[max(0, len(list)-maxFlow):]
	left := maxMadeTexts
	for i := len(list) - 1; i >= 0; i-- {
		if left -= len(list[i].Text); left < 0 {
			list[i].Text, list[i].Known = "", false
		}
	}
	return list
}
