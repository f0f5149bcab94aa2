package lang

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"github.com/gbt-policy/gbt/internal/gates/program"
)

// object is a type that expressions see, for cel-go: ctx, an element of a list,
// or what has fields with its name and a dot. Its values are the maps that
// gates.Values makes.
type object struct {
	name   string
	fields map[string]*types.FieldType
}

// objectName is a type's name in cel-go's messages.
func objectName(of program.Object) string {
	return [...]string{"lang.celContext", "lang.celArg", "lang.celEffect", "lang.celRecord", "string"}[of]
}

// celObjects makes the types of all fields.
func celObjects(fields *program.Fields) ([]any, error) {
	made := map[string]*object{}
	owner := map[string]program.Object{}
	at := func(of program.Object, name string) (*object, error) {
		if made[name] == nil {
			made[name], owner[name] = &object{name, map[string]*types.FieldType{}}, of
		}
		if owner[name] != of {
			return nil, fmt.Errorf("%s is below %v and below %v: choose another name", name, owner[name], of)
		}
		return made[name], nil
	}
	for _, info := range fields {
		if info.Type == program.None || info.Of == program.Text {
			continue
		}
		typ, err := celType(info)
		if err != nil {
			return nil, err
		}
		o, err := at(info.Of, objectName(info.Of))
		if err != nil {
			return nil, err
		}
		key := info.Name
		if group, rest, nested := strings.Cut(info.Name, "."); nested {
			name := "lang.cel" + strings.ToUpper(group[:1]) + group[1:]
			o.add(group, cel.ObjectType(name))
			if o, err = at(info.Of, name); err != nil {
				return nil, err
			}
			key = rest
		}
		o.add(key, typ)
	}
	out := make([]any, 0, len(made))
	for _, o := range made {
		out = append(out, o)
	}
	return out, nil
}

// celType is the type of a field in cel-go's terms.
func celType(info program.Info) (*cel.Type, error) {
	switch info.Type {
	case program.Bool:
		return cel.BoolType, nil
	case program.Int:
		return cel.IntType, nil
	case program.String:
		return cel.StringType, nil
	case program.Strings:
		return cel.ListType(cel.StringType), nil
	case program.Objects:
		return cel.ListType(cel.ObjectType(objectName(info.Elem))), nil
	}
	return nil, fmt.Errorf("field %s of %v has no CEL type", info.Name, info.Of)
}

func (o *object) add(key string, typ *cel.Type) {
	o.fields[key] = &types.FieldType{
		Type:  typ,
		IsSet: func(any) bool { return true },
		GetFrom: func(target any) (any, error) {
			if m, ok := target.(map[string]any); ok && m[key] != nil {
				return m[key], nil
			}
			return nil, fmt.Errorf("%s has no %s", o.name, key)
		},
	}
}

// The methods below are those of a type of cel-go (ref.Type) that has fields
// (types.StructTypeDescriptor).

// HasTrait implements ref.Type.
func (o *object) HasTrait(trait int) bool {
	return (traits.FieldTesterType|traits.IndexerType)&trait == trait
}

// TypeName implements ref.Type.
func (o *object) TypeName() string { return o.name }

// ReflectType says that no Go type is behind it.
func (o *object) ReflectType() reflect.Type { return nil }

// FieldNames lists the fields.
func (o *object) FieldNames() []string {
	names := make([]string, 0, len(o.fields))
	for n := range o.fields {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// FindFieldType looks up a field.
func (o *object) FindFieldType(name string) (*types.FieldType, bool) {
	f, ok := o.fields[name]
	return f, ok
}

// NewValue refuses: gates make no objects.
func (o *object) NewValue(types.Adapter, map[string]ref.Val) ref.Val {
	return types.NewErr("gates make no %s", o.name)
}

// Adapt turns a map into a value.
func (o *object) Adapt(a types.Adapter, value any) ref.Val { return a.NativeToValue(value) }
