package artifacts

import (
	"reflect"
	"strings"

	"github.com/gbt-policy/gbt/internal/artifacts/field"
)

// The table of the format: sections, records and their rows. A row is all there
// is about a field: its name, its type with its limits, where its value is, what
// it must be, and what people are told of it. Encoding, decoding, the checks, the
// shapes in FORMAT.md and what package review shows by itself follow from it;
// CONTRIBUTING.md says how to add one.

// row is one field: an element of the array that a record is written as.
type row struct {
	name string // in FORMAT.md, texts, JSON and differences: never changed
	typ  typ
	at   func(v any) any // from a pointer to the record to one to the value

	within span                           // range of a number, in step policy
	check  func(c *checker, i int, v any) // the rest of that step; i is the record's place in its list

	// Optional fields stand at the end of a record. From the first on behind which
	// all are zero they are left out, so that files without them are what they were
	// before there were any.
	optional bool
	about    string // for FORMAT.md, where its prose does not have the field

	title   string // what messages call it, if not by its name
	loosens field.Loosens
	word    bool // a text of a closed set: shown without quotes
}

// span is a range with both ends. The zero span is none.
type span struct{ least, most int64 }

// record is the rows of one array.
type record struct {
	rows  []row
	after func(c *codec, v any) // runs behind the last row

	// Of the rows, by measure.
	least, most int // elements without and with optional ones
	size        int // the least bytes
	checks      bool
}

// measure prepares a record, and those in it, for being walked.
func (r *record) measure() {
	r.least, r.most, r.size = 0, 0, 1
	for i := range r.rows {
		f := &r.rows[i]
		if f.typ.record != nil {
			f.typ.record.measure()
		}
		if f.typ.record != nil && f.typ.elem == nil {
			f.typ.size = f.typ.record.size
		}
		r.checks = r.checks || f.check != nil || f.within != (span{})
		if r.most += f.typ.elems(); !f.optional {
			r.least = r.most
			r.size += f.typ.size
		}
	}
}

// walk is on the path of every value of a tree: it looks nothing up.
func (r *record) walk(c *codec, v any) {
	if r.least == r.most {
		c.tuple(r.most)
		for i := range r.rows {
			f := &r.rows[i]
			f.typ.walk(c, &f.typ, f.at(v))
		}
	} else {
		r.walkSome(c, v)
	}
	if r.after != nil && c.err == nil {
		r.after(c, v)
	}
}

// walkSome is walk where some elements may be left out.
func (r *record) walkSome(c *codec, v any) {
	n := c.between(r.elements(v), r.least, r.most)
	left := n
	for i := range r.rows {
		f := &r.rows[i]
		if left -= f.typ.elems(); left < 0 {
			break
		}
		f.typ.walk(c, &f.typ, f.at(v))
	}
	if c.err == nil && r.elements(v) != n {
		c.fail("the last element is zero: then it is left out")
	}
}

// elements counts what is written of v: all up to the last optional field that
// is set.
func (r *record) elements(v any) int {
	n := r.most
	for i := len(r.rows) - 1; i >= 0; i-- {
		f := &r.rows[i]
		if !f.optional || isSet(f.at(v)) {
			break
		}
		n -= f.typ.elems()
	}
	return n
}

// isSet says whether the value that p points to is neither zero nor empty. Only
// optional fields are asked, so what reflection takes is not felt.
func isSet(p any) bool {
	v := reflect.ValueOf(p).Elem()
	if v.Kind() == reflect.Slice {
		return v.Len() > 0
	}
	return !v.IsZero()
}

// shape is the record as FORMAT.md writes it; fields of one type that follow each
// other share its mention, and a field that is named like its type has none.
func (r *record) shape() string {
	var out []string
	for i := range r.rows {
		f := &r.rows[i]
		text, kind := f.name, f.typ.shape()
		if f.optional {
			text += "?"
		}
		if kind != f.name && (i+1 == len(r.rows) || r.rows[i+1].typ.shape() != kind) {
			text += ": " + kind
		}
		out = append(out, text)
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// check runs the checks of the rows on one record.
func (r *record) check(c *checker, i int, v any) {
	for k := range r.rows {
		f := &r.rows[k]
		if f.within != (span{}) {
			c.inSpan(f.name, f.at(v), f.within)
		}
		if f.check != nil {
			f.check(c, i, v)
		}
	}
}
