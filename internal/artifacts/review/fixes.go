package review

import (
	"fmt"

	"github.com/gbt-policy/gbt/tree"
)

// Fix is what successful runs did when a call had failed, as JSON.
type Fix struct {
	Action string `json:"action"` // of the call that failed
	Class  string `json:"class"`  // how it failed; empty for anyhow
	Does   string `json:"does"`   // that of the call for the call in another form
	Worked uint32 `json:"worked"` // tasks with a successful run that did it and passed then
	Failed uint32 `json:"failed"` // tasks with a run that did it and failed again
}

// Retry is how often an action failed in a row in successful runs, as JSON.
type Retry struct {
	Action string `json:"action"`
	Most   uint32 `json:"most"`
	Tasks  uint32 `json:"tasks"`
	Advice bool   `json:"advice"` // it ends no run
}

// fixField shows the known fixes of a family with what they rest on.
func fixField(list []tree.Fix) Fields {
	if len(list) == 0 {
		return nil
	}
	f := Field{Name: "fixes"}
	var values []Fix
	for i := range list {
		x := &list[i]
		values = append(values, Fix(*x))
		f.lines = append(f.lines, []any{"fix", quote(x.Action), quote(x.Class), quote(x.Does), "worked", fmt.Sprint(x.Worked), "failed", fmt.Sprint(x.Failed)})
	}
	f.Value = values
	return Fields{f}
}

// retryField shows the retry bounds of a family.
func retryField(list []tree.Retry) Fields {
	if len(list) == 0 {
		return nil
	}
	f := Field{Name: "retries"}
	var values []Retry
	for i := range list {
		x := &list[i]
		values = append(values, Retry(*x))
		f.lines = append(f.lines, []any{"retries", quote(x.Action), "most", fmt.Sprint(x.Most), "tasks", fmt.Sprint(x.Tasks), binding(x)})
	}
	f.Value = values
	return Fields{f}
}

// binding says whether a bound ends runs.
func binding(x *tree.Retry) string {
	if x.Advice {
		return "advice"
	}
	return "ends"
}

func fixKey(x tree.Fix) string {
	return quote(x.Action) + " " + quote(x.Class) + " " + quote(x.Does)
}

func fixSupport(x *tree.Fix) string { return fmt.Sprintf("worked %d failed %d", x.Worked, x.Failed) }

func retryWords(x *tree.Retry) string {
	return fmt.Sprintf("most %d tasks %d %s", x.Most, x.Tasks, binding(x))
}

func proofSupport(p *tree.Proof) string {
	return fmt.Sprintf("passed %d of %d failed %d of %d early %d", p.Passed, p.Tasks, p.Failed, p.Against, p.Early)
}

// itemsDiffer compares lists item by item: what an item is, by its key, and what it rests on.
func itemsDiffer[T any](name string, old, new []T, key func(T) string, words func(*T) string) (changes []Change) {
	added, removed, both := split(old, new, key)
	for i := range added {
		changes = append(changes, Change{Name: name + " " + key(added[i]), New: words(&added[i])})
	}
	for i := range removed {
		changes = append(changes, Change{Name: name + " " + key(removed[i]), Old: words(&removed[i])})
	}
	for i := range both {
		changed(&changes, name+" "+key(both[i].old), words(&both[i].old), words(&both[i].new))
	}
	return changes
}

// retriesLonger finds bounds on retries that are gone, end no run any more, or let more pass.
func (c *comparison) retriesLonger(old, new *tree.Family) {
	is := map[string]tree.Retry{}
	for _, r := range new.Retries {
		is[r.Action] = r
	}
	for _, r := range old.Retries {
		now, has := is[r.Action]
		switch {
		case r.Advice:
		case !has || now.Advice:
			c.weakens("retries/longer", "no bound ends a run of family %s any more that fails at %s again and again", quote(new.Name), quote(r.Action))
		case now.Most > r.Most:
			c.weakens("retries/longer", "a run of family %s may fail at %s %d times in a row, before %d", quote(new.Name), quote(r.Action), now.Most, r.Most)
		}
	}
}
