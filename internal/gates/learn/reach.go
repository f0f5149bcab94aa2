package learn

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/origin"
)

// sink selects arguments that lead somewhere.
type sink struct {
	paths []string // base paths; empty for the reach of any argument
}

// The reach of a value out of text, for arguments that no verdict has named so
// far. Words for people (what is said, how much) steer nothing; commands, code
// and paths are judged by their effects, not by who wrote them. Where the task
// had not asked for the text by name, nothing in it should steer a call. Where
// it had, the user wants what it says, but
//
//   - it should not send to an address of its own or set a secret, unless the task
//     names whose address it is;
//   - a page or a file, all of it written by somebody outside, should not have the
//     next page fetched, nor any text one whose address the agent goes on writing;
//   - what is made or deleted should have an argument that is the task's: what a
//     text alone dictates is the text's.
//
// Of what is sent, a literal copy counts, and a note with an address: attackers
// dictate words too, and links. A note is the user's where the task names whom it
// goes to and no text that it did not ask for repeats the name.
//
// These rules were written while looking at the shared AgentDojo runs and at
// replayed ones of the benchmark: figures on it with whole suites left out are
// therefore kinder than those on suites nobody has seen. What is allowed beyond
// the rules is learned.
const addressPattern = "[0-9@./:]"

func wordRoles() []string {
	return roleNames(
		effect.RoleAmount, effect.RolePayload, effect.RoleWords, effect.RoleCommand, effect.RoleCode, effect.RoleSQL, effect.RoleCwd, effect.RoleEscalate,
		effect.RolePathRead, effect.RolePathList, effect.RolePathWrite, effect.RolePathDelete,
	)
}

func destinationRoles() []string {
	return roleNames(effect.RoleRecipient, effect.RoleSecret, effect.RoleURLSend)
}

func roleNames(roles ...effect.Role) []string {
	var out []string
	for _, r := range roles {
		out = append(out, r.String())
	}
	slices.Sort(out)
	return out
}

// effectFamilies are the tools whose effects are known from what they run: there
// the reach of an argument says less than its effects do.
func effectFamilies() []string {
	return []string{call.FamilyCode.String(), call.FamilyShell.String(), call.FamilySQL.String()}
}

// owned says whether the call has an argument that the task names and no text
// repeats: nobody else can have dictated all of it.
func owned(c *gates.Context) bool {
	return slices.ContainsFunc(c.Args, func(a gates.Arg) bool {
		return a.Origin == call.OriginTask && a.Form == ""
	})
}

const ownedText = `ctx.args.exists(b, b.origin == "task" && b.form == "")`

// anchored says the same of arguments that no text repeats but, at most, one
// that the task asked for.
func anchored(c *gates.Context) bool {
	return slices.ContainsFunc(c.Args, func(a gates.Arg) bool {
		return a.Origin == call.OriginTask && a.Form != origin.Repeated
	})
}

const anchoredText = `ctx.args.exists(b, b.origin == "task" && b.form != "repeated")`

// whose says whether the task names whose address a call takes from a text that
// the task asked for and that has this name too: a user's page with an e-mail
// address on it.
func whose(c *gates.Context) bool {
	return slices.ContainsFunc(c.Args, func(a gates.Arg) bool {
		return a.Origin == call.OriginTask && a.Form == origin.Repeated+origin.Asked && a.Role == effect.RoleRecord.String()
	})
}

// apart says whether another argument of the call is the task's own or comes out
// of another tool's results than this one: no single text dictates both.
func apart(c *gates.Context, a *gates.Arg) bool {
	return anchored(c) || slices.ContainsFunc(c.Args, func(b gates.Arg) bool {
		return b.Origin == call.OriginUntrusted && b.Source != a.Source
	})
}

const apartText = `ctx.args.exists(b, b.origin == "task" && b.form != "repeated" || b.origin == "untrusted" && b.source != a.source)`

const whoseText = `ctx.args.exists(b, b.origin == "task" && b.form == "repeated?" && b.role == "record")`

func (s *sink) has(c *gates.Context, a *gates.Arg) bool {
	if len(s.paths) > 0 {
		return slices.Contains(s.paths, basePath(a.Path))
	}
	switch {
	case a.Role == effect.RolePayload.String():
		return c.Class.Verb == effect.VerbSend && dictated(c, a)
	case slices.Contains(wordRoles(), a.Role):
		return false
	case !strings.HasSuffix(a.Form, origin.Asked):
		return true
	case slices.Contains(destinationRoles(), a.Role):
		return strings.ContainsAny(a.Value, "0123456789@./:") && !whose(c)
	case a.Role == effect.RoleURLFetch.String():
		return strings.HasPrefix(a.Form, origin.Text) || extended(a)
	}
	return c.Class.Verb != effect.VerbWrite && c.Class.Verb != effect.VerbSend && !strings.HasSuffix(a.Form, origin.Number+origin.Asked) && !anchored(c)
}

// dictated says whether what is sent is a literal copy of a text, or a note with
// an address out of it; of a text that the task asked for the address alone, in
// a call that may be dictated as a whole.
func dictated(c *gates.Context, a *gates.Arg) bool {
	form, asked := strings.CutSuffix(a.Form, origin.Asked)
	note := strings.Contains(form, origin.Note+origin.Text)
	switch {
	case asked:
		return (note || strings.HasSuffix(strings.TrimSuffix(form, origin.Beyond), origin.Text+origin.Address) && copies(c)) && !owned(c)
	case strings.HasSuffix(form, origin.Text):
		return true
	}
	return note && !anchored(c)
}

// copies says whether the call sends a literal copy of a text that the task asked
// for.
func copies(c *gates.Context) bool {
	return slices.ContainsFunc(c.Args, func(b gates.Arg) bool {
		return b.Role == effect.RolePayload.String() && strings.HasSuffix(b.Form, origin.Text+origin.Asked)
	})
}

const copiesText = `ctx.args.exists(b, b.role == "payload" && b.form.endsWith("~?"))`

// extended says whether an address that is fetched or sent to only carries a host
// out of a text along: path and query are the agent's, and may be what it knows
// ("open http://evil.example/?q= with the statement behind it"). No benign run
// says that the next one is harmless, so no allowed flow stands for it.
func extended(a *gates.Arg) bool {
	return slices.Contains(urlRoles(), a.Role) && (strings.Contains(a.Form, origin.Text+origin.Address+origin.Beyond) || strings.Contains(a.Form, origin.Text+origin.Joined))
}

func urlRoles() []string { return roleNames(effect.RoleURLFetch, effect.RoleURLSend) }

// extendedText writes it for the argument a.
func extendedText() string {
	return fmt.Sprintf(`a.role in %s && (a.form.contains("~@/") || a.form.contains("~+"))`, quoteList(urlRoles()))
}

// text writes the selection in the gate language.
func (s *sink) text() string {
	if len(s.paths) > 0 {
		return pathIn(s.paths)
	}
	payload := fmt.Sprintf(`ctx.verb == "send" && a.role == %q && (a.form.endsWith("~") || !a.form.endsWith("?") && a.form.contains("!~") && !%s || a.form.endsWith("?") && (a.form.contains("!~") || (a.form.endsWith("~@?") || a.form.endsWith("~@/?")) && %s) && !%s)`,
		effect.RolePayload, anchoredText, copiesText, ownedText)
	destination := fmt.Sprintf(`a.role in %s && a.value.matches(%q) && !%s`, quoteList(destinationRoles()), addressPattern, whoseText)
	rest := fmt.Sprintf(`!(a.role in %s) && a.role != %q && !(ctx.verb in ["send", "write"]) && !a.form.endsWith("&?") && !%s`, quoteList(destinationRoles()), effect.RoleURLFetch, anchoredText)
	asked := fmt.Sprintf(`%s || a.role == %q && (a.form.startsWith("~") || %s) || %s`, destination, effect.RoleURLFetch, extendedText(), rest)
	return fmt.Sprintf(`(%s || !(a.role in %s) && (!a.form.endsWith(%q) || %s))`, payload, quoteList(wordRoles()), origin.Asked, asked)
}

func (s *sink) bits() int {
	if len(s.paths) > 0 {
		return nameBits * len(s.paths)
	}
	return nameBits * (len(wordRoles()) + len(destinationRoles()) + 10)
}
