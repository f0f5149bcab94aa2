package main

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/internal/artifacts/review"
)

func gitPreCommitCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:  "pre-commit",
		Usage: "refuse a commit of a policy that is weaker than before, or does not verify",
		Description: "Looks at the policies (*.gbt) that are staged. Each must open, its programs must be what its text compiles to, and it must\n" +
			"not be weaker than the one of HEAD that it replaces; a policy must not be deleted. A commit that ends a merge must keep the\n" +
			"gates of both sides. With trusted keys, from --trust or from git config gbt.trust, one of them must have signed it.\n" +
			"Exit status: 0 good, 3 weaker, 4 not signed, 5 not readable.\n" +
			"A change that is meant to weaken is committed with git commit --no-verify.\n\n" +
			"Example:\n" +
			"   gbt git pre-commit --trust team.pub",
		Flags: []cli.Flag{
			trustFlag("policies"), needFlag(),
		},
		Action: func(c *cli.Context) error { return runGitPreCommit(e, c) },
	}
}

// staged is a policy of the index, and the file of HEAD that it replaces. One of
// them is empty for a new or a deleted policy.
type staged struct{ old, new string }

func runGitPreCommit(e *env, c *cli.Context) error {
	if c.NArg() != 0 {
		return fail(exitUsage, "git pre-commit takes no arguments: it looks at what is staged")
	}
	top, err := gitLine(e, "rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	o := trustOf(c)
	for _, name := range gitConfig(e, "gbt.trust") {
		if !filepath.IsAbs(name) {
			name = filepath.Join(top, name)
		}
		o.Keys = append(o.Keys, name)
	}
	for _, n := range gitConfig(e, "gbt.need") {
		if o.Need, err = strconv.Atoi(n); err != nil || o.Need < 1 {
			return fail(exitInput, "git config gbt.need is %q: give a number of keys, from 1", n)
		}
	}
	trust, err := readTrust(o)
	if err != nil {
		return err
	}
	var worst *exitError
	check := func(against string, one func(staged) error) error {
		list, err := stagedPolicies(e, against)
		for _, s := range list {
			if err := one(s); err != nil {
				refusal := asExit(err)
				fmt.Fprintf(e.stderr, "gbt: %v\n", refusal)
				if worst == nil || refusal.code > worst.code {
					worst = &exitError{code: refusal.code}
				}
			}
		}
		return err
	}
	if err := check("HEAD", func(s staged) error { return checkStaged(e, s, trust) }); err != nil {
		return err
	}
	heads, err := mergedHeads(e)
	if err != nil {
		return err
	}
	for _, head := range heads {
		if err := check(head, func(s staged) error { return checkMerged(e, head, s) }); err != nil {
			return err
		}
	}
	if worst != nil {
		worst.err = fmt.Errorf("commit refused; git commit --no-verify commits all the same")
		return worst
	}
	return nil
}

// stagedPolicies lists the policies of the index that are others than those of a
// commit.
func stagedPolicies(e *env, against string) ([]staged, error) {
	if _, err := runGit(e, "rev-parse", "--quiet", "--verify", against); err != nil {
		// Before the first commit there is only git's empty tree.
		if against, err = gitLine(e, "hash-object", "-t", "tree", "--stdin"); err != nil {
			return nil, err
		}
	}
	out, err := runGit(e, "diff-index", "--cached", "--name-status", "-z", "--find-renames", against)
	if err != nil {
		return nil, err
	}
	var list []staged
	fields := strings.Split(string(out), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		var s staged
		switch status := fields[i]; {
		case status[0] == 'R' || status[0] == 'C':
			s = staged{fields[i+1], fields[i+2]}
			i++
			if status[0] == 'C' {
				s.old = "" // the old one stays
			}
		case status[0] == 'A':
			s.new = fields[i+1]
		case status[0] == 'D':
			s.old = fields[i+1]
		default:
			s = staged{fields[i+1], fields[i+1]}
		}
		if strings.HasSuffix(s.old, ".gbt") || strings.HasSuffix(s.new, ".gbt") {
			list = append(list, s)
		}
	}
	return list, nil
}

// checkStaged says why a policy must not be committed.
func checkStaged(e *env, s staged, trust artifacts.Trust) error {
	if !strings.HasSuffix(s.new, ".gbt") {
		return fail(exitReadmitted, "%s is deleted: nothing would stop any more what it stopped", s.old)
	}
	data, err := runGit(e, "cat-file", "blob", ":"+s.new)
	if err != nil {
		return err
	}
	p, info, err := artifacts.Open(data, trust)
	if err != nil {
		return refused(s.new, err)
	}
	if err := recompiled(p); err != nil {
		return fail(exitInput, "%s: %w", s.new, err)
	}
	if len(trust.Keys)+len(trust.Rings) == 0 {
		fmt.Fprintf(e.stderr, "gbt: %s: %s; git config gbt.trust NAME.pub makes commits need a signature\n", s.new, info.Status())
	}
	if !strings.HasSuffix(s.old, ".gbt") {
		return nil
	}
	if data, err = runGit(e, "cat-file", "blob", "HEAD:"+s.old); err != nil {
		return err
	}
	old, oldInfo, err := artifacts.Open(data, artifacts.Trust{})
	if err != nil {
		return nil // what was no policy had nothing to weaken
	}
	changes := review.Compare(old, p, oldInfo, info)
	if len(changes.Weakens) > 0 {
		return fail(exitReadmitted, "%s\n%s", s.new, strings.Join(changes.Summary(), "\n"))
	}
	return nil
}
