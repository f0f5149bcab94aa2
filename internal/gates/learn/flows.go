package learn

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/origin"
)

// argFlow is a value on its way: into an argument of a tool, out of a field or
// a text of another tool's result. Every field may be empty in an allowed flow,
// which then stands for any.
type argFlow struct {
	tool, path   string
	source, form string
	// apart stands for flows into calls that no single text dictates: what benign
	// runs show of these says nothing of calls that one does.
	apart bool
	// extended flows are those of an extended address; none is ever allowed.
	extended bool
}

func compareFlows(a, b argFlow) int {
	return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.tool, b.tool), cmp.Compare(a.source, b.source), cmp.Compare(a.form, b.form), cmp.Compare(count(a.apart), count(b.apart)), cmp.Compare(count(a.extended), count(b.extended)))
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// covers says whether the pattern f stands for the flow g.
func (f argFlow) covers(g argFlow) bool {
	return (f.tool == "" || f.tool == g.tool) && f.path == g.path &&
		(f.source == "" || f.source == g.source) && (f.form == "" || f.form == g.form) && (!f.apart || g.apart) && !g.extended
}

// bits is how much it takes to write the pattern: eight for a name, as in a
// vocabulary of 256, and two for each part's comparison.
func (f argFlow) bits() int {
	n := 2 * count(f.apart)
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
	if g.extended {
		return nil
	}
	if strings.HasPrefix(strings.TrimPrefix(g.form, origin.Note), origin.Text) {
		return []argFlow{g}
	}
	general := g
	general.source = ""
	return []argFlow{general, g}
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
		if a.Origin == call.OriginUntrusted && strings.Contains(a.Form, "~") && s.has(c, a) {
			out = append(out, argFlow{
				tool: c.ToolName(), path: basePath(a.Path), source: a.Source, apart: apart(c, a),
				form: strings.TrimRight(a.Form, origin.Asked+origin.Number+origin.Address+origin.Joined+origin.Beyond), extended: extended(a),
			})
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
		if slices.Contains(destinationRoles(), a.Role) || a.Role == effect.RoleURLFetch.String() || s.has(c, a) {
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
