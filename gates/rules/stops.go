package rules

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/gates/scope"
)

// manyRuns is from how many programs on a line has more than the analysis lists.
const manyRuns = 256

// stops says whether a rule that stops calls is about this one, and by which effect; -1
// for the whole call. It errs on the side of the rule.
func (r *Rule) stops(c *gates.Context, d *gates.Decision) (at int, ok bool) {
	switch r.kind {
	case "command":
		return r.stopsRun(c)
	case "tool":
		return -1, r.isTool(c)
	}
	for i := range d.Effects {
		e := &d.Effects[i]
		switch {
		case r.kind == "run":
			ok = e.Kind == effect.Spawn && (e.Program == r.what || path.Base(e.Resource) == r.what)
		case !r.isKind(e):
			ok = false
		case e.Kind == effect.Network:
			host := hostOf(e)
			ok = r.namesHost(e) || strings.HasSuffix(host, "."+strings.ToLower(r.what))
		default:
			ok = r.mayName(c, e)
		}
		if ok {
			return i, true
		}
	}
	return r.runsProgram(c)
}

// runsProgram says whether a rule about a program is about one that has no effect of
// its own.
func (r *Rule) runsProgram(c *gates.Context) (at int, ok bool) {
	return -1, r.kind == "run" && slices.ContainsFunc(c.Runs(), func(x effect.Run) bool { return path.Base(x.Words[0]) == r.what })
}

// mayName says whether an effect on files may be on one that the rule names: one below
// it, one that holds it, or a pattern that may stand for it.
func (r *Rule) mayName(c *gates.Context, e *gates.Effect) bool {
	pattern := r.path(c)
	if pathMatch(pattern, e.Resource) {
		return true
	}
	dir := e.Resource
	if i := strings.IndexAny(dir, "*?[…"); i >= 0 {
		dir = path.Dir(dir[:i] + "x")
		return under(literal(pattern), dir) || under(dir, literal(pattern))
	}
	tree := e.Op == effect.OpRemoveTree || e.Op == effect.OpMove || e.Op == effect.OpSearch || e.Op == effect.OpWipe || e.Op == effect.OpChmod || e.Op == effect.OpChown
	return tree && under(literal(pattern), dir)
}

func under(p, dir string) bool {
	return p == dir || strings.HasPrefix(p, strings.TrimSuffix(dir, "/")+"/")
}

// stopsRun says whether the call runs the rule's command, whatever else is on its line.
func (r *Rule) stopsRun(c *gates.Context) (at int, ok bool) {
	list := c.Runs()
	if len(list) >= manyRuns {
		return -1, true
	}
	for i := range list {
		if r.inWords(c, list[i].Words) {
			if own := list[i].Effects; len(own) > 0 {
				return own[0], true
			}
			return -1, true
		}
	}
	if len(list) == 0 && c.Command != "" { // a shell whose lines are not resolved
		return -1, r.inWords(c, strings.Fields(c.Command))
	}
	return -1, false
}

// inWords says whether the words of the rule stand in those of a run, in their order:
// options may stand between them, and a word that only the run time knows may be any.
func (r *Rule) inWords(c *gates.Context, have []string) bool {
	if len(have) == 0 || path.Base(have[0]) != path.Base(r.words[0]) && r.words[0] != varies {
		return false
	}
	rest := have[1:]
	for _, w := range r.words[1:] {
		if w == varies {
			continue
		}
		if rest, ok := strings.CutPrefix(w, "/~/"); ok {
			w = c.Home + "/" + rest
		}
		i := slices.IndexFunc(rest, func(h string) bool { return scope.Computed([]string{h}) || hasWord(h, w) })
		if i < 0 {
			return false
		}
		if !scope.Computed(rest[i : i+1]) {
			rest = rest[i+1:]
		}
	}
	return true
}

// hasWord says whether a word is one of the rule's, or has it as a part: "HEAD:main" and
// "+main" are about main.
func hasWord(have, want string) bool {
	if have == want || strings.Contains(want, varies) && like(have, want) {
		return true
	}
	return slices.Contains(strings.FieldsFunc(have, func(c rune) bool { return strings.ContainsRune(":=+,", c) }), want)
}
