package parquet

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/valyala/fastjson"
)

// column is one field of T in the file: how it is typed, written and read.
// Writing and reading stand side by side so that they cannot drift apart.
type column[T any] struct {
	name string
	typ  arrow.DataType
	put  func(b array.Builder, v *T)
	get  func(a *fastjson.Value, v *T)
}

func (c column[T]) field() arrow.Field { return arrow.Field{Name: c.name, Type: c.typ} }

func fields[T any](cols []column[T]) []arrow.Field {
	out := make([]arrow.Field, len(cols))
	for i, c := range cols {
		out[i] = c.field()
	}
	return out
}

// text is a string field.
func text[T any](name string, at func(*T) *string) column[T] {
	return column[T]{
		name, arrow.BinaryTypes.String,
		func(b array.Builder, v *T) { b.(*array.StringBuilder).Append(*at(v)) },
		func(a *fastjson.Value, v *T) { *at(v) = string(a.GetStringBytes()) },
	}
}

// number is an integer field.
func number[T any, N ~int | ~int64](name string, at func(*T) *N) column[T] {
	return column[T]{
		name, arrow.PrimitiveTypes.Int64,
		func(b array.Builder, v *T) { b.(*array.Int64Builder).Append(int64(*at(v))) },
		func(a *fastjson.Value, v *T) { *at(v) = N(a.GetInt64()) },
	}
}

// truth is a boolean field.
func truth[T any](name string, at func(*T) *bool) column[T] {
	return column[T]{
		name, arrow.FixedWidthTypes.Boolean,
		func(b array.Builder, v *T) { b.(*array.BooleanBuilder).Append(*at(v)) },
		func(a *fastjson.Value, v *T) { *at(v) = a.GetBool() },
	}
}

// named is a field of a closed set, written as its name; a name that is not in
// the set reads as the first, which is the unknown.
func named[T any, N ~uint8](name string, names []string, at func(*T) *N) column[T] {
	return column[T]{
		name, arrow.BinaryTypes.String,
		func(b array.Builder, v *T) {
			n := int(*at(v))
			if n >= len(names) {
				n = 0
			}
			b.(*array.StringBuilder).Append(names[n])
		},
		func(a *fastjson.Value, v *T) {
			for n, word := range names {
				if string(a.GetStringBytes()) == word {
					*at(v) = N(n)
				}
			}
		},
	}
}

// words is a list of strings.
func words[T any](name string, at func(*T) *[]string) column[T] {
	return column[T]{
		name, arrow.ListOfNonNullable(arrow.BinaryTypes.String),
		func(b array.Builder, v *T) {
			l := b.(*array.ListBuilder)
			l.Append(true)
			for _, s := range *at(v) {
				l.ValueBuilder().(*array.StringBuilder).Append(s)
			}
		},
		func(a *fastjson.Value, v *T) {
			for _, x := range a.GetArray() {
				*at(v) = append(*at(v), string(x.GetStringBytes()))
			}
		},
	}
}

// record is a struct field.
func record[T, E any](name string, cols []column[E], at func(*T) *E) column[T] {
	return column[T]{
		name, arrow.StructOf(fields(cols)...),
		func(b array.Builder, v *T) { putRecord(b, cols, at(v)) },
		func(a *fastjson.Value, v *T) { get(a, cols, at(v)) },
	}
}

// records is a list of structs.
func records[T, E any](name string, cols []column[E], at func(*T) *[]E) column[T] {
	return column[T]{
		name, arrow.ListOfNonNullable(arrow.StructOf(fields(cols)...)),
		func(b array.Builder, v *T) {
			l := b.(*array.ListBuilder)
			l.Append(true)
			list := *at(v)
			for i := range list {
				putRecord(l.ValueBuilder(), cols, &list[i])
			}
		},
		func(a *fastjson.Value, v *T) {
			list := a.GetArray()
			if len(list) > 0 {
				*at(v) = make([]E, len(list))
			}
			for n, x := range list {
				get(x, cols, &(*at(v))[n])
			}
		},
	}
}

func putRecord[E any](b array.Builder, cols []column[E], v *E) {
	s := b.(*array.StructBuilder)
	s.Append(true)
	for n, c := range cols {
		c.put(s.FieldBuilder(n), v)
	}
}

// get reads the fields by name: a file may lack some, or have others.
func get[E any](a *fastjson.Value, cols []column[E], v *E) {
	for _, c := range cols {
		if x := a.Get(c.name); x != nil {
			c.get(x, v)
		}
	}
}
