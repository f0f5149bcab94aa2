package lang

import (
	"slices"

	"github.com/gbt-policy/gbt/internal/gates/program"
)

// expr is an operation of a program as a tree. Values are immutable once built:
// normal forms share subtrees.
type expr struct {
	op    program.Op
	field program.Field
	slot  uint8
	num   int64
	str   string
	set   []string
	ints  []int64
	kids  []*expr
}

func constant(v bool) *expr {
	if v {
		return &expr{op: program.True}
	}
	return &expr{op: program.False}
}

func text(s string) *expr  { return &expr{op: program.Const, str: s} }
func number(n int64) *expr { return &expr{op: program.Num, num: n} }

func not(e *expr) *expr { return &expr{op: program.Not, kids: []*expr{e}} }

func binary(op program.Op, a, b *expr) *expr { return &expr{op: op, kids: []*expr{a, b}} }

// isConst says whether an operation is a constant.
func (e *expr) isConst() bool {
	return e.op == program.Const || e.op == program.Num || e.op == program.True || e.op == program.False
}

// typ is the type of an operation's value.
func (e *expr) typ() program.Type {
	n := program.Node{Op: e.op, Field: e.field}
	return n.Type(fields)
}

// nodes lists a tree's operations in preorder, as programs have them.
func (e *expr) nodes(dst []program.Node) []program.Node {
	n := program.Node{Op: e.op, Field: e.field, Slot: e.slot, Num: e.num, Str: e.str, Set: e.set, Ints: e.ints}
	if e.op == program.And || e.op == program.Or {
		n.Num = int64(len(e.kids))
	}
	dst = append(dst, n)
	for _, k := range e.kids {
		dst = k.nodes(dst)
	}
	return dst
}

// member is a value in a list of constants: of strings or of numbers.
func member(x *expr, strs []string, ints []int64) *expr {
	switch {
	case x.typ() == program.Int && len(ints) == 1:
		return binary(program.IntEq, x, number(ints[0]))
	case x.typ() == program.Int && len(ints) > 1:
		return &expr{op: program.InInts, ints: ints, kids: []*expr{x}}
	case len(strs) == 1:
		return binary(program.StrEq, x, text(strs[0]))
	case len(strs) > 1:
		return &expr{op: program.InSet, set: strs, kids: []*expr{x}}
	}
	return constant(false)
}

// membership is the inverse of member: what value is compared with which
// constants. ok is false for other operations.
func membership(e *expr) (x *expr, strs []string, ints []int64, ok bool) {
	switch e.op {
	case program.InSet:
		return e.kids[0], e.set, nil, true
	case program.InInts:
		return e.kids[0], nil, e.ints, true
	case program.StrEq:
		if e.kids[1].op == program.Const {
			return e.kids[0], []string{e.kids[1].str}, nil, true
		}
	case program.IntEq:
		if e.kids[1].op == program.Num {
			return e.kids[0], nil, []int64{e.kids[1].num}, true
		}
	}
	return nil, nil, nil, false
}

func sortedSet[T string | int64](list []T) []T {
	out := slices.Clone(list)
	slices.Sort(out)
	return slices.Compact(out)
}
