package distill

import (
	"errors"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
)

// ToolConfig is one entry of the key tools of gbt.yaml: what a tool of the
// user's does.
type ToolConfig struct {
	Name   string            `yaml:"name"`
	Family string            `yaml:"family"`
	Does   string            `yaml:"does"`
	Args   map[string]string `yaml:"args"`
}

// resourceOf is the kind of thing that the tools of a family touch.
var resourceOf = map[call.Family]call.ResourceType{
	call.FamilyShell: call.ResourceProcess, call.FamilyFile: call.ResourceFile, call.FamilyCode: call.ResourceProcess,
	call.FamilyWeb: call.ResourceNetwork, call.FamilySQL: call.ResourceDatabase, call.FamilyMessage: call.ResourceMessage,
	call.FamilyPayment: call.ResourceAccount, call.FamilyCalendar: call.ResourceRecord, call.FamilyMemory: call.ResourceRecord,
	call.FamilyApp: call.ResourceRecord, call.FamilyDevice: call.ResourceRecord, call.FamilyAgent: call.ResourceNone,
}

// schemas returns the tool schemas of the configuration, sorted by tool.
func (c *Config) schemas() ([]call.Schema, error) {
	if len(c.Tools) > artifacts.MaxSchemas {
		return nil, faultAt([]any{"tools"}, "%d tools, at most %d", len(c.Tools), artifacts.MaxSchemas)
	}
	var out []call.Schema
	seen := map[string]bool{}
	for i := range c.Tools {
		s, err := c.Tools[i].schema([]any{"tools", i})
		if err != nil {
			return nil, err
		}
		if seen[s.Tool] {
			return nil, faultAt([]any{"tools", i, "name"}, "tool %s is given twice", s.Tool)
		}
		seen[s.Tool] = true
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b call.Schema) int { return strings.Compare(a.Tool, b.Tool) })
	return out, nil
}

func (t *ToolConfig) schema(at []any) (call.Schema, error) {
	in := func(more ...any) []any { return append(slices.Clone(at), more...) }
	s := call.Schema{Tool: strings.ToLower(t.Name)}
	var ok bool
	if s.Verb, ok = effect.ParseVerb(t.Does); !ok {
		return s, faultAt(in("does"), "%q is nothing a tool does: give %s", t.Does, strings.Join(effect.VerbNames(), ", "))
	}
	family := t.Family
	if family == "" {
		family = call.FamilyApp.String()
	}
	if s.Family, ok = call.ParseFamily(family); !ok {
		return s, faultAt(in("family"), "%q is no family: give %s", t.Family, strings.Join(call.FamilyNames(), ", "))
	}
	s.Resource = resourceOf[s.Family]
	for name, role := range t.Args {
		a := call.ArgSchema{Name: name}
		role, a.Lang, _ = strings.Cut(role, ":")
		if a.Role, ok = effect.ParseRole(role); !ok || a.Role == effect.RoleNone {
			return s, faultAt(in("args", name), "%q is no role: give %s", role, strings.Join(effect.RoleNames(), ", "))
		}
		s.Args = append(s.Args, a)
	}
	slices.SortFunc(s.Args, func(a, b call.ArgSchema) int { return strings.Compare(a.Name, b.Name) })
	if err := s.Check(); err != nil {
		return s, &fault{at: in("name"), err: errors.New(strings.TrimSuffix(err.Error(), ": "+call.ErrSchema.Error()))}
	}
	return s, nil
}

// sealedSchemas are the schemas as a policy holds them.
func (c *Config) sealedSchemas() ([]artifacts.Schema, error) {
	list, err := c.schemas()
	if err != nil {
		return nil, err
	}
	var out []artifacts.Schema
	for i := range list {
		out = append(out, artifacts.SchemaOf(&list[i]))
	}
	return out, nil
}
