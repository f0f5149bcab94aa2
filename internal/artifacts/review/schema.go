package review

import (
	"bytes"
	"slices"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/lang"
)

// schemaText shows a tool schema in the one form that it has, and bytes that are
// none by their digest.
func schemaText(data []byte) string {
	if _, err := gates.ParseSchema(data); err != nil {
		return digest(data)
	}
	return string(data)
}

// schemas finds tool schemas that are not what they were: a schema says what a
// tool does, so a new one can make an unknown tool harmless.
func (c *comparison) schemas() {
	added, removed, both := split(c.a.p.Schemas, c.b.p.Schemas, func(s artifacts.Schema) string { return s.Name })
	for _, s := range added {
		c.weakens("schema/new", "tool schema %s is new: it says what the tool does, in place of the built-in tables", quote(s.Name))
	}
	for _, s := range removed {
		c.weakens("schema/removed", "tool schema %s is gone", quote(s.Name))
	}
	for _, s := range both {
		if !bytes.Equal(s.old.Data, s.new.Data) && !c.saysMore(s.old.Data, s.new.Data) {
			c.weakens("schema/weaker", "tool schema %s says something else than before, which may be less", quote(s.old.Name))
		}
	}
}

// saysMore says whether a schema only adds to what an older one says that a tool
// does: it changes something where it only read, or more of its arguments have an
// effect; and no gate tells the two apart by name, since one that stops what reads
// would no longer see the tool.
func (c *comparison) saysMore(old, new []byte) bool {
	was, err := gates.ParseSchema(old)
	if err != nil {
		return false
	}
	is, err := gates.ParseSchema(new)
	if err != nil || is.Family != was.Family || is.Resource != was.Resource {
		return false
	}
	var words []string
	if is.Verb != was.Verb {
		// Only these two do nothing else: one that navigates, say, reaches a host.
		if was.Verb != effect.VerbRead && was.Verb != effect.VerbSearch || is.Verb.Reads() {
			return false
		}
		words = append(verbWords(was.Verb), verbWords(is.Verb)...)
	}
	added, removed, both := split(was.Args, is.Args, func(a call.ArgSchema) string { return a.Name })
	for _, a := range added {
		words = append(words, a.Role.String())
	}
	return len(removed) == 0 &&
		!slices.ContainsFunc(both, func(p pair[call.ArgSchema]) bool { return p.old != p.new }) &&
		!slices.ContainsFunc(added, func(a call.ArgSchema) bool { return !acts(a.Role) }) &&
		!slices.ContainsFunc(c.b.p.Gates, func(g artifacts.Gate) bool { return mentions(g.Expr, words) })
}

// verbWords are the names by which a gate can ask for what a verb does.
func verbWords(v effect.Verb) []string {
	out := []string{v.String()}
	for _, d := range []effect.Doing{v.Itself(), v.Record(), v.File()} {
		out = append(out, d.Kind.String(), d.Op.String())
	}
	return out
}

// mentions says whether a gate compares with one of the words; one that cannot be
// read may.
func mentions(expr string, words []string) bool {
	constants, err := lang.Constants(expr)
	return err != nil || slices.ContainsFunc(constants, func(s string) bool { return slices.Contains(words, s) })
}

// acts says whether an argument of a role does something that is judged.
func acts(r effect.Role) bool {
	switch r {
	case effect.RolePathWrite, effect.RolePathDelete, effect.RoleURLSend, effect.RoleCommand, effect.RoleCode, effect.RoleSQL,
		effect.RoleRecipient, effect.RoleAmount, effect.RoleEscalate, effect.RoleSecret:
		return true
	}
	return false
}
