package lang

import (
	"cmp"
	"slices"

	"github.com/gbt-policy/gbt/internal/gates/program"
)

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
