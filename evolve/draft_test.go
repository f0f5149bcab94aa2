package evolve

import (
	"reflect"
	"testing"
)

func TestDraftIsTheTree(t *testing.T) {
	old := &sealedPolicy(t).Policy.Tree
	for _, c := range []struct {
		name    string
		changed bool
	}{{"as it was", false}, {"with its sums worked out again", true}} {
		d := newDraft(old)
		for _, f := range d.families {
			f.changed = c.changed
		}
		got := d.tree()
		if !reflect.DeepEqual(got, old) {
			t.Errorf("%s: another tree: %d states, %d nodes, %d leaves; want %d, %d, %d", c.name,
				len(got.States), len(got.Nodes), len(got.Leaves), len(old.States), len(old.Nodes), len(old.Leaves))
		}
	}
}

func TestAddStaysAtTheMost(t *testing.T) {
	for _, c := range []struct{ a, b, want uint32 }{{1, 2, 3}, {1<<32 - 1, 1, 1<<32 - 1}, {1<<32 - 2, 1, 1<<32 - 1}} {
		if got := add(c.a, c.b); got != c.want {
			t.Errorf("%d and %d: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
