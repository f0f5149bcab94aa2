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
	if tool == "" || len(path) == 0 {
		return ""
	}
	out := tool + ": " + path[0]
	if source != "" {
		out += " from " + source
	}
	return out
}
