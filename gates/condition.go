package gates

import (
	"cmp"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// How is the way in which a fact is about a call's argument. The zero How is no fact.
type How uint8

// The ways.
const (
	HowNone  How = iota
	HowDid       // a call of the action ended well
	HowSame      // one that had the same value as an argument
	HowShown     // one whose result shows the value
	HowSaid      // the user's words name the value
	NumHows
)

// Need is one fact: what an observed result has to have established.
type Need struct {
	How How
	Act string // the action of the call that establishes it; empty for HowSaid
	Arg string // its argument, for HowSame
}

// Condition is what successful runs always had before a call of an action, or, with End,
// before their end once there was such a call: one of its needs. It only tightens.
type Condition struct {
	End    bool
	Act    string
	Arg    string // the argument whose value the needs are about; empty for none
	Needs  []Need // one of them is enough
	Advice bool   // said beforehand, and stops nothing

	// Of the successful runs it was mined from, by task.
	Tasks, Held uint32 // tasks with such a call, and those in which it held each time
	Chance      uint32 // how many of them would have it if the order of calls said nothing, in thousandths of all
}

// CompareConditions orders conditions as policies hold them: those on calls first, by
// action, argument and needs.
func CompareConditions(a, b *Condition) int {
	end := func(c *Condition) int {
		if c.End {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(end(a), end(b)), cmp.Compare(a.Act, b.Act), cmp.Compare(a.Arg, b.Arg), slices.CompareFunc(a.Needs, b.Needs, CompareNeeds))
}

// CompareNeeds orders the needs of a condition.
func CompareNeeds(a, b Need) int {
	return cmp.Or(cmp.Compare(a.How, b.How), cmp.Compare(a.Act, b.Act), cmp.Compare(a.Arg, b.Arg))
}

// Err says what is wrong with a condition; nil for nothing. No reader may take a need for
// met that it does not understand.
func (c *Condition) Err() error {
	switch {
	case len(c.Needs) == 0:
		return errors.New("it needs nothing")
	case c.Act == "" && (c.Arg == "" || c.End):
		return errors.New("it is about no call")
	case c.End && c.Arg != "":
		return errors.New("one on ends is about no argument")
	case c.Held > c.Tasks:
		return errors.New("it held in more tasks than there were")
	}
	for i, n := range c.Needs {
		ok := n.Act != "" && n.How == HowDid && n.Arg == ""
		if c.Arg != "" {
			ok = n.How == HowSame && n.Act != "" && n.Arg != "" || n.How == HowShown && n.Act != "" && n.Arg == "" ||
				n.How == HowSaid && n.Act == "" && n.Arg == ""
		}
		if !ok || i > 0 && CompareNeeds(c.Needs[i-1], n) >= 0 {
			return errors.New("a need of it is none")
		}
	}
	return nil
}

// FileArg stands for the files that a call reads, writes or deletes, whatever its arguments
// are called.
const FileArg = "@file"

// Bound is a value that a call is about, under the name of its argument.
type Bound struct{ Name, Value string }

// maxBound is the longest value that a fact is about: what is longer is a text.
const maxBound = 256

// Bound lists the values that a call is about, without texts: its arguments by their path
// without positions in lists, and its files.
func (c *Context) Bound() []Bound {
	var out []Bound
	add := func(name, value string) {
		if b := (Bound{name, strings.TrimSpace(value)}); b.Value != "" && len(b.Value) <= maxBound && !strings.Contains(b.Value, "\n") && !slices.Contains(out, b) {
			out = append(out, b)
		}
	}
	for i := range c.Args {
		add(withoutPositions(c.Args[i].Path), c.Args[i].Value)
	}
	for i := range c.Effects {
		e := &c.Effects[i]
		if (e.Kind == effect.Read || e.Kind == effect.Write || e.Kind == effect.Delete) && !e.Glob && path.IsAbs(e.Resource) && e.Zone != effect.ZoneStream {
			add(FileArg, e.Resource)
		}
	}
	return out
}

// withoutPositions is an argument's path without what only says where in a list it stands.
func withoutPositions(path string) string {
	parts := strings.Split(path, ".")
	parts = slices.DeleteFunc(parts, func(p string) bool { return p != "" && strings.Trim(p, "0123456789") == "" })
	return strings.Join(parts, ".")
}
