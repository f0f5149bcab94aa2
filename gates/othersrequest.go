package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file is about names that stand for somebody else's branch: a pull request that gh or
// glab checks out, a branch of one's own that was made of what was fetched, and what was
// fetched last. Checking out a request asks by itself, and a yes holds for what runs then.

// someRequest is one that the call does not name: a yes to it holds for no other.
const someRequest = "a pull request"

// request is the pull request that a run puts into the work tree (gh help pr checkout, glab
// help mr checkout; gh's own alias co); empty where it is none.
func request(r *effect.Run) string {
	switch path.Base(r.Words[0]) {
	case "gh", "glab", "hub":
	default:
		return ""
	}
	at, kind := -1, "pull request "
	for i, w := range r.Words[1:] {
		if w != "checkout" && w != "co" {
			continue
		}
		switch before := r.Words[i]; {
		case before == "pr", i == 0:
		case before == "mr":
			kind = "merge request "
		default:
			continue
		}
		at = i + 2
		break
	}
	if at < 0 {
		return ""
	}
	out, of := "", ""
	for i, w := range r.Words {
		name, value, valued := cutAt(w, "=")
		switch {
		case i == 0:
		case name == "--repo" && valued || name == "-R" && valued:
			of = " of " + value
		case r.Words[i-1] == "--repo" || r.Words[i-1] == "-R":
			of = " of " + w
		case out == "" && i >= at && w[0] != '-' && !isAmong([]string{"-b", "--branch"}, r.Words[i-1]):
			out = w
		}
	}
	if out == "" || mark.Has(out) || mark.Has(of) {
		return someRequest
	}
	return kind + out + of
}

// checksOut are the runs that put a pull request into the work tree to which nobody has
// agreed yet.
func (c *Context) checksOut() []use {
	var out []use
	for k := range c.runs {
		r := &c.runs[k]
		if len(r.Effects) == 0 || request(r) == "" {
			continue
		}
		for _, t := range c.turnsOfBranch(r) {
			out = append(out, use{at: r.Effects[0], kind: turnCode, entries: []string{t.String()}})
		}
	}
	return out
}

// turnsOfRefs are the names that a run of git gives to what is on somebody else's branch: a
// branch or tag that it makes of it, and FETCH_HEAD (git-fetch(1), git-branch(1), git-tag(1),
// git-update-ref(1)).
func (c *Context) turnsOfRefs(r *effect.Run) []turn {
	sub, _ := shell.GitSubcommand(r.Words)
	switch {
	case sub == "fetch" && len(r.Names) > 0, sub == "pull" && len(r.Names) > 1:
		return c.turnsOfFetch(r)
	case (sub == "branch" || sub == "tag" || sub == "update-ref") && len(r.Names) == 2 && c.othersBranch(r, r.Names[1]):
		return []turn{{kind: turnRef, what: shortRef(r.Names[0]), now: c.labelled(r, r.Names[1])}}
	}
	return nil
}

// turnsOfFetch are those of a fetch that names where from.
func (c *Context) turnsOfFetch(r *effect.Run) []turn {
	var out []turn
	if len(r.Names) > 1 || address(r.Names[0]) || slices.ContainsFunc(c.Flow.Turned, func(s string) bool { t := turnOf(s); return t.kind == turnRef && t.what == fetchHead }) {
		out = append(out, turn{kind: turnRef, what: fetchHead, now: strings.Join(r.Names, " ")})
	}
	for _, w := range r.Names[1:] {
		from, to, ok := cutAt(trimPrefix(w, "+"), ":")
		if from, to = shortRef(from), shortRef(to); ok && to != "" && c.othersSide(r, from, to) {
			out = append(out, turn{kind: turnRef, what: to, now: r.Names[0] + " " + from})
		}
	}
	return out
}

// fetchHead is the name of what was fetched last (git-rev-parse(1)).
const fetchHead = "FETCH_HEAD"

// othersSide says whether what a fetch takes from a remote is somebody else's. A branch of
// the own remote under its own name is what git switch makes of it as well.
func (c *Context) othersSide(r *effect.Run, from, to string) bool {
	remote, known := c.remoteOf(r, r.Names[0])
	switch {
	case pullRef(from):
		return true
	case !known:
		return c.places.Repo != nil || address(r.Names[0])
	}
	return (from != to || !ownRemote(remote)) && c.othersBranch(r, remote+"/"+from)
}

func ownRemote(name string) bool { return name == "origin" || name == "upstream" }

// pullRef says whether a name of a remote's is that of a pull request (GitHub, GitLab, Gitea,
// Bitbucket Server).
func pullRef(rev string) bool {
	for _, p := range [...]string{"refs/pull/", "refs/merge-requests/", "refs/pull-requests/", "pull/", "merge-requests/", "pull-requests/"} {
		if strings.HasPrefix(rev, p) {
			return true
		}
	}
	return false
}

// remoteOf is the name of the remote that a word of git names, by name or by its address.
func (c *Context) remoteOf(r *effect.Run, word string) (string, bool) {
	if c.places.Repo == nil {
		return word, !address(word)
	}
	repo, _ := c.places.Repo(c.dirOf(r))
	for _, n := range repo.Remotes {
		if n.Name == word || address(word) && n.Fetch != "" && n.Fetch == effect.Remote(word) {
			return n.Name, true
		}
	}
	if dir := c.places.Resolve(c.dirOf(r), word); !strings.Contains(word, ":") && address(word) && c.ownRepository(dir) {
		return word, true // a repository of the same owner's
	}
	return word, false
}

// address says whether a word of git is where a repository lies, and not the name of a remote.
func address(word string) bool { return strings.ContainsAny(word, ":/~") || mark.Has(word) }

// shortRef is a branch or tag without the directory that git keeps it in. Not inlined, for the size of programs.
//
//go:noinline
func shortRef(ref string) string {
	return trimPrefix(trimPrefix(ref, "refs/heads/"), "refs/tags/")
}

// madeOf is what a name was made of, by the run of the line before r that gave it, or by an
// earlier call; empty where nobody knows.
func (c *Context) madeOf(r *effect.Run, ref string) string {
	now := ""
	for _, entry := range c.Flow.Turned {
		switch t := turnOf(entry); {
		case t.kind == turnRef && t.what == ref:
			now = t.now
		case t.kind == turnRef && t.what == anyTurn:
			now = anyTurn
		}
	}
	for k := range c.runs {
		x := &c.runs[k]
		if x == r {
			break
		}
		if sub, _ := shell.GitSubcommand(x.Words); sub != "fetch" && sub != "pull" && sub != "branch" && sub != "tag" && sub != "update-ref" {
			continue
		}
		for _, t := range c.turnsOfRefs(x) {
			if t.what == ref {
				now = t.now
			}
		}
	}
	return now
}

// onlyTheirs says whether a branch of that name is on the remote of somebody else alone, as far
// as the host sees: git makes a branch of one's own of it (git-switch(1), --guess).
func (c *Context) onlyTheirs(r *effect.Run, name string, repo *effect.Repository) bool {
	at := c.treeOf(r) + "/.git/refs/"
	if c.exists == nil || !exact(at) || name == "" || mark.Has(name) || c.exists(at+"heads/"+name) {
		return false
	}
	theirs := false
	for _, n := range repo.Remotes {
		if there := c.exists(at + "remotes/" + n.Name + "/" + name); there && (n.Name == repo.Fetches || n.Name == repo.Sends || ownRemote(n.Name)) {
			return false
		} else if there {
			theirs = true
		}
	}
	return theirs
}

// labelled is how an entry names somebody else's branch: with what it was made of, since the
// name may stand for another one the next time.
func (c *Context) labelled(r *effect.Run, rev string) string {
	if now := c.madeOf(r, baseRev(rev)); now != "" {
		return rev + " of " + now
	}
	return rev
}

// baseRev is a revision without what leads from it to another (gitrevisions(7)).
func baseRev(rev string) string {
	rev, _, _ = cutAt(rev, ":")
	rev = shortRef(trimSuffix(trimPrefix(rev, "refs/remotes/"), "^{commit}"))
	if i := strings.IndexAny(rev, "~^@"); i > 0 {
		rev = rev[:i]
	}
	return rev
}
