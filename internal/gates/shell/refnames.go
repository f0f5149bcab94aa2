package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/keeps"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file tells branches and tags by their names: which ones a command of git may make,
// which ones it deletes, and which commands leave all of them as they are. A session may
// delete those that it is known to have made.

const (
	branches = "refs/heads/"
	tags     = "refs/tags/"
)

// maxRefs bounds the refs that one command is asked about.
const maxRefs = 8

// gitWords splits the words of git where none of its own options but those that say where
// it begins and how it prints stand before the subcommand.
func gitWords(r *effect.Run) (dir, sub string, args []string, ok bool) {
	if len(r.Words) < 2 || baseName(r.Words[0]) != "git" || r.Contained || mark.Has(r.Cwd) {
		return "", "", nil, false
	}
	dir, args = r.Cwd, r.Words[1:]
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		switch {
		case args[0] == "--no-pager" || args[0] == "-P":
			args = args[1:]
		case args[0] == "-C" && len(args) > 1 && args[1] != "" && !strings.HasPrefix(args[1], "~") && !mark.Has(args[1]):
			to := args[1]
			if !path.IsAbs(to) {
				to = path.Join(dir, to)
			}
			dir, args = to, args[2:]
		default:
			return "", "", nil, false
		}
	}
	if len(args) == 0 || !path.IsAbs(dir) {
		return "", "", nil, false
	}
	return dir, args[0], args[1:], true
}

// RefsMade names the refs that a command of git may make, with the directory in which it
// looks for its repository: each word that may be the name of one. Whether one was made
// shows whoever looks before and after the call. Commands that move refs, or give one that
// is there another name, make none.
func RefsMade(r *effect.Run) (dir string, refs []string) {
	dir, sub, args, ok := gitWords(r)
	if !ok {
		return "", nil
	}
	kind := branches
	switch sub {
	case "tag":
		kind = tags
	case "worktree":
		if len(args) < 2 || args[0] != "add" {
			return "", nil
		}
		args = args[1:]
	case "branch", "switch", "checkout", "fetch":
	default:
		return "", nil
	}
	for _, w := range args {
		switch {
		case w == "--":
			return dir, refs
		case strings.HasPrefix(w, "-"):
			if sub != "fetch" && !isAmong(makers[:], sub+" "+w) && !isAmong(makers[:], w) {
				return "", nil
			}
			continue
		case sub == "fetch":
			_, w, ok = cutAt(w, ":")
			if !ok {
				continue
			}
			w = trimPrefix(w, branches)
		case sub == "worktree" && (strings.ContainsAny(w[:min(1, len(w))], "./")):
			w = baseName(w) // it is called as its directory (git-worktree(1), add)
		}
		if plainRef(w) && len(refs) < maxRefs {
			refs = append(refs, kind+w)
		}
	}
	return dir, refs
}

// makers are options of commands that make refs with which they make no other than without
// them (git-branch(1), git-switch(1), git-checkout(1), git-worktree(1)).
var makers = [...]string{"-q", "--quiet", "-t", "--track", "--no-track", "switch -c", "switch --create", "switch --guess", "checkout -b", "checkout --guess", "worktree -b", "worktree --checkout", "worktree --guess-remote"}

// RefsGone names the refs that git branch -D and git tag -d delete, with the directory in
// which git looks for its repository. ok is false where it may delete others, too.
func RefsGone(r *effect.Run) (dir string, refs []string, ok bool) {
	dir, sub, args, ok := gitWords(r)
	if !ok || sub != "branch" && sub != "tag" {
		return "", nil, false
	}
	kind, deletes := branches, false
	if sub == "tag" {
		kind = tags
	}
	for _, w := range args {
		switch {
		case w == "-d" || w == "--delete" || sub == "branch" && w == "-D":
			deletes = true
		case sub == "branch" && (w == "-q" || w == "--quiet" || w == "-f" || w == "--force"):
		case plainRef(w):
			refs = append(refs, kind+w)
		default:
			return "", nil, false
		}
	}
	return dir, refs, deletes && len(refs) > 0 && len(refs) <= maxRefs
}

// RefsAnew names the branch that git makes anew where one may be (git-checkout(1) -B, git-switch(1)
// -C, git-worktree(1) add -B), as RefsGone does: it stands for another commit then.
func RefsAnew(r *effect.Run) (dir string, refs []string, ok bool) {
	dir, sub, args, ok := gitWords(r)
	if !ok || sub != "checkout" && sub != "switch" && sub != "worktree" {
		return "", nil, false
	}
	for i, w := range args {
		switch {
		case anewOption(sub)(w) && len(w) == 2 && i+1 < len(args) && plainRef(args[i+1]) && refs == nil:
			refs = []string{branches + args[i+1]}
		case anewOption(sub)(w):
			return "", nil, false
		case strings.HasPrefix(w, "-") && w != "-q" && w != "--quiet" && w != "-t" && w != "--track" && w != "--no-track":
			return "", nil, false
		}
	}
	return dir, refs, refs != nil
}

// LeavesRefs says whether a command moves no branch and no tag, and makes none: it looks,
// deletes some by name, or goes to another branch.
func LeavesRefs(r *effect.Run) bool {
	if r.Given || r.Background || len(r.Words) == 0 {
		return false
	}
	if keeps.Program(r.Words[0], keeps.Refs) {
		return true
	}
	_, sub, args, ok := gitWords(r)
	if !ok {
		return false
	}
	args = slices.DeleteFunc(slices.Clone(args), func(a string) bool { return a == "-q" || a == "--quiet" })
	if keeps.Git(sub, keeps.GitRefs) {
		return true
	}
	switch sub {
	case "reflog", "stash":
		return len(args) > 0 && (args[0] == "list" || args[0] == "show") || sub == "reflog" && (len(args) == 0 || strings.HasPrefix(args[0], "-"))
	case "branch", "tag":
		_, _, gone := RefsGone(r)
		return gone || len(args) == 0 || len(args) == 1 && isAmong([]string{"-v", "-vv", "-a", "-l", "--list"}, args[0])
	case "switch", "checkout":
		return len(args) == 1 && (plainRef(args[0]) || args[0] == "-")
	case "worktree":
		return len(args) > 0 && (args[0] == "list" || args[0] == "prune" || args[0] == "remove")
	}
	return false
}

// plainRef says whether a word is the name of a ref and nothing else: no revision, no
// pattern and no other way to call one (git-check-ref-format(1)).
func plainRef(w string) bool {
	return w != "" && !strings.ContainsAny(w[:1], "-./") && !strings.Contains(w, "..") && !strings.Contains(w, "//") && !strings.HasSuffix(w, ".lock") && !strings.HasSuffix(w, "/") && !mark.Has(w) && strings.Trim(w, containerLetters+"/+#") == ""
}
