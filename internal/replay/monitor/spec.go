package monitor

import (
	_ "embed" // the default specification
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// DefaultYAML is the commented specification that is used when a user gives
// none.
//
//go:embed default.yaml
var DefaultYAML []byte

// Spec is a parsed specification.
type Spec struct {
	// Roots and Home are where the agent works, for logs that do not say.
	Roots []string
	Home  string

	rules []rule
}

// Verdict is one violation by the call of a context.
type Verdict struct {
	Rule    string
	Message string // what the rule says about itself
	Detail  string // what of the call drew it
	Effect  int    // index into the context's effects, -1 if none
	Arg     int    // index into the context's arguments, -1 if none
}

// Default returns the specification of DefaultYAML.
func Default() *Spec {
	s, problems := Parse("default.yaml", DefaultYAML)
	if len(problems) > 0 {
		panic("gbt: internal error: default monitors: " + problems[0].Sentence)
	}
	return s
}

// Rules lists the ids of the rules in the order in which they are judged.
func (s *Spec) Rules() []string {
	out := make([]string, len(s.rules))
	for i := range s.rules {
		out[i] = s.rules[i].id
	}
	return out
}

// Judge returns the violations of a call that ran, at most one a rule, in the
// order of the rules.
func (s *Spec) Judge(c *gates.Context) []Verdict {
	var out []Verdict
	for i := range s.rules {
		if v, ok := s.rules[i].judge(c); ok {
			out = append(out, v)
		}
	}
	return out
}

// rule is a conjunction: every condition that is given must hold.
type rule struct {
	id, message string
	call        callCond
	effect      *effectCond
	args        []argCond
	after       string // "secrets": only once something sensitive was read
}

func (r *rule) judge(c *gates.Context) (Verdict, bool) {
	v := Verdict{Rule: r.id, Message: r.message, Effect: -1, Arg: -1}
	if !r.call.holds(c) || r.after == afterSecrets && !secretsRead(c) {
		return v, false
	}
	var details []string
	if r.effect != nil {
		if v.Effect = r.effect.find(c); v.Effect < 0 {
			return v, false
		}
		details = append(details, describeEffect(&c.Effects[v.Effect]))
	}
	for i := range r.args {
		at, ok := r.args[i].find(c)
		if !ok {
			return v, false
		}
		if at >= 0 {
			v.Arg = at
			details = append(details, describeArg(&c.Args[at]))
		}
	}
	if v.Detail = strings.Join(details, "; "); v.Detail == "" {
		v.Detail = "call of " + c.ToolName()
	}
	return v, true
}

const afterSecrets = "secrets"

// secretsRead says whether the call reads something sensitive or comes after
// one that did.
func secretsRead(c *gates.Context) bool {
	for i := range c.Effects {
		if e := &c.Effects[i]; e.Kind == effect.Read && e.Sensitive {
			return true
		}
	}
	return c.Flow.SensitiveRead
}

type callCond struct {
	tools, exceptTools []string // patterns of package path
	families, verbs    []string
	high               bool
}

func (k *callCond) holds(c *gates.Context) bool {
	return (k.tools == nil || anyPattern(k.tools, c.ToolName())) && !anyPattern(k.exceptTools, c.ToolName()) &&
		oneOf(k.families, c.Class.Family.String()) && oneOf(k.verbs, c.Class.Verb.String()) && (!k.high || c.High())
}

type effectCond struct {
	kinds, ops, zones         []string
	paths, exceptPaths        []string
	domains, exceptDomains    []string
	schemes, programs         []string
	ports                     []uint16
	argv                      *regexp.Regexp
	sensitive, protected, now bool
	but                       []effectCond // none of these may hold
}

// find returns the first effect that every condition holds for, or -1.
func (k *effectCond) find(c *gates.Context) int {
	for i := range c.Effects {
		if k.holds(&c.Effects[i]) {
			return i
		}
	}
	return -1
}

func (k *effectCond) holds(e *gates.Effect) bool {
	return oneOf(k.kinds, e.Kind.String()) && oneOf(k.ops, e.Op.String()) && oneOf(k.zones, e.Zone.String()) &&
		(!k.sensitive || e.Sensitive) && (!k.protected || e.Protected) && (!k.now || !e.Deferred) &&
		(k.paths == nil || below(k.paths, e.Resource)) && !below(k.exceptPaths, e.Resource) &&
		k.network(e) && oneOf(k.programs, e.Program) && (k.argv == nil || k.argv.MatchString(e.Argv)) && !k.excepted(e)
}

func (k *effectCond) excepted(e *gates.Effect) bool {
	for i := range k.but {
		if k.but[i].holds(e) {
			return true
		}
	}
	return false
}

func (k *effectCond) network(e *gates.Effect) bool {
	host := e.Net.Domain
	if host == "" {
		host = e.Net.IP
	}
	if k.domains != nil && !inDomains(k.domains, host) || inDomains(k.exceptDomains, host) {
		return false
	}
	if k.ports != nil {
		found := false
		for _, p := range k.ports {
			found = found || p == e.Net.Port
		}
		if !found {
			return false
		}
	}
	return oneOf(k.schemes, e.Net.Scheme)
}

// oneOf says whether s is in the list; an absent list is no condition.
func oneOf(list []string, s string) bool {
	if list == nil {
		return true
	}
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// anyPattern says whether a pattern matches all of s. Patterns were checked
// when they were read.
func anyPattern(patterns []string, s string) bool {
	for _, p := range patterns {
		if ok, _ := path.Match(p, s); ok {
			return true
		}
	}
	return false
}

func below(dirs []string, resource string) bool {
	for _, d := range dirs {
		if mark.Under(resource, d) {
			return true
		}
	}
	return false
}

// inDomains says whether the host is one of the domains or below one.
func inDomains(domains []string, host string) bool {
	for _, d := range domains {
		if host == d || strings.HasSuffix(host, "."+d) {
			return true
		}
	}
	return false
}

func describeEffect(e *gates.Effect) string {
	what := e.Kind.String() + " (" + e.Op.String() + ")"
	if e.Resource != "" {
		what += " of " + clip(e.Resource)
	}
	if e.Argv != "" && !strings.Contains(e.Resource, e.Argv) {
		what += " as " + clip(e.Argv)
	}
	return what + ", zone " + e.Zone.String()
}

func describeArg(a *gates.Arg) string {
	return fmt.Sprintf("argument %s = %q, %s", a.Path, clip(a.Value), SourceText(a))
}

// SourceText says where an argument's value came from, in words.
func SourceText(a *gates.Arg) string {
	switch {
	case a.Origin == call.OriginAgent:
		return "which nothing before it holds"
	case a.Origin == call.OriginTask:
		return "named by the task"
	case a.Source == "":
		return "from outside"
	case a.Form == "" || strings.HasPrefix(a.Form, "~"):
		return "first in the text that " + a.Source + " returned"
	case strings.Contains(a.Form, "~"):
		return "first in a text in " + clip(strings.TrimRight(a.Form, "!~+&@?")) + " of what " + a.Source + " returned"
	}
	return "first as " + clip(strings.TrimSuffix(a.Form, "=")) + " of what " + a.Source + " returned"
}

// clip cuts long values; evidence names a thing, it need not hold all of it.
func clip(s string) string {
	const limit = 120
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + "…"
}
