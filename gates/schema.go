package gates

import (
	"fmt"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
)

// maxSchemaData bounds the bytes of a schema.
const maxSchemaData = 1 << 16

// EncodeSchema returns the one form of a schema: JSON without white space,
// {"tool","family","verb","resource","args":[{"name","role","lang"}]}.
func EncodeSchema(s *call.Schema) []byte {
	w := wire{}
	w.schema(s)
	return w.out
}

// ParseSchema is the inverse of EncodeSchema and refuses everything else.
func ParseSchema(data []byte) (call.Schema, error) {
	var s call.Schema
	w := wire{in: data, reading: true}
	if len(data) <= maxSchemaData {
		w.schema(&s)
	}
	if w.failed || w.pos != len(data) || string(EncodeSchema(&s)) != string(data) {
		return call.Schema{}, fmt.Errorf("byte %d: %w", w.pos, call.ErrSchema)
	}
	if err := s.Check(); err != nil {
		return call.Schema{}, err
	}
	return s, nil
}

func (w *wire) schema(s *call.Schema) {
	w.lit(`{"tool":`)
	w.str(&s.Tool)
	w.lit(`,"family":`)
	wireEnum(w, &s.Family, call.NumFamilies)
	w.lit(`,"verb":`)
	wireEnum(w, &s.Verb, effect.NumVerbs)
	w.lit(`,"resource":`)
	wireEnum(w, &s.Resource, call.NumResources)
	w.lit(`,"args":`)
	wireList(w, &s.Args, func(w *wire, a *call.ArgSchema) {
		w.lit(`{"name":`)
		w.str(&a.Name)
		w.lit(`,"role":`)
		wireEnum(w, &a.Role, effect.NumRoles)
		w.lit(`,"lang":`)
		w.str(&a.Lang)
		w.lit("}")
	})
	w.lit("}")
}
