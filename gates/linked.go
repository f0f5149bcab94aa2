package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file remembers pointers that the session made: symbolic links, which what follows
// them reads through, and the files by which a repository and its work trees name each
// other, which make nothing a part of the workspace that was none before.

// turnsOfTree notes that a pointer between a repository and a work tree was written
// (gitrepository-layout(5), worktrees). git worktree add writes its own.
func (c *Context) turnsOfTree(e *Effect) []turn {
	pointer := path.Base(e.Resource) == ".git" || strings.Contains(e.Resource, "/.git/worktrees") || strings.HasSuffix(e.Resource, "/commondir") || strings.HasSuffix(e.Resource, "/gitdir")
	if !pointer || e.Program == "git" {
		return nil
	}
	return []turn{{kind: turnTree, what: e.Resource}}
}

// WroteTree says whether the session wrote one of the pointers between a repository's
// directory for a work tree and that tree, or what they lie in.
func (f *Flow) WroteTree(pointers ...string) bool {
	return slices.ContainsFunc(f.Turned, func(entry string) bool {
		t := turnOf(entry)
		return t.kind == turnTree && (t.what == anyTurn || slices.ContainsFunc(pointers, func(p string) bool { return mark.Under(p, t.what) || mark.Under(t.what, p) }))
	})
}

// turnsOfLink notes a link and where it leads.
func (c *Context) turnsOfLink(e *Effect) []turn {
	if e.Kind != effect.Write || e.Op != effect.OpCreate || e.Program != "ln" && e.Program != "cp" {
		return nil
	}
	var out []turn
	for i := range c.Effects {
		t := &c.Effects[i]
		to := t.Program == e.Program && t.Resource != e.Resource && (t.Op == effect.OpLink || e.Program == "ln" && t.Kind == effect.List)
		if to && strings.HasPrefix(t.Resource, "/") {
			out = append(out, turn{kind: turnLink, what: e.Resource, now: t.Resource})
		}
	}
	return out
}

// throughLinks adds the reads of what links lead to that the session made below a
// directory which the call reads, where it follows them.
func (c *Context) throughLinks() {
	links := slices.DeleteFunc(slices.Clone(c.Flow.Turned), func(s string) bool { return turnOf(s).kind != turnLink })
	if len(links) == 0 {
		return
	}
	c.runs, c.Effects = slices.Clone(c.runs), slices.Clone(c.Effects)
	for k := range c.runs {
		r := &c.runs[k]
		follows := followsLinks(r.Words)
		for _, i := range slices.Clone(r.Effects) {
			e := c.Effects[i]
			if e.Kind != effect.Read || !follows && !e.Glob {
				continue
			}
			for _, to := range linksBelow(links, e.Resource) {
				x := Effect{Kind: effect.Read, Op: e.Op, Resource: to, Program: e.Program, Parent: e.Parent, Deferred: e.Deferred}
				x.Zone, x.Sensitive, x.Protected = c.places.Where(to)
				r.Effects = append(slices.Clone(r.Effects), len(c.Effects))
				c.Effects = append(c.Effects, x)
			}
		}
	}
}

// LeadsOut says whether a read of all files of a directory, or of those that a pattern finds, may read what
// a link below that directory leads to elsewhere, but for what may be read in any case.
func (c *Context) LeadsOut(e *Effect) bool {
	if c.linksIn == nil || c.names == nil || e.Kind != effect.Read {
		return false
	}
	run := c.runOf(c.indexOf(e))
	if !e.Glob && (run == nil || !followsLinks(run.Words)) {
		return false
	}
	dir := e.Resource
	if i := strings.IndexAny(dir, "*?["); i >= 0 {
		dir = path.Dir(dir[:i] + "x")
	}
	out := func(in string) bool {
		return slices.ContainsFunc(c.linksIn(in), func(l Link) bool {
			z, sensitive, _ := c.places.Where(l.To)
			return !mark.Under(l.To, dir) && (sensitive || z != effect.ZoneWorkspace && z != effect.ZoneTemp && z != effect.ZonePublic)
		})
	}
	left := maxWholesale
	w := walk{list: c.names, left: &left, whole: true, visit: func(in, base string, deep bool) course {
		switch {
		case !deep:
			return next
		case out(path.Join(in, base)):
			return found
		}
		return into
	}}
	hit, over := w.below(dir)
	return hit || over || out(dir)
}

// linksBelow are the places that links below a directory lead to, or below what stands
// before a pattern.
func linksBelow(links []string, dir string) []string {
	if i := markOf(dir); i < len(dir) {
		dir = path.Dir(dir[:i] + "x")
	}
	var out []string
	for _, entry := range links {
		t := turnOf(entry)
		switch {
		case t.what == anyTurn:
			out = append(out, string(mark.Unknown))
		case t.what != dir && mark.Under(t.what, dir) && !mark.Under(t.now, dir):
			out = append(out, t.now)
		}
	}
	return out
}

// followers are programs that follow the links in a tree if they are told to, with the
// letters and words that tell them (their manuals); those without any follow them anyway,
// and where the letters begin with ! they don't if told so.
var followers = map[string][]string{
	"7z": nil, "ack": {"", "--follow"}, "ag": {"f", "--follow"}, "bsdtar": {"LH", "--dereference"}, "cp": {"L", "--dereference"}, "diff": nil, "fd": {"L", "--follow"}, "find": {"L", "-follow"}, "gfind": {"L", "-follow"},
	"grep": {"R", "--dereference-recursive"}, "egrep": {"R", "--dereference-recursive"}, "fgrep": {"R", "--dereference-recursive"}, "rg": {"L", "--follow"}, "rsync": {"Lk", "--copy-links", "--copy-dirlinks", "--copy-unsafe-links"},
	"scp": nil, "tar": {"h", "--dereference"}, "gtar": {"h", "--dereference"}, "tree": {"l"}, "zip": {"!y", "--symlinks"},
}

// followsLinks says whether a run follows the links in a tree that it reads.
func followsLinks(words []string) bool {
	told, ok := followers[path.Base(words[0])]
	if !ok || len(told) == 0 {
		return ok
	}
	letters, unless := cutPrefix(told[0], "!")
	has := slices.ContainsFunc(words[1:], func(w string) bool {
		if mark.Has(w) || isAmong(told[1:], w) {
			return true
		}
		short := len(w) > 1 && w[0] == '-' && w[1] != '-' || w == words[1] && strings.HasSuffix(words[0], "tar")
		return short && strings.ContainsAny(w, letters)
	})
	return has != unless
}
