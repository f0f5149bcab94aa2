package gates

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gbt-policy/gbt/internal/gates/program"
)

// maxElements bounds every list of a context that gates are evaluated on. A
// context with more is stopped by every gate: with a limit that is the same for
// all of them, a gate that implies another one still does.
const maxElements = 1 << 12

// machine evaluates programs over one context. It allocates nothing.
type machine struct {
	r     *rule
	nodes []program.Node                // of r
	vars  [program.MaxVars + 1]variable // the first is ctx
	depth int

	view
	names  map[string]string      // tools seen before, by the name they were called
	counts [program.MaxFields]int // elements of the context's lists
	large  bool                   // one of them has more than gates are evaluated on
}

// variable is the element that a quantifier is at: of a list of the element in.
type variable struct {
	list   program.Field
	in, at int
}

// maxNames bounds the tool names a machine remembers.
const maxNames = 64

func (m *machine) load(c *Context) {
	m.depth = 0
	name, ok := m.names[c.Tool]
	if !ok {
		if name = c.ToolName(); m.names == nil || len(m.names) >= maxNames {
			m.names = make(map[string]string)
		}
		m.names[c.Tool] = name
	}
	m.view.load(c, name)
	m.count()
}

// passes says whether the gate lets the context pass.
func (m *machine) passes(r *rule) bool {
	m.r, m.nodes = r, r.nodes
	return m.bool(0)
}

// count counts the elements of the context's lists.
func (m *machine) count() {
	m.large = false
	for _, f := range fields.lists {
		n := 0
		if r := read(f); r.size != nil {
			n = r.size(&m.view)
		} else {
			n = len(r.list(&m.view, 0))
		}
		m.counts[f%program.MaxFields] = n
		m.large = m.large || n > maxElements
	}
}

// bool evaluates the operation at i. Decode has checked its operands' types.
func (m *machine) bool(i int32) bool {
	n := &m.nodes[i]
	switch n.Op {
	case program.True:
		return true
	case program.False:
		return false
	case program.Get:
		return read(n.Field).holds(&m.view, m.vars[n.Slot].at)
	case program.Not:
		return !m.bool(i + 1)
	case program.And, program.Or:
		return m.connective(i, n)
	case program.Exists, program.All:
		return m.quantifier(i, n)
	case program.IntEq, program.IntLt, program.IntLe:
		return m.compare(i, n)
	case program.InInts:
		_, found := slices.BinarySearch(n.Ints, m.int(i+1))
		return found
	}
	return m.text(i, n)
}

func (m *machine) connective(i int32, n *program.Node) bool {
	stop := n.Op == program.Or
	for k := i + 1; k < n.End; k = m.nodes[k].End {
		if m.bool(k) == stop {
			return stop
		}
	}
	return !stop
}

// compare evaluates the comparisons of ints: most are of a field with a number,
// which need no further operation.
func (m *machine) compare(i int32, n *program.Node) bool {
	x := &m.nodes[i+1]
	y := &m.nodes[x.End]
	a, b := int64(0), y.Num
	if x.Op == program.Get {
		a = read(x.Field).num(&m.view, m.vars[x.Slot].at)
	} else {
		a = m.int(i + 1)
	}
	if y.Op != program.Num {
		b = m.int(x.End)
	}
	switch n.Op {
	case program.IntEq:
		return a == b
	case program.IntLt:
		return a < b
	}
	return a <= b
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
	t := m.str(m.nodes[i+1].End)
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
		return program.IsUnder(s, t)
	case program.DomainUnder:
		return program.IsDomainUnder(s, t)
	}
	panic("gbt: internal error: operation that Decode lets through and nobody evaluates")
}

// quantifier binds one more variable to each element in turn.
func (m *machine) quantifier(i int32, n *program.Node) bool {
	stop := n.Op == program.Exists
	m.depth++
	v := &m.vars[m.depth]
	v.list, v.in = n.Field, m.vars[n.Slot].at
	found := !stop
	for k, end := 0, m.length(n); k < end; k++ {
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
	return isAmong(m.strings(n.Field, m.vars[n.Slot].at), s)
}

// length is how many elements a list has.
func (m *machine) length(n *program.Node) int {
	if n.Slot == 0 {
		return m.counts[n.Field%program.MaxFields]
	}
	return len(m.strings(n.Field, m.vars[n.Slot].at))
}

func (m *machine) strings(f program.Field, at int) []string {
	return read(f).list(&m.view, at)
}

func (m *machine) int(i int32) int64 {
	n := &m.nodes[i]
	switch n.Op {
	case program.Get:
		return read(n.Field).num(&m.view, m.vars[n.Slot].at)
	case program.Num:
		return n.Num
	case program.SizeStr:
		return int64(utf8.RuneCountInString(m.str(i + 1)))
	}
	return int64(m.length(n)) // SizeList
}

func (m *machine) str(i int32) string {
	n := &m.nodes[i]
	if n.Op == program.Const {
		return n.Str
	}
	v := &m.vars[n.Slot]
	if n.Field == program.TextSelf {
		return m.strings(v.list, v.in)[v.at]
	}
	return read(n.Field).text(&m.view, v.at)
}
