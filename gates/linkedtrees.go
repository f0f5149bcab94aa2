package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file is about symbolic links that lie among what a run goes through or names by a pattern,
// as the host sees them: who follows them reads, changes or deletes what they lead to. A link that
// stands in a path is resolved before (Places.Links).

// throughTrees adds what runs do to files elsewhere that links in the workspace lead to.
func (c *Context) throughTrees() {
	if c.linksIn == nil || c.names == nil || c.exists == nil {
		return
	}
	t := linkedTrees{c: c, left: maxWholesale, in: map[string][]Link{}}
	for k := range c.runs {
		if r := &c.runs[k]; len(r.Words) > 0 {
			t.run(k, r)
		}
	}
}

type linkedTrees struct {
	c     *Context
	left  int // names that are still looked at
	in    map[string][]Link
	given []string // what links lead to that a run followed, of which it listed something
	hands bool     // it hands what it lists to a run of its own
}

func (t *linkedTrees) run(k int, r *effect.Run) {
	c := t.c
	follows := followsLinks(r.Words)
	for _, i := range slices.Clone(r.Effects) {
		switch e := c.Effects[i]; {
		case e.Kind != effect.Read && e.Kind != effect.Write && e.Kind != effect.Delete:
		case strings.HasPrefix(e.Resource, "…"):
			t.add(k, e, t.given)
		case !looksIn(&c.Effects[i]) || strings.Contains(e.Resource, "…"):
		case e.Glob:
			t.add(k, e, t.throughPattern(r, &e))
		case e.Kind == effect.Read && follows && exact(e.Resource):
			t.add(k, e, t.outOf(e.Resource))
		}
	}
	if !follows {
		return
	}
	if search, ok := shell.SearchOf(r.Words); ok && search.Walks && len(search.Operands) == 0 {
		t.add(k, Effect{Kind: effect.Read, Op: effect.OpRead, Program: path.Base(r.Words[0])}, t.outOf(c.dirOf(r)))
	}
	if l, ok := shell.Lists(r.Words); ok {
		t.given, t.hands = append(t.given, t.listedThrough(r, &l)...), shell.Gives(r.Words)
	}
}

// looksIn says whether an effect passes where it is, but for what links there lead to. Deletions and changes
// outside the workspace ask anyway. Not inlined, for the size of programs.
//
//go:noinline
func looksIn(e *Effect) bool {
	switch e.Zone {
	case effect.ZoneWorkspace, effect.ZoneTemp:
		return true
	case effect.ZoneKept, effect.ZonePublic:
		return e.Kind == effect.Read
	}
	return false
}

// add adds effects like one of a run at other places, where those are not the workspace's own.
func (t *linkedTrees) add(k int, like Effect, places []string) {
	c := t.c
	for _, to := range places {
		z, sensitive, protected := c.places.Where(to)
		if own := z == effect.ZoneWorkspace || z == effect.ZoneTemp || z == effect.ZoneStream || z == effect.ZonePublic && like.Kind == effect.Read; own && !sensitive {
			continue
		}
		e := Effect{Kind: like.Kind, Op: like.Op, Zone: z, Sensitive: sensitive, Protected: protected, Resource: to, Program: like.Program, Parent: like.Parent, Deferred: like.Deferred}
		if slices.Contains(c.Effects, e) {
			continue
		}
		c.runs, c.Effects = slices.Clone(c.runs), slices.Clone(c.Effects)
		c.runs[k].Effects = append(slices.Clip(c.runs[k].Effects), len(c.Effects))
		c.Effects = append(c.Effects, e)
	}
}

// links are the links in a directory.
func (t *linkedTrees) links(dir string) []Link {
	list, ok := t.in[dir]
	if !ok {
		list = t.c.linksIn(dir)
		t.in[dir] = list
	}
	return list
}

// below are the links in a directory and below it, but for those of git and of installed packages.
func (t *linkedTrees) below(dir string) []Link {
	out := slices.Clone(t.links(dir))
	w := walk{list: t.c.names, left: &t.left, visit: func(dir, base string, deep bool) course {
		if !deep || base == ".git" {
			return next
		}
		out = append(out, t.links(path.Join(dir, base))...)
		if apart(dir, base) {
			return next // packages that are under development are links in the directory of all
		}
		return into
	}}
	w.below(dir)
	return out
}

// outOf is what links in a directory and below it lead to that does not lie there.
func (t *linkedTrees) outOf(dir string) []string {
	var out []string
	for _, l := range t.below(dir) {
		if !mark.Under(l.To, dir) && !isAmong(out, l.To) {
			out = append(out, l.To)
		}
	}
	return out
}

// throughPattern is where files lie that a pattern of paths finds through links. Who deletes or
// moves a link leaves alone what it leads to, and who goes into no directory reads none.
func (t *linkedTrees) throughPattern(r *effect.Run, e *Effect) []string {
	found, _ := t.c.filesOf(e.Resource, &t.left)
	var out []string
	if t.hands && e.Kind == effect.Read {
		out = slices.Clone(t.given)
	}
	for _, file := range found[:min(len(found), maxWholesale)] {
		to, last := t.resolve(e.Resource, file)
		switch {
		case to == "" || last && (e.Kind == effect.Delete || e.Op == effect.OpMove || e.Op == effect.OpLink):
		case last && len(t.c.names(to)) > 0 && !t.walks(r):
		case !isAmong(out, to) && t.c.exists(to):
			out = append(out, to)
		}
	}
	return out
}

// walks says whether a run goes into the directories that its words name.
func (t *linkedTrees) walks(r *effect.Run) bool {
	words := make([]string, 0, len(r.Words))
	for _, w := range r.Words {
		words = append(words, inGlobs(w))
	}
	if search, ok := shell.SearchOf(words); ok {
		return search.Walks
	}
	return copies(path.Base(words[0])) || packs(path.Base(words[0])) || path.Base(words[0]) == "diff" || slices.ContainsFunc(words[1:], func(w string) bool {
		return strings.HasPrefix(w, "--recurs") || len(w) > 1 && w[0] == '-' && w[1] != '-' && strings.ContainsAny(w, "rR")
	})
}

// resolve is where a file lies that a pattern finds, empty if no link is on the way; last says
// that the file itself is one.
func (t *linkedTrees) resolve(pattern, file string) (to string, last bool) {
	for at := len(path.Dir(pattern[:markOf(pattern)] + "x")); at < len(file); {
		end := firstByte(file[at+1:], '/')
		if end < 0 {
			end = len(file)
		} else {
			end += at + 1
		}
		prefix := file[:end]
		for _, l := range t.links(path.Dir(prefix)) {
			if l.From == prefix {
				return l.To + file[end:], end == len(file)
			}
		}
		at = end
	}
	return "", false
}

// listedThrough is what links lead to that a run followed, where it lists a file there.
func (t *linkedTrees) listedThrough(r *effect.Run, l *shell.Listing) []string {
	var out []string
	for _, d := range l.Dirs {
		dir := t.c.places.Resolve(r.Cwd, d)
		if !exact(dir) {
			continue
		}
		for _, link := range t.below(dir) {
			rel := trimPrefix(trimPrefix(link.From, dir), "/")
			if !mark.Under(link.To, dir) && (l.Hidden || !hiddenIn(rel)) && t.anyListed(l, d, rel, link.To, 0) {
				out = append(out, link.To)
			}
		}
	}
	return out
}

// anyListed says whether a file at a place or below it is listed, by the path that leads there
// through a link.
func (t *linkedTrees) anyListed(l *shell.Listing, dir, rel, place string, depth int) bool {
	list := t.c.names(place)
	if t.left -= len(list); t.left < 0 || depth > maxLinkDepth {
		return true
	}
	if len(list) == 0 {
		return l.Picks(dir, rel)
	}
	return slices.ContainsFunc(list, func(name string) bool {
		base := trimSuffix(name, "/")
		if base == name {
			return l.Picks(dir, rel+"/"+name)
		}
		return l.Deep && base != ".git" && t.anyListed(l, dir, rel+"/"+base, place+"/"+base, depth+1)
	})
}

// maxLinkDepth bounds how deep is looked below what a link leads to.
const maxLinkDepth = 16
