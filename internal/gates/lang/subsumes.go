package lang

import (
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/program"
)

// Subsumes proves that every context which the gate old stops is stopped by the
// gate new too, for all contexts and not only for recorded ones. False means
// that no proof was found, not that there is none. Texts that do not compile
// prove nothing.
//
// A gate stops what its expression does not hold for, so the proof is that new
// implies old. It is a search over normal forms: connectives are split, lists
// and quantifiers compared by inclusion, and comparisons with constants by what
// they say of prefixes, directories, domains, lists and ranges. Each rule alone
// is sound; the search gives up after maxSteps.
func Subsumes(new, old string) (proved bool) {
	p, err := parse(new)
	if err != nil {
		return false
	}
	q, err := parse(old)
	if err != nil {
		return false
	}
	pr := prover{left: maxSteps}
	return pr.implies(p, q)
}

// maxSteps bounds a proof: ten times what the longest in the tests takes.
const maxSteps = 20000

type prover struct {
	left int
	n    normalizer
}

// implies proves that q holds wherever p does.
func (pr *prover) implies(p, q *expr) bool {
	if pr.left--; pr.left < 0 {
		return false
	}
	p, q = pr.widen(p), pr.widen(q)
	switch {
	case p.op == program.False, q.op == program.True:
		return true
	case p.op == program.Or:
		return pr.each(p.kids, func(k *expr) bool { return pr.implies(k, q) })
	case q.op == program.And:
		return pr.each(q.kids, func(k *expr) bool { return pr.implies(p, k) })
	case p.op == program.And:
		return pr.fromAll(p, q)
	case q.op == program.Or:
		return pr.some(q.kids, func(k *expr) bool { return pr.implies(p, k) })
	}
	return pr.single(p, q, nil)
}

// widen writes membership in a list of strings as the quantifier it stands for:
// "x" in list says that some element is "x".
func (pr *prover) widen(e *expr) *expr {
	in, negate := e, e.op == program.Not
	if negate {
		in = e.kids[0]
	}
	if in.op != program.InList || in.kids[0].op != program.Const {
		return e
	}
	element := &expr{op: program.Get, field: program.TextSelf, slot: uint8(len(pr.n.lists) + 1)}
	body := binary(program.StrEq, element, in.kids[0])
	if negate {
		body = not(body)
	}
	return &expr{op: dual(program.Exists, negate), field: in.field, slot: in.slot, kids: []*expr{body}}
}

func (pr *prover) each(kids []*expr, f func(*expr) bool) bool {
	for _, k := range kids {
		if !f(k) {
			return false
		}
	}
	return true
}

func (pr *prover) some(kids []*expr, f func(*expr) bool) bool {
	for _, k := range kids {
		if f(k) {
			return true
		}
	}
	return false
}

// fromAll proves q, which is no conjunction, from all of p's operands together.
func (pr *prover) fromAll(p, q *expr) bool {
	if pr.some(p.kids, func(k *expr) bool { return pr.implies(k, q) }) {
		return true
	}
	if q.op == program.Or && pr.some(q.kids, func(k *expr) bool { return pr.implies(p, k) }) {
		return true
	}
	for i, k := range p.kids {
		rest := without(p.kids, i)
		switch k.op {
		case program.Exists, program.All:
			if pr.single(k, q, rest) {
				return true
			}
		case program.Or: // one of its operands holds, whichever it is
			if pr.each(k.kids, func(a *expr) bool { return pr.implies(both(rest, a), q) }) {
				return true
			}
		}
	}
	return pr.contradiction(p.kids)
}

func without(kids []*expr, i int) []*expr {
	return append(append([]*expr(nil), kids[:i]...), kids[i+1:]...)
}

func both(kids []*expr, e *expr) *expr {
	return &expr{op: program.And, kids: append(append([]*expr(nil), kids...), e)}
}

// contradiction proves that two of the operands exclude each other.
func (pr *prover) contradiction(kids []*expr) bool {
	for i, a := range kids {
		for _, b := range kids[i+1:] {
			if pr.left--; pr.left < 0 {
				return false
			}
			if pr.excludes(a, b) || pr.excludes(b, a) {
				return true
			}
		}
	}
	return false
}

// single proves q from one operation, of which with are facts that hold too.
func (pr *prover) single(p, q *expr, with []*expr) bool {
	p, q = pr.widen(p), pr.widen(q)
	if isQuantifier(p) || isQuantifier(q) {
		return pr.quantified(p, q, with)
	}
	return pr.literal(p, q)
}

func isQuantifier(e *expr) bool { return e.op == program.Exists || e.op == program.All }

// quantified compares two quantifiers over one list. What holds for every
// element, and what holds outside, also holds for the element at hand.
func (pr *prover) quantified(p, q *expr, with []*expr) bool {
	if p.op != q.op || p.field != q.field || p.slot != q.slot {
		return false
	}
	facts := flatten(program.And, p.kids, nil)
	for _, w := range with {
		if w = pr.widen(w); w.op == program.All && w.field == p.field && w.slot == p.slot {
			facts = flatten(program.And, w.kids, facts)
		} else if !isQuantifier(w) && w.op != program.Or {
			facts = append(facts, w)
		}
	}
	pr.n.lists = append(pr.n.lists, p.field)
	defer func() { pr.n.lists = pr.n.lists[:len(pr.n.lists)-1] }()
	if len(facts) == 1 {
		return pr.implies(facts[0], q.kids[0])
	}
	return pr.implies(&expr{op: program.And, kids: facts}, q.kids[0])
}

// literal proves one comparison, perhaps negated, from another.
func (pr *prover) literal(p, q *expr) bool {
	if pr.n.print(p) == pr.n.print(q) {
		return true
	}
	pn, qn := p.op == program.Not, q.op == program.Not
	switch {
	case pn && qn:
		return pr.positive(q.kids[0], p.kids[0])
	case qn:
		return pr.excludes(p, q.kids[0])
	case pn:
		return false
	}
	return pr.positive(p, q)
}

// positive proves comparison b from comparison a.
func (pr *prover) positive(a, b *expr) bool {
	if pr.n.print(a) == pr.n.print(b) {
		return true
	}
	if ok, always, _ := pr.ofConstants(a, b); ok {
		return always
	}
	x, s, okA := pr.part(a)
	y, t, okB := pr.part(b)
	if okA && okB {
		return x == y && partImplies(a.op, s, b.op, t)
	}
	return pr.boundImplies(a, b)
}

// excludes proves that comparisons a and b never hold together.
func (pr *prover) excludes(a, b *expr) bool {
	if a.op == program.Not {
		return pr.positive(b, a.kids[0])
	}
	if b.op == program.Not {
		return pr.positive(a, b.kids[0])
	}
	if isQuantifier(a) || isQuantifier(b) {
		return false
	}
	if ok, _, never := pr.ofConstants(a, b); ok {
		return never
	}
	if ok, _, never := pr.ofConstants(b, a); ok {
		return never
	}
	x, s, okA := pr.part(a)
	y, t, okB := pr.part(b)
	if okA && okB {
		return x == y && partExcludes(a.op, s, b.op, t)
	}
	return pr.boundExcludes(a, b)
}

// ofConstants evaluates b at each constant that a allows its value to be. ok is
// false if a is no list of constants or b says something else.
func (pr *prover) ofConstants(a, b *expr) (ok, always, never bool) {
	x, strs, ints, ok := membership(a)
	if !ok || len(b.kids) == 0 || b.op == program.InList || b.op == program.SizeStr {
		return false, false, false
	}
	key := pr.n.print(x)
	always, never = true, true
	for i := range max(len(strs), len(ints)) {
		c := &expr{op: program.Num}
		if len(strs) > 0 {
			c = text(strs[i])
		} else {
			c.num = ints[i]
		}
		kids := make([]*expr, len(b.kids))
		for k, operand := range b.kids {
			if kids[k] = operand; pr.n.print(operand) == key {
				kids[k] = c
			}
			if !kids[k].isConst() {
				return false, false, false
			}
		}
		v := holds(b, kids[0], kids[len(kids)-1])
		always, never = always && v, never && !v
	}
	return true, always, never
}

// part reads a comparison that says what a string begins with, ends with,
// contains or lies under.
func (pr *prover) part(e *expr) (subject, constant string, ok bool) {
	switch e.op {
	case program.HasPrefix, program.HasSuffix, program.Contains, program.Under, program.DomainUnder:
		return pr.n.print(e.kids[0]), e.kids[1].str, e.kids[1].op == program.Const
	}
	return "", "", false
}

// below is what a path strictly below dir begins with.
func below(dir string) string { return strings.TrimSuffix(dir, "/") + "/" }

// partImplies proves part b of a string from its part a.
func partImplies(a program.Op, s string, b program.Op, t string) bool {
	switch b {
	case program.HasPrefix:
		return (a == program.HasPrefix || a == program.Under) && strings.HasPrefix(s, t)
	case program.HasSuffix:
		return (a == program.HasSuffix || a == program.DomainUnder) && strings.HasSuffix(s, t)
	case program.Contains:
		return strings.Contains(s, t)
	case program.Under:
		return (a == program.Under || a == program.HasPrefix) && strings.HasPrefix(s, below(t)) || a == program.Under && s == t
	case program.DomainUnder:
		return (a == program.DomainUnder || a == program.HasSuffix) && strings.HasSuffix(s, "."+t) || a == program.DomainUnder && s == t
	}
	return false
}

// partExcludes proves that no string has both parts.
func partExcludes(a program.Op, s string, b program.Op, t string) bool {
	front := func(op program.Op) bool { return op == program.HasPrefix || op == program.Under }
	back := func(op program.Op) bool { return op == program.HasSuffix || op == program.DomainUnder }
	switch {
	case front(a) && front(b):
		return !overlap(a, s, b, t, strings.HasPrefix, func(d string) string { return below(d) })
	case back(a) && back(b):
		return !overlap(a, s, b, t, strings.HasSuffix, func(d string) string { return "." + d })
	}
	return false
}

// overlap says whether a string may have both parts: each part is one text, or
// for Under and DomainUnder the name itself or what lies below it.
func overlap(a program.Op, s string, b program.Op, t string, has func(s, part string) bool, inside func(string) string) bool {
	nested := func(op program.Op) bool { return op == program.Under || op == program.DomainUnder }
	fits := func(op program.Op, long, short string) bool { // long, or more, has the part short
		return has(long, short) && !nested(op) || nested(op) && (long == short || has(long, inside(short)))
	}
	if fits(b, s, t) || fits(a, t, s) {
		return true
	}
	return nested(a) && fits(b, inside(s), t) || nested(b) && fits(a, inside(t), s)
}
