package distill

import (
	"context"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
	"github.com/gbt-policy/gbt/internal/tree/merge"
	"github.com/gbt-policy/gbt/tree"
	"github.com/gbt-policy/gbt/tree/text"
)

// selectionWeights are the weights of the success rate that are compared, in
// thousandths: none, 003's 500 (§F.3), and some around it.
var selectionWeights = []tree.Milli{0, 250, 500, 1000, 2000}

// Named counts the steps at which the agent's words, and what the policy adds to
// them, name the macro that followed.
type Named struct {
	Steps  int `json:"steps"` // that are covered and have words
	Same   int `json:"same"`
	Gained int `json:"gained"` // of these, not without the success rate
	Lost   int `json:"lost"`   // only without it
}

// SelectionRow is one weight of the success rate in eq. (1) of 003, on runs of tasks
// that the policy has not seen. A rate that says something names what successful runs
// did more often, and what failed ones did less.
type SelectionRow struct {
	Beta      float64 `json:"beta"`
	Succeeded Named   `json:"succeeded"`
	Failed    Named   `json:"failed"`
}

// Selection is the comparison, with the weight that each fold's other folds choose.
type Selection struct {
	Rows     []SelectionRow `json:"rows"`
	Chosen   SelectionRow   `json:"chosen"` // its Beta is the mean
	Counts   Counts         `json:"read"`
	Problems []corpora.Problem
}

// EvaluateSelection distils a policy without each fifth of the tasks and asks it for
// the next macros of those, under several weights of the success rate.
func EvaluateSelection(ctx context.Context, in *logs.Input, cfg *Config, workers int) (*Selection, error) {
	all, counts, problems, err := ReadLeftOut(ctx, in, cfg, true)
	if err != nil {
		return nil, err
	}
	out := &Selection{Counts: counts, Problems: problems}
	enc := NewEncoder(text.Default())
	var folds [][]SelectionRow
	for fold, err := range CrossValidate(ctx, all, cfg, workers) {
		if err != nil {
			return nil, err
		}
		folds = append(folds, selectionOf(&fold, enc))
	}
	out.Rows, out.Chosen = sumSelection(folds)
	return out, nil
}

// selectionOf is a row for each weight, on the episodes that a policy has not seen.
func selectionOf(f *Fold, enc merge.Encoder) []SelectionRow {
	v := tree.NewView(&f.Policy.Tree)
	rows := make([]SelectionRow, len(selectionWeights))
	for i := range f.LeftOut {
		h := &f.LeftOut[i]
		t := h.Trace
		if !h.Success { // of a failure, distillation keeps no words
			t = merge.NewTrace(h.Episode, profileOf(&f.Policy.Params), true)
		}
		var plain []bool
		for k, beta := range selectionWeights {
			p := f.Policy.Params
			p.Beta = beta
			c := merge.Cover(v, &p, enc, t)
			named := c.Named()
			if k == 0 {
				plain = named
			}
			into := &rows[k].Failed
			if h.Success {
				into = &rows[k].Succeeded
			}
			into.count(named, plain)
		}
	}
	return rows
}

func (n *Named) count(named, plain []bool) {
	n.Steps += len(named)
	for i, same := range named {
		tally(&n.Same, same)
		tally(&n.Gained, same && !plain[i])
		tally(&n.Lost, !same && plain[i])
	}
}

func (n *Named) add(o *Named) {
	n.Steps += o.Steps
	n.Same += o.Same
	n.Gained += o.Gained
	n.Lost += o.Lost
}

// sumSelection adds the folds up, by weight, and by the weight that is best on a
// fold's other folds.
func sumSelection(folds [][]SelectionRow) (rows []SelectionRow, chosen SelectionRow) {
	rows = make([]SelectionRow, len(selectionWeights))
	for k, beta := range selectionWeights {
		rows[k].Beta = beta.Float()
		for _, f := range folds {
			rows[k].Succeeded.add(&f[k].Succeeded)
			rows[k].Failed.add(&f[k].Failed)
		}
	}
	for _, f := range folds {
		k := bestWithout(rows, f)
		chosen.Beta += selectionWeights[k].Float() / float64(len(folds))
		chosen.Succeeded.add(&f[k].Succeeded)
		chosen.Failed.add(&f[k].Failed)
	}
	return rows, chosen
}

// bestWithout is the weight that names most of what successful runs of the other
// folds did, then least of what failed ones did, then the least.
func bestWithout(all, fold []SelectionRow) int {
	best := 0
	worth := func(k int) (good, bad int) {
		return all[k].Succeeded.Same - fold[k].Succeeded.Same, all[k].Failed.Same - fold[k].Failed.Same
	}
	for k := range all {
		good, bad := worth(k)
		if g, b := worth(best); good > g || good == g && bad < b {
			best = k
		}
	}
	return best
}
