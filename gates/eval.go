package gates

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/program"
)

// maxElements bounds every list of a context that gates are evaluated on. A
// context with more is stopped by every gate: with a limit that is the same for
// all of them, a gate that implies another one still does.
const maxElements = 1 << 12

// machine evaluates programs over one context. It allocates nothing.
type machine struct {
	c     *Context
	tool  string
	types [effect.NumKinds]string // kinds of the effects, sorted by name
	kinds int                     // how many of types there are
	names map[string]string       // tools seen before, by the name they were called

	r     *rule
	vars  [program.MaxVars + 1]variable
	depth int
}

// variable is the element that a quantifier is at.
type variable struct {
	list program.Field
	at   int
}

// maxNames bounds the tool names a machine remembers.
const maxNames = 64

func (m *machine) load(c *Context) {
	m.c, m.kinds, m.depth = c, 0, 0
	name, ok := m.names[c.Tool]
	if !ok {
		if name = c.ToolName(); m.names == nil || len(m.names) >= maxNames {
			m.names = make(map[string]string)
		}
		m.names[c.Tool] = name
	}
	m.tool = name
	var seen [effect.NumKinds]bool
	for i := range c.Effects {
		if k := c.Effects[i].Kind; k < effect.NumKinds && !seen[k] {
			seen[k] = true
			m.types[m.kinds] = k.String()
			m.kinds++
		}
	}
	slices.Sort(m.types[:m.kinds])
}

// passes says whether the gate lets the context pass.
func (m *machine) passes(r *rule) bool {
	m.r = r
	return m.bool(0)
}

// tooLarge says whether a context has more elements than gates are evaluated
// on.
func tooLarge(c *Context) bool {
	return max(len(c.Effects), len(c.Args), len(c.History), len(c.Roots), len(c.Flow.Derived), len(c.Flow.Unvetted)) > maxElements
}

// bool evaluates the operation at i. Decode has checked its operands' types.
func (m *machine) bool(i int32) bool {
	n := &m.r.nodes[i]
	switch n.Op {
	case program.True:
		return true
	case program.False:
		return false
	case program.Get:
		return m.boolField(n)
	case program.Not:
		return !m.bool(i + 1)
	case program.And, program.Or:
		return m.connective(i, n)
	case program.Exists, program.All:
		return m.quantifier(i, n)
	case program.IntEq:
		return m.int(i+1) == m.int(m.r.nodes[i+1].End)
	case program.IntLt:
		return m.int(i+1) < m.int(m.r.nodes[i+1].End)
	case program.IntLe:
		return m.int(i+1) <= m.int(m.r.nodes[i+1].End)
	case program.InInts:
		_, found := slices.BinarySearch(n.Ints, m.int(i+1))
		return found
	}
	return m.text(i, n)
}

func (m *machine) connective(i int32, n *program.Node) bool {
	stop := n.Op == program.Or
	for k := i + 1; k < n.End; k = m.r.nodes[k].End {
		if m.bool(k) == stop {
			return stop
		}
	}
	return !stop
}

// text evaluates the operations on strings.
func (m *machine) text(i int32, n *program.Node) bool {
	s := m.str(i + 1)
	switch n.Op {
	case program.InSet:
		_, found := slices.BinarySearch(n.Set, s)
		return found
	case program.InList:
		return m.inList(s, n)
	case program.Matches:
		return m.r.patterns[n.Num].match(s)
	}
	t := m.str(m.r.nodes[i+1].End)
	switch n.Op {
	case program.StrEq:
		return s == t
	case program.StrLt:
		return s < t
	case program.StrLe:
		return s <= t
	case program.HasPrefix:
		return strings.HasPrefix(s, t)
	case program.HasSuffix:
		return strings.HasSuffix(s, t)
	case program.Contains:
		return strings.Contains(s, t)
	case program.Under:
		return PathUnder(s, t)
	case program.DomainUnder:
		return DomainUnder(s, t)
	}
	panic("gbt: internal error: operation that Decode lets through and nobody evaluates")
}

// PathUnder says whether a clean path is dir or lies below it. Nothing lies
// below the empty path.
func PathUnder(path, dir string) bool {
	return dir != "" && effect.Under(path, dir)
}

// DomainUnder says whether a host in canonical form is domain or one of its
// subdomains. Nothing lies below the empty name.
func DomainUnder(host, domain string) bool {
	at := len(host) - len(domain)
	return domain != "" && at >= 0 && host[at:] == domain && (at == 0 || host[at-1] == '.')
}

// quantifier binds one more variable to each element in turn.
func (m *machine) quantifier(i int32, n *program.Node) bool {
	stop := n.Op == program.Exists
	m.depth++
	v := &m.vars[m.depth]
	v.list = n.Field
	found := !stop
	for k, end := 0, m.length(n.Field); k < end; k++ {
		v.at = k
		if m.bool(i+1) == stop {
			found = stop
			break
		}
	}
	m.depth--
	return found
}

func (m *machine) inList(s string, n *program.Node) bool {
	if n.Field == program.CtxTypes {
		return slices.Contains(m.types[:m.kinds], s)
	}
	return slices.Contains(m.strings(n.Field), s)
}

func (m *machine) int(i int32) int64 {
	n := &m.r.nodes[i]
	switch n.Op {
	case program.Num:
		return n.Num
	case program.SizeStr:
		return int64(utf8.RuneCountInString(m.str(i + 1)))
	case program.SizeList:
		return int64(m.length(n.Field))
	}
	return m.intField(n)
}

func (m *machine) str(i int32) string {
	n := &m.r.nodes[i]
	if n.Op == program.Const {
		return n.Str
	}
	return m.strField(n.Field, m.vars[n.Slot])
}
