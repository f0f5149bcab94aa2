package call

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// byName derives an action from a tool's name: its first verb and its object.
// All verbs that read are "read", so that get_, list_ and search_ tools of one
// object are one action. A name without a verb is an action of its own.
func byName(tool string) (a Action, verb bool) {
	words := Words(tool)
	delta := Classify(tool).Verb.Delta()
	for i, w := range words {
		v, ok := VerbOf(w)
		if !ok {
			continue
		}
		if v == effect.VerbRead || v == effect.VerbSearch {
			w = "read"
		}
		if o := object(words[:i], words[i+1:]); o != "" {
			w += ":" + o
		}
		return Action{Key: w, Delta: delta}, true
	}
	return Action{Key: strings.Join(words, "-"), Delta: delta}, false
}

// fillers are the words of a tool's name that say nothing about its object.
// Sorted.
const fillers = "a all an and are as at available by current day detail details direct draft existing from given in info information into is it last latest most multiple my new next of on or " +
	"out per received recent scheduled sent single specific the this to tool unread up upcoming using with"

// singular folds a plural so that get_file and list_files share an object.
func singular(w string) string {
	switch {
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "ss"), len(w) < 4:
		return w
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "xes"), strings.HasSuffix(w, "ches"):
		return w[:len(w)-2]
	case strings.HasSuffix(w, "s"):
		return w[:len(w)-1]
	}
	return w
}

func filler(w string) bool {
	ok := mark.Among(fillers, w)
	return ok
}

// object picks the noun a tool is about: the one after "for" ("rating reviews
// for hotels"), else the first after the verb ("hotels prices"), one that tools
// are known to work with before others ("nonstop flight"), else the last before
// it ("gmail send").
func object(before, after []string) string {
	for i, w := range after {
		if w == "for" {
			if o := firstNoun(after[i+1:]); o != "" {
				return o
			}
		}
	}
	if o := firstNoun(after); o != "" {
		return o
	}
	for i := len(before) - 1; i >= 0; i-- {
		if !filler(before[i]) {
			return singular(before[i])
		}
	}
	return ""
}

func firstNoun(words []string) string {
	for _, w := range words {
		if fam, _ := nounOf([]string{w}); fam != FamilyUnknown && !filler(w) {
			return singular(w)
		}
	}
	for _, w := range words {
		if !filler(w) && w != "for" {
			return singular(w)
		}
	}
	return ""
}
