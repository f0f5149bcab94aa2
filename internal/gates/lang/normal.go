package lang

import (
	"math"

	"github.com/gbt-policy/gbt/internal/gates/program"
)

// The normal form: negations stand at comparisons only, constants are folded,
// comparisons of one value with constants are joined into one list, quantifiers
// over one list are joined where that keeps the meaning, and the operands of &&
// and || are sorted by their text. Every step keeps the value of the expression
// on every context; tests hold each to the judge.
type normalizer struct {
	lists []program.Field // of the variables in scope
}

func normal(e *expr, negate bool) *expr {
	var n normalizer
	return n.norm(e, negate)
}

// dual is the operation that a negation turns another one into.
func dual(op program.Op, negate bool) program.Op {
	if !negate {
		return op
	}
	switch op {
	case program.And:
		return program.Or
	case program.Or:
		return program.And
	case program.Exists:
		return program.All
	}
	return program.Exists
}

func (n *normalizer) norm(e *expr, negate bool) *expr {
	switch e.op {
	case program.True, program.False:
		return constant((e.op == program.True) != negate)
	case program.Not:
		return n.norm(e.kids[0], !negate)
	case program.And, program.Or:
		kids := make([]*expr, len(e.kids))
		for i, k := range e.kids {
			kids[i] = n.norm(k, negate)
		}
		return n.join(dual(e.op, negate), kids)
	case program.Exists, program.All:
		n.lists = append(n.lists, e.field)
		body := n.norm(e.kids[0], negate)
		n.lists = n.lists[:len(n.lists)-1]
		return n.quantify(dual(e.op, negate), e.field, e.slot, body)
	}
	return n.atom(e, negate)
}

// quantify builds exists or all over a body in normal form.
func (n *normalizer) quantify(op program.Op, list program.Field, slot uint8, body *expr) *expr {
	if op == program.Exists && body.op == program.False || op == program.All && body.op == program.True {
		return body
	}
	// s == c for some s of a list of strings is membership.
	in, negate := body, false
	if op == program.All && body.op == program.Not {
		in, negate = body.kids[0], true
	}
	if (op == program.Exists) != negate && in.op == program.StrEq {
		x, c := in.kids[0], in.kids[1]
		if x.op == program.Get && x.field == program.TextSelf && int(x.slot) == len(n.lists)+1 && c.op == program.Const {
			e := &expr{op: program.InList, field: list, slot: slot, kids: []*expr{c}}
			if negate {
				return not(e)
			}
			return e
		}
	}
	return &expr{op: op, field: list, slot: slot, kids: []*expr{body}}
}

// atom normalises a comparison, a call or a field.
func (n *normalizer) atom(e *expr, negate bool) *expr {
	if v, ok := fold(e); ok {
		return constant(v != negate)
	}
	switch e.op {
	case program.StrEq, program.IntEq:
		e = n.ordered(e)
		if print := n.print; print(e.kids[0]) == print(e.kids[1]) {
			return constant(!negate)
		}
	case program.StrLt, program.StrLe, program.IntLt, program.IntLe:
		return n.order(e, negate)
	}
	if negate {
		return not(e)
	}
	return e
}

func (n *normalizer) print(e *expr) string { return printIn(n.lists, e) }

// ordered puts the operands of an equality in order: constants last, fields by
// their text.
func (n *normalizer) ordered(e *expr) *expr {
	a, b := e.kids[0], e.kids[1]
	if a.isConst() || !b.isConst() && n.print(b) < n.print(a) {
		return binary(e.op, b, a)
	}
	return e
}

// order normalises less and less-or-equal. Both orders are total, so not a < b
// is b <= a; between integers a < 5 is a <= 4.
func (n *normalizer) order(e *expr, negate bool) *expr {
	op, a, b := e.op, e.kids[0], e.kids[1]
	if negate {
		op = map[program.Op]program.Op{
			program.StrLt: program.StrLe, program.StrLe: program.StrLt,
			program.IntLt: program.IntLe, program.IntLe: program.IntLt,
		}[op]
		a, b = b, a
	}
	if n.print(a) == n.print(b) {
		return constant(op == program.StrLe || op == program.IntLe)
	}
	if op == program.IntLt {
		switch {
		case b.op == program.Num && b.num == math.MinInt64, a.op == program.Num && a.num == math.MaxInt64:
			return constant(false)
		case b.op == program.Num:
			op, b = program.IntLe, number(b.num-1)
		case a.op == program.Num:
			op, a = program.IntLe, number(a.num+1)
		}
	}
	if op == program.IntLe && (b.op == program.Num && b.num == math.MaxInt64 || a.op == program.Num && a.num == math.MinInt64) {
		return constant(true)
	}
	return binary(op, a, b)
}
