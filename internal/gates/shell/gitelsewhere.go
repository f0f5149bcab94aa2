package shell

import (
	"slices"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/keeps"
)

// This file is about git in repositories that are not the workspace's: looking at them is
// reading, everything else changes what is somebody else's and runs its hooks.

// gitElsewhere records that a subcommand changes a repository outside the workspace.
func (m *machine) gitElsewhere(sub string, args []string) {
	z, _, _ := m.p.Where(m.cwd)
	switch z {
	case effect.ZoneWorkspace, effect.ZoneTemp, effect.ZoneCaller, effect.ZoneUnknown:
		return
	}
	if keeps.Git(sub, keeps.GitElsewhere) || gitListing(sub, args) || flagged(args, "", "--help") {
		return
	}
	m.path(effect.Write, effect.OpModify, ".")
}

// gitListing says whether a subcommand that can also change something only lists here.
func gitListing(sub string, args []string) bool {
	first, rest := "", args
	for i, a := range args {
		if a != "" && a[0] != '-' {
			first, rest = a, args[i+1:]
			break
		}
	}
	switch sub {
	case "branch", "tag":
		return first == "" && !flagged(args, "edD", "--edit-description") || slices.ContainsFunc(args, gitListOption)
	case "config":
		return first == "get" || first == "list" || flagged(args, "l", "--get", "--get-all", "--get-regexp", "--list") || first != "" && len(rest) == 0 && first != "edit"
	case "symbolic-ref":
		return len(rest) == 0 && !flagged(args, "d", "--delete")
	case "remote":
		return first == "" || first == "show" || first == "get-url"
	case "stash":
		return first == "list" || first == "show"
	case "worktree":
		return first == "list"
	case "notes", "reflog":
		return first == "" || first == "list" || first == "show" || first == "exists"
	case "submodule":
		return first == "" || first == "status" || first == "summary"
	case "bundle":
		return first == "verify" || first == "list-heads"
	case "bisect":
		return first == "log" || first == "view" || first == "visualize" || first == "terms"
	case "apply":
		return true // gitPatched
	}
	return false
}

// gitListOption says whether an option has git branch or git tag list what it has, whatever
// stands behind it (git-branch(1), git-tag(1)).
func gitListOption(a string) bool {
	name, _, _ := cutAt(a, "=")
	switch name {
	case "-l", "--list", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at", "--show-current", "--sort", "--format", "-a", "-r", "--all", "--remotes":
		return true
	}
	return false
}

// gitGrepOptions are those of git grep that take a value (git-grep(1)).
var gitGrepOptions = getopt{valued: "efABCm", attached: "O", longs: "max-depth= max-count= context= after-context= before-context= threads= parent-basename= color? open-files-in-pager?"}

// gitGrepPaths records the reads of git grep outside the repository, as --no-index and a
// path there have it.
func (m *machine) gitGrepPaths(args []string) {
	before, paths, _ := cutDashes(args)
	opts, words := gitGrepOptions.read(before)
	pattern := false
	for _, o := range opts {
		if o.name == "f" {
			m.read(o.value)
		}
		pattern = pattern || o.name == "e" || o.name == "f"
	}
	if !pattern && len(words) > 0 {
		words = words[1:]
	}
	for _, w := range append(words, paths...) {
		if path, ok := pathspec(w); ok && path != "" {
			if z, _, _ := m.p.Where(m.p.Resolve(m.cwd, path)); z != effect.ZoneWorkspace {
				m.read(path)
			}
		}
	}
}
