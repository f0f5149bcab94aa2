package distill

import "testing"

// TestSelectionIsChosenOnOtherFolds: no fold has a say in the weight it is judged by.
func TestSelectionIsChosenOnOtherFolds(t *testing.T) {
	fold := func(same ...int) []SelectionRow {
		rows := make([]SelectionRow, len(selectionWeights))
		for k := range rows {
			rows[k].Succeeded = Named{Steps: 10, Same: same[k]}
		}
		return rows
	}
	// The first fold alone likes the largest weight; the others like none, or the
	// second, so that the first is judged by the second.
	folds := [][]SelectionRow{fold(1, 1, 1, 1, 9), fold(5, 6, 5, 5, 1), fold(5, 6, 5, 5, 1)}
	rows, chosen := sumSelection(folds)
	if rows[4].Succeeded.Same != 11 || rows[1].Succeeded.Same != 13 {
		t.Errorf("rows %+v", rows)
	}
	if chosen.Succeeded.Steps != 30 || chosen.Succeeded.Same != 1+1+1 {
		t.Errorf("chosen %+v, want 1 of the first by the second weight, and 1 of each other by the last", chosen)
	}
}

// TestNamedCounts holds gains and losses against the words alone.
func TestNamedCounts(t *testing.T) {
	var n Named
	n.count([]bool{true, true, false, false}, []bool{true, false, true, false})
	if want := (Named{Steps: 4, Same: 2, Gained: 1, Lost: 1}); n != want {
		t.Errorf("%+v, want %+v", n, want)
	}
}
