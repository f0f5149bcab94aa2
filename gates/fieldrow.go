package gates

import (
	"slices"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/program"
)

// fieldRow is a row of fieldTable. What the row of a field says is known about
// it everywhere; nothing else in this package names a field.
type fieldRow struct {
	number program.Field
	of     program.Object
	name   string
	spread spread
	access
	doc string
}

// fieldLine is a row as fieldTable writes it, with its access by reference: for the size of programs,
// since each copy of one is code.
type fieldLine struct {
	number program.Field
	of     program.Object
	name   string
	spread spread
	*access
	doc string
}

// rowsOf are the rows of lines.
func rowsOf(lines []fieldLine) []fieldRow {
	rows := make([]fieldRow, len(lines))
	for i := range lines {
		l := &lines[i]
		rows[i] = fieldRow{l.number, l.of, l.name, l.spread, *l.access, l.doc}
	}
	return rows
}

// spread says how many contexts have one value of a field, for the index: the
// fewer values there are, the more. The steps are coarse on purpose; they only
// choose between facts that are all sufficient.
type spread int

const (
	many spread = 100   // values: nearly every context has one of its own
	some spread = 1000  // values
	few  spread = 10000 // values: a flag, or a name from a short list
)

// view is a context as gates see it: what follows from the rest is worked out
// once.
type view struct {
	*Context
	forms *forms // how it stands in the canonical form
	tool  string
	types []string                // kinds of the effects, sorted by name
	kinds [effect.NumKinds]string // what types lies in
}

// load points the view at a context whose tool's name is name.
func (v *view) load(c *Context, name string) {
	v.Context, v.tool = c, name
	v.types = appendTypes(v.kinds[:0], c.Effects)
}

// access is how a field is read, and how it is read back from the canonical
// form. i is the element of the object's list; that of ctx is 0. What is stored
// has the shortest way; most is.
type access struct {
	typ   program.Type
	elem  program.Object
	at    func(v *view, i int) *string
	code  func(v *view, i int) *uint8 // of one of names
	names []string
	other string // what a number that has no name is called
	str   func(v *view, i int) string
	bit   func(v *view, i int) *bool
	flag  func(v *view, i int) bool
	num   func(v *view, i int) int64
	list  func(v *view, i int) []string
	size  func(v *view) int             // of a list of objects
	back  func(w *wire, v *view, i int) // nil: not in the canonical form
}

func (a *access) text(v *view, i int) string {
	switch {
	case a.at != nil:
		return *a.at(v, i)
	case a.code != nil:
		if n := int(*a.code(v, i)); n < len(a.names) {
			return a.names[n]
		}
		return a.other
	}
	return a.str(v, i)
}

func (a *access) holds(v *view, i int) bool {
	if a.bit != nil {
		return *a.bit(v, i)
	}
	return a.flag(v, i)
}

// says is false for an empty text or list, for zero, and for the name of zero.
func (a *access) says(v *view, i int) bool {
	switch a.typ {
	case program.Bool:
		return a.holds(v, i)
	case program.Int:
		return a.num(v, i) != 0
	case program.String:
		if a.code != nil {
			return *a.code(v, i) != 0
		}
		return a.text(v, i) != ""
	case program.Strings:
		return len(a.list(v, i)) > 0
	}
	return a.size(v) > 0
}

//go:noinline
func textAt(at func(*view, int) *string) *access {
	return &access{typ: program.String, at: at, back: func(w *wire, v *view, i int) { w.str(at(v, i)) }}
}

//go:noinline
func flagAt(at func(*view, int) *bool) *access {
	return &access{typ: program.Bool, bit: at, back: func(w *wire, v *view, i int) { w.bool(at(v, i)) }}
}

// numberAt takes the number itself beside its place, because numbers have several
// types and one call is what their comparison costs.
func numberAt[T ~int | ~int64 | ~uint16](at func(*view, int) *T, num func(*view, int) int64) *access {
	return &access{typ: program.Int, num: num, back: func(w *wire, v *view, i int) { wireInt(w, at(v, i)) }}
}

// name is a value of a closed set.
type name interface {
	~uint8
	String() string
}

// enumAt is a name from a closed set of n.
func enumAt[T name](at func(*view, int) *uint8, n T) *access {
	names := namesOf(n)
	return &access{typ: program.String, code: at, names: names, other: n.String(), back: func(w *wire, v *view, i int) {
		*at(v, i) = uint8(w.index(names))
	}}
}

func namesOf[T name](n T) []string {
	names := make([]string, n)
	for x := range n {
		names[x] = x.String()
	}
	return names
}

// index reads one of names.
func (w *wire) index(names []string) int {
	n := slices.Index(names, w.word())
	w.failed = w.failed || n < 0
	return max(n, 0)
}

//go:noinline
func textsAt(at func(*view, int) *[]string) *access {
	return &access{typ: program.Strings, elem: program.Text,
		list: func(v *view, i int) []string { return *at(v, i) },
		back: func(w *wire, v *view, i int) { wireList(w, at(v, i), (*wire).str) },
	}
}

func objectsAt[T any](elem program.Object, at func(*view) *[]T) *access {
	return &access{typ: program.Objects, elem: elem,
		size: func(v *view) int { return len(*at(v)) },
		back: func(w *wire, v *view, _ int) {
			w.lit("[")
			for end := w.next(']'); !end && !w.failed; {
				*at(v) = append(*at(v), *new(T))
				v.forms[elem].back(w, v, len(*at(v))-1)
				if end = w.next(']'); !end {
					w.lit(",")
				}
			}
		},
	}
}

// flagOf, numberOf and enumOf are what follows from other fields. They are not in
// the canonical form.
func flagOf(get func(*view, int) bool) *access { return &access{typ: program.Bool, flag: get} }

func numberOf(get func(*view, int) int64) *access { return &access{typ: program.Int, num: get} }

func enumOf[T name](get func(*view, int) T) *access {
	return &access{typ: program.String, str: func(v *view, i int) string { return get(v, i).String() }}
}

// written puts what follows from other fields into the canonical form all the
// same: it always stood there. What is read back is dropped: whether it follows
// from the rest is for ParseContext to compare. Not inlined, for the size of programs.
//
//go:noinline
func (a *access) written(names ...string) *access {
	a.back = func(w *wire, _ *view, _ int) {
		switch a.typ {
		case program.Bool:
			w.bool(new(bool))
		case program.Int:
			wireInt(w, new(int64))
		default:
			w.index(names)
		}
	}
	return a
}
