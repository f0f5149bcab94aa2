package main

import (
	"os"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/internal/artifacts/review"
)

// This file looks at commits that end a merge: who takes one side, by hand after a
// conflict or with git merge -s ours, loses the gates of the other.

// mergedHeads are the commits that the next commit merges in; none if it merges
// nothing. After a conflict they stand in MERGE_HEAD, a line each. That file is not
// there yet when git merge runs its hook by itself: then the environment names them
// (builtin/merge.c of git sets GITHEAD_ID for every commit it merges).
func mergedHeads(e *env) ([]string, error) {
	name, err := gitLine(e, "rev-parse", "--git-path", "MERGE_HEAD")
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(name)
	if err == nil {
		return strings.Fields(string(data)), nil
	}
	if !os.IsNotExist(err) {
		return nil, fail(exitInput, "%v", err)
	}
	var heads []string
	for _, v := range os.Environ() {
		id, found := strings.CutPrefix(v, "GITHEAD_")
		id, _, _ = strings.Cut(id, "=")
		if _, err := runGit(e, "rev-parse", "--quiet", "--verify", id+"^{commit}"); found && err == nil {
			heads = append(heads, id)
		}
	}
	slices.Sort(heads)
	return heads, nil
}

// checkMerged says whether a policy lost gates of a side that is merged in, or is
// gone with the merge. The rest of it is compared with HEAD, whose line it goes on.
func checkMerged(e *env, head string, s staged) error {
	if !strings.HasSuffix(s.old, ".gbt") {
		return nil // they have none to lose
	}
	if s.new == "" && ours(e, head, s.old) {
		return nil // deleted on our side before
	}
	if !strings.HasSuffix(s.new, ".gbt") {
		return fail(exitReadmitted, "%s is not in the merge, though their side has it: git checkout %.12s -- %s puts it back", s.old, head, s.old)
	}
	var p [2]*artifacts.Policy
	var info [2]*artifacts.Info
	for i, name := range []string{head + ":" + s.old, ":" + s.new} {
		data, err := runGit(e, "cat-file", "blob", name)
		if err != nil {
			return err
		}
		if p[i], info[i], err = artifacts.Open(data, artifacts.Trust{}); err != nil {
			return nil // their side had no gates, or ours is refused already
		}
	}
	for _, f := range review.Compare(p[0], p[1], info[0], info[1]).Weakens {
		if strings.HasPrefix(f.Rule, "gate/") {
			return fail(exitReadmitted, "%s: the merge loses what their side has: %s: gbt gates accept, or gbt distill --parent theirs, puts it back", s.new, f.Message)
		}
	}
	return nil
}

// ours says whether our side once had a file that theirs has: it stood in the commit
// that both come from.
func ours(e *env, head, name string) bool {
	base, err := gitLine(e, "merge-base", "HEAD", head)
	if err != nil {
		return false
	}
	_, err = runGit(e, "cat-file", "-e", base+":"+name)
	return err == nil
}
