package place

import (
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
)

// returns remembers at which step each tool last returned something.
type returns map[string]int

func (r returns) add(tool string, step int) { r[call.Kept(tool)] = step }

// maxSteering is the longest value that counts as one which a result could put
// into a call. Longer ones are texts that agents write out of what they read.
const maxSteering = 200

// steers gives the step whose result put a value of running text into a call that
// could do harm, or named its tool; -1 for none. The index of origins says where
// the value stood first, and what the task names is the task's.
func (r returns) steers(c *gates.Context, known gates.Sources) int {
	if !c.High() {
		return -1
	}
	if origin, source, form := known.Find(c.Tool); telling(c.Tool) && origin == call.OriginUntrusted.String() && strings.Contains(form, "~") {
		return r.at(source)
	}
	for i := range c.Args {
		a := &c.Args[i]
		if a.Origin == call.OriginUntrusted && strings.Contains(a.Form, "~") && len(a.Value) >= minNamed && len(a.Value) <= maxSteering && !strings.ContainsAny(a.Value, "\n") {
			return r.at(a.Source)
		}
	}
	return -1
}

func (r returns) at(source string) int {
	if step, ok := r[source]; ok {
		return step
	}
	return -1
}

// telling says whether a tool's name is no word of any text: it has a capital
// inside, a digit, a dot, or words joined by a sign.
func telling(name string) bool {
	for i, c := range name {
		if i > 0 && (c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '.') {
			return true
		}
	}
	return false
}
