package distill

import (
	"context"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/conditions"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
	"github.com/gbt-policy/gbt/internal/tree/merge"
)

// conditionBounds are the least rates that are compared.
var conditionBounds = []float64{0.5, 0.6, 0.7, 0.8, 0.9, 0.95}

// conditionDraws is how often needs are drawn by chance.
const conditionDraws = 20

// ConditionRate is the least rate from which on a policy sends calls back.
func ConditionRate() float64 { return conditions.Defaults().Hard }

// ConditionRow is what one set of conditions says of runs of tasks that it was not mined
// from.
type ConditionRow struct {
	Name       string  `json:"name"`
	Least      float64 `json:"least_rate,omitempty"` // lower bound of the rate of the conditions that count
	Conditions float64 `json:"conditions"`           // of a fold, mean
	Ends       float64 `json:"of_these_on_ends"`
	// Of runs that succeeded: every one that is stopped is a false alarm.
	Succeeded int     `json:"succeeded"`
	Calls     int     `json:"calls"` // that change something
	Back      float64 `json:"sent_back"`
	Alarmed   float64 `json:"succeeded_stopped"`
	// Of runs that did not succeed: a violated condition is named.
	Failed int     `json:"failed"`
	Named  float64 `json:"failed_named"`
}

func (r *ConditionRow) add(list []gates.Condition, runs []conditions.Run, weight float64) {
	for i := range list {
		r.Conditions += weight
		if list[i].End {
			r.Ends += weight
		}
	}
	for i := range runs {
		j := conditions.Judge(list, &runs[i])
		hit := 0.0
		if j.Named() {
			hit = weight
		}
		if runs[i].Success {
			r.Back += weight * float64(j.Back)
			r.Alarmed += hit
		} else {
			r.Named += hit
		}
	}
}

// Conditions is the comparison.
type Conditions struct {
	Folds    int               `json:"folds"`
	Tasks    int               `json:"tasks"`
	Rows     []ConditionRow    `json:"rows"`
	Mined    []gates.Condition `json:"-"` // from all runs
	Counts   Counts            `json:"read"`
	Problems []corpora.Problem `json:"-"`
}

// EvaluateConditions mines conditions without each fifth of the tasks and judges the runs
// of those by them.
func EvaluateConditions(ctx context.Context, in *logs.Input, cfg *Config) (*Conditions, error) {
	all, counts, problems, err := ReadLeftOut(ctx, in, cfg, true)
	if err != nil {
		return nil, err
	}
	k, err := cfg.Checker()
	if err != nil {
		return nil, err
	}
	out := &Conditions{Counts: counts, Problems: problems}
	runs, tasks := make([]conditions.Run, len(all)), map[uint64]bool{}
	for i := range all {
		h := &all[i]
		runs[i] = conditions.NewRun(h.Episode, h.Trace.TaskKey, h.Success, k)
		tasks[h.Trace.TaskKey] = true
	}
	out.Tasks = len(tasks)
	out.Mined = conditions.Mine(runs, conditions.Defaults())
	rows := newConditionRows()
	fold := foldsOf(all)
	for f := range merge.Folds {
		var train, test []conditions.Run
		for i := range runs {
			if fold[i] == f {
				test = append(test, runs[i])
			} else {
				train = append(train, runs[i])
			}
		}
		if len(train) > 0 && len(test) > 0 {
			out.Folds++
			rows.fold(train, test)
		}
	}
	out.Rows = rows.mean(out.Folds)
	return out, ctx.Err()
}

// conditionRows are the mined conditions by their least rate, those drawn by chance in
// place of the last, and the most frequent predecessors.
type conditionRows []ConditionRow

func newConditionRows() conditionRows {
	var out conditionRows
	for _, b := range conditionBounds {
		out = append(out, ConditionRow{Name: "mined", Least: b})
	}
	return append(out, ConditionRow{Name: "needs drawn by chance", Least: conditions.Defaults().Hard}, ConditionRow{Name: "most frequent predecessor"})
}

func (rows conditionRows) fold(train, test []conditions.Run) {
	opt := conditions.Defaults()
	opt.Advice = min(opt.Advice, conditionBounds[0])
	tried := conditions.Try(train, opt)
	for i, b := range conditionBounds {
		opt.Hard, opt.Advice = b, b
		rows[i].add(tried.Select(opt), test, 1)
	}
	drawn, before := &rows[len(rows)-2], &rows[len(rows)-1]
	opt.Hard, opt.Advice = conditions.Defaults().Hard, conditions.Defaults().Hard
	list := tried.Select(opt)
	for seed := range conditionDraws {
		drawn.add(conditions.Drawn(list, train, uint64(seed)), test, 1.0/conditionDraws)
	}
	before.add(conditions.Predecessors(train, opt.Least), test, 1)
	for i := range rows {
		rows[i].count(test)
	}
}

func (r *ConditionRow) count(test []conditions.Run) {
	for i := range test {
		tally(&r.Succeeded, test[i].Success)
		tally(&r.Failed, !test[i].Success)
		if test[i].Success {
			r.Calls += conditions.Judge(nil, &test[i]).Calls
		}
	}
}

func (rows conditionRows) mean(folds int) []ConditionRow {
	for i := range rows {
		rows[i].Conditions /= float64(max(folds, 1))
		rows[i].Ends /= float64(max(folds, 1))
	}
	return rows
}
