package gates

import (
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/gates/call"
)

// String is the condition as a person reads it: what it is about and which facts it needs.
func (c *Condition) String() string {
	about := "a call to " + call.Phrase(c.Act)
	if c.Act == "" {
		about = "any call that changes something"
	}
	if c.Arg != "" {
		about += ", for its " + argWords(c.Arg)
	}
	if c.End {
		return "after " + about + ", before the end: " + c.NeedsString()
	}
	return "before " + about + ": " + c.NeedsString()
}

// NeedsString says what establishes what is needed.
func (c *Condition) NeedsString() string {
	var parts []string
	for i := range c.Needs {
		parts = append(parts, c.Needs[i].String())
	}
	return strings.Join(parts, ", or ")
}

// String says what establishes a fact.
func (n *Need) String() string {
	did := "a call to " + call.Phrase(n.Act) + " that ended well"
	switch n.How {
	case HowDid:
		return did
	case HowSame:
		return did + " with the same value as its " + argWords(n.Arg)
	case HowShown:
		return did + " and whose result shows the value"
	case HowSaid:
		return "the user's words name the value"
	}
	return "nothing"
}

func argWords(arg string) string {
	if arg == FileArg {
		return "file"
	}
	return strconv.Quote(arg)
}

// lacking says what a call is sent back for.
func (c *Condition) lacking() string {
	about := "the call"
	if c.Arg != "" {
		about = "its " + argWords(c.Arg)
	}
	out := "No observed result has established what successful runs had for " + about + " first: " + c.NeedsString() + "."
	if c.Tasks > 0 {
		out += " They had it in " + strconv.Itoa(int(c.Held)) + " of " + strconv.Itoa(int(c.Tasks)) + " tasks."
	}
	return out
}
