package shell

import (
	"strings"
)

// This file judges flags that make a run do less (--dry-run, --help) where the line takes
// them back: most programs let the last word hold, and read a value in a way of their own.

// lessens says whether a flag's word makes a run do less than it would without it.
func lessens(word byte) bool {
	return word == flagDryRun || word == flagInforms || word == flagNamesOnly
}

// setToNo says whether a flag is not surely set: its value is no plain yes, or the next word
// is a no, which some programs take for its value (nopt's and yargs' booleans).
func setToNo(word byte, value string, has bool, next []string) bool {
	if !has { // behind -l of a search stands what is searched for
		return word != flagNamesOnly && len(next) > 0 && isAmong([]string{"false", "null", "no", "none", "0"}, next[0])
	}
	return !isAmong([]string{"true", "yes", "1"}, value)
}

// takeBack has the run do all that it does without such flags, wherever on the line they stand. Not inlined, for the size of programs.
//
//go:noinline
func (r *toolRun) takeBack() {
	r.live, r.dry, r.help, r.named = true, false, false, false
}

// takenBack takes such a flag back that a long option denies (--no-dry-run), or sets to no
// by the beginning of its name.
func (r *toolRun) takenBack(name, value string, has bool) {
	name, no := cutPrefix(name, "no-")
	if !no && (!has || !setToNo(flagInforms, value, has, nil)) || len(name) < 2 {
		return
	}
	for tok := range strings.FieldsSeq(r.t.opts) {
		if len(tok) > 2 && strings.HasPrefix(strings.TrimLeft(tok[:len(tok)-2], "-"), name) && tok[len(tok)-2] == '!' && lessens(tok[len(tok)-1]) {
			r.takeBack()
			return
		}
	}
}

// dryRun is for an option of which some values say how nothing is written, and others that
// all is.
func (r *toolRun) dryRun(value string) {
	switch value {
	case "", "true", "client", "server", "all":
		r.dry = !r.live
	default:
		r.takeBack()
	}
}

// negates says whether an option of git takes back one that does nothing by itself: any
// long one can be, unless its page says otherwise (gitcli(7), Negating options).
func (r *toolRun) negates(name string, valued bool) bool {
	rest, ok := cutPrefix(name, "no-")
	if !ok || valued || len(rest) < 2 || strings.HasPrefix(rest, "no-") || r.parent != &gitTool {
		return false
	}
	_, role, ok := findOpt(r.t.opts, rest, true)
	return ok && role == roleNothing
}
