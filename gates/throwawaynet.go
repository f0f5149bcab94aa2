package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file is about where repositories in temporary directories are cloned from, and what they
// fetch and push: from where the workspace's own remotes are, and to repositories that the session
// made on this machine.

// connectsOwn says whether run k of git fetches from such a place, or pushes to one.
func (c *Context) connectsOwn(k int, e *Effect) bool {
	r := &c.runs[k]
	if e.Program != "git" || !shell.GitConnects(r) {
		return false
	}
	if r.Tool == "git clone" && e.Op == effect.OpFetch && len(r.Names) > 0 {
		return c.clonesAside(r) && (c.besideRemotes(r, e) || c.clonesHere(r))
	}
	l := lineBefore{c: c, k: k}
	if dir := c.dirOf(r); r.Tool == "git clone" || !l.inOwn(dir) {
		return false
	}
	if e.Op == effect.OpFetch && c.besideRemotes(r, e) {
		return true
	}
	to := l.remoteOf(r)
	switch z, sensitive, _ := c.places.Where(to); {
	case to == "" || !exact(to) || sensitive || strings.Contains(to, "%"):
	case e.Op == effect.OpFetch:
		return z == effect.ZoneTemp || z == effect.ZoneWorkspace
	case e.Op == effect.OpSend && e.Deed == "push":
		return l.madeHere(to)
	}
	return false
}

// besideRemotes says whether a fetch is from a repository of the workspace's own remotes, or one
// beside it: at the same host and of the same owner. Nobody else sees what is asked for there. The
// address says nothing else but a name.
func (c *Context) besideRemotes(r *effect.Run, e *Effect) bool {
	at := e.Resource
	owner := path.Dir(at)
	if !strings.Contains(owner, "/") || len(at) > maxAddress || strings.Trim(at, "abcdefghijklmnopqrstuvwxyz0123456789-_./:") != "" {
		return false
	}
	if slices.ContainsFunc(r.Names, func(w string) bool {
		user, _, with := cutAt(trimPrefix(trimPrefix(w, "https://"), "ssh://"), "@")
		return mark.Has(w) || with && strings.ContainsAny(user, ":/")
	}) {
		return false
	}
	return slices.ContainsFunc(c.places.Remotes, func(own string) bool { return own == at || path.Dir(own) == owner })
}

// maxAddress bounds the address of a repository that is fetched unasked.
const maxAddress = 120

// clonesHere says whether a repository that is cloned lies in the workspace or among temporary files
// (git-clone(1), GIT URLS: what has no colon is a path).
func (c *Context) clonesHere(r *effect.Run) bool {
	from := trimPrefix(r.Names[0], "file://")
	if from == "" || mark.Has(from) || strings.ContainsAny(from, ":%~") || from != r.Names[0] && from[0] != '/' {
		return false
	}
	z, sensitive, _ := c.places.Where(c.places.Resolve(r.Cwd, from))
	return !sensitive && (z == effect.ZoneTemp || z == effect.ZoneWorkspace)
}

// clonesAside says whether a clone is made in a directory for temporary files; git makes none where
// something is.
func (c *Context) clonesAside(r *effect.Run) bool {
	return slices.ContainsFunc(r.Effects, func(i int) bool {
		w := &c.Effects[i]
		return w.Kind == effect.Write && w.Op == effect.OpCreate && w.Zone == effect.ZoneTemp && exact(w.Resource) && !w.Sensitive
	})
}

// remoteOf is the path of the repository on this machine that a fetch or a push of a run goes to,
// as the settings of its own repository say, or the line; empty where that is none.
func (l *lineBefore) remoteOf(r *effect.Run) string {
	c := l.c
	name, push := "origin", r.Tool == "git push"
	if len(r.Names) > 0 {
		name = r.Names[0]
	}
	repo, known := effect.Repository{}, false
	if !l.gone && c.places.Repo != nil {
		if repo, known = c.places.Repo(l.dir); !known {
			return ""
		}
		if len(r.Names) == 0 && push {
			name = repo.Sends
		} else if len(r.Names) == 0 {
			name = repo.Fetches
		}
	}
	set := ""
	for i := range l.k { // what the line sets
		x := &c.runs[i]
		from, of, ok := shell.GitSetsRemote(x)
		if !ok {
			continue
		}
		if of == "" { // in a way that is not followed
			return ""
		}
		dir := c.dirOf(x)
		if x.Tool == "git clone" {
			if dir = l.made; from != "" && !slices.ContainsFunc(x.Effects, func(n int) bool { return c.Effects[n].Resource == dir }) {
				continue
			}
		}
		if of == name && (mark.Under(l.dir, dir) || mark.Under(dir, l.dir)) {
			if from = c.places.Resolve(x.Cwd, from); set != "" && set != from {
				return ""
			}
			set = from
		}
	}
	at, has := repo.At(name, push)
	at, name = trimPrefix(at, "file://"), trimPrefix(name, "file://")
	switch {
	case strings.Contains(name, "/"):
		if set = c.places.Resolve(l.dir, name); strings.ContainsAny(name, ":~") {
			return ""
		}
	case has && set == "":
		return at
	case has:
		return "" // what the line sets is refused
	}
	if set == "" || c.rewrites(l) {
		return ""
	}
	return set
}

// rewrites says whether settings may make another address of a path (git-config(1), url.*).
func (c *Context) rewrites(l *lineBefore) bool {
	files := []string{"/etc/gitconfig", c.Home + "/.gitconfig", c.Home + "/.config/git/config"}
	if repo := c.ref(l.dir, "refs/heads/main", nil).Repo; repo != "" {
		files = append(files, repo+"/config")
	}
	return c.text != nil && slices.ContainsFunc(files, func(file string) bool {
		text, ok := c.text(file)
		text = strings.ToLower(text)
		return !ok && c.exists(file) || strings.Contains(text, "insteadof") || strings.Contains(text, "[include")
	})
}

// madeHere says whether a repository is one that the session or the line made in a directory for
// temporary files, which starts nothing when something is pushed there.
func (l *lineBefore) madeHere(to string) bool {
	c := l.c
	if effect.Temporary(to) == "" || !visible(effect.Temporary(to)) {
		return false
	}
	gone := !c.exists(to)
	for i := range l.k {
		_, makes := shell.GitMakes(&c.runs[i])
		for _, n := range c.runs[i].Effects {
			w := &c.Effects[n]
			at := w.Resource
			switch {
			case w.Kind == effect.Delete && strings.HasPrefix(at, "/") && mark.Under(to, trimSuffix(at[:markOf(at)], "/")):
				gone = true
			case w.Kind == effect.Write && makes && at == to:
				gone = false
			}
		}
	}
	for i := range c.Effects { // whatever is written there may be started
		w := &c.Effects[i]
		if made := w.Program == "git" || w.Program == "mkdir" || w.Program == "mktemp"; w.Kind == effect.Write && (mark.Under(w.Resource, to) && !(made && w.Resource == to) || mark.Under(to, w.Resource) && !made) {
			return false
		}
	}
	if !c.exists(to) {
		return !gone
	}
	repo := c.ref(to, "refs/heads/main", nil).Repo
	if gone || repo == "" || !c.ownEntry(to) || !c.ownRepo(to) || repo != to && repo != to+"/.git" && repo != "/private"+to {
		return false
	}
	if c.text != nil {
		text, _ := c.text(repo + "/config")
		if text = strings.ToLower(text); strings.Contains(text, "hook") || strings.Contains(text, "receive]") {
			return false
		}
	}
	return c.names != nil && !slices.ContainsFunc(c.names(repo+"/hooks"), func(n string) bool { return !strings.HasSuffix(n, ".sample") })
}
