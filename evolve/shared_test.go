package evolve

import (
	"context"
	"path/filepath"
	"sync"
	"testing"

	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
)

// exampleLogs are real runs that stand in the repository.
func exampleLogs(parts ...string) *logs.Input {
	var names []string
	for _, p := range parts {
		names = append(names, filepath.Join("..", "examples", "logs", p))
	}
	return logs.Open(names, logs.Options{Workers: 1})
}

// sealed is a policy of some example logs: one for all tests, which must not change
// it.
var sealed = sync.OnceValues(func() (*distill.Parent, error) {
	res, err := distill.Run(context.Background(), exampleLogs("langgraph", "openhands-sdk"), distill.Options{Config: distill.DefaultConfig(), Workers: 1})
	if err != nil {
		return nil, err
	}
	return &distill.Parent{Policy: res.Policy, Digest: testDigest, Contexts: res.Gates.Contexts, Mutations: 50}, nil
})

const testDigest = "00000000000000000000000000000000000000000000000000000000000000aa"

func sealedPolicy(t *testing.T) *distill.Parent {
	t.Helper()
	p, err := sealed()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// fresh are runs of other logs, for tests that do not mind which.
var fresh = sync.OnceValues(func() (*distill.FreshLogs, error) {
	p, err := sealed()
	if err != nil {
		return nil, err
	}
	f, err := distill.ReadFresh(context.Background(), exampleLogs("mini-swe-agent"), p.Policy, distill.Options{Config: distill.DefaultConfig(), Workers: 1})
	if err == nil {
		f.Episodes = f.Episodes[:24]
	}
	return f, err
})

func freshRuns(t *testing.T) *distill.FreshLogs {
	t.Helper()
	f, err := fresh()
	if err != nil {
		t.Fatal(err)
	}
	return f
}
