package gates

import (
	"bytes"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
)

func schemaSample() call.Schema {
	return call.Schema{Tool: "crm_*", Family: call.FamilyMessage, Verb: effect.VerbSend, Resource: call.ResourceMessage, Args: []call.ArgSchema{
		{Name: "body", Role: effect.RolePayload}, {Name: "note", Role: effect.RoleWords}, {Name: "script", Role: effect.RoleCode, Lang: "bash"}, {Name: "to", Role: effect.RoleRecipient},
	}}
}

func TestSchemaRoundTrip(t *testing.T) {
	s := schemaSample()
	back, err := ParseSchema(EncodeSchema(&s))
	if err != nil || !reflect.DeepEqual(back, s) {
		t.Errorf("%+v, %v", back, err)
	}
}

func TestSchemaRefuses(t *testing.T) {
	s := schemaSample()
	good := string(EncodeSchema(&s))
	edit := func(change func(*call.Schema)) string {
		c := schemaSample()
		change(&c)
		return string(EncodeSchema(&c))
	}
	for name, data := range map[string]string{
		"nothing": "", "a space": good + " ", "cut": good[:len(good)-1], "unknown role": strings.Replace(good, "payload", "cargo", 1),
		"every tool":         edit(func(s *call.Schema) { s.Tool = "*" }),
		"upper case":         edit(func(s *call.Schema) { s.Tool = "CRM" }),
		"broken pattern":     edit(func(s *call.Schema) { s.Tool = "a[" }),
		"no family":          edit(func(s *call.Schema) { s.Family = call.FamilyUnknown }),
		"no verb":            edit(func(s *call.Schema) { s.Verb = effect.VerbUnknown }),
		"unsorted arguments": edit(func(s *call.Schema) { slices.Reverse(s.Args) }),
		"argument twice":     edit(func(s *call.Schema) { s.Args[1] = s.Args[0] }),
		"no role":            edit(func(s *call.Schema) { s.Args[0].Role = effect.RoleNone }),
		"language of a path": edit(func(s *call.Schema) { s.Args[0].Lang = "python" }),
		"too many arguments": edit(func(s *call.Schema) { s.Args = make([]call.ArgSchema, 257) }),
	} {
		if got, err := ParseSchema([]byte(data)); !errors.Is(err, call.ErrSchema) || !reflect.DeepEqual(got, call.Schema{}) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func FuzzParseSchema(f *testing.F) {
	s := schemaSample()
	f.Add(EncodeSchema(&s))
	f.Add([]byte(`{"tool":"x","family":"app","verb":"read","resource":"none","args":[]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := ParseSchema(data)
		if err == nil && !bytes.Equal(EncodeSchema(&s), data) {
			t.Fatalf("%s", data)
		}
	})
}
