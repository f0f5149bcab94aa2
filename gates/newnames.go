package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file is about texts of the session that get another name in ways that the names in a
// call do not show: what is copied under a computed name, cut out of a file or applied from a
// patch is the session's text still, and under a name that something loads it counts.

// unnamed adds the code files that the call copies or moves from places that it does not
// name, where the session wrote a text that would not be approved under that name.
func (c *Context) unnamed(out []string) []string {
	for k := range c.runs {
		r := &c.runs[k]
		if !slices.ContainsFunc(r.Effects, func(i int) bool {
			e := &c.Effects[i]
			return copies(e.Program) && e.Kind == effect.Read && (e.Glob || mark.Has(e.Resource) || strings.Contains(e.Resource, "…"))
		}) {
			continue
		}
		for _, i := range r.Effects {
			e := &c.Effects[i]
			if e.Kind == effect.Write && !e.Glob && codeOf(e.Resource) != "" && slices.ContainsFunc(c.Flow.Made, func(m Made) bool {
				return m.Known && !c.vetted(&effect.Written{Path: e.Resource, Text: m.Text, Known: true})
			}) {
				out = with(out, e.Resource)
			}
		}
	}
	return out
}

// gitMoves says whether an effect is that of a git that moves files.
func (c *Context) gitMoves(i int) bool {
	r := c.runOf(i)
	if c.Effects[i].Program != "git" || r == nil {
		return false
	}
	sub, _ := shell.GitSubcommand(r.Words)
	return sub == "mv"
}

// borne says whether what lies under a name is a text that the session wrote under another,
// all of it or a piece, and would not be approved under this one.
func (c *Context) borne(file, text string) bool {
	piece := strings.TrimSpace(text)
	if piece == "" || len(text) > maxMadeText {
		return false
	}
	for i := range c.Flow.Made {
		m := &c.Flow.Made[i]
		switch {
		case !m.Known || m.Path == file || len(m.Text) < len(piece):
		case strings.Contains(m.Text, piece), strings.Contains(m.Text, "+++ ") && strings.Contains(additions(m.Text), piece):
			return !c.vetted(&effect.Written{Path: file, Text: text, Known: true})
		}
	}
	return false
}

// brokenOff is what a file holds that the call copies or moves from one of the session's that
// is too long to be remembered, as the host sees it: there is no telling otherwise what a
// long text is under its new name.
func (c *Context) brokenOff(file string) (string, bool) {
	if c.text == nil || codeOf(file) == "" && shell.Loaded(file) == shell.NotLoaded {
		return "", false
	}
	for k := range c.runs {
		r := &c.runs[k]
		if !slices.ContainsFunc(r.Effects, func(i int) bool {
			e := &c.Effects[i]
			return e.Kind == effect.Write && e.Resource == file && (copies(e.Program) || c.gitMoves(i))
		}) {
			continue
		}
		for _, i := range r.Effects {
			e := &c.Effects[i]
			if e.Resource == file || e.Kind != effect.Read && e.Op != effect.OpMove || !c.wrote(e.Resource) {
				continue
			}
			if text, ok := c.text(file); ok && c.after {
				return text, true
			}
			return c.text(e.Resource)
		}
	}
	return "", false
}

// wrote says whether the session wrote a file, whatever it knows of that. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) wrote(file string) bool {
	return slices.ContainsFunc(c.Flow.Made, func(m Made) bool { return m.Path == file })
}

// additions are the lines that a patch adds (diff(1), unified format).
func additions(patch string) string {
	var b strings.Builder
	for line := range strings.Lines(patch) {
		if added, ok := cutPrefix(line, "+"); ok && !strings.HasPrefix(line, "+++ ") {
			b.WriteString(added)
		}
	}
	return b.String()
}

// carries says whether the session wrote texts under names that nothing loads by itself,
// which programs may have brought to other names. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) carries() bool {
	return c.text != nil && slices.ContainsFunc(c.Flow.Made, func(m Made) bool {
		return m.Known && (codeOf(m.Path) == "" || shell.Loaded(m.Path) == shell.NotLoaded || strings.Contains(m.Text, ">>> ")) && path.Base(m.Path) != ".gitignore"
	})
}
