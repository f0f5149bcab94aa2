package distill

import (
	"errors"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
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
var resourceOf = map[gates.Family]gates.ResourceType{
	gates.FamilyShell: gates.ResourceProcess, gates.FamilyFile: gates.ResourceFile, gates.FamilyCode: gates.ResourceProcess,
	gates.FamilyWeb: gates.ResourceNetwork, gates.FamilySQL: gates.ResourceDatabase, gates.FamilyMessage: gates.ResourceMessage,
	gates.FamilyPayment: gates.ResourceAccount, gates.FamilyCalendar: gates.ResourceRecord, gates.FamilyMemory: gates.ResourceRecord,
	gates.FamilyApp: gates.ResourceRecord, gates.FamilyDevice: gates.ResourceRecord, gates.FamilyAgent: gates.ResourceNone,
}

// schemas returns the tool schemas of the configuration, sorted by tool.
func (c *Config) schemas() ([]gates.Schema, error) {
	if len(c.Tools) > artifacts.MaxSchemas {
		return nil, faultAt([]any{"tools"}, "%d tools, at most %d", len(c.Tools), artifacts.MaxSchemas)
	}
	var out []gates.Schema
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
	slices.SortFunc(out, func(a, b gates.Schema) int { return strings.Compare(a.Tool, b.Tool) })
	return out, nil
}

func (t *ToolConfig) schema(at []any) (gates.Schema, error) {
	in := func(more ...any) []any { return append(slices.Clone(at), more...) }
	s := gates.Schema{Tool: strings.ToLower(t.Name)}
	var ok bool
	if s.Verb, ok = gates.ParseVerb(t.Does); !ok {
		return s, faultAt(in("does"), "%q is nothing a tool does: give %s", t.Does, strings.Join(gates.VerbNames(), ", "))
	}
	family := t.Family
	if family == "" {
		family = gates.FamilyApp.String()
	}
	if s.Family, ok = gates.ParseFamily(family); !ok {
		return s, faultAt(in("family"), "%q is no family: give %s", t.Family, strings.Join(gates.FamilyNames(), ", "))
	}
	s.Resource = resourceOf[s.Family]
	for name, role := range t.Args {
		a := gates.ArgSchema{Name: name}
		role, a.Lang, _ = strings.Cut(role, ":")
		if a.Role, ok = gates.ParseRole(role); !ok || a.Role == gates.RoleNone {
			return s, faultAt(in("args", name), "%q is no role: give %s", role, strings.Join(gates.RoleNames(), ", "))
		}
		s.Args = append(s.Args, a)
	}
	slices.SortFunc(s.Args, func(a, b gates.ArgSchema) int { return strings.Compare(a.Name, b.Name) })
	if err := s.Check(); err != nil {
		return s, &fault{at: in("name"), err: errors.New(strings.TrimSuffix(err.Error(), ": "+gates.ErrSchema.Error()))}
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
