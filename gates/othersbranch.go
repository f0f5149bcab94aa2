package gates

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file is about code that comes from somebody else's branch. What the branch that is
// checked out follows, and the branch that a project lives on, is the daily work of
// everybody in it; another branch, a fork or a pull request is what somebody wishes to
// have in it, and runs here for the first time.

// turnsOfBranch are the directories into which a run brings what is on somebody else's
// branch, and the branch.
func (c *Context) turnsOfBranch(r *effect.Run) []turn {
	if ref := c.wholeTree(r); ref != "" && !isAmong(c.Flow.Turned, turn{kind: turnKnown, what: ref}.String()) {
		return []turn{{kind: turnCode, what: c.treeOf(r), now: ref}}
	}
	return nil
}

// treeOf is the directory whose files a run of git changes: a root around where it runs.
func (c *Context) treeOf(r *effect.Run) string {
	for _, root := range c.Roots {
		if mark.Under(c.dirOf(r), root) {
			return root
		}
	}
	return c.dirOf(r)
}

// wholeTree is somebody else's branch that a run puts into the work tree, as a whole or
// by merging it.
func (c *Context) wholeTree(r *effect.Run) string {
	if at := request(r); at != "" {
		return at
	}
	sub, args := shell.GitSubcommand(r.Words)
	names := r.Names
	switch sub {
	case "checkout":
		if isAmong(args, "--") || len(names) > 1 { // files
			if len(names) == 0 || !slices.ContainsFunc(names[1:], func(w string) bool { return strings.Trim(w, "./:*") == "" }) {
				return ""
			}
			names = names[:1]
		}
	case "switch", "merge", "rebase", "reset", "cherry-pick", "worktree", "read-tree", "revert":
	case "pull":
		return c.pulled(r)
	default:
		return ""
	}
	for _, w := range names {
		if c.othersBranch(r, w) {
			return c.labelled(r, w)
		}
	}
	return ""
}

// pulled is somebody else's branch that git pull merges: what it names beside what the
// branch follows, and all that comes from an address which is no remote's.
func (c *Context) pulled(r *effect.Run) string {
	if len(r.Names) == 0 {
		return ""
	}
	remote, known := c.remoteOf(r, r.Names[0])
	if !known && address(r.Names[0]) {
		return strings.Join(r.Names, " ")
	}
	for _, w := range r.Names[1:] {
		from, _, _ := cutAt(trimPrefix(w, "+"), ":")
		if pullRef(from) || c.othersBranch(r, remote+"/"+trimPrefix(from, "refs/heads/")) {
			return r.Names[0] + " " + w
		}
	}
	return ""
}

// mainBranches are names of the branch that a project lives on.
var mainBranches = [...]string{"HEAD", "main", "master", "trunk", "develop", "development", "dev", "next", "stable"}

// othersBranch says whether a revision is somebody else's: one of a remote that is neither
// what the branch follows nor where the project lives, a pull request, or what was fetched
// last from an address.
func (c *Context) othersBranch(r *effect.Run, rev string) bool {
	rev = baseRev(rev)
	switch {
	case rev == fetchHead || pullRef(rev):
		return true
	case rev != "" && c.madeOf(r, rev) != "":
		return true
	case c.places.Repo == nil:
		return false
	}
	remote, branch, ok := cutAt(rev, "/")
	repo, known := c.places.Repo(c.dirOf(r))
	if known && c.onlyTheirs(r, rev, &repo) {
		return true
	}
	if !known || !ok || !slices.ContainsFunc(repo.Remotes, func(n effect.NamedRemote) bool { return n.Name == remote }) {
		return false
	}
	own := remote == repo.Fetches || remote == repo.Sends || ownRemote(remote)
	return !own || branch != repo.Branch && !isAmong(mainBranches[:], branch) && !strings.HasPrefix(branch, "release")
}

// ofOthers adds the files that the call takes out of somebody else's branch: those that
// git writes, and what the call writes of what git shows of it.
func (c *Context) ofOthers(out []string) []string {
	shows := false
	for i := range c.runs {
		r := &c.runs[i]
		if c.wholeTree(r) != "" || len(r.Names) == 0 {
			continue
		}
		sub, args := shell.GitSubcommand(r.Words)
		switch sub {
		case "checkout", "restore":
			if c.othersBranch(r, r.Names[0]) || slices.ContainsFunc(args, func(a string) bool { return c.othersBranch(r, sourceOf(a)) }) {
				out = c.taintedBy(out, r.Effects)
			}
		case "show", "cat-file", "archive", "diff", "format-patch", "log":
			shows = shows || slices.ContainsFunc(r.Names, func(w string) bool { return c.othersBranch(r, w) })
		}
	}
	if shows {
		for i := range c.Effects {
			if e := &c.Effects[i]; e.Program != "git" {
				out = c.taintedBy(out, []int{i})
			}
		}
	}
	return out
}

// sourceOf is the revision that an option of git restore names, or the word.
func sourceOf(a string) string {
	for _, p := range [...]string{"--source=", "-s"} {
		if rest, ok := cutPrefix(a, p); ok {
			return rest
		}
	}
	return a
}

// taintedBy adds what some effects write.
func (c *Context) taintedBy(out []string, list []int) []string {
	for _, i := range list {
		if e := &c.Effects[i]; e.Kind == effect.Write && e.Zone != effect.ZoneStream {
			file := e.Resource
			if m := markOf(file); m < len(file) {
				file = file[:lastByte(file[:m], '/')]
			}
			if !c.holdsCwd(file) {
				out = tainted(out, file, true)
			}
		}
	}
	return out
}

// runsBelow says whether something is run that may hold code of a directory: a file in it,
// or a builder, whatever its words.
func runsBelow(e *Effect, dir string) bool {
	return e.Op == effect.OpBuild || mark.Under(e.Resource, dir)
}
