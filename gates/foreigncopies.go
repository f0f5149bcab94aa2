package gates

import (
	"path"
	"slices"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about what calls bring into the workspace of what somebody else wrote:
// copies and archives from elsewhere on the machine, and repositories that are cloned. A
// yes to the reading says nothing of running it.

// within stands before a directory of Flow.Unvetted that was filled from elsewhere: what
// builds or tests in it runs code of whoever filled it.
const within = "within:"

// copiedIn adds the files that the call copies, moves or unpacks from places outside the
// workspace, and the directories of repositories that it clones.
func (c *Context) copiedIn(out []string) []string {
	for i := range c.Effects {
		e := &c.Effects[i]
		switch {
		case c.foreignCopy(e):
			for j := range c.Effects {
				w := &c.Effects[j]
				if w.Kind != effect.Write || w.Program != e.Program && (w.Program != "" || copies(e.Program)) || outside(w.Zone) || w.Resource == e.Resource || computed(e) && c.spelledOut(w.Resource) {
					continue
				}
				if !c.holdsCwd(w.Resource) {
					out = tainted(out, w.Resource, true)
				}
				if copies(e.Program) {
					out = below(filled(c, out, w.Resource, e), w.Resource, e.Resource, true)
				}
			}
		case e.Kind == effect.Network && e.Op == effect.OpFetch && !e.Named:
			if dir := c.cloned(i); dir != "" && !c.holdsCwd(dir) {
				out = with(tainted(out, dir, true), within+dir)
			}
		}
	}
	return out
}

// foreignCopy says whether an effect takes what lies outside the workspace, or what is known
// only when it runs, as a program does that keeps what it is given as it is.
func (c *Context) foreignCopy(e *Effect) bool {
	switch e.Program {
	case "cat", "head", "tail", "dd", "tee":
	default:
		if !copies(e.Program) {
			return false
		}
	}
	switch e.Zone {
	case effect.ZoneHome, effect.ZoneOutside, effect.ZoneUnknown, effect.ZoneCaller:
		return e.Kind == effect.Read || e.Kind == effect.Write && e.Op == effect.OpMove
	}
	return false
}

// computed says whether what is taken is known only when it runs.
func computed(e *Effect) bool { return e.Zone == effect.ZoneUnknown || e.Zone == effect.ZoneCaller }

// spelledOut says whether the call itself says what a file holds. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) spelledOut(file string) bool {
	return slices.ContainsFunc(c.written, func(w effect.Written) bool { return w.Path == file && w.Known && !w.Part && !w.Net })
}

// filled adds a directory that a program fills: one that an archive is unpacked into, or a
// copied directory.
func filled(c *Context, out []string, to string, from *Effect) []string {
	dir := ""
	switch {
	case path.Base(to) == "unpacked":
		dir = path.Dir(to)
	case from.Kind == effect.Read && path.Ext(from.Resource) == "" && !isAmong(c.Roots, to):
		dir = to // may be one
	}
	if dir == "" || c.holdsCwd(dir) {
		return out
	}
	return with(tainted(out, dir, true), within+dir)
}

// cloned is the directory that the run of a fetch makes of a repository, if it clones one.
func (c *Context) cloned(i int) string {
	r := c.runOf(i)
	if r == nil || r.Tool != "git clone" && r.Tool != "gh repo clone" && r.Tool != "gh gist clone" && r.Tool != "jj git clone" && r.Tool != "glab repo clone" && r.Tool != "hg clone" {
		return ""
	}
	for _, j := range r.Effects {
		if w := &c.Effects[j]; w.Kind == effect.Write && !outside(w.Zone) {
			return w.Resource
		}
	}
	if len(r.Names) == 0 {
		return ""
	}
	name := path.Base(trimSuffix(trimSuffix(r.Names[0], "/"), ".git"))
	if name == "." || name == "/" || mark.Has(name) {
		return ""
	}
	return path.Join(r.Cwd, name[lastByte(name, ':')+1:])
}

// worksWithin objects to what builds or tests in a directory that was filled from elsewhere, or
// is told one in it.
func (c *Context) worksWithin(d *Decision, unvetted []string) {
	if slices.ContainsFunc(d.Reasons, func(r Reason) bool { return r.Rule == ruleUnvetted }) {
		return
	}
	for _, u := range unvetted {
		dir, ok := cutPrefix(u, within)
		if !ok {
			continue
		}
		for k := range c.runs {
			r := &c.runs[k]
			at := slices.IndexFunc(r.Effects, func(i int) bool { return c.Effects[i].Op == effect.OpBuild })
			if at < 0 || !c.goesInto(r, dir) {
				continue
			}
			e := c.Effects[r.Effects[at]]
			e.Resource = dir
			d.add(ruleUnvetted, ApprovedWithConstraints, r.Effects[at], &e)
			return
		}
	}
}

// goesInto says whether a run works in a directory or is told a place there.
func (c *Context) goesInto(r *effect.Run, dir string) bool {
	if mark.Under(r.Cwd, dir) {
		return true
	}
	return slices.ContainsFunc(r.Words[1:], func(w string) bool {
		if _, value, ok := cutAt(w, "="); ok {
			w = value
		}
		return w != "" && w[0] != '-' && mark.Under(c.places.Resolve(r.Cwd, w), dir)
	})
}
