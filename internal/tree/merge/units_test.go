package merge

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/tree"
)

// foldsOf gives the fold keys that Merge would use, by group or by task.
func foldsOf(t *testing.T, src parts, groups bool, name func(*Trace) string) map[string]uint64 {
	t.Helper()
	whole := newUnits(groups)
	for _, part := range src {
		u := newUnits(groups)
		for _, tr := range part {
			u.add(tr)
		}
		whole.union(u)
	}
	out := map[string]uint64{}
	s := &folded{src, whole}
	for i := range s.Parts() {
		for tr := range s.Part(i) {
			if old, ok := out[name(tr)]; ok && old != tr.FoldKey {
				t.Errorf("%q is in two units", name(tr))
			}
			out[name(tr)] = tr.FoldKey
		}
	}
	return out
}

func TestGroupsAreUnits(t *testing.T) {
	src := parts{
		{inGroup(trace("1", "look", true), "north"), inGroup(trace("2", "look", true), "south")},
		{inGroup(trace("3", "look", true), "north"), inGroup(trace("4", "look", true), "")},
		// Task 5 ran in two suites, which are one unit then.
		{inGroup(trace("5", "look", true), "west"), inGroup(trace("5", "edit", true), "south")},
	}
	unit := foldsOf(t, src, true, func(tr *Trace) string { return tr.Group })
	if unit["west"] != unit["south"] || unit["north"] == unit["south"] || unit[""] == unit["north"] || unit[""] == unit["south"] {
		t.Errorf("units %v: want west with south, north and the layout for themselves", unit)
	}
	if src[0][0].FoldKey != src[0][0].TaskKey {
		t.Error("the source's own traces were changed")
	}
}

// TestOneTextIsOneTask: logs may number the runs of one task apart.
func TestOneTextIsOneTask(t *testing.T) {
	ask := func(id string, text uint64) *Trace {
		tr := trace(id, "look", true)
		tr.TextKey = text
		return tr
	}
	src := parts{{ask("a", 7), ask("b", 8)}, {ask("c", 7), ask("d", 0)}, {ask("b", 9), ask("e", 0)}, {ask("f", 9)}}
	unit := foldsOf(t, src, false, func(tr *Trace) string { return tr.Task })
	if unit["a"] != unit["c"] || unit["b"] != unit["f"] || unit["a"] == unit["b"] || unit["d"] == unit["e"] {
		t.Errorf("units %v: want a with c, b with f, d and e for themselves", unit)
	}
	if want := min(hash64("id", "a"), hash64("id", "c")); unit["a"] != want {
		t.Errorf("unit of a is %d, want the least of its keys, %d", unit["a"], want)
	}
}

func TestOneGroupCannotBeHeldOut(t *testing.T) {
	src := parts{{trace("1", "look", true), trace("2", "look edit", true)}}
	_, err := Merge(context.Background(), src, Options{Params: params, Encoder: words{}, HoldOutGroups: true})
	if !errors.Is(err, ErrOneGroup) {
		t.Errorf("error %v, want %v", err, ErrOneGroup)
	}
}

// TestSplits: every task, or every group, is held out in one fold, and all are
// counted.
func TestSplits(t *testing.T) {
	var src parts
	for i := range 30 {
		src = append(src, []*Trace{inGroup(trace(fmt.Sprint("task ", i/2), "look edit", true), fmt.Sprint("suite ", i/6))})
	}
	for _, tt := range []struct {
		groups bool
		units  int
	}{{false, 15}, {true, 5}} {
		res, err := Merge(context.Background(), src, Options{Params: params, Encoder: words{}, Folds: Folds, CVTraces: 100, HoldOutGroups: tt.groups})
		if err != nil {
			t.Fatal(err)
		}
		if res.CVUnits != tt.units {
			t.Errorf("groups %v: %d units, want %d", tt.groups, res.CVUnits, tt.units)
		}
	}
}

// TestLeakIsRefused: a task on both sides of a split makes every figure wrong.
func TestLeakIsRefused(t *testing.T) {
	for _, same := range []string{"id", "text"} {
		a, b := trace("one task", "look", true), trace("another task", "look edit", true)
		if same == "id" {
			b.TaskKey = a.TaskKey
		} else {
			a.TextKey, b.TextKey = 7, 7
		}
		a.FoldKey, b.FoldKey = 0, 1
		m := &merger{held: sample[heldOut]{k: 10}}
		m.held.add(1, heldOut{trace: a}, nil)
		if err := m.leaks(); err != nil {
			t.Error(err)
		}
		m.held.add(2, heldOut{trace: b}, nil)
		if err := m.leaks(); err == nil || !strings.Contains(err.Error(), "leak") {
			t.Errorf("same %s: error %v, want a leak", same, err)
		}
	}
}

// TestReferenceCrossValidates: the literal scheme is measured by the same folds.
func TestReferenceCrossValidates(t *testing.T) {
	p := params
	p.Profile = tree.ReferenceProfile
	var src parts
	for i := range 10 {
		src = append(src, []*Trace{trace(fmt.Sprint("task ", i), "look edit", true)})
	}
	res, err := Merge(context.Background(), src, Options{Params: p, Encoder: words{}, Folds: Folds, CVTraces: 100})
	if err != nil || res.CV.Episodes != 10 || res.CV.Covered != res.CV.Steps {
		t.Errorf("%+v, %v: want all steps of 10 episodes covered", res, err)
	}
}
