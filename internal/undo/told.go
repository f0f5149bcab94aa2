package undo

import (
	"cmp"
	"slices"
)

// telling is one change, and when it was told.
type telling struct {
	step   *Step
	change *Change
	frame  uint64
}

// told are the changes of all steps in the order in which they were found.
func told(all []Step) []telling {
	var out []telling
	for i := range all {
		for k := range all[i].Changes {
			out = append(out, telling{&all[i], &all[i].Changes[k], all[i].frames[k]})
		}
	}
	slices.SortStableFunc(out, func(a, b telling) int { return cmp.Compare(a.frame, b.frame) })
	return out
}

// parents leaves directories that would go but hold something that stays, and files whose
// directory would not come back.
func (p *Plan) parents() {
	gone := map[string]bool{}
	for i := range p.Changes {
		if p.Changes[i].After.Kind == Absent {
			gone[p.Changes[i].Path] = true
		}
	}
	holds := map[string]bool{}
	for path := range p.now {
		if !gone[path] {
			for d := dirOf(path); d != "" && !holds[d]; d = dirOf(d) {
				holds[d] = true
			}
		}
	}
	p.Changes = slices.DeleteFunc(p.Changes, func(c Change) bool {
		stays := c.After.Kind != Dir && c.Before.Kind == Dir && holds[c.Path]
		if stays {
			p.left(c.Path, "holds what is not taken back")
		}
		return stays
	})
}
