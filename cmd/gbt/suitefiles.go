package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/evolve"
	"github.com/gbt-policy/gbt/internal/corpora/contexts"
	"github.com/gbt-policy/gbt/internal/replay/suite"
)

// suiteFiles are the files of the suite that --suite names, with the cases of a
// new policy added; none if it names nothing. They are written with the policy.
func suiteFiles(dir string, p *artifacts.Policy, corpus *contexts.Corpus) ([]newFile, error) {
	if dir == "" {
		return nil, nil
	}
	if corpus == nil {
		return nil, fail(exitUsage, "--suite needs the corpora that gates are learned from: learning is off in the configuration; nothing was written")
	}
	cases, err := suite.Cases(p, distill.AskedAt(p), corpus)
	if err != nil {
		return nil, fmt.Errorf("suite: %w", err)
	}
	files, err := suite.Grow(dir, cases)
	if err != nil {
		return nil, fail(exitInput, "--suite: %v; nothing was written", err)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, cannotWrite(dir, err)
	}
	var out []newFile
	for _, f := range files {
		out = append(out, newFile{f.Name, f.Data, 0o644})
	}
	return out, nil
}

// spareSuite says early what cannot become of a suite: one inside a folder of logs
// would be read as logs by the next run, and one with a line that cannot be read is
// not written over.
func spareSuite(dir string, paths []string) error {
	if dir == "" {
		return nil
	}
	at := whole(dir)
	for _, p := range paths {
		found, _ := filepath.Glob(p) // a name that is no pattern stands for itself
		for _, root := range append(found, p) {
			if rel, err := filepath.Rel(whole(root), at); isDir(root) && err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
				return fail(exitUsage, "--suite %s lies in the logs (%s), and its cases are no runs: choose a folder outside of them", dir, root)
			}
		}
	}
	if _, err := suite.Grow(dir, nil); err != nil {
		return fail(exitInput, "--suite: %v; nothing was written", err)
	}
	return nil
}

// whole is the absolute name of a folder that need not be there, without links.
func whole(name string) string {
	if full, err := filepath.EvalSymlinks(name); err == nil {
		name = full
	} else {
		return resolved(name)
	}
	if full, err := filepath.Abs(name); err == nil {
		return full
	}
	return name
}

// addedCases is how many lines files have more than those that stand there.
func addedCases(files []newFile) int {
	n := 0
	for _, f := range files {
		old, err := os.ReadFile(f.name)
		if err != nil { // it is new: its first line is no case
			n--
		}
		n += bytes.Count(f.data, []byte("\n")) - bytes.Count(old, []byte("\n"))
	}
	return n
}

// judgedBy makes the suite in a folder judge edits; nil where there is none yet. It
// is read anew for every policy, so that one of any size fits. A line that cannot be
// read judges nothing, and is reported once.
func judgedBy(ctx context.Context, e *env, dir string) evolve.Suite {
	if files, err := suite.Files(dir); dir == "" || err != nil || len(files) == 0 {
		return nil
	}
	said := map[string]bool{}
	return func(p *artifacts.Policy, only map[string]bool) (map[string]string, error) {
		r, err := suite.NewRunner(p, distill.AskedAt(p))
		if err != nil {
			return nil, err
		}
		var want func(string) bool
		if only != nil {
			want = func(id string) bool { return only[id] }
		}
		fails := map[string]string{}
		for x := range r.Run(suite.Read(dir, want)) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			switch {
			case x.Status == suite.Unreadable && !said[x.Err.Error()]:
				said[x.Err.Error()] = true
				fmt.Fprintf(e.stderr, "gbt: %v; this case judges nothing\n", x.Err)
			case x.Status == suite.Unreadable:
			case x.Status.Found():
				fails[x.Case.ID] = x.Case.Call + ": " + x.Headline()
			}
		}
		return fails, nil
	}
}
