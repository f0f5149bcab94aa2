package call

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// Schema says what a tool does: its class, and what its arguments are for.
type Schema struct {
	// Tool is the tool's name in lower case, or a pattern with * and ?. Names
	// that MCP hosts make (mcp__server__tool) are matched whole, of all others
	// the name without its namespace.
	Tool     string
	Family   Family
	Verb     effect.Verb
	Resource ResourceType
	Args     []ArgSchema // sorted by Name, each once
}

// ArgSchema says what a top-level argument is for, with everything below it.
type ArgSchema struct {
	Name string
	Role effect.Role
	Lang string // of effect.RoleCode: python, node, bash, ...; empty for python
}

// Limits of a schema.
const (
	maxSchemaName = 256
	maxSchemaArgs = 256
	maxLang       = 32
)

// ErrSchema is what is wrong with bytes or settings that are no tool schema.
var ErrSchema = errors.New("not a tool schema")

// Check says why a schema cannot be used.
func (s *Schema) Check() error {
	switch {
	case s.Tool == "" || len(s.Tool) > maxSchemaName || !plainName(s.Tool):
		return fmt.Errorf("tool %.80q: give a name in lower-case ASCII: %w", s.Tool, ErrSchema)
	case strings.Trim(s.Tool, "*?") == "":
		return fmt.Errorf("tool %q would be every tool: %w", s.Tool, ErrSchema)
	case s.Family == FamilyUnknown || s.Verb == effect.VerbUnknown:
		return fmt.Errorf("tool %s has no family or no verb: %w", s.Tool, ErrSchema)
	case len(s.Args) > maxSchemaArgs:
		return fmt.Errorf("tool %s has %d arguments, at most %d: %w", s.Tool, len(s.Args), maxSchemaArgs, ErrSchema)
	}
	for i := range s.Args {
		a := &s.Args[i]
		if a.Name == "" || len(a.Name) > maxSchemaName || i > 0 && s.Args[i-1].Name >= a.Name {
			return fmt.Errorf("argument %.80q of %s has no name, or out of order: %w", a.Name, s.Tool, ErrSchema)
		}
		if a.Role == effect.RoleNone || a.Role >= effect.NumRoles || a.Lang != "" && (a.Role != effect.RoleCode || len(a.Lang) > maxLang || !plainName(a.Lang)) {
			return fmt.Errorf("argument %s of %s has no role, or a language that does not belong to it: %w", a.Name, s.Tool, ErrSchema)
		}
	}
	return nil
}

// plainName says whether a name is printable ASCII without capitals and without
// the characters that patterns of more than * and ? are made of.
func plainName(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' || c > '~' || isUpper(c) || c == '[' || c == ']' || c == '\\' {
			return false
		}
	}
	return true
}

// role returns the role of the argument at a path.
func (s *Schema) role(at string) (effect.Role, bool) {
	i, ok := s.arg(at)
	if !ok {
		return effect.RoleNone, false
	}
	return s.Args[i].Role, true
}

func (s *Schema) arg(at string) (int, bool) {
	key, _, _ := strings.Cut(at, ".")
	return slices.BinarySearchFunc(s.Args, key, func(a ArgSchema, k string) int { return strings.Compare(a.Name, k) })
}

// Schemas are the tool schemas of a policy or a configuration. They come before
// the built-in tables. A nil Schemas has none. Immutable and safe for
// concurrent use.
type Schemas struct {
	exact    map[string]*Schema
	patterns []*Schema // the longest first, so that the most telling one wins
	servers  map[string]*Server
}

// WithServers returns the schemas with what the user says of MCP servers.
func (l *Schemas) WithServers(list []Server) (*Schemas, error) {
	out := &Schemas{servers: make(map[string]*Server, len(list))}
	if l != nil {
		out.exact, out.patterns = l.exact, l.patterns
	}
	for i := range list {
		s := list[i]
		if s.Name == "" || s.Touches == TouchesAnything || s.Touches >= numTouches || (len(s.Hosts) > 0) != (s.Touches == TouchesHosts) {
			return nil, fmt.Errorf("server %q: no name, or nothing that it touches: %w", s.Name, ErrSchema)
		}
		out.servers[s.Name] = &s
	}
	return out, nil
}

// server is what the user says of the server of a tool, nil for nothing.
func (l *Schemas) server(tool string) *Server {
	if l == nil || len(l.servers) == 0 {
		return nil
	}
	return l.servers[ServerOf(tool)]
}

// NewSchemas checks schemas and indexes them.
func NewSchemas(list []Schema) (*Schemas, error) {
	out := &Schemas{exact: make(map[string]*Schema, len(list))}
	for i := range list {
		s := list[i]
		s.Args = slices.Clone(s.Args)
		if err := s.Check(); err != nil {
			return nil, err
		}
		if strings.ContainsAny(s.Tool, "*?") {
			out.patterns = append(out.patterns, &s)
			continue
		}
		if out.exact[s.Tool] != nil {
			return nil, fmt.Errorf("tool %s has two schemas: %w", s.Tool, ErrSchema)
		}
		out.exact[s.Tool] = &s
	}
	sort.Slice(out.patterns, func(i, j int) bool {
		a, b := out.patterns[i].Tool, out.patterns[j].Tool
		return len(a) > len(b) || len(a) == len(b) && a < b
	})
	return out, nil
}

// find returns the schema of a tool, or nil.
func (l *Schemas) find(tool string) *Schema {
	if l == nil {
		return nil
	}
	name := strings.ToLower(strings.TrimSpace(tool))
	if !fromMCP(tool) {
		name = Name(tool)
	}
	if s := l.exact[name]; s != nil {
		return s
	}
	for _, s := range l.patterns {
		// Any server may name its tools as it likes: a pattern has to say that
		// it means them.
		if ok, _ := path.Match(s.Tool, name); ok && strings.HasPrefix(s.Tool, "mcp__") == fromMCP(tool) {
			return s
		}
	}
	return nil
}

func (s *Schema) class() Class {
	return Class{Family: s.Family, Verb: s.Verb, Resource: s.Resource, High: High(s.Verb, s.Resource), Basis: BasisSchema}
}
