package lang

import (
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

func TestCanonical(t *testing.T) {
	for _, tc := range []struct {
		name string
		want string
		in   []string
	}{
		{"spacing and quoting", `ctx.tool == "bash"`, []string{`ctx.tool=="bash"`, ` ctx . tool == 'bash' `, `(ctx.tool) == ("bash")`, `ctx.tool == "ba\x73h"`, `"bash" == ctx.tool`, `ctx.tool in ["bash"]`, `ctx.tool in ['bash', "bash"]`, `!!(ctx.tool == "bash")`, `!(ctx.tool != "bash")`}},
		{"operand order", `ctx.high || ctx.tool == "a" || ctx.uid == 0`, []string{`ctx.uid == 0 || (ctx.tool == "a" || ctx.high)`, `ctx.high || ctx.uid == 0 || ctx.tool == "a" || ctx.high`}},
		{"lists", `ctx.tool in ["a", "b", "c"]`, []string{`ctx.tool in ["c","a","b","a"]`, `ctx.tool == "a" || ctx.tool in ["b", "c"]`}},
		{"negated lists", `!(ctx.tool in ["a", "b"])`, []string{`ctx.tool != "a" && ctx.tool != "b"`, `!(ctx.tool == "a" || ctx.tool == "b")`}},
		{"quantifiers", `ctx.effects.all(e, !e.resource.under("/etc") || e.type != "delete")`, []string{`!ctx.effects.exists(x, x.type == "delete" && x.resource.under("/etc"))`, `ctx.effects.all(yy, !(yy.resource.under("/etc") && yy.type == "delete"))`}},
		{"joined quantifiers", `ctx.effects.all(e, e.op != "wipe" && e.type != "signal")`, []string{`ctx.effects.all(e, e.type != "signal") && ctx.effects.all(f, f.op != "wipe")`}},
		{"membership", `"network" in ctx.types`, []string{`ctx.types.exists(t, t == "network")`}},
		{"integers", `ctx.effects.all(e, e.port >= 1025)`, []string{`ctx.effects.all(e, e.port > 1024)`, `ctx.effects.all(e, 1024 < e.port)`, `ctx.effects.all(e, !(e.port <= 1024))`}},
		{"constants", `ctx.high`, []string{`ctx.high == true`, `ctx.high && 1 < 2`, `ctx.high || "a" == "b"`, `ctx.high && ctx.tool.startsWith("")`, `false != ctx.high`}},
		{"nothing passes", `false`, []string{`ctx.high && !ctx.high`, `ctx.tool == "a" && ctx.tool == "b"`, `ctx.effects.exists(e, false)`}},
		{"inner variables", `ctx.effects.all(e, ctx.roots.exists(s2, e.resource.under(s2)))`, []string{`ctx.effects.all(a, ctx.roots.exists(b, a.resource.under(b)))`}},
	} {
		for _, in := range append(tc.in, tc.want) {
			got, prog, err := Compile(in)
			if err != nil {
				t.Errorf("%s: %s: %v", tc.name, in, err)
				continue
			}
			if got != tc.want {
				t.Errorf("%s: %s: canonical text %s, want %s", tc.name, in, got, tc.want)
			}
			if err := gates.CheckProgram(prog); err != nil {
				t.Errorf("%s: %s: %v", tc.name, in, err)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	for _, tc := range []struct{ in, where, want string }{
		{``, "1:1", "Syntax error"},
		{`ctx.tool ==`, "1:12", "Syntax error"},
		{`ctx.thought == "x"`, "1:4", "undefined field 'thought'"},
		{`ctx.tool == 5`, "1:10", "no matching overload"},
		{`ctx.tool`, "1:1", "a gate is true or false"},
		{"ctx.high &&\n ctx.args[0].value == \"x\"", "2:10", "a field is read from ctx"},
		{`ctx.tool + "x" == "ax"`, "1:10", "operator +"},
		{`ctx.high ? true : false`, "1:10", "operator ?:"},
		{`ctx.effects.exists_one(e, e.high)`, "1:23", "undeclared reference to 'exists_one'"},
		{`ctx.effects.map(e, e.type) == ["x"]`, "", "undeclared reference"},
		{`has(ctx.tool)`, "", "every field is always present"},
		{`ctx.tool.matches("(")`, "1:18", "not RE2"},
		{`ctx.tool.matches(ctx.cwd)`, "1:21", "a pattern is a constant"},
		{`ctx.cwd.under("etc/")`, "1:15", "absolute and clean"},
		{`ctx.cwd.domainUnder("Example.com")`, "1:21", "lower case"},
		{`["a"].exists(x, x == ctx.tool)`, "", "not a list of the context"},
		{`ctx.args.exists(a, ctx.effects.exists(e, ctx.history.exists(h, h.time == a.size)))`, "", "at most two"},
		{`5u == 5u`, "", "constants are bool, int or string"},
		{`timestamp("2026-01-01T00:00:00Z") < timestamp("2026-01-01T00:00:00Z")`, "", "no function timestamp"},
		{`(ctx.high && ctx.flow.sensitive_read) == ctx.high`, "", "bools are not compared"},
		{`ctx.flow == ctx.flow`, "", "an object, not a value"},
		{`lang.celFlow{}.sensitive_read`, "", ""},
		{strings.Repeat("!", 70000) + "ctx.high", "1:1", "more than 65536 bytes"},
		{strings.Repeat("(", 3000) + "ctx.high" + strings.Repeat(")", 3000), "", "recursion"},
	} {
		_, prog, err := Compile(tc.in)
		if err == nil || prog != nil {
			t.Errorf("%.60s: compiled", tc.in)
			continue
		}
		if e, ok := err.(*Error); !ok || e.Line < 1 || e.Col < 1 {
			t.Errorf("%.60s: no place in %v", tc.in, err)
		}
		if !strings.HasPrefix(err.Error(), tc.where) || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%.60s: %v, want %s: %s", tc.in, err, tc.where, tc.want)
		}
	}
}
