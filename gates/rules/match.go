package rules

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/gates/scope"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// plainRun says whether an effect belongs to runs alone that hang on nothing but their
// words.
func plainRun(c *gates.Context, i int) bool {
	owned := false
	list := c.Runs()
	for k := range list {
		if slices.Contains(list[k].Effects, i) {
			if owned = true; list[k].Given || scope.Computed(list[k].Words) {
				return false
			}
		}
	}
	return owned
}

// computedRun says whether a run that has an effect has words that only the run time knows:
// an address may carry what nobody has seen.
func computedRun(c *gates.Context, i int) bool {
	list := c.Runs()
	for k := range list {
		if slices.Contains(list[k].Effects, i) && scope.Computed(list[k].Words) {
			return true
		}
	}
	return false
}

// coversRun says whether an allow rule covers an effect by the program that has it:
// every run that has the effect has the rule's words, and the effect is one that the
// rule's own line has.
func (r *Rule) coversRun(c *gates.Context, reason *gates.Reason, e *gates.Effect) bool {
	i, whole := reason.Effect, isProtected(c, e, reason.Rule)
	if !plainRun(c, i) {
		return false
	}
	want, effects := r.prototype(c)
	if want == nil || !slices.ContainsFunc(effects, func(p gates.Effect) bool { return sameEffect(e, &p) && (!whole || p.Resource == e.Resource) }) {
		return false
	}
	list := c.Runs()
	for k := range list {
		if slices.Contains(list[k].Effects, i) && (!sameWords(want, &list[k]) || tellsMore(want, &list[k])) {
			return false
		}
	}
	return true
}

// prototype reads the rule's own line where the call runs, in the first root.
func (r *Rule) prototype(c *gates.Context) (*effect.Run, []gates.Effect) {
	places := c.Places()
	if len(c.Roots) > 0 {
		places.Cwd = c.Roots[0]
	}
	effects, _, runs := shell.Parse(r.line).Analyze(&places)
	if len(runs) == 0 {
		return nil, nil
	}
	return &runs[len(runs)-1], effects
}

// sameEffect says whether an effect is one of the rule's, but for what a star stands for.
func sameEffect(e, p *gates.Effect) bool {
	return e.Kind == p.Kind && e.Op == p.Op && e.Zone == p.Zone && e.Program == p.Program && e.Deed == p.Deed &&
		(!e.Sensitive || p.Sensitive && e.Resource == p.Resource) && (!e.Protected || p.Protected) && (!e.Glob || p.Glob) && (e.Named || !p.Named) &&
		e.Net.Scheme == p.Net.Scheme && e.Net.Port == p.Net.Port && like(e.Net.Domain, p.Net.Domain) && like(e.Net.IP, p.Net.IP) &&
		like(e.Resource, p.Resource) && (like(e.Ref, p.Ref) || strings.Contains(p.Ref, varies)) && !strings.Contains(e.Ref, "*")
}

// sameWords says whether a run has the words of a rule. Of a program that the table
// knows options may be there that the rule does not name, since the effects tell what
// they do, but none that overrides something; of any other a star stands for no option.
func sameWords(want, run *effect.Run) bool {
	if path.Base(want.Words[0]) != path.Base(run.Words[0]) || want.Tool != run.Tool || scope.Overrides(run) && !scope.Overrides(want) {
		return false
	}
	if run.Tool == "" {
		return sameList(want.Words[1:], run.Words[1:])
	}
	if run.Tool == "git push" && slices.ContainsFunc(run.Names, func(w string) bool { return renames(w) && !slices.ContainsFunc(want.Names, renames) }) {
		return false
	}
	for _, w := range want.Words[1:] {
		if isOption(w) && !slices.Contains(run.Words, w) {
			return false
		}
	}
	for _, w := range run.Words[1:] { // an override that the rule names is that one alone
		if isOption(w) && !slices.Contains(want.Words, w) && overrides(w, run) {
			return false
		}
	}
	return sameList(want.Names, run.Names)
}

// tellsMore says whether a run has an option that changes what is run, loaded, read or sent and that
// the rule does not name.
func tellsMore(want, run *effect.Run) bool {
	return slices.ContainsFunc(run.Telling, func(o string) bool {
		return !slices.ContainsFunc(want.Telling, func(w string) bool { return like(o, w) })
	})
}

// renames says whether a word of git push sends a branch to one of another name there
// (git-push(1), the refspec), which no star stands for.
func renames(w string) bool {
	from, to, ok := strings.Cut(w, ":")
	return ok && strings.TrimPrefix(from, "refs/heads/") != strings.TrimPrefix(to, "refs/heads/")
}

func isOption(w string) bool { return len(w) > 1 && w[0] == '-' }

func overrides(w string, run *effect.Run) bool {
	return scope.Overrides(&effect.Run{Words: []string{run.Words[0], w}, Tool: run.Tool})
}

// sameList says whether words are those of a rule. A star that is the last word stands
// for one or more.
func sameList(want, have []string) bool {
	for i, w := range want {
		switch {
		case i >= len(have):
			return false
		case w == varies && i == len(want)-1:
			return !slices.ContainsFunc(have[i:], special)
		case strings.Contains(w, varies):
			if special(have[i]) || !like(have[i], w) {
				return false
			}
		case w != have[i]:
			return false
		}
	}
	return len(want) == len(have)
}

// special says whether a word is more than a name: a star stands for none.
func special(w string) bool { return w == "" || strings.ContainsRune("-+:", rune(w[0])) }

// like says whether a text is one of a rule, in which a star stands for anything but
// nothing.
func like(text, want string) bool {
	if !strings.Contains(want, varies) {
		return text == want
	}
	parts := strings.Split(want, varies)
	if !strings.HasPrefix(text, parts[0]) {
		return false
	}
	text = text[len(parts[0]):]
	for i, p := range parts[1:] {
		if i == len(parts)-2 {
			return len(text) > len(p) && strings.HasSuffix(text, p)
		}
		at := strings.Index(text[min(1, len(text)):], p)
		if at < 0 || text == "" {
			return false
		}
		text = text[at+1+len(p):]
	}
	return false
}

// pathMatch says whether a path is one of a pattern: * stands for a part of one element,
// ** for any number of them.
func pathMatch(pattern, p string) bool {
	if dir, ok := strings.CutSuffix(pattern, "/**"); ok && !strings.Contains(dir, "**") {
		elems := strings.Count(dir, "/") + 1
		parts := strings.SplitN(p, "/", elems+1)
		return len(parts) >= elems && !strings.Contains(p, "/../") && matchElems(dir, strings.Join(parts[:elems], "/"))
	}
	return !strings.Contains(pattern, "**") && matchElems(pattern, p)
}

func matchElems(pattern, p string) bool {
	ok, err := path.Match(pattern, p)
	return ok && err == nil
}
