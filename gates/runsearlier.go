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
		if len(r.Words) > 0 {
			out = c.ofDevice(out, r)
		}
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

// carriedTo adds the files among names, where a fetched file is another of them.
func (c *Context) carriedTo(out, words []string) []string {
	if !slices.ContainsFunc(c.Flow.Unvetted, func(u string) bool { return c.namesFetched(u, words) }) {
		return out
	}
	for _, w := range words {
		if file := c.places.Resolve(c.Cwd, w); len(w) < maxFileName && (strings.ContainsAny(strings.TrimRight(w, "."), "./") || shell.Loaded(w) != shell.NotLoaded || w == "gradlew" || w == "mvnw") && !strings.ContainsAny(w, " \t\n") && c.inWorkspace(file) && !c.holdsCwd(file) && !mark.Has(w) {
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
func (c *Context) untracked(file string) bool {
	if c.places.Tracked == nil || c.exists == nil || !exact(file) || !c.exists(file) || c.places.Tracked(file) || c.Flow.touched(file) || regenerable(file) {
		return false
	}
	return !slices.ContainsFunc(c.Effects, func(w Effect) bool { return w.Kind == effect.Write && w.Resource == file })
}

// others goes by archives that somebody put there, and by directories that the session filled.
func (inlineReader) others(c *Context, e *Effect, bad []string) bool {
	if mark.Among(unpackers, e.Program) && c.untracked(e.Resource) {
		return true
	}
	return slices.ContainsFunc(bad, func(u string) bool {
		dir, filled := cutPrefix(u, within)
		return filled && mark.Under(e.Resource, dir)
	})
}

// takesAll goes by what packs and moves whole directories, and by links to them.
func (inlineReader) takesAll(c *Context, i int, file string) bool {
	e := &c.Effects[i]
	if e.Program == "ln" {
		for at := path.Dir(file); len(at) > len(c.Cwd); at = path.Dir(at) {
			if c.mentions(at) {
				return true
			}
		}
		return false
	}
	return (mark.Among(unpackers, e.Program) || e.Program == "zip" || c.gitMoves(i)) && mark.Under(file, e.Resource)
}

// ofDevice adds what adb brings from a device: under the name that it has there, where no other one is given
// (adb's help).
func (c *Context) ofDevice(out []string, r *effect.Run) []string {
	at := slices.Index(r.Words, "pull")
	if at < 0 || path.Base(r.Words[0]) != "adb" {
		return out
	}
	words := slices.DeleteFunc(slices.Clone(r.Words[at+1:]), func(w string) bool { return w == "" || w[0] == '-' })
	to, from := ".", words
	if n := len(words); n > 1 {
		to, from = words[n-1], words[:n-1]
	}
	for _, w := range from {
		for _, name := range [...]string{to, path.Join(to, path.Base(w))} {
			if file := c.places.Resolve(r.Cwd, name); c.inWorkspace(file) && !c.holdsCwd(file) {
				out = with(tainted(out, file, true), within+file)
			}
		}
	}
	return out
}

// perhaps is for files that nobody vetted before.
func (inlineReader) perhaps(c *Context, file string) bool {
	return isAmong(c.Flow.Unvetted, file) && slices.ContainsFunc(c.written, func(w effect.Written) bool { return w.Path == file && w.Perhaps })
}
