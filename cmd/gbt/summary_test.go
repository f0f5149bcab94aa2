package main

import (
	"testing"

	"github.com/gbt-policy/gbt/internal/tree/merge"
)

func TestLeftOutText(t *testing.T) {
	for _, c := range []struct {
		name string
		b    merge.Bound
		want string
	}{
		{"by support", merge.Bound{Support: 3, Runs: 20, Macros: 410}, "a node is what about 3 tasks or more share: 20 runs go on without one, for 410 macros"},
		{"by depth", merge.Bound{Runs: 1, Macros: 9}, "1 runs are deeper than a tree may be: their last 9 macros have no node"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := leftOutText(&c.b); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
