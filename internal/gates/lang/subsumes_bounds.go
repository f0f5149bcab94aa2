package lang

import "github.com/gbt-policy/gbt/internal/gates/program"

// bound is a comparison of a value with a constant: at most, or at least.
type bound struct {
	subject string
	isInt   bool
	upper   bool
	strict  bool
	num     int64
	str     string
}

func (pr *prover) bound(e *expr) (bound, bool) {
	var b bound
	switch e.op {
	case program.IntLe, program.IntLt:
		b.isInt = true
	case program.StrLe, program.StrLt:
	default:
		return b, false
	}
	b.strict = e.op == program.IntLt || e.op == program.StrLt
	x, c := e.kids[0], e.kids[1]
	if b.upper = c.isConst(); !b.upper {
		x, c = c, x
	}
	b.subject, b.num, b.str = pr.n.print(x), c.num, c.str
	return b, c.isConst() && !x.isConst()
}

// compare orders the constants of two bounds.
func (b *bound) compare(o *bound) int {
	switch {
	case b.isInt && b.num < o.num, !b.isInt && b.str < o.str:
		return -1
	case b.isInt && b.num > o.num, !b.isInt && b.str > o.str:
		return 1
	}
	return 0
}

// boundImplies proves a range from one inside it.
func (pr *prover) boundImplies(a, b *expr) bool {
	x, ok1 := pr.bound(a)
	y, ok2 := pr.bound(b)
	if !ok1 || !ok2 || x.subject != y.subject || x.isInt != y.isInt || x.upper != y.upper {
		return false
	}
	c := x.compare(&y)
	if !x.upper {
		c = -c
	}
	return c < 0 || c == 0 && (x.strict || !y.strict)
}

// boundExcludes proves that two ranges do not meet.
func (pr *prover) boundExcludes(a, b *expr) bool {
	x, ok1 := pr.bound(a)
	y, ok2 := pr.bound(b)
	if !ok1 || !ok2 || x.subject != y.subject || x.isInt != y.isInt || x.upper == y.upper {
		return false
	}
	if !x.upper {
		x, y = y, x
	}
	c := x.compare(&y) // x is at most its constant, y at least its own
	return c < 0 || c == 0 && (x.strict || y.strict)
}
