package bench

import (
	"fmt"
	"testing"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/gates/lang"
)

// rule is one gate in two languages: an expression that must hold, and what the
// body of a Rego rule asks of input to stop the call.
type rule struct{ cel, rego string }

// templates are the kinds of gates that people and the learner write: protected
// paths, domains, patterns over command lines, recipients, tools, flows. %d
// makes a hundred or a thousand different ones of them.
var templates = []rule{
	{`!ctx.effects.exists(e, e.type == "delete" && e.resource.under("/srv/data%d"))`,
		`some e in input.effects; e.type == "delete"; startswith(e.resource, "/srv/data%d")`},
	{`ctx.effects.all(e, e.type != "network" || !e.domain.domainUnder("host%d.example.net"))`,
		`some e in input.effects; e.type == "network"; endswith(e.domain, "host%d.example.net")`},
	{`!ctx.effects.exists(e, e.type == "spawn" && e.argv.matches("(?i)tool%d\\s+(deploy|drop)\\b"))`,
		"some e in input.effects; e.type == \"spawn\"; regex.match(`(?i)tool%d\\s+(deploy|drop)\\b`, e.argv)"},
	{`!ctx.args.exists(a, a.role == "recipient" && a.value == "box%d@example.net")`,
		`some a in input.args; a.role == "recipient"; a.value == "box%d@example.net"`},
	{`ctx.tool != "admin_action_%d"`, `input.tool == "admin_action_%d"`},
	{`!(ctx.flow.sensitive_read && ctx.effects.exists(e, e.type == "network" && e.port == 443 && e.domain == "drop%d.example"))`,
		`input.flow.sensitive_read; some e in input.effects; e.type == "network"; e.port == 443; e.domain == "drop%d.example"`},
	{`!ctx.effects.exists(e, e.type == "write" && e.resource.endsWith("/secret%d.pem"))`,
		`some e in input.effects; e.type == "write"; endswith(e.resource, "/secret%d.pem")`},
	{`!ctx.effects.exists(e, e.argv.contains("--token%d="))`,
		`some e in input.effects; contains(e.argv, "--token%d=")`},
}

// general are gates that concern ordinary calls too, so that some of the
// contexts are stopped; no fact about names rules them out.
var general = []rule{
	{`!ctx.effects.exists(e, e.type == "delete" && (e.resource.under("/etc") || e.resource.under("/usr")))`,
		`some e in input.effects; e.type == "delete"; regex.match("^/(etc|usr)(/|$)", e.resource)`},
	{`!ctx.effects.exists(e, e.type == "network" && e.scheme == "http")`,
		`some e in input.effects; e.type == "network"; e.scheme == "http"`},
	{`!ctx.effects.exists(e, e.type == "read" && e.sensitive)`,
		`some e in input.effects; e.type == "read"; e.sensitive`},
	{`size(ctx.effects) <= 20`, `count(input.effects) > 20`},
}

// rules returns n rules: the general ones, then templates.
func rules(n int) []rule {
	out := append([]rule(nil), general[:min(n, len(general))]...)
	for i := 0; len(out) < n; i++ {
		t := templates[i%len(templates)]
		out = append(out, rule{fmt.Sprintf(t.cel, i), fmt.Sprintf(t.rego, i)})
	}
	return out
}

func library(tb testing.TB, n int) *gates.Library {
	tb.Helper()
	p := artifacts.Policy{}
	for _, r := range rules(n) {
		canonical, prog, err := lang.Compile(r.cel)
		if err != nil {
			tb.Fatal(err)
		}
		id := artifacts.GateID(artifacts.ScopeGlobal, artifacts.DispositionReject, canonical)
		p.Gates = append(p.Gates, artifacts.Gate{ID: id, Scope: artifacts.ScopeGlobal, Disposition: artifacts.DispositionReject, Expr: canonical, Program: prog})
	}
	l, err := p.Library()
	if err != nil {
		tb.Fatal(err)
	}
	return l
}
