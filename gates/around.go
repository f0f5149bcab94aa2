package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file tells what a file holds around a call, for who remembers an answer about it: a
// yes is for a change of what was there, and says nothing of the same words elsewhere.

// Edits are the parts of a file that the call replaces, with what replaces them; ok is false
// where it changes the file in any other way, or where what is replaced is known not to stand
// there exactly once.
func (c *Context) Edits(file string) (list []effect.Written, ok bool) {
	before, known := c.holdsNow(file)
	for i := range c.written {
		w := &c.written[i]
		if w.Path != file {
			continue
		}
		if !w.Part || !w.Known || w.Net || w.Old == "" || known && strings.Count(before, w.Old) != 1 {
			return nil, false
		}
		list = append(list, *w)
	}
	return list, len(list) > 0
}

// Around is what a file holds before and after the call. known is false where a part of
// either is not known: a text that is guessed is none.
func (c *Context) Around(file string) (before, after string, known bool) {
	if before, known = c.holdsNow(file); !known {
		return "", "", false
	}
	if i := slices.IndexFunc(c.written, func(w effect.Written) bool { return w.Path == file }); i >= 0 && !c.written[i].Part {
		w := &c.written[i]
		again := slices.ContainsFunc(c.written[i+1:], func(x effect.Written) bool { return x.Path == file })
		return before, w.Text, w.Known && !w.Net && !again
	}
	list, ok := c.Edits(file)
	if !ok || len(list) != 1 {
		return "", "", false
	}
	return before, strings.Replace(before, list[0].Old, list[0].Text, 1), true
}

// Holds is what a file holds before the call, where somebody who looked or who wrote it says so. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) Holds(file string) (text string, known bool) { return c.holdsNow(file) }

// OwnNamed is what the files hold that the session wrote and whose names stand in a text, with their paths; ok is
// false where nobody knows what one of them holds. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) OwnNamed(text string) (held string, ok bool) {
	for i := range c.Flow.Made {
		file := c.Flow.Made[i].Path
		if !strings.Contains(text, path.Base(file)) {
			continue
		}
		now, known := c.Holds(file)
		if !known {
			return "", false
		}
		held += file + now
	}
	return held, true
}

// maxAround bounds the files of which this tells, below what hosts read of one.
const maxAround = 64 << 10

// holdsNow is what the host sees in a file, else what the session wrote there; nothing where
// there is no file.
func (c *Context) holdsNow(file string) (text string, known bool) {
	if c.after || !exact(file) {
		return "", false
	}
	made := false
	if c.text != nil {
		text, known = c.text(file)
	} else {
		made = slices.ContainsFunc(c.Flow.Made, func(m Made) bool { return m.Path == file })
		text, known = c.before(file)
	}
	if !known && !made && c.isNew(file) {
		return "", true
	}
	return text, known && len(text) < maxAround
}

// RunsPlainly says whether a shell's script that holds a text only reads and writes ordinary files of
// the workspace with programs that are known, whatever it is told: what would pass each time. Not
// inlined, for the size of programs.
//
//go:noinline
func (c *Context) RunsPlainly(file, text string) bool {
	lang := shell.ScriptLanguage(file, text)
	if lang != "sh" && lang != "bash" || len(text) > maxPlain || !c.vetted(&effect.Written{Path: file, Text: text, Known: true}) {
		return false
	}
	places := c.placesIn(c.Cwd)
	script := Context{Effects: shell.AnalyzeScript(lang, ownName(text, file), &places), later: true}
	var g Guardrail
	if d := g.Decide(&script); d.Disposition != Approved {
		return false
	}
	return !slices.ContainsFunc(script.Effects, func(e Effect) bool {
		inside := e.Zone == effect.ZoneWorkspace || e.Zone == effect.ZoneTemp || e.Zone == effect.ZoneStream
		switch e.Kind {
		case effect.Read, effect.List:
			return !inside || e.Sensitive || e.Deferred
		case effect.Write:
			return !inside || e.Sensitive || e.Protected || e.Deferred || e.Op != effect.OpCreate && e.Op != effect.OpModify
		case effect.Spawn:
			return e.Op != effect.OpRun
		}
		return true
	})
}
