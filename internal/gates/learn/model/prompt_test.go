package model

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/gates/program"
)

// TestPromptFields holds what a model is shown to the fields that there are, and
// to what the question says of them. Which of them it is shown is a choice:
// answers are recorded for just this question.
func TestPromptFields(t *testing.T) {
	_, said, _ := strings.Cut(Template, "\nFields. ")
	said, _, _ = strings.Cut(said, "\nOperators")
	words := strings.FieldsFunc(said, func(r rune) bool { return strings.ContainsRune(" ,:()\n", r) })
	for of, typ := range map[program.Object]reflect.Type{
		program.Context: reflect.TypeFor[shownCall](), program.Arg: reflect.TypeFor[arg](), program.Effect: reflect.TypeFor[effect](), program.Record: reflect.TypeFor[earlier](),
	} {
		for i := range typ.NumField() {
			name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
			if _, ok := gates.Fields().Lookup(of, name); !ok {
				t.Errorf("a model is shown %s of %v, which no gate reads", name, of)
			}
			found := false
			for _, w := range words {
				found = found || strings.TrimSuffix(w, ".") == name
			}
			if !found {
				t.Errorf("the question does not say what %s of %v is", name, of)
			}
		}
	}
	if b, err := json.Marshal(seen(&gates.Context{})); err != nil || !strings.Contains(string(b), `"tool"`) {
		t.Errorf("%s, %v", b, err)
	}
}
