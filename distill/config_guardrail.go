package distill

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// GuardrailConfig is the key guardrail of gbt.yaml.
type GuardrailConfig struct {
	Profile   string         `yaml:"profile"`
	Strict    bool           `yaml:"strict"`
	Roots     []string       `yaml:"roots"`
	Protected []string       `yaml:"protected"`
	Sensitive []string       `yaml:"sensitive"`
	Egress    []EgressConfig `yaml:"egress"`
	Spawn     SpawnConfig    `yaml:"spawn"`
	// Imports are the modules that cells of code may bring in; none alone for no module.
	Imports []string `yaml:"imports,omitempty" json:",omitempty"` // left out where there is none: digests of settings stay
}

// EgressConfig lets a domain be reached.
type EgressConfig struct {
	Domain  string   `yaml:"domain"`
	Schemes []string `yaml:"schemes"`
	Ports   []int    `yaml:"ports"`
	Send    bool     `yaml:"send"`
}

// SpawnConfig names programs.
type SpawnConfig struct {
	Allow []string `yaml:"allow"`
	Deny  []string `yaml:"deny"`
}

// maxRules is what a policy file can hold of each list.
const maxRules = artifacts.MaxRules

// locate finds the line of a value in a configuration: keys and indexes lead to
// it. Line 0 is a value that is not there.
func locate(data []byte, at ...any) int {
	var doc yaml.Node
	if yaml.Unmarshal(data, &doc) != nil || len(doc.Content) == 0 {
		return 0
	}
	n := doc.Content[0]
	for _, step := range at {
		for n.Kind == yaml.AliasNode {
			n = n.Alias
		}
		next := child(n, step)
		if next == nil {
			break
		}
		n = next
	}
	return n.Line
}

func child(n *yaml.Node, step any) *yaml.Node {
	switch step := step.(type) {
	case int:
		if n.Kind == yaml.SequenceNode && step < len(n.Content) {
			return n.Content[step]
		}
	case string:
		for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == step {
				return n.Content[i+1]
			}
		}
	}
	return nil
}

// fault is a mistake at a place in a configuration.
type fault struct {
	at  []any
	err error
}

func (f *fault) Error() string {
	var b strings.Builder
	for i, step := range f.at {
		if n, ok := step.(int); ok {
			fmt.Fprintf(&b, "[%d]", n)
			continue
		}
		if i > 0 {
			b.WriteByte('.')
		}
		fmt.Fprint(&b, step)
	}
	return b.String() + ": " + f.err.Error()
}

func (f *fault) Unwrap() error { return f.err }

func faultAt(at []any, format string, args ...any) *fault {
	return &fault{at: slices.Clone(at), err: fmt.Errorf(format, args...)}
}

// Sealed returns the settings as a policy holds them: sorted, without
// duplicates, hosts in the form that effects have.
func (g *GuardrailConfig) Sealed() (artifacts.Guardrail, error) {
	out := artifacts.Guardrail{Strict: g.Strict}
	var ok bool
	if out.Rules.Profile, ok = gates.ParseProfile(g.Profile); !ok {
		return out, faultAt([]any{"guardrail", "profile"}, "%q is no profile: give workspace, strict, apps or observe", g.Profile)
	}
	for _, l := range []struct {
		at   []any
		from []string
		into *[]string
		good func(string) string // what is wrong, or nothing
	}{
		{[]any{"guardrail", "roots"}, g.Roots, &out.Roots, rootFault},
		{[]any{"guardrail", "protected"}, g.Protected, &out.Rules.Protected, patternFault},
		{[]any{"guardrail", "sensitive"}, g.Sensitive, &out.Rules.Sensitive, patternFault},
		{[]any{"guardrail", "spawn", "allow"}, g.Spawn.Allow, &out.Rules.Spawn, programFault},
		{[]any{"guardrail", "spawn", "deny"}, g.Spawn.Deny, &out.Rules.DenySpawn, programFault},
		{[]any{"guardrail", "imports"}, g.Imports, &out.Rules.Imports, gates.ImportFault},
	} {
		if err := sortedInto(l.into, l.from, l.at, l.good); err != nil {
			return out, err
		}
	}
	if len(out.Rules.Imports) > 1 && slices.Contains(out.Rules.Imports, "none") {
		return out, faultAt([]any{"guardrail", "imports"}, "none stands alone: it is the list without a module")
	}
	return out, g.egress(&out.Rules)
}

func sortedInto(into *[]string, from []string, at []any, wrong func(string) string) error {
	if len(from) > maxRules {
		return faultAt(at, "%d entries, at most %d", len(from), maxRules)
	}
	for i, s := range from {
		if why := wrong(s); why != "" {
			return faultAt(append(slices.Clone(at), i), "%q %s", s, why)
		}
		if len(s) > artifacts.MaxName {
			return faultAt(append(slices.Clone(at), i), "%d bytes, at most %d", len(s), artifacts.MaxName)
		}
		*into = append(*into, s)
	}
	slices.Sort(*into)
	*into = slices.Compact(*into)
	return nil
}

func rootFault(s string) string {
	if !strings.HasPrefix(s, "/") || mark.Has(s) {
		return "is no absolute path"
	}
	return ""
}

func patternFault(s string) string {
	if !gates.CheckPattern(s) {
		return "is no pattern: give an absolute path, ~/path, a path below a root, or a name, with *, ? and ** in it"
	}
	return ""
}

func programFault(s string) string {
	if s == "" || strings.ContainsAny(s, "/ \t\n") {
		return "is no program: give its name without a directory or arguments"
	}
	return ""
}

func (g *GuardrailConfig) egress(rules *gates.Guardrail) error {
	for i, e := range g.Egress {
		at := []any{"guardrail", "egress", i}
		rule := gates.Egress{Send: e.Send}
		n, ok := effect.ParseURL("https://"+strings.TrimPrefix(e.Domain, "*.")+"/", "https")
		if rule.Domain = n.Domain + n.IP; !ok || strings.ContainsAny(e.Domain, "/@:?# ") {
			return faultAt(append(at, "domain"), "%q is no domain or IPv4 address: give a name without scheme, port or path", e.Domain)
		}
		for k, s := range e.Schemes {
			s = strings.ToLower(s)
			if s == "" || strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789.-+_") != "" {
				return faultAt(append(at, "schemes", k), "%q is no scheme: give https, not https://", e.Schemes[k])
			}
			rule.Schemes = append(rule.Schemes, s)
		}
		for k, p := range e.Ports {
			if p < 1 || p > 65535 {
				return faultAt(append(at, "ports", k), "%d is no port: give 1 to 65535", p)
			}
			rule.Ports = append(rule.Ports, uint16(p))
		}
		slices.Sort(rule.Schemes)
		slices.Sort(rule.Ports)
		rule.Schemes, rule.Ports = slices.Compact(rule.Schemes), slices.Compact(rule.Ports)
		rules.Egress = append(rules.Egress, rule)
	}
	slices.SortFunc(rules.Egress, func(a, b gates.Egress) int { return strings.Compare(a.Domain, b.Domain) })
	for i := 1; i < len(rules.Egress); i++ {
		if d := rules.Egress[i].Domain; d == rules.Egress[i-1].Domain {
			return faultAt([]any{"guardrail", "egress"}, "domain %s has two rules: write one", d)
		}
	}
	return nil
}

// Checker returns the checker that the configuration describes, without a
// policy: its guardrail, its tool schemas and its gates.
func (c *Config) Checker() (*gates.Checker, error) {
	g, err := c.Guardrail.Sealed()
	if err != nil {
		return nil, err
	}
	list, err := c.schemas()
	if err != nil {
		return nil, err
	}
	schemas, err := call.NewSchemas(list)
	if err != nil {
		return nil, err
	}
	servers, err := c.servers()
	if err != nil {
		return nil, err
	}
	if len(servers) > 0 {
		if schemas, err = schemas.WithServers(servers); err != nil {
			return nil, err
		}
	}
	k := &gates.Checker{Guardrail: g.Rules, Schemas: schemas, Strict: g.Strict}
	if l, err := c.library(); err != nil {
		return nil, err
	} else if l != nil {
		k.Library = l
	}
	return k, nil
}
