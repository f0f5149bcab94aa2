package monitor

import (
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

type keys = map[string]func(*yaml.Node)

func (r *reader) document(n *yaml.Node) {
	hasVersion := false
	s := &sections{}
	r.keys(n, keys{
		"version": func(v *yaml.Node) {
			if hasVersion = true; r.text(v) != version {
				r.problem(v, CodeVersion, "version %q is unknown: this program reads version 1", v.Value)
			}
		},
		"roots":     func(v *yaml.Node) { r.spec.Roots = r.paths(v) },
		"home":      func(v *yaml.Node) { r.spec.Home = mark.Clean(r.text(v)) },
		"outside":   func(v *yaml.Node) { s.outside = r.words(v, []string{"read", "write", "delete"}) },
		"protected": func(v *yaml.Node) { r.protected(v, s) },
		"secrets":   func(v *yaml.Node) { r.secrets(v, s) },
		"egress":    func(v *yaml.Node) { r.egress(v, s) },
		"spawns":    func(v *yaml.Node) { r.spawns(v, s) },
		"untrusted": func(v *yaml.Node) { r.items(v, func(c *yaml.Node) { r.untrusted(c, s) }) },
		"rules":     func(v *yaml.Node) { r.items(v, func(c *yaml.Node) { s.own = append(s.own, r.rule(c)) }) },
	})
	if !hasVersion && n.Kind == yaml.MappingNode {
		r.problem(n, CodeVersion, "the file needs version: 1")
	}
	r.spec.rules = s.rules(r.spec.Roots)
	if len(r.spec.rules) > maxRules {
		r.problem(n, CodeValue, "%d rules are more than %d", len(r.spec.rules), maxRules)
	}
}

// rule reads one general rule.
func (r *reader) rule(n *yaml.Node) rule {
	var u rule
	r.keys(n, keys{
		"id":      func(v *yaml.Node) { u.id = r.id(v, "rule") },
		"message": func(v *yaml.Node) { u.message = r.text(v) },
		"call":    func(v *yaml.Node) { u.call = r.call(v) },
		"effect":  func(v *yaml.Node) { u.effect = r.effect(v) },
		"args":    func(v *yaml.Node) { r.items(v, func(c *yaml.Node) { u.args = append(u.args, r.arg(c)) }) },
		"after":   func(v *yaml.Node) { u.after = r.word(v, []string{afterSecrets}) },
	})
	if u.id == "" {
		r.problem(n, CodeMissing, "a rule needs an id")
	}
	if u.effect == nil && u.args == nil && u.after == "" && !u.call.given() {
		r.problem(n, CodeEmpty, "this rule has no condition: every call would violate it")
	}
	return u
}

// id reads a rule's id and puts the section's name before it.
func (r *reader) id(n *yaml.Node, section string) string {
	id := r.text(n)
	if strings.Trim(id, "abcdefghijklmnopqrstuvwxyz0123456789-_.") != "" {
		r.problem(n, CodeValue, "%q is no id: small letters, digits, - _ and .", id)
	}
	if id = section + "/" + id; r.ids[id] {
		r.problem(n, CodeTwice, "there are two rules with the id %q", n.Value)
	}
	r.ids[id] = true
	return id
}

func (k *callCond) given() bool {
	return k.tools != nil || k.exceptTools != nil || k.families != nil || k.verbs != nil || k.high
}

func (r *reader) call(n *yaml.Node) (k callCond) {
	r.keys(n, keys{
		"tools":        func(v *yaml.Node) { k.tools = r.patterns(v) },
		"except_tools": func(v *yaml.Node) { k.exceptTools = r.patterns(v) },
		"families":     func(v *yaml.Node) { k.families = r.words(v, families()) },
		"verbs":        func(v *yaml.Node) { k.verbs = r.words(v, verbs()) },
		"high":         func(v *yaml.Node) { k.high = r.flag(v) },
	})
	return k
}

func (r *reader) effect(n *yaml.Node) *effectCond {
	k := &effectCond{}
	r.keys(n, keys{
		"kinds":          func(v *yaml.Node) { k.kinds = r.words(v, kinds()) },
		"ops":            func(v *yaml.Node) { k.ops = r.words(v, ops()) },
		"zones":          func(v *yaml.Node) { k.zones = r.words(v, zones()) },
		"paths":          func(v *yaml.Node) { k.paths = r.paths(v) },
		"except_paths":   func(v *yaml.Node) { k.exceptPaths = r.paths(v) },
		"domains":        func(v *yaml.Node) { k.domains = r.domains(v) },
		"except_domains": func(v *yaml.Node) { k.exceptDomains = r.domains(v) },
		"schemes":        func(v *yaml.Node) { k.schemes = r.texts(v) },
		"ports":          func(v *yaml.Node) { k.ports = r.ports(v) },
		"programs":       func(v *yaml.Node) { k.programs = r.texts(v) },
		"argv":           func(v *yaml.Node) { k.argv = r.expr(v) },
		"sensitive":      func(v *yaml.Node) { k.sensitive = r.flag(v) },
		"protected":      func(v *yaml.Node) { k.protected = r.flag(v) },
		"now":            func(v *yaml.Node) { k.now = r.flag(v) },
	})
	return k
}

func (r *reader) arg(n *yaml.Node) (k argCond) {
	r.keys(n, keys{
		"name":           func(v *yaml.Node) { k.names = r.patterns(v) },
		"role":           func(v *yaml.Node) { k.roles = r.texts(v) },
		"from":           func(v *yaml.Node) { k.origins = r.words(v, []string{"agent", "task", "untrusted"}) },
		"sources":        func(v *yaml.Node) { k.sources = r.patterns(v) },
		"except_sources": func(v *yaml.Node) { k.trust = r.patterns(v) },
		"forms":          func(v *yaml.Node) { k.forms = r.words(v, []string{formText, formField, formJoined}) },
		"matches":        func(v *yaml.Node) { k.matches = r.expr(v) },
		"in":             func(v *yaml.Node) { k.in = r.texts(v) },
		"not_in":         func(v *yaml.Node) { k.notIn = r.texts(v) },
		"over":           func(v *yaml.Node) { k.over = r.float(v) },
		"under":          func(v *yaml.Node) { k.under = r.float(v) },
		"missing":        func(v *yaml.Node) { k.missing = r.flag(v) },
	})
	return k
}

func (r *reader) expr(n *yaml.Node) *regexp.Regexp {
	re, err := regexp.Compile(r.text(n))
	if err != nil {
		r.problem(n, CodeValue, "%v", err)
	}
	return re
}

func (r *reader) float(n *yaml.Node) *float64 {
	f, err := strconv.ParseFloat(r.text(n), 64)
	if err != nil {
		r.problem(n, CodeType, "here a number is needed")
	}
	return &f
}

func (r *reader) ports(n *yaml.Node) []uint16 {
	out := []uint16{}
	r.items(n, func(c *yaml.Node) {
		p, err := strconv.ParseUint(r.text(c), 10, 16)
		if err != nil || p == 0 {
			r.problem(c, CodeValue, "%q is no port", c.Value)
		}
		out = append(out, uint16(p))
	})
	return out
}

func families() []string {
	return names(call.FamilyAgent, func(f call.Family) string { return f.String() })
}

func verbs() []string {
	return names(effect.VerbSend, func(v effect.Verb) string { return v.String() })
}

func kinds() []string {
	return names(effect.NumKinds-1, func(k effect.Kind) string { return k.String() })
}

func ops() []string { return names(effect.NumOps-1, func(o effect.Op) string { return o.String() }) }

func zones() []string {
	return names(effect.NumZones-1, func(z effect.Zone) string { return z.String() })
}

func names[T ~uint8](last T, name func(T) string) []string {
	out := make([]string, 0, int(last)+1)
	for i := 0; i <= int(last); i++ {
		out = append(out, name(T(i)))
	}
	return out
}
