package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/names"
)

// flagged says whether args, up to --, hold one of the long options or a bundle
// of short ones with one of the letters.
func flagged(args []string, letters string, longs ...string) bool {
	for _, a := range args {
		if a == "--" {
			return false
		}
		if len(a) > 1 && a[0] == '-' && a[1] != '-' && strings.ContainsAny(a[1:], letters) {
			return true
		}
		for _, l := range longs {
			if a == l {
				return true
			}
		}
	}
	return false
}

// gitForgets records that git branch -D and git tag -d drop a name of commits
// that nothing else may name; git branch -d keeps those that are not merged.
func (m *machine) gitForgets(sub string, args []string) {
	lost := sub == "tag" && flagged(args, "d", "--delete")
	if sub == "branch" {
		lost = flagged(args, "D") || flagged(args, "d", "--delete") && flagged(args, "f", "--force")
	}
	if lost {
		m.record(effect.Effect{Kind: effect.Delete, Op: effect.OpRemove, Zone: effect.ZoneWorkspace, Protected: true, Resource: show("git " + sub + " " + strings.Join(args, " "))})
	}
}

// gitRemoves records what git rm takes from the working tree that no commit may
// hold: with -f it removes changed files too. Without, it refuses, and what it
// removes can be checked out again.
func (m *machine) gitRemoves(args []string) {
	if !flagged(args, "f", "--force") || flagged(args, "n", "--cached", "--dry-run") {
		return
	}
	for _, a := range args {
		if a != "" && a[0] != '-' {
			m.remove(a, effect.OpRemoveTree)
		}
	}
}

// gitSecrets records the reads of files that hold secrets from history or from
// the index: REVISION:PATH, and the paths of commands that print contents.
func (m *machine) gitSecrets(sub string, args []string) {
	switch {
	case sub == "log" && !flagged(args, "pucL", "--patch", "--cc"),
		sub == "cat-file" && flagged(args, "tse"),
		sub != "archive" && flagged(args, "s", "--stat", "--name-only", "--name-status", "--numstat", "--shortstat", "--summary", "--no-patch", "--quiet"):
		return
	}
	for _, a := range args {
		if a == "" || a[0] == '-' {
			continue
		}
		path, of := pathspec(plain(a))
		if i := strings.IndexByte(path, ':'); i > 0 {
			path = path[i+1:]
		}
		if of && path != "" && (names.Sensitive("/"+path) || aimsAtSecret(lastElement(path))) {
			m.record(effect.Effect{Kind: effect.Read, Op: effect.OpRead, Zone: effect.ZoneWorkspace, Sensitive: true, Resource: show("git " + a)})
		}
	}
}
