package review

import (
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
)

// TestSchemaSaysMore: a schema is no weaker only where every gate still sees the tool.
func TestSchemaSaysMore(t *testing.T) {
	url := []call.ArgSchema{{Name: "at", Role: effect.RoleURLSend}}
	for _, tt := range []struct {
		name     string
		old, new effect.Verb
		args     []call.ArgSchema // of the new one
		gate     string
		more     bool
	}{
		{"reads, then writes", effect.VerbRead, effect.VerbWrite, nil, `ctx.tool != "x"`, true},
		{"writes, then reads", effect.VerbWrite, effect.VerbRead, nil, `ctx.tool != "x"`, false},
		{"reaches a host, then writes", effect.VerbNavigate, effect.VerbWrite, nil, `ctx.tool != "x"`, false},
		{"a gate on what reads", effect.VerbRead, effect.VerbWrite, nil, `ctx.verb != "read"`, false},
		{"a gate on how it reads", effect.VerbRead, effect.VerbWrite, nil, `ctx.effects.all(e, e.op != "search")`, false},
		{"a gate that lets writing pass", effect.VerbRead, effect.VerbWrite, nil, `ctx.verb == "write" || ctx.tool != "x"`, false},
		{"another argument acts", effect.VerbRead, effect.VerbRead, url, `ctx.tool != "x"`, true},
		{"a gate that lets it pass for that argument", effect.VerbRead, effect.VerbRead, url, `ctx.args.exists(a, a.role == "url-send")`, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			with := func(v effect.Verb, args []call.ArgSchema) *artifacts.Policy {
				p := base(t)
				p.Schemas[0] = artifacts.SchemaOf(&call.Schema{Tool: p.Schemas[0].Name, Family: call.FamilyApp, Verb: v, Resource: call.ResourceRecord, Args: args})
				p.Gates[0].Expr = tt.gate
				return p
			}
			found := strings.Join(Looser(with(tt.old, nil), with(tt.new, tt.args)), " ")
			if (found == "") != tt.more {
				t.Errorf("found %q", found)
			}
		})
	}
}
