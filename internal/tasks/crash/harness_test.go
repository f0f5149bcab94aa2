//go:build unix

package main

import (
	"os"
	"strings"
	"testing"
)

// TestMain makes the test program the worker too.
func TestMain(m *testing.M) {
	if plan := os.Getenv(planVariable); plan != "" {
		os.Exit(work(plan))
	}
	os.Exit(m.Run())
}

// TestCrash kills the worker a few times with each store; the command does it a
// thousand times.
func TestCrash(t *testing.T) {
	for _, kind := range []string{"bbolt", "sqlite"} {
		t.Run(kind, func(t *testing.T) {
			r, err := harness(options{points: 25, kind: kind, seed: 1, dir: t.TempDir(), self: os.Args[0], stderr: os.Stderr})
			if err != nil {
				t.Fatal(err)
			}
			var out strings.Builder
			r.print(&out)
			t.Log(out.String())
			if !r.good() || r.Effects < 25 || len(r.ByFault) < 6 {
				t.Error("see above")
			}
		})
	}
}
