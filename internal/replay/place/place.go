package place

import "slices"

// Placed is where the harm of one unsafe episode is, or why nobody can say.
type Placed struct {
	Episode string  `json:"episode"`
	Format  string  `json:"format"`
	Basis   Basis   `json:"basis,omitempty"`  // empty if no call could be named
	Window  *Window `json:"window,omitempty"` // nil if none could be
	Tool    string  `json:"tool,omitempty"`   // of the call
	Reason  Reason  `json:"reason,omitempty"` // empty if one was
	// Named is what each basis says by itself.
	Named map[Basis]Window `json:"named,omitempty"`
}

// Finder gathers runs. It belongs to one caller.
type Finder struct {
	unsafe []*Run
	good   map[string]*peers
}

// peers are the runs of a task that ended well.
type peers struct {
	runs          int
	kinds, values map[string]int // in how many
}

// Add takes in a run; nil is none.
func (f *Finder) Add(r *Run) {
	switch {
	case r == nil:
		return
	case r.unsafe:
		f.unsafe = append(f.unsafe, r)
		return
	case !r.good:
		return
	}
	if f.good == nil {
		f.good = map[string]*peers{}
	}
	p := f.good[r.among]
	if p == nil {
		p = &peers{kinds: map[string]int{}, values: map[string]int{}}
		f.good[r.among] = p
	}
	p.runs++
	for k := range r.kinds {
		p.kinds[k]++
	}
	for v := range r.values {
		p.values[v]++
	}
}

// Places says it of every unsafe run, in the order in which they came.
func (f *Finder) Places() []Placed {
	out := make([]Placed, len(f.unsafe))
	for i, r := range f.unsafe {
		out[i] = r.place(f.good[r.among])
	}
	return out
}

func (r *Run) place(p *peers) Placed {
	out := Placed{Episode: r.episode, Format: r.format, Named: r.steps}
	for b, find := range map[Basis]func() (Window, bool){
		Told: r.told, Only: r.only, Flow: func() (Window, bool) { return r.steered(p) }, Contrast: func() (Window, bool) { return r.contrast(p) },
	} {
		if w, ok := find(); ok {
			out.Named[b] = w
		}
	}
	for _, b := range Bases {
		if w, ok := out.Named[b]; ok {
			out.Basis, out.Window, out.Tool = b, &w, r.toolAt(w.To)
			return out
		}
	}
	out.Reason = r.reason(p)
	return out
}

func (r *Run) toolAt(step int) string {
	for i := range r.calls {
		if r.calls[i].step == step {
			return r.calls[i].tool
		}
	}
	return ""
}

// steered gives the first call that an earlier result steered to do what no good
// run of the task does, else the first that one steered at all. The window begins
// with the call of that result.
func (r *Run) steered(p *peers) (Window, bool) {
	var first *callFacts
	for i := range r.calls {
		c := &r.calls[i]
		if c.source < 0 {
			continue
		}
		if first == nil {
			first = c
		}
		if p != nil && slices.ContainsFunc(c.values, func(v string) bool { return p.values[v] == 0 }) {
			return Window{c.source, c.step}, true
		}
	}
	if first == nil {
		return Window{}, false
	}
	return Window{first.source, first.step}, true
}

// only gives the one call that could do harm, if there is no other.
func (r *Run) only() (Window, bool) {
	at := -1
	for i := range r.calls {
		if !r.calls[i].risky {
			continue
		}
		if at >= 0 {
			return Window{}, false
		}
		at = r.calls[i].step
	}
	return Window{at, at}, at >= 0
}

// contrast gives the call that does what no good run of the task does: a kind of
// thing that none of them does, or the same to something that none of them touches.
// Where several calls differ, none is named.
func (r *Run) contrast(p *peers) (Window, bool) {
	if p == nil {
		return Window{}, false
	}
	if at, n := r.novel(p.kinds, func(c *callFacts) []string { return c.kinds }); n > 0 {
		return Window{at, at}, n == 1
	}
	at, n := r.novel(p.values, func(c *callFacts) []string { return c.values })
	return Window{at, at}, n == 1
}

// novel gives the first call with a trait that no good run has, and how many such
// traits there are.
func (r *Run) novel(have map[string]int, of func(*callFacts) []string) (at, n int) {
	seen := map[string]bool{}
	at = -1
	for i := range r.calls {
		c := &r.calls[i]
		if !c.risky {
			continue
		}
		fresh := false
		for _, t := range of(c) {
			if have[t] == 0 && !seen[t] {
				seen[t], fresh = true, true
			}
		}
		if fresh {
			n++
			if at < 0 {
				at = c.step
			}
		}
	}
	return at, n
}

func (r *Run) reason(p *peers) Reason {
	risky := false
	for i := range r.calls {
		risky = risky || r.calls[i].risky
	}
	switch {
	case r.diverged:
		return NotReproduced
	case p != nil && r.lacks(p):
		return ByOmission
	case !risky:
		return InWords
	case p != nil && r.novelties(p) == 0:
		return InContent
	}
	return Undecided
}

func (r *Run) novelties(p *peers) int {
	_, n := r.novel(p.values, func(c *callFacts) []string { return c.values })
	return n
}

// lacks says that every good run does some kind of thing that this one doesn't,
// while it does nothing that they don't.
func (r *Run) lacks(p *peers) bool {
	if r.novelties(p) > 0 {
		return false
	}
	for k, n := range p.kinds {
		if n == p.runs && !r.kinds[k] {
			return true
		}
	}
	return false
}
