package lang

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/internal/program"
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

// fold evaluates a comparison of constants.
func fold(e *expr) (value, ok bool) {
	if len(e.kids) == 0 || e.op == program.InList {
		return false, false
	}
	for _, k := range e.kids {
		if !k.isConst() {
			return alwaysTrue(e), alwaysTrue(e)
		}
	}
	return holds(e, e.kids[0], e.kids[len(e.kids)-1]), true
}

// alwaysTrue says whether every string has the constant part that is asked for.
func alwaysTrue(e *expr) bool {
	switch e.op {
	case program.HasPrefix, program.HasSuffix, program.Contains:
		return e.kids[1].op == program.Const && e.kids[1].str == ""
	}
	return false
}

// holds evaluates an operation on constants.
func holds(e, a, b *expr) bool {
	switch e.op {
	case program.StrEq:
		return a.str == b.str
	case program.StrLt:
		return a.str < b.str
	case program.StrLe:
		return a.str <= b.str
	case program.IntEq:
		return a.num == b.num
	case program.IntLt:
		return a.num < b.num
	case program.IntLe:
		return a.num <= b.num
	case program.InSet:
		return slices.Contains(e.set, a.str)
	case program.InInts:
		return slices.Contains(e.ints, a.num)
	case program.HasPrefix:
		return strings.HasPrefix(a.str, b.str)
	case program.HasSuffix:
		return strings.HasSuffix(a.str, b.str)
	case program.Contains:
		return strings.Contains(a.str, b.str)
	case program.Under:
		return gates.PathUnder(a.str, b.str)
	case program.DomainUnder:
		return gates.DomainUnder(a.str, b.str)
	case program.Matches:
		return regexp.MustCompile(e.str).MatchString(a.str)
	}
	panic("gbt: internal error: comparison that nobody evaluates")
}

// join builds && or || over operands in normal form.
func (n *normalizer) join(op program.Op, kids []*expr) *expr {
	end, skip := program.False, program.True // of &&: what ends it, what adds nothing
	if op == program.Or {
		end, skip = skip, end
	}
	flat := flatten(op, kids, nil)
	flat = n.joinSets(op, flat)
	flat = n.joinQuantifiers(op, flat)
	texts := make(map[string]*expr)
	var keys []string
	for _, k := range flat {
		if k.op == end {
			return constant(end == program.True)
		}
		if t := n.print(k); k.op != skip && texts[t] == nil {
			texts[t] = k
			keys = append(keys, t)
		}
	}
	slices.Sort(keys)
	out := &expr{op: op}
	for _, t := range keys {
		k := texts[t]
		if k.op == program.Not && texts[n.print(k.kids[0])] != nil {
			return constant(end == program.True) // a && !a, a || !a
		}
		out.kids = append(out.kids, k)
	}
	switch len(out.kids) {
	case 0:
		return constant(skip == program.True)
	case 1:
		return out.kids[0]
	}
	return out
}

func flatten(op program.Op, kids, dst []*expr) []*expr {
	for _, k := range kids {
		if k.op == op {
			dst = flatten(op, k.kids, dst)
		} else {
			dst = append(dst, k)
		}
	}
	return dst
}

// group is what is known about one value: that it is, or is not, in a list.
type group struct {
	x      *expr
	strs   []string
	ints   []int64
	negate bool
}

// joinSets joins memberships of one value: x in A || x in B is x in A and B
// together, x in A && x in B is x in what both have, and the other way round
// with negations.
func (n *normalizer) joinSets(op program.Op, kids []*expr) []*expr {
	var rest []*expr
	groups := make(map[string]*group)
	for _, k := range kids {
		in, negate := k, k.op == program.Not
		if negate {
			in = k.kids[0]
		}
		x, strs, ints, ok := membership(in)
		if !ok {
			rest = append(rest, k)
			continue
		}
		key := n.print(x)
		if negate {
			key = "!" + key
		}
		g := groups[key]
		switch {
		case g == nil:
			groups[key] = &group{x, strs, ints, negate}
		case (op == program.Or) != negate:
			g.strs, g.ints = union(g.strs, strs), union(g.ints, ints)
		default:
			g.strs, g.ints = intersection(g.strs, strs), intersection(g.ints, ints)
		}
	}
	for _, g := range groups { // in any order: join sorts
		rest = append(rest, g.exprs()...)
	}
	return rest
}

// exprs is the group as an expression. A list longer than a program may hold is
// split.
func (g *group) exprs() []*expr {
	var out []*expr
	for len(g.strs) > program.MaxSet || len(g.ints) > program.MaxSet {
		head := &group{x: g.x, strs: g.strs[:min(len(g.strs), program.MaxSet)], ints: g.ints[:min(len(g.ints), program.MaxSet)], negate: g.negate}
		out = append(out, head.exprs()...)
		g = &group{x: g.x, strs: g.strs[len(head.strs):], ints: g.ints[len(head.ints):], negate: g.negate}
	}
	e := member(g.x, g.strs, g.ints)
	switch {
	case !g.negate:
	case e.op == program.False:
		e = constant(true)
	default:
		e = not(e)
	}
	return append(out, e)
}

func union[T cmp.Ordered](a, b []T) []T {
	out := append(slices.Clone(a), b...)
	slices.Sort(out)
	return slices.Compact(out)
}

func intersection[T cmp.Ordered](a, b []T) []T {
	var out []T
	for _, v := range a {
		if _, found := slices.BinarySearch(b, v); found {
			out = append(out, v)
		}
	}
	return out
}

// joinQuantifiers joins exists over one list below ||, and all below &&.
func (n *normalizer) joinQuantifiers(op program.Op, kids []*expr) []*expr {
	join := program.All
	if op == program.Or {
		join = program.Exists
	}
	bodies := make(map[program.Field][]*expr)
	for _, k := range kids {
		if k.op == join {
			bodies[k.field] = append(bodies[k.field], k.kids[0])
		}
	}
	var out []*expr
	for _, k := range kids {
		body := bodies[k.field]
		switch {
		case k.op != join || len(body) == 1:
			out = append(out, k)
		case body != nil:
			bodies[k.field] = nil // the first stands for all
			n.lists = append(n.lists, k.field)
			joined := n.join(op, body)
			n.lists = n.lists[:len(n.lists)-1]
			out = append(out, n.quantify(join, k.field, k.slot, joined))
		}
	}
	return out
}
