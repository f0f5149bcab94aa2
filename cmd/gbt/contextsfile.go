package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/internal/artifacts/trust"
	"github.com/gbt-policy/gbt/internal/corpora/contexts"
)

// contextsEnd is how the names of files with corpora end.
const contextsEnd = ".contexts.parquet"

// contextsBeside names the file with a policy's corpora: policy.gbt has
// policy.contexts.parquet beside it.
func contextsBeside(policy string) string {
	return strings.TrimSuffix(policy, ".gbt") + contextsEnd
}

// nextName is where contexts wait until the policy that pins them has its name.
func nextName(file string) string {
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real
	}
	return file + ".next"
}

// hasContexts says whether there are contexts beside a policy.
func hasContexts(policy string) bool {
	file := contextsBeside(policy)
	return exists(file) || exists(nextName(file))
}

// settle ends what a run began that was killed while it wrote a policy and its
// contexts: those that wait go to their place if the policy pins them, and else go
// away. Whoever writes both anew does that first, because the name by which they
// wait is taken again.
func settle(policy string) error {
	file := contextsBeside(policy)
	waiting := nextName(file)
	if !exists(waiting) {
		return nil
	}
	if p, _, err := readPolicy(policy, trust.Options{}); err == nil {
		if c, err := readContexts(waiting); err == nil && distill.CheckCorpora(p, c) {
			return os.Rename(waiting, strings.TrimSuffix(waiting, ".next"))
		}
	}
	return os.Remove(waiting)
}

// contextsFile is the file with the corpora, to be written beside the policy; a
// policy that goes to a device or a pipe has none.
func contextsFile(policy string, g *distill.Gates) ([]newFile, error) {
	if st, err := os.Stat(policy); g == nil || err == nil && !st.Mode().IsRegular() {
		return nil, nil
	}
	if err := settle(policy); err != nil {
		return nil, cannotWrite(contextsBeside(policy), err)
	}
	var b bytes.Buffer
	if err := g.Contexts.Write(&b); err != nil {
		return nil, fmt.Errorf("encode contexts: %w", err)
	}
	return []newFile{{contextsBeside(policy), b.Bytes(), 0o644}}, nil
}

const copyBoth = "it is written beside the policy: copy both"

// readContexts reads a corpus of contexts.
func readContexts(name string) (*contexts.Corpus, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fail(exitInput, "contexts: %v; %s", err, copyBoth)
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, fail(exitInput, "contexts: %v", err)
	}
	c, err := contexts.Read(f, st.Size())
	if err != nil {
		return nil, fail(exitInput, "%s: %v; %s", name, err, copyBoth)
	}
	return c, nil
}
