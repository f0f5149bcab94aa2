package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/internal/artifacts/join"
	"github.com/gbt-policy/gbt/internal/artifacts/review"
)

func gitCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:  "git",
		Usage: "policies in a git repository: differences, merges, and a hook that refuses weaker ones",
		Description: "gbt git install sets a repository up; git then calls the other three.\n\n" +
			"Example:\n" +
			"   gbt git install --trust team.pub",
		Subcommands: []*cli.Command{gitInstallCommand(e), gitTextconvCommand(e), gitMergeCommand(e), gitPreCommitCommand(e)},
	}
}

func gitTextconvCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "textconv",
		Usage:     "print a policy as the text that git compares",
		ArgsUsage: "POLICY",
		Description: "What gbt show prints: ids stay when other things change, so a change of the policy is a change of a few lines.\n" +
			"A file that is no policy is text too, one line that says why: git diff goes on.\n\n" +
			"Example:\n" +
			"   git config diff.gbt.textconv 'gbt git textconv'",
		Action: func(c *cli.Context) error { return runGitTextconv(e, c) },
	}
}

func runGitTextconv(e *env, c *cli.Context) error {
	if c.NArg() != 1 {
		return fail(exitUsage, "git textconv takes one policy: gbt git textconv POLICY")
	}
	data, err := os.ReadFile(c.Args().First())
	if err != nil {
		return fail(exitInput, "%v", err)
	}
	p, info, err := artifacts.Open(data, artifacts.Trust{})
	if err != nil {
		_, err = fmt.Fprintf(e.stdout, "no policy: %v\n", err)
		return stdoutError(err)
	}
	doc, err := review.New(p, info, review.Options{})
	if err != nil {
		return err
	}
	_, err = e.stdout.Write(doc.Text())
	return stdoutError(err)
}

func gitMergeCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "merge",
		Usage:     "merge two branches of a policy: git's merge driver",
		ArgsUsage: "BASE OURS THEIRS [PATH]",
		Description: "Writes to OURS a policy that has every gate of both sides and the stricter one of each setting, with the tree of\n" +
			"the side that changed it. It is not signed: sign it before it is committed. Where both sides changed the tree, or the\n" +
			"result would be weaker than a side, OURS stays as it is and the exit status is 1, which git takes for a conflict.\n\n" +
			"Example:\n" +
			"   git config merge.gbt.driver 'gbt git merge %O %A %B %P'",
		Action: func(c *cli.Context) error { return runGitMerge(e, c) },
	}
}

func runGitMerge(e *env, c *cli.Context) error {
	if c.NArg() < 3 || c.NArg() > 4 {
		return fail(exitUsage, "git merge takes three policies: gbt git merge BASE OURS THEIRS [PATH]")
	}
	name := c.Args().Get(1)
	if c.NArg() == 4 {
		name = c.Args().Get(3)
	}
	var data [3][]byte
	for i := range data {
		var err error
		if data[i], err = os.ReadFile(c.Args().Get(i)); err != nil {
			return fail(exitInput, "%v", err)
		}
	}
	base, ours, theirs := data[0], data[1], data[2]
	switch {
	case bytes.Equal(ours, theirs), bytes.Equal(base, theirs):
		return nil // OURS is the result
	case bytes.Equal(base, ours):
		return writeFile(c.Args().Get(1), theirs, 0o644)
	case len(base) == 0: // git has no common ancestor
		return fail(exitFindings, "%s: both sides added a policy: take one, and distil the logs of the other with it as --parent", name)
	}
	merged, err := mergePolicies(name, data)
	if err != nil {
		return err
	}
	if err := writeFile(c.Args().Get(1), merged, 0o644); err != nil {
		return err
	}
	fmt.Fprintf(e.stderr, "gbt: %s merged: every gate of both sides, the stricter settings; NOT SIGNED: gbt sign %s --key NAME.pem\n", name, name)
	return nil
}

// mergePolicies merges the bytes of base, ours and theirs.
func mergePolicies(name string, data [3][]byte) ([]byte, error) {
	var sides [3]join.Side
	for i, what := range []string{"the common ancestor", "our side", "their side"} {
		p, info, err := artifacts.Open(data[i], artifacts.Trust{})
		if err != nil {
			return nil, fail(exitInput, "%s: %s: %w", name, what, err)
		}
		sides[i] = join.Side{Policy: p, Digest: info.Digest}
	}
	p, err := join.Policies(sides[0], sides[1], sides[2])
	var conflict *join.Conflict
	if errors.As(err, &conflict) {
		return nil, fail(exitFindings, "%s can't be merged:\n  %s", name, strings.Join(conflict.Reasons, "\n  "))
	}
	if err != nil {
		return nil, fail(exitFindings, "%s can't be merged: %w", name, err)
	}
	return artifacts.Encode(p)
}
