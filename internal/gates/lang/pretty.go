package lang

import (
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/program"
)

// Pretty writes the canonical text of a gate over several lines of about width
// bytes, so that a person can read it: what does not fit on a line is broken at
// && and ||, at quantifiers and in lists, and indented. It is the same gate:
// compiling what Pretty writes gives the canonical text.
func Pretty(text string, width int) (string, error) {
	e, err := parse(text)
	if err != nil {
		return "", err
	}
	p := pretty{width: max(width, minWidth)}
	return strings.Join(p.lines(e, 0, 0), "\n"), nil
}

// minWidth keeps deep gates from becoming a column of single words.
const minWidth = 40

const tab = "  "

// pretty breaks expressions into lines. Lines have no indentation of their own
// level; whoever nests them adds it.
type pretty struct {
	width int
	lists []program.Field
}

// lines writes an expression that begins at a column.
func (p *pretty) lines(e *expr, column, least int) []string {
	in := printer{lists: p.lists}
	in.expr(e, least)
	if flat := in.b.String(); column+len(flat) <= p.width {
		return []string{flat}
	}
	if strength(e) < least {
		inner := indent(p.lines(e, column+len(tab), 0))
		return append(append([]string{"("}, inner...), ")")
	}
	switch e.op {
	case program.And:
		return p.chain(e.kids, "&& ", bindAnd, column)
	case program.Or:
		return p.chain(e.kids, "|| ", bindOr, column)
	case program.Exists, program.All:
		return p.quantifier(e, column)
	case program.InSet:
		return p.set(e, "", column)
	case program.Not:
		if e.kids[0].op == program.InSet { // !(x in [...])
			return p.set(e.kids[0], "!", column)
		}
	}
	return []string{in.b.String()}
}

// chain puts every operand on a line of its own, with its operator before it.
func (p *pretty) chain(kids []*expr, sign string, bind, column int) []string {
	var out []string
	for i, k := range kids {
		mark := sign
		if i == 0 {
			mark = strings.Repeat(" ", len(sign))
		}
		for j, line := range p.lines(k, column+len(sign), bind+1) {
			if j > 0 {
				mark = strings.Repeat(" ", len(sign))
			}
			out = append(out, mark+line)
		}
	}
	return out
}

func (p *pretty) quantifier(e *expr, column int) []string {
	head := printer{lists: p.lists}
	head.field(e)
	word := ".exists("
	if e.op == program.All {
		word = ".all("
	}
	inner := pretty{p.width, append(p.lists[:len(p.lists):len(p.lists)], e.field)}
	v := printer{lists: inner.lists}
	first := head.b.String() + word + v.variable(len(inner.lists)) + ","
	body := indent(inner.lines(e.kids[0], column+len(tab), 0))
	return append(append([]string{first}, body...), ")")
}

// set breaks a long list of texts.
func (p *pretty) set(e *expr, not string, column int) []string {
	x := printer{lists: p.lists}
	x.expr(e.kids[0], bindUnary)
	open, shut := "", "]"
	if not != "" {
		open, shut = not+"(", "])"
	}
	out := []string{open + x.b.String() + " in ["}
	line := tab
	for i, s := range e.set {
		item := quote(s)
		if i < len(e.set)-1 {
			item += ", "
		}
		if line != tab && column+len(line)+len(item) > p.width {
			out = append(out, strings.TrimRight(line, " "))
			line = tab
		}
		line += item
	}
	return append(out, line, shut)
}

func indent(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = tab + l
	}
	return out
}
