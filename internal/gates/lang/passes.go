package lang

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/program"
)

// Passes names the usual flows that a gate lets pass: exemptions for one argument
// of one tool, as the learner writes them, each as "tool: argument" or "tool:
// argument from source". Sorted.
func Passes(text string) ([]string, error) {
	e, err := parse(text)
	if err != nil {
		return nil, err
	}
	var out []string
	var walk func(*expr)
	walk = func(e *expr) {
		if e.op == program.And {
			if flow := exemption(e.kids); flow != "" {
				out = append(out, flow)
			}
		}
		for _, k := range e.kids {
			walk(k)
		}
	}
	walk(normal(e, false))
	slices.Sort(out)
	return slices.Compact(out), nil
}

// Exempted says whether a gate is another one but for exemptions that Passes names.
func Exempted(text, whole string) bool {
	a, err := parse(text)
	if err != nil {
		return false
	}
	b, err := parse(whole)
	return err == nil && print(unexempted(a)) == print(b)
}

// unexempted is an expression without exemptions: they stand beside other conditions
// for a call to pass. What is left keeps its order, and so is in normal form.
func unexempted(e *expr) *expr {
	out := *e
	out.kids = nil
	for _, k := range e.kids {
		if e.op != program.Or || !exempts(k) {
			out.kids = append(out.kids, unexempted(k))
		}
	}
	if e.op == program.Or && len(out.kids) == 1 {
		return out.kids[0]
	}
	return &out
}

// exempts says whether a condition lets pass what exemptions name and no more.
func exempts(e *expr) bool {
	flow := func(k *expr) bool { return k.op == program.And && exemption(k.kids) != "" }
	return flow(e) || e.op == program.And && slices.ContainsFunc(e.kids, func(k *expr) bool {
		return k.op == program.Or && !slices.ContainsFunc(k.kids, func(k *expr) bool { return !flow(k) })
	})
}

// exemption words a conjunction that names one tool and one of its arguments;
// empty for any other.
func exemption(kids []*expr) string {
	var tool, source string
	var path []string
	for _, k := range kids {
		x, values, _, member := membership(k)
		switch {
		case member && isField(x.field, program.Context, "tool"):
			tool = strings.Join(values, " or ")
		case member && isField(x.field, program.Arg, "source"):
			source = strings.Join(shorten(values), " or ")
		default:
			if names := argumentNames(k); names != nil && path == nil {
				path = names
			}
		}
	}
	if tool == "" || len(path) == 0 || path[0] == "" {
		return ""
	}
	out := tool + ": " + path[0]
	if source != "" {
		out += " from " + source
	}
	return out
}
