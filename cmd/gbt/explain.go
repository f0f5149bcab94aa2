package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/rules"
	"github.com/gbt-policy/gbt/gates/scope"
	"github.com/gbt-policy/gbt/gates/wording"
	"github.com/gbt-policy/gbt/internal/gates/program"
	"github.com/gbt-policy/gbt/internal/gates/reply"
)

var approvedName = gates.Approved.String()

// explanation is what gbt explain says.
type explanation struct {
	Call        string         `json:"call"`
	Tool        string         `json:"tool"`
	Family      string         `json:"family"`
	Known       string         `json:"known"` // where the knowledge of the tool comes from
	Disposition string         `json:"disposition"`
	Would       string         `json:"would,omitempty"`
	Means       string         `json:"means"`
	Profile     string         `json:"profile"`
	Policy      string         `json:"policy"`
	Tier        string         `json:"tier"`
	DecisionID  string         `json:"decision_id"`
	Cwd         string         `json:"cwd"`
	Roots       []string       `json:"roots"`
	User        string         `json:"user_message,omitempty"`  // what a person is asked
	Agent       string         `json:"agent_message,omitempty"` // what a model is told
	Why         []objection    `json:"why"`
	Effects     []reply.Effect `json:"effects"`
	Args        []explainArg   `json:"args"`
	Content     *contentJSON   `json:"content,omitempty"`
	Library     bool           `json:"library_rejected,omitempty"`
	Answer      []string       `json:"answer,omitempty"`      // commands after which the call is not asked about, here and in the hook
	Answered    []string       `json:"answered_by,omitempty"` // rules that answered what would have been asked
	verdicts    []string       // of each effect
	gates       *gates.Library
}

// objection is one rule or gate that does not let the call pass.
type objection struct {
	Rule        string   `json:"rule"`
	Disposition string   `json:"disposition"`
	Effect      *int     `json:"effect,omitempty"`
	Fields      []string `json:"fields"` // what it read: name = value
	Message     string   `json:"message"`
	Allowed     string   `json:"allowed"` // what would pass
	Gate        string   `json:"gate,omitempty"`
	Expression  string   `json:"expression,omitempty"`
}

type explainArg struct {
	Path   string `json:"path"`
	Role   string `json:"role,omitempty"`
	Origin string `json:"origin"`
	Source string `json:"source,omitempty"`
	Form   string `json:"form,omitempty"`
	Len    int    `json:"len"`
}

func newExplanation(j *judge, in *callInput, c *gates.Context, d *gates.Decision) *explanation {
	x := &explanation{
		Call: in.Command, Tool: c.ToolName(), Family: c.Class.Family.String(), Known: known(c), Disposition: d.Disposition.String(), Means: means(d.Disposition),
		Profile: j.checker.Guardrail.Profile.String(), Policy: j.digest, Tier: d.Tier.String(), DecisionID: d.ID(c, j.digest), Cwd: c.Cwd, Roots: c.Roots,
		Why: []objection{}, Effects: []reply.Effect{}, Args: []explainArg{}, Library: d.LibraryRejected, verdicts: make([]string, len(d.Effects)), gates: j.checker.Library,
	}
	if !in.Shell {
		x.Call = strings.TrimSpace(in.Tool + " " + string(in.Args))
	}
	texts := wording.Of(c, d)
	x.User, x.Agent = texts.Person, texts.Model
	if d.Would != d.Disposition {
		x.Would = d.Would.String()
	}
	for i := range d.Effects {
		x.Effects = append(x.Effects, reply.EffectOf(&d.Effects[i]))
		x.verdicts[i] = approvedName
	}
	for i := range d.Reasons {
		x.object(c, d, &d.Reasons[i])
	}
	x.people(c, d)
	for _, a := range c.Args {
		x.Args = append(x.Args, explainArg{a.Path, a.Role, a.Origin.String(), a.Source, a.Form, len(a.Value)})
	}
	return x
}

// people says what people's rules did, and which would answer the questions. Settings of
// gbt.yaml are named only where no rule can: the hook does not read them.
func (x *explanation) people(c *gates.Context, d *gates.Decision) {
	for _, a := range d.Answered {
		if !slices.Contains(x.Answered, a.By) {
			x.Answered = append(x.Answered, a.By)
		}
	}
	for _, text := range rules.Propose(c, d) {
		x.Answer = append(x.Answer, ruleCommandOf(text))
	}
	for i := range x.Why {
		switch o := &x.Why[i]; {
		case len(x.Answer) > 0:
			o.Allowed = "a rule: " + strings.Join(x.Answer, "; ") + ""
		case strings.HasSuffix(o.Allowed, " in gbt.yaml"):
			o.Allowed += " (read by gbt check, mcp and distill; the hook reads policies and rules)"
		}
	}
}

// ruleCommandOf is the command that writes a rule.
func ruleCommandOf(rule string) string {
	verb, what, _ := strings.Cut(rule, " ")
	return "gbt " + verb + " " + scope.Quote([]string{what})
}

func known(c *gates.Context) string {
	switch c.Class.Basis {
	case call.BasisSchema:
		return "a tool schema of the settings"
	case call.BasisBuiltin:
		return "the built-in table of tools"
	case call.BasisName:
		return "a guess from its name and arguments"
	}
	return "nothing: no table knows it, and its name says nothing"
}

func means(d gates.Disposition) string {
	switch d {
	case gates.Approved:
		return "the call may run"
	case gates.ApprovedWithConstraints:
		return "the call may run after a confirmation of exactly this call"
	case gates.RevisionRequired:
		return "the call must be put in another way"
	}
	return "the call must not run"
}

func (x *explanation) object(c *gates.Context, d *gates.Decision, r *gates.Reason) {
	o := objection{Rule: r.Rule, Disposition: r.Disposition.String(), Message: r.Message, Fields: []string{}}
	var e *gates.Effect
	if i := r.Effect; i >= 0 && i < len(d.Effects) {
		e, o.Effect = &d.Effects[i], &i
		x.verdicts[i] = o.Disposition
	}
	if short, ok := strings.CutPrefix(r.Rule, "gate/"); ok {
		x.gateObjection(c, &o, short)
	} else {
		o.Fields, o.Allowed = fieldsAndRemedy(r.Rule, r.Effect, e, c)
	}
	x.Why = append(x.Why, o)
}

// gateObjection shows a gate's expression and the scalar fields that it names.
func (x *explanation) gateObjection(c *gates.Context, o *objection, short string) {
	for i := range x.gates.Len() {
		g := x.gates.Gate(i)
		if !strings.HasPrefix(g.ID, short) {
			continue
		}
		o.Gate, o.Expression = g.ID, g.Expr
		o.Allowed = "calls for which this holds: " + g.Expr
		o.Fields = gateFields(c, g.Expr)
		return
	}
}

var ctxField = regexp.MustCompile(`\bctx\.[a-z_]+(\.[a-z_]+)*`)

// gateFields lists the fields that an expression names, with their values where
// a value is one word.
func gateFields(c *gates.Context, expr string) []string {
	names := ctxField.FindAllString(expr, -1)
	slices.Sort(names)
	values, out := gates.Values(c), []string{}
	for _, n := range slices.Compact(names) {
		if v, ok := fieldValue(values, strings.TrimPrefix(n, "ctx.")); ok {
			n += " = " + v
		}
		out = append(out, n)
	}
	return out
}

// fieldValue words the value of a field of the call. The lists below a dot are the
// episode's, and longer than a line.
func fieldValue(values map[string]any, name string) (string, bool) {
	key, nested := name, false
	if group, rest, ok := strings.Cut(name, "."); ok {
		if values, nested = values[group].(map[string]any); !nested {
			return "", false
		}
		key = rest
	}
	switch v := values[key].(type) {
	case nil, map[string]any:
		return "", false
	case []any:
		f, _ := gates.Fields().Lookup(program.Context, name)
		return fmt.Sprintf("%d %vs", len(v), gates.Fields().Info(f).Elem), true
	case []string:
		return strings.Join(v, " "), !nested
	default:
		return fmt.Sprint(v), true
	}
}

// fieldsAndRemedy says which fields a rule of the guardrail read, and which
// calls or settings would pass it.
func fieldsAndRemedy(rule string, i int, e *gates.Effect, c *gates.Context) (fields []string, allowed string) {
	if e == nil {
		return []string{}, contentRemedy(rule)
	}
	at := func(name string, value any) string { return fmt.Sprintf("effects[%d].%s = %v", i, name, value) }
	resource := at("resource", e.Resource)
	family, _, _ := strings.Cut(rule, "/")
	switch {
	case rule == "workspace/delete":
		return []string{resource, at("zone", e.Zone)}, "deleting what a build makes again (build, dist, __pycache__, ...) or what the session made itself, or a confirmation"
	case rule == "workspace/discard":
		return []string{resource, at("op", e.Op)}, "the same after git commit or git stash push, or a confirmation"
	case rule == "workspace/move":
		return []string{resource, at("op", e.Op)}, "a copy of it, or a confirmation"
	case rule == "workspace/overwrite":
		return []string{resource, at("op", e.Op)}, "the same after git add or git commit of that file, once the session has read it, or a confirmation"
	case family == "workspace":
		return []string{resource, at("zone", e.Zone)}, "paths below " + strings.Join(c.Roots, ", ") + " or /tmp; for other directories: --root, or guardrail.roots in gbt.yaml"
	case family == "protected":
		return []string{resource, at("zone", e.Zone), at("protected", e.Protected)}, protectedRemedy(e)
	case family == "sensitive":
		return []string{resource, at("sensitive", e.Sensitive)}, "other files; no setting takes a path off the built-in list, guardrail.sensitive adds to it"
	case family == "egress":
		return []string{resource, at("op", e.Op), at("scheme", e.Net.Scheme), at("domain", e.Net.Domain+e.Net.IP), at("port", e.Net.Port)}, egressRemedy(e)
	case rule == "spawn/elsewhere":
		return []string{resource}, "servers: [{name: " + c.Elsewhere + ", touches: machine}] in gbt.yaml, or the rule: allow tool " + c.Elsewhere + "/" + c.ToolName()
	case rule == "spawn/unknown":
		return []string{at("program", e.Program), at("op", e.Op)}, "guardrail.spawn.allow: [" + e.Program + "] in gbt.yaml"
	case rule == "spawn/guard":
		return []string{at("program", e.Program)}, "nothing: a person runs this in a terminal of their own"
	case rule == "spawn/denied":
		return []string{at("program", e.Program)}, "nothing, while guardrail.spawn.deny names " + e.Program
	case rule == "opaque/tool":
		return []string{"tool = " + c.ToolName()}, "a schema in gbt.yaml: tools: [{name: " + c.ToolName() + ", does: read}] with what it really does"
	case family == "opaque":
		return []string{resource}, "the same call with every value written out, in plain complete syntax"
	case rule == "flow/exfiltration":
		return []string{resource, fmt.Sprintf("flow.sensitive_read = %v", c.Flow.SensitiveRead), "effects[].sensitive"}, "sending in a session that has read nothing sensitive"
	case rule == "flow/secret":
		return []string{resource, at("named", e.Named), fmt.Sprintf("flow.sensitive_read = %v", c.Flow.SensitiveRead)}, "a confirmation of exactly this call"
	case rule == "flow/turned":
		return []string{resource, "what the session changed before"}, "a confirmation of exactly this call; rules and remembered answers count again after it"
	case rule == "flow/harmful":
		return []string{resource, "what this file has the run do"}, "a confirmation of exactly this call, or a project whose files do not do that"
	case rule == "flow/unvetted":
		return []string{resource, "flow.unvetted"}, "running a file whose contents would themselves be approved"
	case family == "record":
		return []string{resource, at("op", e.Op)}, "reading records; each change asks for a confirmation"
	}
	return []string{resource, at("op", e.Op), at("program", e.Program)}, "a confirmation of exactly this call"
}

func contentRemedy(rule string) string {
	if strings.HasPrefix(rule, "content/") {
		return "the same call without what the classifier objects to"
	}
	return ""
}

func protectedRemedy(e *gates.Effect) string {
	if e.Protected {
		return "other paths; no setting takes a path off the built-in list"
	}
	return "other paths, while guardrail.protected in gbt.yaml has a pattern for this one"
}

// egressRemedy is the rule that would let a call through.
func egressRemedy(e *gates.Effect) string {
	host := e.Net.Domain + e.Net.IP
	if host == "" {
		return "an address that is written out, so that a rule can name it"
	}
	rule := "guardrail.egress: [{domain: " + host
	if e.Net.Scheme != "" {
		rule += ", schemes: [" + e.Net.Scheme + "]"
	}
	if e.Net.Port != 0 {
		rule += fmt.Sprintf(", ports: [%d]", e.Net.Port)
	}
	if e.Op.String() != "fetch" {
		rule += ", send: true"
	}
	return rule + "}] in gbt.yaml"
}

// text is the explanation for people.
func (x *explanation) text() []byte {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-10s "+format+"\n", append([]any{name}, args...)...)
	}
	line("call", "%s", visible(x.Call))
	line("tool", "%s, family %s, known from %s", visible(x.Tool), x.Family, x.Known)
	line("decision", "%s: %s", x.Disposition, x.Means)
	if x.Would != "" {
		line("", "profile %s only reports: in profile workspace it would be %s", x.Profile, x.Would)
	}
	for i, text := range strings.Split(x.User, "\n") {
		if text != "" {
			line([...]string{"to you", ""}[min(i, 1)], "%s", visible(text))
		}
	}
	if x.Agent != "" {
		line("to a model", "%s", visible(x.Agent))
	}
	line("undo", "%s", x.Tier)
	line("where", "%s, roots %s", visible(x.Cwd), visible(strings.Join(x.Roots, ", ")))
	line("decided by", "profile %s, %s", x.Profile, x.Policy)
	line("id", "%s", x.DecisionID)
	for _, by := range x.Answered {
		line("answered", "%s", visible(by))
	}
	for _, a := range x.Answer {
		line("answer", "%s", visible(a))
	}
	x.whyText(&b)
	if len(x.Effects) > 0 {
		b.WriteString("\nwhat it does\n")
	}
	for i := range x.Effects {
		e := &x.Effects[i]
		fmt.Fprintf(&b, "  %2d  %-26s %-22s %-10s %s\n", i, x.verdicts[i], e.Type+"/"+e.Op, e.Zone, visible(e.Resource))
	}
	if len(x.Args) > 0 {
		b.WriteString("\narguments\n")
	}
	for _, a := range x.Args {
		fmt.Fprintf(&b, "  %s: %s, from %s\n", visible(a.Path), orAny(a.Role), strings.TrimSpace(a.Origin+" "+a.Source+" "+a.Form))
	}
	return []byte(b.String())
}

func orAny(role string) string {
	if role == "" {
		return "no role"
	}
	return role
}

func (x *explanation) whyText(b *strings.Builder) {
	if len(x.Why) == 0 {
		fmt.Fprintf(b, "\nno rule or gate objects\n")
	}
	for i := range x.Why {
		o := &x.Why[i]
		fmt.Fprintf(b, "\n%s  %s\n", o.Disposition, o.Rule)
		if o.Gate != "" {
			fmt.Fprintf(b, "   gate     %s\n   holds    %s\n", o.Gate, visible(o.Expression))
		}
		fmt.Fprintf(b, "   because  %s\n", visible(o.Message))
		for _, f := range o.Fields {
			if strings.HasSuffix(f, " = ") || strings.HasSuffix(f, ".port = 0") {
				continue // nothing is known of it
			}
			fmt.Fprintf(b, "   field    %s\n", visible(f))
		}
		if o.Allowed != "" {
			fmt.Fprintf(b, "   allowed  %s\n", visible(o.Allowed))
		}
	}
	if x.Library {
		b.WriteString("\na gate of another node stops this call there: --strict asks it here too\n")
	}
	if x.Content != nil {
		fmt.Fprintf(b, "\nclassifier %s answered %s\n", x.Content.Classifier, visible(x.Content.Token))
	}
}

// visible makes text that comes from a call one line that a terminal shows as it
// is: control characters and what changes the direction of text are escaped.
func visible(s string) string {
	q := strings.ReplaceAll(fmt.Sprintf("%q", s), `\"`, `"`)
	return strings.ReplaceAll(cutText(q[1:len(q)-1], 2000), `\\`, `\`)
}
