package monitor

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
)

// argCond is a condition on one argument.
type argCond struct {
	names          []string // patterns of the last key of the argument's path
	roles          []string
	origins        []string
	sources, trust []string // patterns of the tool whose result first held the value
	forms          []string
	matches        *regexp.Regexp
	in, notIn      []string
	over, under    *float64
	missing        bool
}

// The forms in which a value stood in a result.
const (
	formText   = "text"   // a part of a longer text
	formField  = "field"  // the whole of a field
	formJoined = "joined" // put together from pieces of results
)

// find returns the first argument that every condition holds for. With missing
// it is -1 and true if no argument has the name.
func (k *argCond) find(c *gates.Context) (int, bool) {
	for i := range c.Args {
		if !k.named(&c.Args[i]) {
			continue
		}
		if k.missing {
			return -1, false
		}
		if k.holds(&c.Args[i]) {
			return i, true
		}
	}
	return -1, k.missing
}

func (k *argCond) named(a *gates.Arg) bool {
	return (k.names == nil || anyPattern(k.names, lastKey(a.Path))) && oneOf(k.roles, a.Role)
}

func (k *argCond) holds(a *gates.Arg) bool {
	if a.Value == "" || a.Value == "null" {
		return false // nothing was given
	}
	return oneOf(k.origins, a.Origin.String()) && k.source(a) &&
		(k.matches == nil || k.matches.MatchString(a.Value)) &&
		oneOf(k.in, a.Value) && (k.notIn == nil || !oneOf(k.notIn, a.Value)) && k.number(a.Value)
}

func (k *argCond) source(a *gates.Arg) bool {
	if k.sources != nil && !anyPattern(k.sources, a.Source) || anyPattern(k.trust, a.Source) {
		return false
	}
	return k.forms == nil || a.Origin == call.OriginUntrusted && oneOf(k.forms, formOf(a.Form))
}

func (k *argCond) number(value string) bool {
	if k.over == nil && k.under == nil {
		return true
	}
	n, err := strconv.ParseFloat(value, 64)
	return err == nil && (k.over == nil || n > *k.over) && (k.under == nil || n < *k.under)
}

// formOf reads the marks of package flow.
func formOf(form string) string {
	switch {
	case strings.Contains(form, "~+"):
		return formJoined
	case strings.Contains(form, "~"):
		return formText
	}
	return formField
}

// lastKey is the last key of a path that is no list position, in lower case:
// "to.0" gives to.
func lastKey(path string) string {
	keys := strings.Split(path, ".")
	for i := len(keys) - 1; i >= 0; i-- {
		if _, err := strconv.Atoi(keys[i]); err != nil {
			return strings.ToLower(keys[i])
		}
	}
	return path
}
