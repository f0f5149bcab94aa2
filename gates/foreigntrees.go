package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file is about trees of files of somebody else's that a call brings over the workspace
// itself: an archive that is unpacked, a directory that is copied, a patch that is applied or a
// repository that is cloned where the session works or the workspace's code lies. Nobody knows which of the files there are whose then, so
// what builds, tests or runs next asks, once; and git does if its own settings or hooks are
// others than before.

// turnsOver are the roots, or the directories in which the session works, over which a run
// brings such a tree, or what a patch changes, and from where.
func (c *Context) turnsOver(r *effect.Run) []turn {
	from := ""
	var out []turn
	if dir := c.dirOf(r); appliesPatch(r) && !shell.ContainsAny(r.Words, "--check", "--stat", "--numstat", "--summary", "--dry-run") && c.inWorkspace(dir) {
		if from = c.othersSource(r); from != "" {
			return []turn{{kind: turnOver, what: dir, now: from}}
		}
		return nil
	}
	if to := c.transferred(r).over; to != "" {
		if dir := c.places.Resolve(r.Cwd, to); c.overCode(dir) {
			return []turn{{kind: turnOver, what: dir, now: strings.Join(r.Words[:min(len(r.Words), 3)], " ")}}
		}
	}
	for _, i := range r.Effects {
		dir := c.broughtOver(r, i)
		if dir == "" {
			continue
		}
		if from == "" {
			if from = c.othersSource(r); from == "" {
				return nil
			}
		}
		over := turn{kind: turnOver, what: dir, now: from}
		out = append(out, over)
		if d := c.gitDigest(dir); d != "" && !c.after {
			out = append(out, turn{kind: turnDotGit, what: dir, now: d})
		}
	}
	return out
}

// broughtOver is the directory of the workspace into which effect i of a run brings a tree, if
// it is the working directory, one above it or one that holds code already; else empty.
func (c *Context) broughtOver(r *effect.Run, i int) string {
	dir := c.broughtAt(i)
	if e := &c.Effects[i]; dir == "" && r.Tool != "" && e.Kind == effect.Write && c.cloned(r.Effects[len(r.Effects)-1]) == e.Resource {
		dir = e.Resource
	}
	if !c.overCode(dir) {
		return ""
	}
	below := func(k int) bool { // of a copy that says which directory it makes
		w := &c.Effects[k]
		return w.Kind == effect.Write && w.Op == effect.OpCreate && mark.Under(w.Resource, dir) && w.Resource != dir && path.Base(w.Resource) != "unpacked"
	}
	if path.Base(c.Effects[i].Resource) != "unpacked" && slices.ContainsFunc(r.Effects, below) {
		return ""
	}
	return dir
}

// overCode says whether a directory is one of the workspace in which its own code may lie.
func (c *Context) overCode(dir string) bool {
	return dir != "" && c.inWorkspace(dir) && (c.holdsCwd(dir) || isAmong(c.Roots, dir) || c.holdsCode(dir))
}

// holdsCode says whether files that are loaded or run lie below a directory before the call,
// or more than are looked at.
func (c *Context) holdsCode(dir string) bool {
	if c.names == nil || c.after || !exact(dir) {
		return false
	}
	left := maxWholesale
	w := walk{list: c.names, left: &left, whole: true, visit: func(dir, base string, deep bool) course {
		full := path.Join(dir, base)
		switch {
		case deep && base != ".git" && !installedUnder(full+"/"):
			return into
		case !deep && (codeOf(full) != "" || shell.Loaded(full) != shell.NotLoaded):
			return found
		}
		return next
	}}
	hit, over := w.below(dir)
	return hit || over
}

// othersSource is where what a run unpacks, copies or clones comes from, if that is somebody
// else's; empty where it is the workspace's own. What comes on its standard input is what the
// line brought in before.
func (c *Context) othersSource(r *effect.Run) string {
	taken, first := false, r.Effects[0]
	bad := c.transfers(c.downloaded(slices.Clone(c.Flow.Unvetted)))
	for _, i := range r.Effects {
		e := &c.Effects[i]
		switch {
		case e.Kind == effect.Network && !loopback(e.Net):
			return c.sourceName(e)
		case e.Kind == effect.Read, e.Kind == effect.Write && e.Op == effect.OpMove && c.target(e) != i:
			if taken = true; c.othersFile(e, bad) {
				return c.sourceName(e)
			}
		}
	}
	for i := 0; i < first && !taken; i++ {
		e := &c.Effects[i]
		if e.Kind == effect.Network && !loopback(e.Net) || e.Kind == effect.Read && c.othersFile(e, bad) {
			return c.sourceName(e)
		}
	}
	return ""
}

// othersFile says whether a file that is read is somebody else's: it lies outside the
// workspace, was fetched, or nobody knows which it is.
func (c *Context) othersFile(e *Effect, bad []string) bool {
	switch e.Zone {
	case effect.ZoneHome, effect.ZoneOutside, effect.ZoneUnknown, effect.ZoneCaller, effect.ZonePublic:
		return true
	case effect.ZoneTemp:
		if e.Glob || !exact(e.Resource) || !c.Flow.touched(e.Resource) && !slices.ContainsFunc(c.Effects, func(w Effect) bool {
			return w.Kind == effect.Write && w.Op == effect.OpCreate && w.Resource == e.Resource
		}) {
			return true
		}
	}
	if c.inline != nil && c.inline.others(c, e, bad) {
		return true
	}
	among := func(file string) bool {
		start, row := cutSuffix(file, "*")
		return file == e.Resource || row && strings.HasPrefix(e.Resource, start)
	}
	return slices.ContainsFunc(bad, among) && !isAmong(c.Flow.Turned, turn{kind: turnDiff, what: e.Resource}.String())
}

// ownDiffs are the files that the call writes of nothing but what git shows of the workspace's
// own repository: what it holds is not remembered, but whose it is.
func (c *Context) ownDiffs() []turn {
	for k := range c.runs {
		r := &c.runs[k]
		switch sub, _ := shell.GitSubcommand(r.Words); sub {
		case "diff", "show", "archive", "format-patch", "log", "stash":
		default:
			return nil
		}
		if !c.inWorkspace(c.dirOf(r)) || slices.ContainsFunc(r.Names, func(w string) bool { return c.othersBranch(r, w) }) {
			return nil
		}
	}
	var out []turn
	for i := range c.Effects {
		switch e := &c.Effects[i]; {
		case e.Kind == effect.Network:
			return nil
		case e.Kind == effect.Write && e.Op == effect.OpCreate && exact(e.Resource) && len(c.runs) > 0:
			out = append(out, turn{kind: turnDiff, what: e.Resource})
		}
	}
	return out
}

// withoutWritten leaves out what is known of files that the call writes or takes away. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) withoutWritten(list []string) []string {
	return slices.DeleteFunc(list, func(entry string) bool {
		t := turnOf(entry)
		return t.kind == turnDiff && slices.ContainsFunc(c.Effects, func(e Effect) bool {
			return (e.Kind == effect.Write || e.Kind == effect.Delete) && (e.Glob || mark.Under(t.what, e.Resource) || e.Zone == effect.ZoneUnknown)
		})
	})
}

// sourceName is how a question names where files come from.
func (c *Context) sourceName(e *Effect) string {
	if e.Kind == effect.Network || !strings.HasPrefix(e.Resource, "/") {
		return e.Resource
	}
	return c.shortPath(e.Resource)
}

// maxHooks bounds the hooks of a repository that are looked at.
const maxHooks = 64

// gitDigest is a digest of the settings and hooks of the repository at a directory by which
// git starts programs; empty where the host does not look. Settings that start nothing do not
// count.
func (c *Context) gitDigest(dir string) string {
	if c.text == nil || c.names == nil || !exact(dir) {
		return ""
	}
	var b strings.Builder
	hooks := []string{dir + "/.git/hooks"}
	for _, name := range [...]string{"/.git", "/.git/commondir", "/.git/config", "/.git/config.worktree"} {
		text, ok := c.text(dir + name)
		if !ok || strings.Contains(name, "config") && shell.GitConfigStarts(text) == "" {
			continue
		}
		b.WriteString(name + "\x00" + text + "\x00")
		if at := hooksPath(text); at != "" {
			hooks = append(hooks, c.places.Resolve(dir, at), path.Dir(c.places.Resolve(dir, at))) // husky keeps them beside
		}
	}
	left := maxHooks
	for _, at := range hooks {
		names := c.names(at)
		slices.Sort(names)
		for _, n := range names {
			if strings.HasSuffix(n, ".sample") || strings.HasSuffix(n, "/") || at == dir || left == 0 {
				continue
			}
			left--
			text, _ := c.text(at + "/" + n)
			b.WriteString(at + "/" + n + "\x00" + text + "\x00")
		}
	}
	return digestOf(b.String())
}

// hooksPath is the directory of hooks that a configuration names; empty for none.
func hooksPath(text string) string {
	for line := range strings.Lines(text) {
		if key, value, ok := cutAt(line, "="); ok && strings.EqualFold(strings.TrimSpace(key), "hooksPath") {
			return strings.Trim(strings.TrimSpace(value), `"`)
		}
	}
	return ""
}

// startsOver is a run of git in a repository over which somebody else's files were brought
// since, if what git starts there is something else than before.
func (c *Context) startsOver(r *effect.Run) []use {
	if path.Base(r.Words[0]) != "git" {
		return nil
	}
	var out []use
	for _, entry := range c.Flow.Turned {
		if t := turnOf(entry); t.kind == turnDotGit && t.what != anyTurn && mark.Under(c.dirOf(r), t.what) && c.gitDigest(t.what) != t.now {
			out = append(out, use{at: r.Effects[0], kind: turnDotGit, entries: []string{entry}})
		}
	}
	return out
}
