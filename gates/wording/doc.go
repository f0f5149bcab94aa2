// Package wording says a decision in words, in two voices. A person who is asked reads
// what will happen if they agree: to what, where it goes and whether it can be undone,
// the worst of it first. A model whose call does not run reads what is in the way, and
// what to do instead.
//
// Of makes both from the decision and its context, so that every rule has both and every
// front end says the same. What happens is told by the effects. The words of the command
// line only add which branch, which page or which package it is about, and only where
// they are found in it.
//
// Texts are bounded and hold no control characters. Of what a call holds they show paths,
// hosts, and names of branches, programs, their commands and tools: no contents, no values,
// no queries and nothing that looks like a secret. Everything is a pure function and safe for
// concurrent use.
//
// What belongs here: sentences about effects and rules, and how paths, hosts and names
// are shown in them. What never does: whether a call may run (package gates), and what a
// host puts around a text or where it shows it (internal/hosts, internal/mcpproxy).
package wording

import (
	"strings"

	"github.com/gbt-policy/gbt/gates"
)

// Texts are what two readers are told of a decision. Both are empty where there is
// nothing to say.
type Texts struct {
	Person string // one line with the worst, and where there is more a second one
	Model  string // one line
}

// Limits of the texts, in bytes, and of how much they tell. Hosts show a question in a
// line or two, and put what a model reads into its context, where every line costs.
const (
	maxLine   = 320
	maxModel  = 1500
	maxAlso   = 3
	maxRules  = 4
	maxObject = 90
)

// Of words a decision on a context.
func Of(c *gates.Context, d *gates.Decision) Texts {
	list := clauses(c, d)
	if len(list) == 0 {
		return Texts{}
	}
	return Texts{Person: person(list), Model: model(list)}
}

// person is the worst of what happens, and on a second line the rest.
func person(list []clause) string {
	line := shorten(upper(list[0].what+list[0].note), maxLine) + tag(list[0].rule)
	if len(list) == 1 {
		return line
	}
	also := make([]string, 0, maxAlso)
	for i := 1; i < len(list) && len(also) < maxAlso; i++ {
		also = append(also, shorten(lower(list[i].what), maxLine/min(maxAlso, len(list)-1)))
	}
	if n := len(list) - 1 - len(also); n > 0 {
		also = append(also, "and "+count(n, "more thing"))
	}
	return line + "\nAlso: " + strings.Join(also, "; ") + "."
}

// model is what objects, rule by rule, each with a way out.
func model(list []clause) string {
	var out []string
	instead := map[string]bool{}
	for i := 0; i < len(list) && len(out) < maxRules; i++ {
		x := &list[i]
		text := shorten(subjectOf(x, len(out))+x.what, maxLine) + tag(x.rule)
		if x.instead != "" && !instead[x.instead] {
			instead[x.instead] = true
			text += " " + x.instead
		}
		out = append(out, text)
	}
	return shorten(strings.Join(out, " "), maxModel)
}

// subjectOf begins the n-th sentence about a call. What somebody else wrote is a sentence.
func subjectOf(x *clause, n int) string {
	switch {
	case x.own:
		return ""
	case n == 0:
		return "This call "
	}
	return "It also "
}

func tag(rule string) string { return ". [" + shorten(clean(rule), maxObject) + "]" }
