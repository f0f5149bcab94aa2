package main

import (
	"fmt"
	"os"

	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/internal/replay/suite"
)

// suiteFiles are the files of the suite that --suite names, with the cases of a
// new policy added; none if it names nothing. They are written with the policy.
func suiteFiles(dir string, res *distill.Result) ([]newFile, error) {
	if dir == "" {
		return nil, nil
	}
	if res.Gates == nil {
		return nil, fail(exitUsage, "--suite needs the corpora that gates are learned from: learning is off in the configuration; nothing was written")
	}
	cases, err := suite.Cases(res.Policy, distill.AskedAt(res.Policy), res.Gates.Contexts)
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
