package fixes

import "github.com/gbt-policy/gbt/tree"

// FixMore is what new runs add to what is counted of a fix.
type FixMore struct{ Worked, Failed uint32 }

// RetryMore is what new runs make of a bound: tasks more, and the most failures in a row of a
// successful one where that is more than before.
type RetryMore struct{ Tasks, Most uint32 }

// Fixes are what was seen of a family's fixes, by their places in its list; none of those of
// which nothing was.
func (s *Seen) Fixes(list []tree.Fix) map[int]FixMore {
	out := map[int]FixMore{}
	for i := range list {
		x := &list[i]
		k := try{kind{x.Action, x.Class}, x.Does}
		if n := (FixMore{uint32(len(s.worked[k])), uint32(len(s.failed[k]))}); n != (FixMore{}) {
			out[i] = n
		}
	}
	return out
}

// Retries are what was seen of a family's bounds, by their places in its list. Tasks are of s;
// the most failures in a row are of all runs, those of tasks that were counted before too.
func (s *Seen) Retries(list []tree.Retry, all *Seen) map[int]RetryMore {
	out := map[int]RetryMore{}
	for i := range list {
		x := &list[i]
		n := RetryMore{Tasks: uint32(len(s.most[x.Action]))}
		for _, row := range all.most[x.Action] {
			if uint32(row) > x.Most {
				n.Most = max(n.Most, uint32(row))
			}
		}
		if n != (RetryMore{}) {
			out[i] = n
		}
	}
	return out
}

// Add takes what new runs showed of a bound into it.
func (n RetryMore) Add(x *tree.Retry) {
	x.Tasks, x.Most = x.Tasks+n.Tasks, max(x.Most, n.Most)
	x.Advice = x.Advice && x.Tasks < Binding
}
