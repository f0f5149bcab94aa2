package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// document is what clients take from the OpenAPI document.
type document struct {
	schemas    []*schema // each below those that it names
	operations []*operation
}

// schema is an object or an enumeration of components.schemas.
type schema struct {
	name, doc       string
	values          []string // of an enumeration
	fields          []*field // required ones first, then by name
	request, answer bool     // where it occurs
}

type field struct {
	name     string
	kind     kind
	required bool
}

// kind is the type of a value: one of the plain ones, or a schema.
type kind struct {
	plain  string // string, integer, boolean, object, arguments, or empty
	schema *schema
	list   bool
}

// operation is an operation whose answer is JSON, or nothing.
type operation struct {
	name, method, path string
	status             string
	body, answer       *schema // nil for none
	keyed              bool    // takes an Idempotency-Key
}

type reader struct {
	from openapi3.Schemas
	made map[string]*schema
	out  []*schema
}

// read makes a document of the YAML.
func read(text string) (*document, error) {
	doc, err := openapi3.NewLoader().LoadFromData([]byte(text))
	if err != nil {
		return nil, err
	}
	r := &reader{from: doc.Components.Schemas, made: map[string]*schema{}}
	out := &document{}
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			o, err := r.operation(method, path, item, op)
			if err != nil {
				return nil, err
			}
			if o != nil {
				out.operations = append(out.operations, o)
			}
		}
	}
	slices.SortFunc(out.operations, func(a, b *operation) int { return strings.Compare(a.path+a.method, b.path+b.method) })
	for _, o := range out.operations {
		mark(o.body, func(s *schema) *bool { return &s.request })
		mark(o.answer, func(s *schema) *bool { return &s.answer })
	}
	r.out = nil
	for _, o := range out.operations {
		r.order(o.body)
		r.order(o.answer)
	}
	out.schemas = r.out
	return out, nil
}

// order puts a schema below those that it names.
func (r *reader) order(s *schema) {
	if s == nil || slices.Contains(r.out, s) {
		return
	}
	for _, f := range s.fields {
		r.order(f.kind.schema)
	}
	r.out = append(r.out, s)
}

func mark(s *schema, of func(*schema) *bool) {
	if s == nil || *of(s) {
		return
	}
	*of(s) = true
	for _, f := range s.fields {
		mark(f.kind.schema, of)
	}
}

// operation is nil where the answer is text for other programs.
func (r *reader) operation(method, path string, item *openapi3.PathItem, op *openapi3.Operation) (*operation, error) {
	out := &operation{name: op.OperationID, method: method, path: path}
	for status, ref := range op.Responses.Map() {
		if status[0] != '2' {
			continue
		}
		out.status = status
		if c := ref.Value.Content; len(c) == 0 {
			continue
		} else if c.Get("application/json") == nil || c["application/json"] == nil {
			return nil, nil
		}
		var err error
		if out.answer, err = r.named(ref.Value.Content["application/json"].Schema); err != nil {
			return nil, fmt.Errorf("%s: %w", out.name, err)
		}
	}
	if b := op.RequestBody; b != nil {
		var err error
		if out.body, err = r.named(b.Value.Content["application/json"].Schema); err != nil {
			return nil, fmt.Errorf("%s: %w", out.name, err)
		}
	}
	for _, p := range slices.Concat(item.Parameters, op.Parameters) {
		out.keyed = out.keyed || p.Value.Name == "Idempotency-Key"
	}
	return out, nil
}

// named is the schema behind a reference; anything else has no name in a client.
func (r *reader) named(ref *openapi3.SchemaRef) (*schema, error) {
	name := refName(ref)
	if name == "" {
		return nil, fmt.Errorf("an object without a name: write it below components.schemas")
	}
	if s := r.made[name]; s != nil {
		return s, nil
	}
	s := &schema{name: name, doc: ref.Value.Description}
	r.made[name] = s
	if v := r.from[name].Value; v != nil {
		s.doc = v.Description
		s.values = texts(v.Enum)
	}
	for _, name := range slices.Sorted(maps.Keys(ref.Value.Properties)) {
		k, err := r.kind(ref.Value.Properties[name])
		if err != nil {
			return nil, fmt.Errorf("%s.%s: %w", s.name, name, err)
		}
		s.fields = append(s.fields, &field{name, k, slices.Contains(ref.Value.Required, name)})
	}
	slices.SortStableFunc(s.fields, func(a, b *field) int {
		switch {
		case a.required == b.required:
			return 0
		case a.required:
			return -1
		}
		return 1
	})
	return s, nil
}

func (r *reader) kind(ref *openapi3.SchemaRef) (kind, error) {
	v := ref.Value
	types := v.Type.Slice()
	switch {
	case len(types) == 2:
		return kind{plain: "arguments"}, nil
	case v.Type.Is("array"):
		k, err := r.kind(v.Items)
		k.list = true
		return k, err
	case v.Type.Is("object") || len(v.Enum) > 0 && refName(ref) != "":
		s, err := r.named(ref)
		return kind{schema: s}, err
	case len(v.Enum) > 0: // an enumeration of one field
		return kind{schema: &schema{values: texts(v.Enum)}}, nil
	case len(types) == 1:
		return kind{plain: types[0]}, nil
	}
	return kind{}, fmt.Errorf("no type that a client knows: %v", types)
}

func refName(ref *openapi3.SchemaRef) string {
	_, name, _ := strings.Cut(ref.Ref, "#/components/schemas/")
	return name
}

func texts(values []any) []string {
	var out []string
	for _, v := range values {
		out = append(out, fmt.Sprint(v))
	}
	return out
}
