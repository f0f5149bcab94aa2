package conditions

import (
	"cmp"
	"maps"
	"slices"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/gates/learn"
)

// Options say how much evidence a condition needs.
type Options struct {
	Hard   float64 // least lower bound of its rate for a call to be sent back
	Advice float64 // the same to be said beforehand
	Level  float64 // of the family-wise error
	Least  int     // tasks that it must be seen in
}

// Defaults are the options of distillation. docs/conditions.md has the figures that chose
// them.
func Defaults() Options { return Options{Hard: 0.9, Advice: 0.5, Level: 0.01, Least: 5} }

// finish is the action of ending a run: it establishes nothing, and nothing follows it.
const finish = "finish"

// maxConditions is how many a policy can hold.
const maxConditions = 256

// maxNeeds is how many ways a condition may be met in.
const maxNeeds = 4

// instance is one call that a condition may be about.
type instance struct {
	run  *Run
	at   int
	held map[gates.Need]bool // needs met before it, for an end after it
}

// slot is an action and one of its arguments.
type slot struct{ act, arg string }

func compareSlots(a, b slot) int {
	return cmp.Or(cmp.Compare(a.act, b.act), cmp.Compare(a.arg, b.arg))
}

// evidence is the instances of a slot by task.
type evidence map[uint64][]instance

// acts counts the actions that the instances are of.
func (ev evidence) acts() int {
	seen := map[string]bool{}
	for _, list := range ev {
		for i := range list {
			seen[list[i].step().Act] = true
		}
	}
	return len(seen)
}

func (x *instance) step() *Step { return &x.run.Steps[x.at] }

func (ev evidence) tasks() []uint64 { return slices.Sorted(maps.Keys(ev)) }

// candidate is a condition under test.
type candidate struct {
	gates.Condition
	lower float64 // exact lower bound of its rate (Clopper and Pearson)
	p     float64 // of what was seen, if it had nothing to do with the call
}

// Mine makes conditions of runs, those on calls before those on ends, each sorted by
// action and argument.
func Mine(runs []Run, o Options) []gates.Condition { return Try(runs, o).Select(o) }

// Tried is what there is evidence of, before it is known how much is needed.
type Tried struct {
	calls, ends           []candidate
	callsTried, endsTried int
}

// Try looks for conditions with the least rate o.Advice in o.Least tasks. The rate is that
// of tasks, because runs of one task repeat each other.
func Try(runs []Run, o Options) *Tried {
	t := &Tried{}
	t.tryCalls(runs, o)
	t.tryEnds(runs, o)
	return t
}

// Select are the conditions with enough evidence. Errors are bounded for all that were
// tried (Bonferroni), as in package merge.
func (t *Tried) Select(o Options) []gates.Condition {
	out := append(selected(t.calls, t.callsTried, o), selected(t.ends, t.endsTried, o)...)
	slices.SortFunc(out, func(a, b gates.Condition) int { return gates.CompareConditions(&a, &b) })
	return out[:min(len(out), maxConditions)]
}

func (t *Tried) tryCalls(runs []Run, o Options) {
	slots := map[slot]evidence{}
	for i := range runs {
		if runs[i].Success {
			gather(&runs[i], slots)
		}
	}
	base := newChances(runs)
	for _, k := range slices.SortedFunc(maps.Keys(slots), compareSlots) {
		ev := slots[k]
		if len(ev) < o.Least || k.act == "" && ev.acts() < 2 {
			continue
		}
		c, tried := ev.best(k)
		if t.callsTried += tried; len(c.Needs) > 0 && c.lower >= o.Advice {
			c.p = base.of(&c.Condition, ev, &c.Chance)
			t.calls = append(t.calls, c)
		}
	}
}

// gather notes the calls of a run that change something, for each of their arguments, and
// for every argument of that name whatever the call is.
func gather(r *Run, slots map[slot]evidence) {
	for i := range r.Steps {
		s := &r.Steps[i]
		if !s.Changes {
			continue
		}
		for _, arg := range s.args() {
			x := instance{r, i, met(s, arg, r.Steps[:i])}
			note(slots, slot{s.Act, arg}, x)
			if arg != "" {
				note(slots, slot{"", arg}, x)
			}
		}
	}
}

func note(slots map[slot]evidence, k slot, x instance) {
	if slots[k] == nil {
		slots[k] = evidence{}
	}
	slots[k][x.run.Task] = append(slots[k][x.run.Task], x)
}

// args are the names of a call's arguments, and none.
func (s *Step) args() []string {
	out := []string{""}
	for _, b := range s.Bound {
		if !slices.Contains(out, b.Name) {
			out = append(out, b.Name)
		}
	}
	return out
}

// met are the needs that hold for every value of an argument of a call.
func met(s *Step, arg string, among []Step) map[gates.Need]bool {
	var out map[gates.Need]bool
	for _, v := range s.values(arg) {
		held := map[gates.Need]bool{}
		for i := range among {
			if o := &among[i]; o.Fact != nil && o.Act != s.Act && o.Act != finish {
				meets(o, arg, v, held)
			}
		}
		if _, ok := slices.BinarySearch(s.Said, v); ok && arg != "" {
			held[gates.Need{How: gates.HowSaid}] = true
		}
		if out == nil {
			out = held
			continue
		}
		maps.DeleteFunc(out, func(n gates.Need, _ bool) bool { return !held[n] })
	}
	return out
}

// meets notes the needs that a step meets.
func meets(o *Step, arg, value string, into map[gates.Need]bool) {
	if arg == "" {
		into[gates.Need{How: gates.HowDid, Act: o.Act}] = true
		return
	}
	for _, b := range o.Bound {
		if b.Value == value {
			into[gates.Need{How: gates.HowSame, Act: o.Act, Arg: b.Name}] = true
		}
	}
	if o.Fact.Shows(value) {
		into[gates.Need{How: gates.HowShown, Act: o.Act}] = true
	}
}

// best adds needs, first those that hold in most tasks where none does yet, and says how
// many it tried. A need is worth it from a twentieth of the tasks on.
func (ev evidence) best(k slot) (candidate, int) {
	c := candidate{Condition: gates.Condition{Act: k.act, Arg: k.arg}}
	open, tried, least := ev.tasks(), 0, max(2, len(ev)/20)
	for len(c.Needs) < maxNeeds && len(open) > 0 {
		gain := map[gates.Need]int{}
		for _, t := range open {
			for n := range covers(ev[t], c.Needs) {
				gain[n]++
			}
		}
		if len(c.Needs) == 0 {
			delete(gain, gates.Need{How: gates.HowSaid}) // what the task names needs no call
		}
		tried += len(gain)
		top := topOf(gain)
		if gain[top] < least {
			break
		}
		c.Needs = append(c.Needs, top)
		open = slices.DeleteFunc(open, func(t uint64) bool { return allHeld(ev[t], c.Needs) })
	}
	slices.SortFunc(c.Needs, gates.CompareNeeds)
	c.Tasks, c.Held = uint32(len(ev)), uint32(len(ev)-len(open))
	c.lower = 1 - learn.Bound(int(c.Tasks-c.Held), int(c.Tasks))
	return c, tried
}

// topOf is the need with the largest gain, the first of equal ones.
func topOf(gain map[gates.Need]int) (top gates.Need) {
	for n, g := range gain {
		if best := gain[top]; g > best || g == best && gates.CompareNeeds(n, top) < 0 {
			top = n
		}
	}
	return top
}

// covers are the needs that would make all instances of a task hold.
func covers(list []instance, needs []gates.Need) map[gates.Need]bool {
	var out map[gates.Need]bool
	for i := range list {
		if anyHeld(&list[i], needs) {
			continue
		}
		if out == nil {
			out = maps.Clone(list[i].held)
			continue
		}
		maps.DeleteFunc(out, func(n gates.Need, _ bool) bool { return !list[i].held[n] })
	}
	return out
}

func anyHeld(x *instance, needs []gates.Need) bool {
	return slices.ContainsFunc(needs, func(n gates.Need) bool { return x.held[n] })
}

func allHeld(list []instance, needs []gates.Need) bool {
	return !slices.ContainsFunc(list, func(x instance) bool { return !anyHeld(&x, needs) })
}

// selected are the candidates with enough evidence. One that another of the same strength
// implies is left out.
func selected(found []candidate, tests int, o Options) []gates.Condition {
	var out []gates.Condition
	for i := range found {
		c := &found[i]
		if c.lower >= o.Advice && c.p*float64(max(tests, 1)) <= o.Level {
			c.Advice = c.lower < o.Hard
			out = append(out, c.Condition)
		}
	}
	all := slices.Clone(out)
	return slices.DeleteFunc(out, func(c gates.Condition) bool {
		return slices.ContainsFunc(all, func(x gates.Condition) bool { return implies(&x, &c) })
	})
}

// implies says whether whatever meets x meets c: c is about the call as such and asks for
// calls that x asks for, or x asks the same of the argument whatever the call is.
func implies(x, c *gates.Condition) bool {
	if x.Advice && !c.Advice || x.Arg == "" {
		return false
	}
	if x.Act == "" {
		return c.Act != "" && c.Arg == x.Arg && slices.Equal(c.Needs, x.Needs)
	}
	return x.Act == c.Act && c.Arg == "" && !slices.ContainsFunc(x.Needs, func(n gates.Need) bool {
		return !slices.ContainsFunc(c.Needs, func(m gates.Need) bool { return m.Act == n.Act && n.Act != "" })
	})
}
