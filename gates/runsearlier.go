package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file is about files that are not what a call shows: those that a line runs and writes in a part that
// may not run, those that code makes of others, and what containers print.

// earlier objects to what a run may find under a name that the call writes in a part of its line that may
// not have run: what lay there before.
func (inlineReader) earlier(c *Context, g *Guardrail, d *Decision) {
	for k := range c.runs {
		r := &c.runs[k]
		for _, file := range r.Earlier {
			if mark.Has(file) {
				continue
			}
			zone, _, _ := c.places.Where(file)
			e := Effect{Kind: effect.Spawn, Op: effect.OpRunFile, Resource: file, Zone: zone}
			at := slices.IndexFunc(c.Effects, func(e Effect) bool { return e.Kind == effect.Write && e.Resource == file })
			if at < 0 {
				continue
			}
			e.Program = path.Base(file)
			if runsUnvetted(c.Flow.Unvetted, &e) {
				d.add(ruleUnvetted, ApprovedWithConstraints, at, &e)
			} else if rule, disp := g.judge(c, &e); disp != Approved && c.exists != nil && c.exists(file) {
				d.add(rule, disp, at, &e)
			}
		}
	}
}

// editors are programs that are given commands by which they may put one file into another. Sorted.
const editors = "ed emacs ex nvim vi view vim"

func (inlineReader) brings(c *Context, out []string) []string {
	contained := false
	for k := range c.runs {
		r := &c.runs[k]
		contained = contained || r.Contained
		switch {
		case len(r.Words) == 0:
		case mark.Among(editors, path.Base(r.Words[0])): // what they read stands anywhere on the line
			out = c.carriedTo(out, strings.FieldsFunc(strings.ReplaceAll(c.Command, `\n`, "\n"), func(r rune) bool { return strings.ContainsRune(" \t\n;&|'\"<>$", r) }))
		case slices.ContainsFunc(r.Effects, func(i int) bool { return c.Effects[i].Op == effect.OpRunCode }):
			for _, w := range r.Words {
				out = c.carriedBy(out, w)
			}
		}
	}
	for i := range c.cells {
		out = c.carriedBy(out, c.cells[i].Text)
	}
	for i := range c.Effects {
		e := &c.Effects[i]
		if contained && e.Kind == effect.Write && (e.Program == "" || passesOn(e.Program)) && (e.Op == effect.OpCreate || e.Op == effect.OpModify) && !outside(e.Zone) && !c.holdsCwd(e.Resource) && !c.follows(e.Resource) {
			out = with(out, e.Resource)
		}
	}
	return out
}

// carriedBy is carriedTo for code, of which a line names the one and the other.
func (c *Context) carriedBy(out []string, code string) []string {
	for line := range strings.Lines(strings.ReplaceAll(code, ";", "\n")) {
		out = c.carriedTo(out, texts(line))
	}
	return out
}

// carriedTo adds the code and settings among names, where a fetched file is another of them.
func (c *Context) carriedTo(out, words []string) []string {
	if !slices.ContainsFunc(c.Flow.Unvetted, func(u string) bool { return c.namesFetched(u, words) }) {
		return out
	}
	for _, w := range words {
		if file := c.places.Resolve(c.Cwd, w); len(w) < maxFileName && (codeOf(w) != "" || shell.Loaded(w) != shell.NotLoaded) && c.inWorkspace(file) && !c.holdsCwd(file) && !mark.Has(w) {
			out = tainted(out, file, true)
		}
	}
	return out
}

// namesFetched says whether words name an unvetted file whose contents nobody has seen.
func (c *Context) namesFetched(u string, words []string) bool {
	if !strings.HasPrefix(u, "/") || u == "/" || !slices.ContainsFunc(words, func(w string) bool { return len(w) < maxFileName && c.places.Resolve(c.Cwd, w) == u }) {
		return false
	}
	_, known := c.before(u)
	return !known
}

// untracked goes by what git and the host say of a file,
// and by what the session and the call wrote.
func (inlineReader) untracked(c *Context, file string) bool {
	if c.places.Tracked == nil || c.exists == nil || !exact(file) || !c.exists(file) || c.places.Tracked(file) || c.Flow.touched(file) || regenerable(file) {
		return false
	}
	return !slices.ContainsFunc(c.Effects, func(w Effect) bool { return w.Kind == effect.Write && w.Resource == file })
}

// ofFilled goes by the directories that the session filled.
func (inlineReader) ofFilled(c *Context, file string) bool {
	for _, u := range c.Flow.Unvetted {
		if dir, ok := strings.CutPrefix(u, within); ok && mark.Under(file, dir) {
			return true
		}
	}
	return false
}
