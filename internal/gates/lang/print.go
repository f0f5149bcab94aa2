package lang

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/program"
)

// printer writes canonical text. Variables are named after the list they go
// over and their depth, so that the author's names do not matter.
type printer struct {
	b     strings.Builder
	lists []program.Field // of the variables in scope
}

func print(e *expr) string { return printIn(nil, e) }

// printIn prints an expression below the quantifiers over lists.
func printIn(lists []program.Field, e *expr) string {
	p := printer{lists: lists}
	p.expr(e, 0)
	return p.b.String()
}

// Binding strengths, as in CEL's grammar.
const (
	bindOr = iota + 1
	bindAnd
	bindRelation
	bindUnary
)

// expr prints an operation, in parentheses if it binds less than least.
func (p *printer) expr(e *expr, least int) {
	if bind := strength(e); bind < least {
		p.b.WriteByte('(')
		defer p.b.WriteByte(')')
	}
	switch e.op {
	case program.True, program.False:
		p.b.WriteString(strconv.FormatBool(e.op == program.True))
	case program.Get:
		p.field(e)
	case program.Const:
		p.b.WriteString(quote(e.str))
	case program.Num:
		p.b.WriteString(strconv.FormatInt(e.num, 10))
	case program.Not:
		p.not(e.kids[0])
	case program.And:
		p.list(e.kids, " && ", bindAnd)
	case program.Or:
		p.list(e.kids, " || ", bindOr)
	case program.InSet, program.InInts, program.InList:
		p.in(e)
	case program.SizeList:
		p.b.WriteString("size(")
		p.field(e)
		p.b.WriteByte(')')
	case program.SizeStr:
		p.b.WriteString("size(")
		p.expr(e.kids[0], 0)
		p.b.WriteByte(')')
	case program.Exists, program.All:
		p.quantifier(e)
	case program.Matches:
		p.method(e.kids[0], "matches", text(e.str))
	default:
		p.binary(e)
	}
}

func strength(e *expr) int {
	switch e.op {
	case program.Or:
		return bindOr
	case program.And:
		return bindAnd
	case program.InSet, program.InInts, program.InList, program.StrEq, program.IntEq, program.StrLt, program.StrLe, program.IntLt, program.IntLe:
		return bindRelation
	case program.Not:
		if e.kids[0].op == program.StrEq || e.kids[0].op == program.IntEq {
			return bindRelation
		}
	}
	return bindUnary
}

func (p *printer) not(e *expr) {
	if e.op == program.StrEq || e.op == program.IntEq {
		p.relation(e, "!=", "!=")
		return
	}
	p.b.WriteByte('!')
	p.expr(e, bindUnary)
}

func (p *printer) list(kids []*expr, sep string, bind int) {
	for i, k := range kids {
		if i > 0 {
			p.b.WriteString(sep)
		}
		p.expr(k, bind+1)
	}
}

func (p *printer) in(e *expr) {
	p.expr(e.kids[0], bindUnary)
	p.b.WriteString(" in ")
	switch e.op {
	case program.InList:
		p.field(e)
	case program.InSet:
		texts := make([]string, len(e.set))
		for i, s := range e.set {
			texts[i] = quote(s)
		}
		p.b.WriteString("[" + strings.Join(texts, ", ") + "]")
	case program.InInts:
		texts := make([]string, len(e.ints))
		for i, n := range e.ints {
			texts[i] = strconv.FormatInt(n, 10)
		}
		p.b.WriteString("[" + strings.Join(texts, ", ") + "]")
	}
}

func (p *printer) binary(e *expr) {
	switch e.op {
	case program.StrEq, program.IntEq:
		p.relation(e, "==", "==")
	case program.StrLt, program.IntLt:
		p.relation(e, "<", ">")
	case program.StrLe, program.IntLe:
		p.relation(e, "<=", ">=")
	default:
		for name, op := range methods {
			if op == e.op {
				p.method(e.kids[0], name, e.kids[1])
			}
		}
	}
}

// relation prints a comparison with its constant on the right.
func (p *printer) relation(e *expr, op, flipped string) {
	a, b := e.kids[0], e.kids[1]
	if a.isConst() && !b.isConst() {
		a, b, op = b, a, flipped
	}
	p.expr(a, bindUnary)
	p.b.WriteString(" " + op + " ")
	p.expr(b, bindUnary)
}

func (p *printer) method(x *expr, name string, arg *expr) {
	p.expr(x, bindUnary)
	p.b.WriteString("." + name + "(")
	p.expr(arg, 0)
	p.b.WriteByte(')')
}

func (p *printer) quantifier(e *expr) {
	p.field(e)
	if e.op == program.Exists {
		p.b.WriteString(".exists(")
	} else {
		p.b.WriteString(".all(")
	}
	p.lists = append(p.lists[:len(p.lists):len(p.lists)], e.field)
	p.b.WriteString(p.variable(len(p.lists)) + ", ")
	p.expr(e.kids[0], 0)
	p.b.WriteByte(')')
	p.lists = p.lists[:len(p.lists)-1]
}

func (p *printer) field(e *expr) {
	p.b.WriteString(p.variable(int(e.slot)))
	if name := fields.Info(e.field).Name; name != "" {
		p.b.WriteString("." + name)
	}
}

// variable names the variable in a slot.
func (p *printer) variable(slot int) string {
	if slot == 0 {
		return "ctx"
	}
	name := [program.NumObjects]string{program.Arg: "a", program.Effect: "e", program.Record: "h", program.Text: "s"}[fields.Info(p.lists[slot-1]).Elem]
	if slot > 1 {
		name += strconv.Itoa(slot)
	}
	return name
}

// quote writes a string literal of CEL.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case !invisible(r):
			b.WriteRune(r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// invisible says whether a character is written as an escape: controls, and
// what changes how the text around it looks. The list is fixed here, because
// the canonical text names the gate and must not depend on a version of Unicode.
func invisible(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r <= 0xa0, r == 0xad, r == 0x61c, r == 0x180e:
		return true
	case r >= 0x200b && r <= 0x200f, r >= 0x2028 && r <= 0x202f, r >= 0x205f && r <= 0x206f:
		return true
	case r >= 0xfe00 && r <= 0xfe0f, r == 0xfeff, r >= 0xfff0 && r <= 0xffff, r >= 0xe0000:
		return true
	}
	return false
}
