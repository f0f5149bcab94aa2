package merge

import (
	"fmt"
	"testing"

	"github.com/gbt-policy/gbt/tree"
)

// TestFailuresCountOnTheTree holds decision 10 in both profiles: a failed run counts
// along the way that successes have shown, and nowhere else.
func TestFailuresCountOnTheTree(t *testing.T) {
	src := parts{{
		trace("a", "look edit run", true),
		trace("b", "look edit run", true),
		trace("c", "look edit send", false),
		trace("d", "mail look", false),
	}}
	for _, x := range src[0] {
		for i := range x.Macros {
			x.Macros[i].Cont[0] = 3200 // what the reference profile compares
		}
	}
	literal := params
	literal.Profile = tree.ReferenceProfile
	literal.RouteAbstain, literal.Beta = 550, 500
	for _, tt := range []struct {
		name string
		p    tree.Params
	}{{"default", params}, {"reference", literal}} {
		t.Run(tt.name, func(t *testing.T) {
			tr := merged(t, src, tt.p).Tree
			want := map[string]uint32{"^": 2, "look": 1, "edit": 1, "run": 0}
			for i := range tr.Nodes[1:] {
				n := &tr.Nodes[i+1]
				key := tr.States[n.State].Key
				if n.Count.Success != 2 || n.Count.Failure != want[key] {
					t.Errorf("node %s: %+v, want 2 successes and %d failures", key, n.Count, want[key])
				}
				delete(want, key)
			}
			if len(want) > 0 {
				t.Errorf("no node for %v", want)
			}
			for _, c := range tr.Clusters {
				if c.Count.Success != 2 {
					t.Errorf("cluster %s: %+v", c.Key, c.Count)
				}
			}
		})
	}
}

// TestASplitStateHasItsFailures holds it for states that are split by what came
// before them, and that a macro counts in its cluster once.
func TestASplitStateHasItsFailures(t *testing.T) {
	src := forked(30, "look edit run", "read edit send")
	for i, x := range []string{"read edit run", "read edit send", "look edit mail"} {
		src[0] = append(src[0], trace(fmt.Sprint("failed", i), x, false))
	}
	tr := merged(t, src, params).Tree
	v := tree.NewView(tr)
	whole, ok := v.FindState(0, "edit")
	if !ok {
		t.Fatal("no state edit")
	}
	part, ok := v.FindState(0, tree.SplitKey("edit", "read"))
	if !ok {
		t.Fatal("edit is not split")
	}
	if got := tr.States[whole].Count.Failure; got != 3 {
		t.Errorf("edit: %d failures, want 3", got)
	}
	if got := tr.States[part].Count.Failure; got != 2 {
		t.Errorf("edit after read: %d failures, want 2: one of them where no success went", got)
	}
	for _, c := range tr.Clusters {
		if c.Key == tree.ClusterKey(&tr.States[whole]) && c.Count != tr.States[whole].Count {
			t.Errorf("cluster %+v, want %+v", c.Count, tr.States[whole].Count)
		}
	}
}
