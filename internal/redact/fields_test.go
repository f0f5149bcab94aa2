package redact

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// kept are the texts of a context that Context leaves as they are: names of tools,
// programs, arguments and hosts, and places of a workspace, which gates are
// about. What stands in no list here may be a secret.
var kept = map[string]bool{
	"ctx.tool": true, "ctx.cwd": true, "ctx.roots": true,
	"ctx.content":   true, // names of classes, never what they are of
	"ctx.args.path": true, "ctx.args.source": true, "ctx.args.form": true, "ctx.args.role": true, "ctx.args.number": true, "ctx.args.link": true,
	"ctx.effects.program": true, "ctx.effects.parent": true, "ctx.effects.scheme": true, "ctx.effects.domain": true, "ctx.effects.ip": true,
	"ctx.effects.payload.mime": true, "ctx.effects.payload.hash": true,
}

// TestRedactFields puts a secret into everything that a context stores and looks
// where gates still read it: a new field is redacted, or said to be no secret.
func TestRedactFields(t *testing.T) {
	const secret = "tok3n9f8e7d6c5b4a"
	c := gates.Context{Args: make([]gates.Arg, 1), Effects: make([]gates.Effect, 1), History: make([]gates.Record, 1)}
	n := 0
	var fill func(v reflect.Value)
	fill = func(v reflect.Value) {
		word := func() string { n++; return fmt.Sprint("w ", secret, n) }
		switch {
		case !v.CanSet():
		case v.Kind() == reflect.Struct:
			for i := range v.NumField() {
				fill(v.Field(i))
			}
		case v.Kind() == reflect.String:
			v.SetString(word())
		case v.Type() == reflect.TypeFor[[]string]():
			v.Set(reflect.ValueOf([]string{word()}))
		case v.Kind() == reflect.Slice:
			for i := range v.Len() {
				fill(v.Index(i))
			}
		}
	}
	fill(reflect.ValueOf(&c).Elem())
	r := Context(&c)
	seen := map[string]bool{}
	shows(gates.Values(&r), "ctx", secret, seen)
	for name := range seen {
		if !kept[name] {
			t.Errorf("%s keeps a secret when a context is redacted: Context has to replace it, or kept has to say that it holds none", name)
		}
	}
	for name := range kept {
		if !seen[name] {
			t.Errorf("%s is said to be kept, and is not", name)
		}
	}
}

// shows notes which fields hold a text.
func shows(v any, name, text string, seen map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			shows(x, name+"."+k, text, seen)
		}
	case []any:
		for _, x := range v {
			shows(x, name, text, seen)
		}
	default:
		if strings.Contains(fmt.Sprint(v), text) {
			seen[name] = true
		}
	}
}
