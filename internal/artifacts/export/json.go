package export

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/gbt-policy/gbt/internal/artifacts/review"
)

// JSON is the whole document. Schema describes it.
func JSON(d *review.Document) ([]byte, error) { return indented(d) }

// Schema is the JSON Schema (https://json-schema.org/draft/2020-12) of what JSON
// writes, made from its types.
func Schema() ([]byte, error) {
	s := schemaOf(reflect.TypeFor[review.Document]())
	s["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	s["title"] = "A gbt policy, as gbt export --to json and gbt show --json write it"
	return indented(s)
}

func indented(v any) ([]byte, error) {
	out, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return nil, err
	}
	return append(out, '\n'), nil
}

type object = map[string]any

func schemaOf(t reflect.Type) object {
	switch {
	case t == reflect.TypeFor[json.Number]():
		return object{"type": "number"}
	case t == reflect.TypeFor[review.Fields](): // writes itself, as an object of anything
		return object{"type": "object"}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return schemaOf(t.Elem())
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.String:
		return object{"type": "string"}
	case reflect.Slice:
		return object{"type": "array", "items": schemaOf(t.Elem())}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": schemaOf(t.Elem())}
	case reflect.Struct:
		return structSchema(t)
	}
	return object{"type": "integer"}
}

func structSchema(t reflect.Type) object {
	properties, required := object{}, []string{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" { // its fields stand in this object
			inner := structSchema(f.Type)
			for k, v := range inner["properties"].(object) {
				properties[k] = v
			}
			required = append(required, inner["required"].([]string)...)
			continue
		}
		if name == "" || name == "-" {
			continue
		}
		properties[name] = schemaOf(f.Type)
		if !strings.Contains(options, "omitempty") {
			required = append(required, name)
		}
	}
	return object{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}
