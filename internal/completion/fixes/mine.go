package fixes

import (
	"cmp"
	"maps"
	"slices"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/internal/gates/learn"
	"github.com/gbt-policy/gbt/internal/traverse/failure"
	"github.com/gbt-policy/gbt/internal/tree/merge"
	"github.com/gbt-policy/gbt/segment"
	"github.com/gbt-policy/gbt/tree"
)

// Options are the settings of Mine. Zero values stand for the defaults.
type Options struct {
	MinTasks int     // tasks that a fix must have worked in, and that a bound must be seen in; segment.MinShared
	Least    float64 // lower bound of a fix's rate; Least
	Binding  int     // tasks from which on a bound ends runs; Binding
}

// The defaults, set before anything was measured.
const (
	Least   = 0.5
	Binding = 29
)

// MaxNamed is how many fixes of one kind of failure are kept.
const MaxNamed = 3

func (o Options) filled() Options {
	o.MinTasks, o.Least, o.Binding = cmp.Or(o.MinTasks, segment.MinShared), cmp.Or(o.Least, Least), cmp.Or(o.Binding, Binding)
	return o
}

// Found says what Mine found.
type Found struct {
	Fixes   int `json:"fixes"`
	Retries int `json:"retry_bounds"`
	Binding int `json:"retry_bounds_that_end_runs"`
}

// Mine seals known fixes and retry bounds in the families of a tree. The tree was merged
// from the source, and familyOf says in which family a trace was counted.
func Mine(src merge.Source, familyOf func(*merge.Trace) string, t *tree.Tree, opt Options) (Found, error) {
	opt = opt.filled()
	all, err := counted(src, familyOf)
	if err != nil {
		return Found{}, err
	}
	var found Found
	for i := range t.Families {
		f := &t.Families[i]
		seen := all[f.Name]
		if seen == nil {
			continue
		}
		known := actionsOf(t, int32(i))
		f.Fixes, f.Retries = seen.fixes(known, opt), seen.retries(known, opt)
		found.add(f)
	}
	return found, nil
}

func (n *Found) add(f *tree.Family) {
	n.Fixes += len(f.Fixes)
	n.Retries += len(f.Retries)
	for _, r := range f.Retries {
		if !r.Advice {
			n.Binding++
		}
	}
}

// counted counts the failures of all traces, by family.
func counted(src merge.Source, familyOf func(*merge.Trace) string) (map[string]*Seen, error) {
	all := map[string]*Seen{}
	for i := range src.Parts() {
		for t, err := range src.Part(i) {
			if err != nil {
				return nil, err
			}
			if len(t.Macros) == 0 || len(t.Falls) == 0 && !t.Success {
				continue
			}
			name := familyOf(t)
			if all[name] == nil {
				all[name] = NewSeen()
			}
			all[name].Add(t)
		}
	}
	return all, nil
}

// actionsOf are the actions that a family has states of: no other name gets into a policy.
func actionsOf(t *tree.Tree, family int32) map[string]bool {
	out := map[string]bool{}
	for i := range t.States {
		if s := &t.States[i]; s.Family == family && !s.Generic {
			out[s.Action()] = true
		}
	}
	return out
}

// kind is a kind of failure.
type kind struct{ action, class string }

// try is what was done after one.
type try struct {
	kind
	does string
}

// tasks are sets of tasks.
type tasks map[uint64]bool

// Seen is what episodes of one family show of failures.
type Seen struct {
	worked map[try]tasks // of successful runs
	failed map[try]tasks // of all
	passed map[kind]int  // tries of all runs that passed
	tried  map[kind]int
	most   map[string]map[uint64]int32 // by action and task: failures in a row, 0 for none, of successful runs that did it
}

// NewSeen is one that has seen nothing.
func NewSeen() *Seen {
	return &Seen{worked: map[try]tasks{}, failed: map[try]tasks{}, passed: map[kind]int{}, tried: map[kind]int{}, most: map[string]map[uint64]int32{}}
}

// Add counts an episode.
func (s *Seen) Add(t *merge.Trace) {
	if t.Success {
		for i := range t.Macros {
			s.row(t.Macros[i].Key, t.TaskKey, 0)
		}
	}
	for i := range t.Falls {
		f := &t.Falls[i]
		if t.Success {
			s.row(f.Action, t.TaskKey, f.Row)
		}
		if f.Again {
			s.try(t, f, f.Class)
			s.try(t, f, failure.Any)
		}
	}
}

// row notes how often an action failed in a row in a successful run of a task.
func (s *Seen) row(action string, task uint64, n int32) {
	if s.most[action] == nil {
		s.most[action] = map[uint64]int32{}
	}
	s.most[action][task] = max(s.most[action][task], n)
}

func (s *Seen) try(t *merge.Trace, f *merge.Fall, class string) {
	k := kind{f.Action, class}
	s.tried[k]++
	into := s.failed
	if f.Passed {
		s.passed[k]++
		if into = s.worked; !t.Success {
			return // it may have passed for a wrong reason
		}
	}
	for _, does := range f.With {
		x := try{k, does}
		if into[x] == nil {
			into[x] = tasks{}
		}
		into[x][t.TaskKey] = true
	}
}

// candidate is a fix with its rate.
type candidate struct {
	tree.Fix
	lower float64
}

// fixes are the known ones, in order.
func (s *Seen) fixes(known map[string]bool, opt Options) []tree.Fix {
	by := map[kind][]candidate{}
	for x, worked := range s.worked {
		if !known[x.action] || !known[x.does] || len(worked) < opt.MinTasks {
			continue
		}
		w, f := len(worked), len(s.failed[x])
		c := candidate{tree.Fix{Action: x.action, Class: x.class, Does: x.does, Worked: uint32(w), Failed: uint32(f)}, 1 - learn.Bound(f, w+f)}
		if c.lower >= opt.Least && float64(w)/float64(w+f) >= float64(s.passed[x.kind])/float64(s.tried[x.kind]) {
			by[x.kind] = append(by[x.kind], c)
		}
	}
	var out []tree.Fix
	for _, list := range by {
		slices.SortFunc(list, func(a, b candidate) int {
			return cmp.Or(cmp.Compare(b.lower, a.lower), tree.CompareFixes(&a.Fix, &b.Fix))
		})
		for _, c := range list[:min(len(list), MaxNamed)] {
			out = append(out, c.Fix)
		}
	}
	slices.SortFunc(out, func(a, b tree.Fix) int { return tree.CompareFixes(&a, &b) })
	return out[:min(len(out), tree.MaxFixes)]
}

// retries are the bounds, in order.
func (s *Seen) retries(known map[string]bool, opt Options) []tree.Retry {
	var out []tree.Retry
	for _, action := range slices.Sorted(maps.Keys(s.most)) {
		n := len(s.most[action])
		if !known[action] || !failure.Counts(call.Action{Key: action}) || n < opt.MinTasks || len(out) == tree.MaxRetries {
			continue
		}
		most, binds := s.bound(action, opt)
		out = append(out, tree.Retry{Action: action, Most: uint32(most), Tasks: uint32(n), Advice: !binds})
	}
	return out
}

// bound is the most failures in a row of any successful run, at least one; it binds where
// enough tasks were seen.
func (s *Seen) bound(action string, opt Options) (most int32, binds bool) {
	rows := s.most[action]
	return max(1, slices.Max(slices.Collect(maps.Values(rows)))), len(rows) >= opt.Binding
}
