package review

import (
	"fmt"
	"strconv"

	"github.com/gbt-policy/gbt/gates"
)

// Condition is what successful runs always had before a call, or before their end.
type Condition struct {
	Says     string `json:"says"`
	End      bool   `json:"end"`
	Action   string `json:"action"`
	Argument string `json:"argument"`
	Needs    []Need `json:"needs"`
	Advice   bool   `json:"advice"` // it stops nothing
	Tasks    uint32 `json:"tasks"`
	Held     uint32 `json:"held"`
	Chance   uint32 `json:"chance"` // thousandths
}

// Need is one fact that is enough.
type Need struct {
	How      string `json:"how"`
	Action   string `json:"action,omitempty"`
	Argument string `json:"argument,omitempty"`
}

var hows = map[gates.How]string{gates.HowDid: "did", gates.HowSame: "same", gates.HowShown: "shown", gates.HowSaid: "said"}

// conditionsField shows conditions with what they rest on; none where there are none.
func conditionsField(list []gates.Condition) Fields {
	if len(list) == 0 {
		return nil
	}
	f := Field{Name: "conditions"}
	var all []Condition
	for i := range list {
		c := &list[i]
		x := Condition{c.String(), c.End, c.Act, c.Arg, nil, c.Advice, c.Tasks, c.Held, c.Chance}
		line := []any{"condition", strength(c), when(c), quote(c.Act), quote(c.Arg)}
		for _, n := range c.Needs {
			x.Needs = append(x.Needs, Need{hows[n.How], n.Act, n.Arg})
			line = append(line, hows[n.How], quote(n.Act), quote(n.Arg))
		}
		all = append(all, x)
		f.lines = append(f.lines, append(line, strconv.Itoa(int(c.Held)), strconv.Itoa(int(c.Tasks)), strconv.Itoa(int(c.Chance))))
	}
	f.Value = all
	return Fields{f}
}

func strength(c *gates.Condition) string {
	if c.Advice {
		return "advice"
	}
	return "required"
}

func when(c *gates.Condition) string {
	if c.End {
		return "end"
	}
	return "call"
}

// support is what a condition rests on, in one line.
func support(c *gates.Condition) string {
	return fmt.Sprintf("%s, in %d of %d tasks, .%03d by chance", strength(c), c.Held, c.Tasks, min(c.Chance, 999))
}

// conditionKey names a condition without what it rests on.
func conditionKey(c gates.Condition) string {
	return fmt.Sprintf("%t %q %q %q", c.End, c.Act, c.Arg, c.Needs)
}

// conditionsDiffer compares conditions. One that no longer stops calls lets more pass.
func conditionsDiffer(name string, old, new []gates.Condition) (changes []Change, alarms []string) {
	added, removed, both := split(old, new, conditionKey)
	for i := range added {
		changes = append(changes, Change{Name: name + " " + added[i].String(), New: support(&added[i])})
	}
	for i := range removed {
		c := &removed[i]
		changes = append(changes, Change{Name: name + " " + c.String(), Old: support(c)})
		if !c.Advice {
			alarms = append(alarms, "a condition is gone: "+c.String())
		}
	}
	for _, p := range both {
		changed(&changes, name+" "+p.old.String(), support(&p.old), support(&p.new))
		if p.new.Advice && !p.old.Advice {
			alarms = append(alarms, "a condition stops no call any more: "+p.old.String())
		}
	}
	return changes, alarms
}
