package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/internal/corpora/contexts"
)

// contextsBeside names the file with a policy's corpora: policy.gbt has
// policy.contexts.parquet beside it.
func contextsBeside(policy string) string {
	return strings.TrimSuffix(policy, ".gbt") + ".contexts.parquet"
}

// contextsFile is the file with the corpora, to be written beside the policy; a
// policy that goes to a device or a pipe has none.
func contextsFile(policy string, g *distill.Gates) ([]newFile, error) {
	if st, err := os.Stat(policy); g == nil || err == nil && !st.Mode().IsRegular() {
		return nil, nil
	}
	var b bytes.Buffer
	if err := g.Contexts.Write(&b); err != nil {
		return nil, fmt.Errorf("encode contexts: %w", err)
	}
	return []newFile{{contextsBeside(policy), b.Bytes(), 0o644}}, nil
}

// readContexts reads a corpus of contexts.
func readContexts(name string) (*contexts.Corpus, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fail(exitInput, "contexts: %v", err)
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, fail(exitInput, "contexts: %v", err)
	}
	c, err := contexts.Read(f, st.Size())
	if err != nil {
		return nil, fail(exitInput, "%s: %v", name, err)
	}
	return c, nil
}
