package lang

import (
	"path"
	"regexp"
	"strings"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"

	"github.com/gbt-policy/gbt/internal/gates/program"
)

// in reads membership in a list of constants or in a list of strings.
func (b *builder) in(x, list ast.Expr) *expr {
	if list.Kind() != ast.ListKind {
		l := b.list(list)
		if fields.Info(l.field).Type != program.Strings {
			b.refuse(list, "in takes a list of strings", "use exists to look into objects")
		}
		return &expr{op: program.InList, field: l.field, slot: l.slot, kids: []*expr{b.expr(x)}}
	}
	v := b.expr(x)
	var strs []string
	var ints []int64
	for _, el := range list.AsList().Elements() {
		k := b.expr(el)
		if k.op != program.Const && k.op != program.Num || k.typ() != v.typ() {
			b.refuse(el, "a list holds constants of one type", `write x in ["a", "b"], or x == y for other fields`)
		}
		strs, ints = append(strs, k.str), append(ints, k.num)
	}
	if v.typ() != program.String && v.typ() != program.Int {
		b.refuse(x, "in takes a string or an int", "")
	}
	if len(strs) > program.MaxSet {
		b.refuse(list, "this list is too long for a gate", "at most 2048 constants")
	}
	if v.typ() == program.Int {
		return member(v, nil, sortedSet(ints))
	}
	return member(v, sortedSet(strs), nil)
}

func (b *builder) matches(x, pattern ast.Expr) *expr {
	s, p := b.expr(x), b.expr(pattern)
	if p.op != program.Const {
		b.refuse(pattern, "a pattern is a constant", `write matches("^a.*b$")`)
	}
	if len(p.str) > program.MaxRegexp {
		b.refuse(pattern, "this pattern is too long for a gate", "at most 1024 bytes")
	}
	if _, err := regexp.Compile(p.str); err != nil {
		b.refuse(pattern, "pattern is not RE2: "+err.Error(), "see github.com/google/re2/wiki/Syntax")
	}
	return &expr{op: program.Matches, str: p.str, kids: []*expr{s}}
}

func (b *builder) method(op program.Op, args []ast.Expr) *expr {
	s, t := b.expr(args[0]), b.expr(args[1])
	if t.op == program.Const {
		switch {
		case op == program.Under && (!strings.HasPrefix(t.str, "/") || path.Clean(t.str) != t.str):
			b.refuse(args[1], "a directory is absolute and clean", `write under("/etc"), without a slash at the end`)
		case op == program.DomainUnder && !plainDomain(t.str):
			b.refuse(args[1], "a domain is lower case and ASCII, without a dot at either end", `write domainUnder("example.com")`)
		}
	}
	return binary(op, s, t)
}

// plainDomain says whether a constant can equal a canonical host name.
func plainDomain(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] <= ' ' || s[i] > '~' || s[i] >= 'A' && s[i] <= 'Z' || s[i] == '/' || s[i] == '*' {
			return false
		}
	}
	return s != "" && s[0] != '.' && s[len(s)-1] != '.'
}

func (b *builder) compare(e ast.Expr, name string, args []ast.Expr) *expr {
	x, y := b.expr(args[0]), b.expr(args[1])
	c := comparisons[name]
	if x.typ() != y.typ() {
		b.refuse(e, "both sides of "+display(name)+" have one type", "")
	}
	var out *expr
	switch {
	case x.typ() == program.String:
		out = binary(c.str, x, y)
	case x.typ() == program.Int:
		out = binary(c.int, x, y)
	case x.typ() == program.Bool && (name == operators.Equals || name == operators.NotEquals):
		out = b.same(e, x, y)
	default:
		b.refuse(e, "this can't be compared", "compare strings, ints and bools")
	}
	if c.swap {
		out.kids[0], out.kids[1] = out.kids[1], out.kids[0]
	}
	if c.not {
		out = not(out)
	}
	return out
}

// same reads the equality of bools, one of them a constant or both fields: with
// more, expressions would double at each level.
func (b *builder) same(e ast.Expr, x, y *expr) *expr {
	switch {
	case x.op == program.True:
		return y
	case y.op == program.True:
		return x
	case x.op == program.False:
		return not(y)
	case y.op == program.False:
		return not(x)
	case x.op == program.Get && y.op == program.Get:
		both := &expr{op: program.And, kids: []*expr{x, y}}
		neither := &expr{op: program.And, kids: []*expr{not(x), not(y)}}
		return &expr{op: program.Or, kids: []*expr{both, neither}}
	}
	b.refuse(e, "bools are not compared with each other", "write a && b || !a && !b")
	return nil
}
