package logs

import "github.com/valyala/fastjson"

// Field is a canonical field that a layout may be able to fill.
type Field uint32

// The fields, in the order they are reported.
const (
	HasTask Field = 1 << iota
	HasTaskID
	HasGroup
	HasModel
	HasTools
	HasText
	HasHeard
	HasCallID
	HasArgs
	HasResult
	HasError
	HasExit
	HasBlocked
	HasCwd
	HasDeltas
	HasTimes
	HasTokens
	HasParent
	HasFinal
	HasOutcome
	HasSafety
	lastField
)

var fieldNames = [...]string{
	"task text", "task id", "group", "model", "tools offered", "agent's words", "user turns", "call id",
	"arguments", "results", "errors", "exit codes", "blocked calls", "working directory", "observed deltas",
	"times", "tokens", "parent", "final words", "outcome", "safety",
}

// Names lists the fields in f, in a fixed order.
func (f Field) Names() []string {
	var out []string
	for i, name := range fieldNames {
		if f&(1<<i) != 0 {
			out = append(out, name)
		}
	}
	return out
}

// Missing is what f lacks of all fields.
func (f Field) Missing() Field { return (lastField - 1) &^ f }

// Layout describes one log layout to people.
type Layout struct {
	Name   string // stable id, the Episode.Format of its episodes
	Title  string
	Fields Field  // what it can fill when the log holds it
	Note   string // what a user should know about it, or empty
}

// kind is what the classifier found a JSON value to be.
type kind uint8

const (
	isUnknown kind = iota
	isRecord       // one run
	isPart         // a piece of a run: gathered until the unit ends
	isSkip         // known, and not a run
)

// layout is one layout as the reader uses it.
type layout struct {
	Layout
	kind kind
	need []string // keys that an object of this layout has
	none []string // keys that it never has
	// ok is a closer look where the keys alone do not decide; nil means yes.
	ok func(v *fastjson.Value) bool
	// read turns one record into episodes.
	read func(rd *reader, v *fastjson.Value, at place)
	// gather starts a collector for parts.
	gather func(rd *reader) gatherer
	reason string // of an isSkip
}

// gatherer collects the parts of runs. Values are valid only during add.
type gatherer interface {
	add(v *fastjson.Value, at place)
	flush()
}

// Layouts lists the layouts this package reads, in a fixed order.
func Layouts() []Layout {
	var out []Layout
	seen := map[string]bool{}
	for _, l := range table() {
		if l.kind != isSkip && !seen[l.Name] {
			seen[l.Name] = true
			out = append(out, l.Layout)
		}
	}
	for _, l := range unkeyedLayouts() {
		if !seen[l.Name] {
			seen[l.Name] = true
			out = append(out, l)
		}
	}
	return out
}

// classifier finds the layout of a JSON object by its keys. Only the keys that
// some layout asks for count; each has a bit, so that an object is looked
// through once and every layout is a comparison of two words.
type classifier struct {
	layouts []layout
	rules   []struct{ need, none keySet }
	bit     map[string]int
}

func newClassifier(layouts []layout) *classifier {
	c := &classifier{layouts: layouts, bit: map[string]int{}}
	for _, l := range layouts {
		c.rules = append(c.rules, struct{ need, none keySet }{c.set(l.need), c.set(l.none)})
	}
	return c
}

// set gives names their bits. More than 128 names is a mistake in the table,
// which every test would show.
func (c *classifier) set(names []string) keySet {
	var s keySet
	for _, name := range names {
		n, ok := c.bit[name]
		if !ok {
			n = len(c.bit)
			c.bit[name] = n
		}
		if n >= 64*len(s) {
			panic("gbt: internal error: too many keys in the layout table")
		}
		s[n/64] |= 1 << (n % 64)
	}
	return s
}

// of is the first layout that v fits; nil if no layout knows it.
func (c *classifier) of(v *fastjson.Value) *layout {
	o, err := v.Object()
	if err != nil {
		return nil
	}
	var have keySet
	o.Visit(func(k []byte, _ *fastjson.Value) {
		if n, ok := c.bit[string(k)]; ok {
			have[n/64] |= 1 << (n % 64)
		}
	})
	for i, r := range c.rules {
		if have.has(r.need) && !have.any(r.none) {
			if l := &c.layouts[i]; l.ok == nil || l.ok(v) {
				return l
			}
		}
	}
	return nil
}

// keySet is a set of keys by bit.
type keySet [2]uint64

func (s keySet) has(need keySet) bool { return s[0]&need[0] == need[0] && s[1]&need[1] == need[1] }
func (s keySet) any(of keySet) bool   { return s[0]&of[0] != 0 || s[1]&of[1] != 0 }
