package join

import (
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// TestConditions: a join requires what one of its sides requires.
func TestConditions(t *testing.T) {
	on := func(act string, advice bool, tasks uint32) gates.Condition {
		return gates.Condition{Act: act, Needs: []gates.Need{{How: gates.HowDid, Act: "view"}}, Advice: advice, Tasks: tasks, Held: tasks}
	}
	a := []gates.Condition{on("edit", true, 9), on("run", false, 40)}
	b := []gates.Condition{on("edit", false, 30), on("net", true, 7), on("run", true, 8)}
	for _, got := range [][]gates.Condition{conditions(a, b), conditions(b, a)} {
		if len(got) != 3 || got[0].Act != "edit" || got[0].Advice || got[0].Tasks != 30 || got[1].Act != "net" || got[2].Advice || got[2].Tasks != 40 {
			t.Errorf("joined %+v", got)
		}
	}
	if conditions(nil, nil) != nil {
		t.Error("none of none")
	}
}
