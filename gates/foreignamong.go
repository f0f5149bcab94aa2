package gates

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// mapsEach says whether a program makes each of many files of another one of many: a copy or a
// conversion, whose names need not be there. What one thing is put into, or nothing, are files that
// are there.
func (c *Context) mapsEach(e *Effect) bool {
	if e.Program == "" {
		return false
	}
	n := c.indexOf(e)
	return slices.ContainsFunc(c.besides(n), func(i int) bool {
		x := &c.Effects[i]
		return i != n && x.Glob && (x.Kind == effect.Read || x.Op == effect.OpMove && x != e) && e.Op != effect.OpModify
	})
}

// What empties a file that sed and perl edit in place, or keeps a part of it that its lines do not
// tell (sed(1), perlrun(1)): lines deleted from the first on, all but some, and what is printed alone.
var (
	sedCuts = regexp.MustCompile(`(?:^|[;{\n])\s*(?:(?:[01],\S*?|(?:/[^/]*/|\d+|\$)(?:,[^!;\s]*)?\s*!|/(?:\.?\*?|\^|\$|\.\*|\^\.\*\$?)/)?\s*[dDc](?:[;}\s]|$)|\d*[qQ](?:[;}\s]|$)|s(.)\^?\.\*\$?(?:.)(?:.))`)
	inPlace = regexp.MustCompile(`^-[a-zA-Z0]*i|^--in-place`)
	prints  = regexp.MustCompile(`\bprint|\bsay\b`)
)

// cutsDown says whether an edit in place leaves no more of a file than a part that is not named.
func (c *Context) cutsDown(n int) bool {
	run := c.runOf(n)
	if run == nil || !slices.ContainsFunc(run.Words[1:], inPlace.MatchString) {
		return false
	}
	quiet := slices.ContainsFunc(run.Words[1:], func(w string) bool {
		return w == "--quiet" || w == "--silent" || len(w) > 1 && w[0] == '-' && w[1] != '-' && strings.Contains(w, "n") && !strings.Contains(w, "e")
	})
	switch c.Effects[n].Program {
	case "sed", "gsed":
		return quiet || slices.ContainsFunc(run.Words[1:], func(w string) bool { return w != "" && w[0] != '-' && sedCuts.MatchString(w) })
	case "perl":
		return hasOption(run.Words[:min(len(run.Words), 3)], "n") && !slices.ContainsFunc(run.Words, prints.MatchString)
	}
	return false
}

// replacesAmong are the first files that are replaced where something is put into each of the files of
// a pattern, or of a listing: what runs over names that are there.
func (c *Context) replacesAmong(pattern string) []string {
	const signs = "*?[]…"
	at := strings.IndexAny(pattern, signs)
	if at < 0 || c.names == nil {
		return nil
	}
	if at == 0 { // names of a listing
		pattern = trimSuffix(c.Cwd, "/") + "/" + pattern
		at = strings.IndexAny(pattern, signs)
	}
	before, after := pattern[:at], pattern[strings.LastIndexAny(pattern, signs):]
	after = strings.TrimLeft(after, signs)
	var out []string
	left := maxWholesale
	w := walk{list: c.names, left: &left, visit: func(dir, base string, deep bool) course {
		full := path.Join(dir, base)
		switch {
		case deep:
			if !apart(dir, base) && (strings.HasPrefix(full, before) || strings.HasPrefix(before, full)) {
				return into
			}
		case strings.HasPrefix(full, before) && strings.HasSuffix(full, after) && c.at(full) == FoundFile && !regenerable(full) && path.Ext(full) != ".log" && !c.knows(full):
			if out = append(out, full); len(out) == maxToldOf {
				return found
			}
		}
		return next
	}}
	if _, over := w.below(path.Dir(before + "x")); over { // nobody knows of the rest
		out = append(out, pattern)
	}
	return out
}
