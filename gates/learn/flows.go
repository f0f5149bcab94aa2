package learn

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/flow"
)

// argFlow is a value on its way: into an argument of a tool, out of a field or
// a text of another tool's result. Every field may be empty in an allowed flow,
// which then stands for any.
type argFlow struct {
	tool, path   string
	source, form string
}

func compareFlows(a, b argFlow) int {
	return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.tool, b.tool), cmp.Compare(a.source, b.source), cmp.Compare(a.form, b.form))
}

// covers says whether the pattern f stands for the flow g.
func (f argFlow) covers(g argFlow) bool {
	return (f.tool == "" || f.tool == g.tool) && f.path == g.path &&
		(f.source == "" || f.source == g.source) && (f.form == "" || f.form == g.form)
}

// bits is how much it takes to write the pattern: eight for a name, as in a
// vocabulary of 256, and two for each part's comparison.
func (f argFlow) bits() int {
	n := 0
	for _, s := range [...]string{f.tool, f.path, f.source, f.form} {
		if s != "" {
			n += nameBits
		}
	}
	return n
}

// The prices of the minimum description length. A benign context that a gate
// rejects must be named as an exception, one of some thousand.
const (
	nameBits      = 10
	exceptionBits = 11
)

// patterns are the generalisations of a flow: from a field of this name in any
// result, and from this place of this source. No pattern stands for any source:
// the next attacker writes to the one that no benign run has used.
func (g argFlow) patterns() []argFlow {
	if strings.HasPrefix(g.form, "~") {
		return []argFlow{g}
	}
	return []argFlow{{path: g.path, tool: g.tool, form: g.form}, g}
}

// sink selects arguments that lead somewhere.
type sink struct {
	paths []string // base paths; empty for the reach of any argument
}

// The reach of a value out of text, for arguments that no verdict has named so
// far. Words for people (what is said, how much) steer nothing; commands, code
// and paths are judged by their effects, not by who wrote them. Where the task
// had not asked for the text by name, nothing in it should steer a call. Where
// it had, the user wants what it says: but not that it sends to an address of
// its own or sets a secret, nor that a page or a file, all of it written by
// somebody outside, has the next page fetched. Names without digits or address
// characters (a colleague, a channel) lead nowhere outside. Of what is
// sent, only a literal copy of a text that nobody asked for counts: attackers
// dictate words too.
//
// These rules were written while looking at the shared AgentDojo runs, whose
// figures with whole suites left out are therefore kinder than those on suites
// nobody has seen; what is allowed beyond them is learned.
const addressPattern = "[0-9@./:]"

func wordRoles() []string {
	var out []string
	for _, r := range [...]gates.Role{
		gates.RoleAmount, gates.RolePayload, gates.RoleWords, gates.RoleCommand, gates.RoleCode, gates.RoleSQL, gates.RoleCwd, gates.RoleEscalate,
		gates.RolePathRead, gates.RolePathList, gates.RolePathWrite, gates.RolePathDelete,
	} {
		out = append(out, r.String())
	}
	slices.Sort(out)
	return out
}

func destinationRoles() []string {
	return []string{gates.RoleRecipient.String(), gates.RoleSecret.String(), gates.RoleURLSend.String()}
}

// effectFamilies are the tools whose effects are known from what they run: there
// the reach of an argument says less than its effects do.
func effectFamilies() []string {
	return []string{gates.FamilyCode.String(), gates.FamilyShell.String(), gates.FamilySQL.String()}
}

func (s *sink) has(c *gates.Context, a *gates.Arg) bool {
	if len(s.paths) > 0 {
		return slices.Contains(s.paths, basePath(a.Path))
	}
	switch {
	case a.Role == gates.RolePayload.String():
		return c.Class.Verb == gates.VerbSend && strings.HasSuffix(a.Form, "~")
	case slices.Contains(wordRoles(), a.Role):
		return false
	case !strings.HasSuffix(a.Form, flow.Asked):
		return true
	case slices.Contains(destinationRoles(), a.Role):
		return strings.ContainsAny(a.Value, "0123456789@./:")
	}
	return a.Role == gates.RoleURLFetch.String() && strings.HasPrefix(a.Form, "~")
}

// text writes the selection in the gate language.
func (s *sink) text() string {
	if len(s.paths) > 0 {
		return pathIn(s.paths)
	}
	return fmt.Sprintf("(ctx.verb == \"send\" && a.role == %q && a.form.endsWith(\"~\") || !(a.role in %s)) && (!a.form.endsWith(%q) || a.role in %s && a.value.matches(%q) || a.role == %q && a.form.startsWith(%q))",
		gates.RolePayload, quoteList(wordRoles()), flow.Asked, quoteList(destinationRoles()), addressPattern, gates.RoleURLFetch, "~")
}

func (s *sink) bits() int {
	if len(s.paths) > 0 {
		return nameBits * len(s.paths)
	}
	return nameBits * (len(wordRoles()) + len(destinationRoles()) + 4)
}

// flowGate is a gate that stops a high-risk call with an argument whose value
// came out of untrusted text, unless along an allowed flow.
type flowGate struct {
	sink  sink
	allow []argFlow
}

// flowsOf returns the flows of a context out of untrusted text into a sink,
// sorted. Not what the task named, not whole fields.
func flowsOf(c *gates.Context, s *sink) []argFlow {
	if !c.High() || len(s.paths) == 0 && slices.Contains(effectFamilies(), c.Class.Family.String()) {
		return nil
	}
	var out []argFlow
	for i := range c.Args {
		a := &c.Args[i]
		if a.Origin == gates.OriginUntrusted && strings.Contains(a.Form, "~") && s.has(c, a) {
			out = append(out, argFlow{tool: c.ToolName(), path: basePath(a.Path), source: a.Source, form: strings.TrimRight(a.Form, flow.Asked+flow.Number+flow.Address+flow.Joined)})
		}
	}
	slices.SortFunc(out, compareFlows)
	return slices.Compact(out)
}

// wide are the flows into the arguments of a sink, asked for or not: what one
// task did unasked is as usual as what others asked for.
func (s *sink) wide(c *gates.Context) []argFlow {
	if len(s.paths) > 0 {
		return flowsOf(c, s)
	}
	var all sink
	for i := range c.Args {
		a := &c.Args[i]
		if slices.Contains(destinationRoles(), a.Role) || a.Role == gates.RoleURLFetch.String() || s.has(c, a) {
			all.paths = append(all.paths, basePath(a.Path))
		}
	}
	if len(all.paths) == 0 {
		return nil
	}
	return flowsOf(c, &all)
}

// textFlows are the flows of a context out of text into any argument but words.
func textFlows(c *gates.Context) []argFlow {
	var all sink
	for i := range c.Args {
		if a := &c.Args[i]; !slices.Contains(wordRoles(), a.Role) {
			all.paths = append(all.paths, basePath(a.Path))
		}
	}
	if len(all.paths) == 0 {
		return nil
	}
	return flowsOf(c, &all)
}

func (g *flowGate) stopped(flows []argFlow) bool {
	return slices.ContainsFunc(flows, func(f argFlow) bool { return !g.allowed(f) })
}

func (g *flowGate) allowed(f argFlow) bool {
	return slices.ContainsFunc(g.allow, func(p argFlow) bool { return p.covers(f) })
}

// flowExample is an example reduced to its flows.
type flowExample struct {
	flows []argFlow
	wide  []argFlow // also those that the sink lets pass because the task asked for the text
	tasks []string
	runs  int
}

func flowExamples(list []Example, s *sink) []flowExample {
	var out []flowExample
	for i := range list {
		f, wide := flowsOf(list[i].Context, s), s.wide(list[i].Context)
		if len(f)+len(wide) > 0 {
			out = append(out, flowExample{f, wide, list[i].Tasks, list[i].Runs})
		}
	}
	return out
}

// learnAllow adds the flows that benign runs show, as long as naming one costs
// less than the exceptions it saves and, with keep, no positive would slip
// through. The
// best bargain goes first; ties go to the more general, then by name.
func (g *flowGate) learnAllow(unsafe, benign []flowExample, keep bool) {
	for {
		var left []flowExample
		for _, b := range benign {
			if g.stopped(b.wide) {
				left = append(left, b)
			}
		}
		best, gain := argFlow{}, 0
		for _, p := range g.candidates(left) {
			saved := exceptionBits*g.cleared(p, left) - p.bits()
			if saved > gain && (!keep || g.keeps(p, unsafe)) {
				best, gain = p, saved
			}
		}
		if gain == 0 {
			slices.SortFunc(g.allow, compareFlows)
			return
		}
		g.allow = slices.DeleteFunc(g.allow, best.covers)
		g.allow = append(g.allow, best)
	}
}

// candidates are the patterns of the flows still stopped, the general ones with
// the support of several tasks.
func (g *flowGate) candidates(left []flowExample) []argFlow {
	seen := map[argFlow]map[string]bool{}
	for _, b := range left {
		for _, f := range b.wide {
			if g.allowed(f) {
				continue
			}
			for _, p := range f.patterns() {
				if seen[p] == nil {
					seen[p] = map[string]bool{}
				}
				note(seen[p], b.tasks)
			}
		}
	}
	var out []argFlow
	for p, tasks := range seen {
		if p.source != "" || len(tasks) >= minGeneral {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b argFlow) int { return cmp.Or(cmp.Compare(a.bits(), b.bits()), compareFlows(a, b)) })
	return out
}

// minGeneral is how many tasks must show a flow before it stands for other
// sources with a field of the same name.
const minGeneral = 3

// cleared counts the runs that pass once p is allowed too. One that needs
// several flows counts for its share, so that none is stuck for needing two.
func (g *flowGate) cleared(p argFlow, left []flowExample) int {
	n := 0
	for _, b := range left {
		open, hit := 0, 0
		for _, f := range b.wide {
			if !g.allowed(f) {
				open++
				if p.covers(f) {
					hit++
				}
			}
		}
		if hit > 0 {
			n += b.runs * hit / open
		}
	}
	return n
}

// keeps says whether every positive is still stopped with p allowed too.
func (g *flowGate) keeps(p argFlow, unsafe []flowExample) bool {
	for _, u := range unsafe {
		if !g.stopped(u.flows) {
			continue
		}
		if !slices.ContainsFunc(u.flows, func(f argFlow) bool { return !g.allowed(f) && !p.covers(f) }) {
			return false
		}
	}
	return true
}

// text writes the gate in the gate language.
func (g *flowGate) text() string {
	conds := []string{`a.origin == "untrusted"`, `a.form.contains("~")`, g.sink.text()}
	for _, a := range groupFlows(g.allow) {
		conds = append(conds, "!("+a+")")
	}
	text := "!ctx.high || "
	if len(g.sink.paths) == 0 {
		text += "ctx.family in " + quoteList(effectFamilies()) + " || "
	}
	return text + "!ctx.args.exists(a, " + strings.Join(conds, " && ") + ")"
}

// groupFlows writes allowed flows, those with the same tool, argument and form
// as one list of sources.
func groupFlows(allow []argFlow) []string {
	var general []string
	type key struct{ tool, path, form string }
	sources := map[key][]string{}
	for _, f := range allow {
		if f.tool == "" {
			general = append(general, f.path)
			continue
		}
		k := key{f.tool, f.path, f.form}
		sources[k] = append(sources[k], f.source)
	}
	var out []string
	if len(general) > 0 {
		out = append(out, pathIn(general))
	}
	var rest []string
	for k, list := range sources {
		parts := []string{"ctx.tool == " + strconv.Quote(k.tool), pathIn([]string{k.path})}
		slices.Sort(list)
		if list[0] != "" {
			parts = append(parts, "a.source in "+quoteList(list))
		}
		if k.form != "" {
			parts = append(parts, "a.form.startsWith("+strconv.Quote(k.form)+")")
		}
		rest = append(rest, strings.Join(parts, " && "))
	}
	slices.Sort(rest)
	return append(out, rest...)
}

// pathIn compares an argument's base path: positions in a list do not matter.
func pathIn(paths []string) string {
	paths = slices.Clone(paths)
	slices.Sort(paths)
	parts := []string{"a.path in " + quoteList(paths)}
	for _, p := range paths {
		parts = append(parts, fmt.Sprintf("a.path.startsWith(%s)", strconv.Quote(p+".")))
	}
	return "(" + strings.Join(parts, " || ") + ")"
}

func quoteList(list []string) string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = strconv.Quote(s)
	}
	return "[" + strings.Join(out, ", ") + "]"
}
