package learn

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// text writes the gate in the gate language.
func (g *flowGate) text() string {
	conds := []string{`a.origin == "untrusted"`, `a.form.contains("~")`, g.sink.text()}
	if len(g.allow) > 0 {
		conds = append(conds, "("+extendedText()+" || !("+strings.Join(groupFlows(g.allow), " || ")+"))")
	}
	text := "!ctx.high || "
	if len(g.sink.paths) == 0 {
		text += "ctx.family in " + quoteList(effectFamilies()) + " || "
	}
	return text + "!ctx.args.exists(a, " + strings.Join(conds, " && ") + ")"
}

// groupFlows writes allowed flows, those that differ in their source alone as
// one with a list of sources.
func groupFlows(allow []argFlow) []string {
	sources := map[argFlow][]string{}
	for _, f := range allow {
		k := f
		k.source = ""
		sources[k] = append(sources[k], f.source)
	}
	var out []string
	for k, list := range sources {
		parts := []string{"ctx.tool == " + strconv.Quote(k.tool), pathIn([]string{k.path})}
		slices.Sort(list)
		if list[0] != "" {
			parts = append(parts, "a.source in "+quoteList(list))
		}
		if k.form != "" {
			parts = append(parts, "a.form.startsWith("+strconv.Quote(k.form)+")")
		}
		if k.apart {
			parts = append(parts, apartText)
		}
		out = append(out, strings.Join(parts, " && "))
	}
	slices.Sort(out)
	return out
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
