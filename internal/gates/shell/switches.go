package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file reads options as programs from Windows write them on other systems too: a
// slash or a dash, a name of any length in any case, a colon and the value.

// switches writes such options of a program as its table lists them: -name=value, and
// -xvalue for a single letter. A word with a further slash in its name is a path.
func (r *toolRun) switches(args []string) []string {
	if !r.t.has(traitSlashSwitches) {
		return args
	}
	out := make([]string, 0, len(args))
	for i, a := range args {
		if a == "--" {
			return append(out, args[i:]...)
		}
		if i > 0 && r.awaits(args[i-1]) { // a value: /srv is a place then
			out = append(out, a)
			continue
		}
		s := asSwitch(a)
		if name, _, valued := cutAt(s, "="); s != a && valued && a[2] != ':' { // its letters are no options of their own
			if _, _, listed := findOpt(r.t.opts, name, false); !listed {
				r.m.unlisted(r.t.name, a, "")
			}
		}
		out = append(out, s)
	}
	return out
}

// awaits says whether a word is an option whose value is the next word.
func (r *toolRun) awaits(word string) bool {
	if len(word) < 2 || word[0] != '-' || strings.ContainsAny(word, "=:") {
		return false
	}
	kind, _, ok := findOpt(r.t.opts, word, false)
	if long, is := cutPrefix(word, "--"); is {
		kind, _, ok = findOpt(r.t.opts, long, true)
	} else if !ok && len(word) == 2 {
		kind, _, ok = findOpt(r.t.opts, word[1:], false)
	}
	return ok && (kind == ':' || kind == '~')
}

func asSwitch(word string) string {
	if len(word) < 2 || word[0] != '/' && (word[0] != '-' || word[1] == '-') || mark.Has(word) {
		return word
	}
	name, value, valued := cutAt(word[1:], ":")
	if name == "" || strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz") != "" {
		return word
	}
	switch {
	case word[0] == '-' && !valued:
		return word
	case !valued:
		return "-" + name
	case len(name) == 1:
		return "-" + name + value
	}
	return "-" + strings.ToLower(name) + "=" + value
}

// parameters judges a name with parameters behind semicolons, as the loggers of test
// runners take them: a file that one names is written, and a name that is a path is
// code that is loaded.
func (r *toolRun) parameters(name, word string) {
	first, rest, _ := cutAt(word, ";")
	if strings.ContainsAny(first, `/\=`) || strings.HasSuffix(first, ".dll") || mark.Has(first) {
		r.m.escape(r.t.name + " " + name + " " + word)
		return
	}
	for part := range strings.SplitSeq(rest, ";") {
		key, value, _ := cutAt(part, "=")
		if value != "" && (writesTo(key) || reachesOut(value)) {
			r.m.write(value, effect.OpCreate)
		}
	}
}
