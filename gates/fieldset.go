package gates

import (
	"strings"
	"sync"

	"github.com/gbt-policy/gbt/internal/gates/program"
)

// fieldSet is a set of fields.
type fieldSet uint64

// A fieldSet has room for every field: this does not compile otherwise.
var _ [64 - program.MaxFields]struct{}

//go:noinline
func (s fieldSet) has(f program.Field) bool { return s>>f&1 == 1 }

// fieldIndex is fieldTable by number and by object, made once.
type fieldIndex struct {
	infos program.Fields
	rows  [program.MaxFields]fieldRow
	reads [program.MaxFields]access
	of    [program.NumObjects]fieldSet      // the fields of an object
	list  [program.NumObjects]program.Field // the list that an object is an element of
	lists []program.Field                   // the lists of the context, of every kind
	forms forms
}

// forms are how objects stand in the canonical form.
type forms [program.NumObjects]form

// form is how one of them stands there.
type form struct {
	fields []written
	end    string
}

// written is a field there, with the key and what else stands before it.
type written struct {
	lead string
	at   func(v *view, i int) *string // of access: most have it
	typ  program.Type                 // of access; none for a late one
	late *form                        // how it stands where it says something
	*access
}

// lastAlways is the last field whose key always stands in the canonical form. A
// later one stands there only where it says something, so that a context without
// it has the bytes, and the ids, that it always had.
const lastAlways = program.TextSelf

// fields is made once, by whoever first needs it (ready), and then never changed:
// many programs start only to decide by the guardrail, which reads none.
var (
	fields    fieldIndex
	makeIndex sync.Once
)

// ready makes fields. It stands where libraries, programs and canonical forms are
// entered; what runs below them reads fields as it is.
func ready() *fieldIndex {
	makeIndex.Do(func() { fields = *indexFields(fieldTable()) })
	return &fields
}

func indexFields(table []fieldRow) *fieldIndex {
	x := &fieldIndex{}
	groups := [program.NumObjects]string{}
	for _, r := range table {
		x.infos[r.number] = program.Info{Name: r.name, Of: r.of, Type: r.typ, Elem: r.elem, Few: r.spread == few, Doc: r.doc}
		x.rows[r.number], x.reads[r.number] = r, r.access
		x.of[r.of] |= 1 << r.number
		if r.typ == program.Objects {
			x.list[r.elem] = r.number
		}
		if r.of == ofContext && r.typ >= program.Strings {
			x.lists = append(x.lists, r.number)
		}
		if r.back != nil {
			x.forms[r.of].add(r, &groups[r.of])
		}
	}
	for of := range x.forms {
		x.forms[of].end = "}" + strings.Repeat("}", min(len(groups[of]), 1))
	}
	return x
}

// add puts a field behind those there are. open is the object below this one
// that the last of them is in.
func (f *form) add(r fieldRow, open *string) {
	group, key, nested := cutAt(r.name, ".")
	if !nested {
		group, key = "", r.name
	}
	lead := ","
	switch {
	case len(f.fields) == 0:
		lead = "{"
	case group != *open && *open != "":
		lead = "},"
	}
	if group != *open && group != "" {
		lead += `"` + group + `":{`
	}
	*open = group
	w := written{lead + `"` + key + `":`, r.at, r.typ, nil, &r.access}
	if r.number > lastAlways {
		if lead != "," {
			panic("gbt: internal error: field " + r.name + " is not always written: its row stands behind another of its object and not at a border of names with a dot")
		}
		w = written{late: &form{fields: []written{w}}, access: &r.access}
	}
	f.fields = append(f.fields, w)
}

// Fields describes every field that a gate may read, for those who write gates
// and for the compiler that lowers them.
func Fields() *program.Fields {
	infos := ready().infos
	return &infos
}

// Values returns every field that a gate may read, by its name in the gate
// language: bool, int64, string, []string, a map for what has fields below it,
// and a list of maps for a list of objects.
func Values(c *Context) map[string]any {
	ready()
	v := view{}
	v.load(c, c.ToolName())
	return v.values(ofContext, 0)
}

func (v *view) values(of program.Object, i int) map[string]any {
	out := map[string]any{}
	for f := range program.MaxFields {
		r := &fields.rows[f]
		if !fields.of[of].has(program.Field(f)) {
			continue
		}
		m, key := out, r.name
		if group, rest, nested := cutAt(r.name, "."); nested {
			if m, nested = out[group].(map[string]any); !nested {
				m = map[string]any{}
				out[group] = m
			}
			key = rest
		}
		m[key] = v.value(r, i)
	}
	return out
}

func (v *view) value(r *fieldRow, i int) any {
	switch r.typ {
	case program.Bool:
		return r.holds(v, i)
	case program.Int:
		return r.num(v, i)
	case program.String:
		return r.text(v, i)
	case program.Strings:
		return r.list(v, i)
	}
	list := make([]any, r.size(v))
	for k := range list {
		list[k] = v.values(r.elem, k)
	}
	return list
}

// read is the way to a field. Not inlined, for the size of programs.
//
//go:noinline
func read(f program.Field) *access { return &fields.reads[f%program.MaxFields] }
