package review

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/internal/artifacts/field"
	"github.com/gbt-policy/gbt/tree"
)

// What the table of the format says of a field is enough to show it: this file
// does so for every field that no other file of this package lays out. A field
// that someone adds to the table is seen in all forms without a line here.

type row = field.Row[artifacts.Policy]

// table is the rows of the format by section: all, and those that no other file
// lays out.
type table struct{ all, more map[string][]row }

func tableOf(rows []row) table {
	t := table{map[string][]row{}, map[string][]row{}}
	for _, r := range rows {
		t.all[r.Section] = append(t.all[r.Section], r)
		if !slices.Contains(strings.Split(laidOut[r.Section], ","), r.Name) {
			t.more[r.Section] = append(t.more[r.Section], r)
		}
	}
	return t
}

// laidOut are the fields that this package shows in a form of its own, by
// section: names in the place of indices, digests in the place of vectors.
var laidOut = map[string]string{
	"META": "name,parent,log_text",
	"GATE": "scope,disposition,expression,message,program,unsafe,benign,rejected",
	"SCHM": "name,data",
	"FAMS": "name,prototypes,centroid,fit,tools,first,start,node,vocabulary,common,exemplars",
	"STAT": "family,key,description,risk,delta,generic,tools,vectors,fit,next,after,needs,evidence",
	"NODE": "parent,state,own gates,evidence",
	"LEAF": "node,tasks,environment,count",
	"CLUS": "key,evidence",
	"PROV": "tool,config,inputs,episodes",
	"CORP": "name,rows,root",
	"REPT": "name,value",
}

// Fields are the fields of a record, in the order of the table: a JSON object.
type Fields []Field

// Field is one of them, as JSON and as the lines of the text form.
type Field struct {
	Name  string
	Value any
	lines [][]any
}

// MarshalJSON keeps the order of the table, which a map would lose.
func (f Fields) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, m := range f {
		name, err := json.Marshal(m.Name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(m.Value)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out.WriteByte(',')
		}
		out.Write(append(append(name, ':'), value...))
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// Get returns the value of a field, nil if there is none.
func (f Fields) Get(name string) any {
	for _, m := range f {
		if m.Name == name {
			return m.Value
		}
	}
	return nil
}

// fields shows rows of a policy, of element i where their section is a list.
func fields(rows []row, p *artifacts.Policy, i int) Fields {
	var out Fields
	for k := range rows {
		out = append(out, show(&rows[k], rows[k].At(p, i))...)
	}
	return out
}

// show is one field, or none where it is to be left out.
func show(r *row, p any) Fields {
	if own, ok := ownForm[r.Section+"."+r.Name]; ok {
		return own(p)
	}
	if r.Optional && !isSet(p) {
		return nil
	}
	f := Field{Name: r.Name, Value: value(p)}
	if texts, ok := p.(*[]string); ok {
		for _, s := range *texts {
			f.lines = append(f.lines, []any{lineName(r), quote(s)})
		}
		return Fields{f}
	}
	f.lines = [][]any{{r.Name, text(r, p)}}
	return Fields{f}
}

// isSet says whether the value that p points to is not the zero one.
func isSet(p any) bool { return !reflect.ValueOf(p).Elem().IsZero() }

// value is what JSON holds of the value that p points to.
func value(p any) any {
	switch p := p.(type) {
	case *tree.Milli:
		return milli(*p)
	case *[]string:
		return list(*p)
	case *[]byte:
		return digest(*p)
	case *tree.Vec:
		return digestVecs(*p)
	}
	v := reflect.ValueOf(p).Elem().Interface()
	if s, ok := v.(fmt.Stringer); ok {
		return s.String()
	}
	return v
}

// text is a value in one word.
func text(r *row, p any) string {
	switch p := p.(type) {
	case *string:
		if !r.Word {
			return quote(*p)
		}
		return *p
	case *[]string:
		return quoted(*p)
	}
	v := value(p)
	switch reflect.ValueOf(v).Kind() {
	case reflect.Struct, reflect.Slice, reflect.Array, reflect.Map:
		return quote(fmt.Sprint(v)) // a value of many words is still one
	}
	return fmt.Sprint(v)
}

// settings are the numbers of PARM, the posterior's one by one.
func settings(rows []row, p *artifacts.Policy) []Setting {
	var out []Setting
	for i := range rows {
		switch v := rows[i].At(p, 0).(type) {
		case *tree.Milli:
			out = append(out, Setting{rows[i].Name, milli(*v)})
		case *int32:
			out = append(out, Setting{rows[i].Name, json.Number(strconv.Itoa(int(*v)))})
		case *[4]tree.Milli:
			for k, name := range []string{"bias", "similarity", "margin", "prior"} {
				out = append(out, Setting{rows[i].Name + "_" + name, milli(v[k])})
			}
		}
	}
	return out
}

// setOnly leaves out what a policy has not set of the optional fields of a record.
func setOnly(rows []row, p *artifacts.Policy) []row {
	return slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return r.Optional && !isSet(r.At(p, 0)) })
}

// notSettings are the rows of PARM that are no numbers, without the profile, which
// has a place of its own.
func notSettings(rows []row) []row {
	var out []row
	for i := range rows {
		if len(settings(rows[i:i+1], &artifacts.Policy{})) == 0 && rows[i].Name != "profile" {
			out = append(out, rows[i])
		}
	}
	return out
}

// fields writes fields in their order.
func (w *writer) fields(f Fields) {
	for _, m := range f {
		for _, line := range m.lines {
			w.field(line[0].(string), line[1:]...)
		}
	}
}
