package lang

import "testing"

func TestSubsumes(t *testing.T) {
	const net = `ctx.effects.all(e, e.type != "network" || e.domain.domainUnder("example.com"))`
	for _, tc := range []struct {
		name, new, old string
		want           bool
	}{
		{"equal but for form", `!ctx.effects.exists(x, x.type == "delete")`, `ctx.effects.all(e, e.type != 'delete')`, true},
		{"a conjunct more", `ctx.high && ctx.tool != "a"`, `ctx.tool != "a"`, true},
		{"a conjunct less", `ctx.tool != "a"`, `ctx.high && ctx.tool != "a"`, false},
		{"an alternative less", `ctx.high`, `ctx.high || ctx.tool == "a"`, true},
		{"an alternative more", `ctx.high || ctx.tool == "a"`, `ctx.high`, false},
		{"shorter list of allowed", `ctx.tool in ["a", "b"]`, `ctx.tool in ["a", "b", "c"]`, true},
		{"longer list of allowed", `ctx.tool in ["a", "b", "c"]`, `ctx.tool in ["a", "b"]`, false},
		{"longer list of stopped", `!(ctx.tool in ["a", "b", "c"])`, `ctx.tool != "a"`, true},
		{"shorter list of stopped", `ctx.tool != "a"`, `!(ctx.tool in ["a", "b"])`, false},
		{"directory above stopped", `!ctx.cwd.under("/etc")`, `!ctx.cwd.under("/etc/ssh")`, true},
		{"directory below stopped", `!ctx.cwd.under("/etc/ssh")`, `!ctx.cwd.under("/etc")`, false},
		{"sibling directory", `!ctx.cwd.under("/etc")`, `!ctx.cwd.under("/etcetera")`, false},
		{"narrower domain allowed", `ctx.effects.all(e, e.type != "network" || e.domain.domainUnder("api.example.com"))`, net, true},
		{"one domain allowed", `ctx.effects.all(e, e.type != "network" || e.domain in ["a.example.com", "example.com"])`, net, true},
		{"another domain allowed", `ctx.effects.all(e, e.type != "network" || e.domain == "notexample.com")`, net, false},
		{"prefix", `!ctx.tool.startsWith("de")`, `!ctx.tool.startsWith("del")`, true},
		{"prefix the other way", `!ctx.tool.startsWith("del")`, `!ctx.tool.startsWith("de")`, false},
		{"contains", `!ctx.tool.contains("ll")`, `!ctx.tool.endsWith("all")`, true},
		{"range inside", `ctx.uid >= 1000 && ctx.uid < 2000`, `ctx.uid > 999`, true},
		{"range outside", `ctx.uid > 999`, `ctx.uid >= 1000 && ctx.uid < 2000`, false},
		{"higher lower bound", `ctx.uid >= 5`, `ctx.uid >= 3`, true},
		{"lower lower bound", `ctx.uid >= 3`, `ctx.uid >= 5`, false},
		{"text above another", `ctx.tool > "b"`, `ctx.tool >= "a"`, true},
		{"last constant alone", `ctx.tool in ["b", "send"]`, `ctx.tool.startsWith("send")`, false},
		{"last constant alone is not", `ctx.tool in ["send", "x"]`, `!ctx.tool.startsWith("send")`, false},
		{"pattern from a constant", `ctx.tool == "send_mail"`, `ctx.tool.matches("^send_")`, true},
		{"pattern from another", `ctx.tool.matches("^send_m")`, `ctx.tool.matches("^send_")`, false},
		{"element of a list", `!("network" in ctx.types)`, `ctx.types.all(s, s != "network")`, true},
		{"more kinds stopped", `ctx.types.all(s, s in ["read", "list"])`, `!("network" in ctx.types)`, true},
		{"list said otherwise", `ctx.types.all(s, "network" in ctx.types)`, `!("network" in ctx.types)`, false},
		{"two facts about an element", `ctx.effects.all(e, e.type == "read") && ctx.effects.all(e, e.type != "read" || e.zone == "temp")`, `ctx.effects.all(e, e.zone == "temp")`, true},
		{"a fact from outside", `ctx.high && ctx.effects.all(e, !ctx.high || e.glob)`, `ctx.effects.all(e, e.glob)`, true},
		{"exists is not all", `ctx.effects.exists(e, e.glob)`, `ctx.effects.all(e, e.glob)`, false},
		{"all is not exists", `ctx.effects.all(e, e.glob)`, `ctx.effects.exists(e, e.glob)`, false},
		{"other lists", `ctx.args.all(a, a.path == "x")`, `ctx.history.all(h, h.resource == "x")`, false},
		{"nothing passes", `false`, `ctx.high`, true},
		{"everything passes", `ctx.high`, `true`, true},
		{"a text that does not compile", `ctx.nothing`, `true`, false},
	} {
		if got := Subsumes(tc.new, tc.old); got != tc.want {
			t.Errorf("%s: Subsumes(%s, %s) = %v, want %v", tc.name, tc.new, tc.old, got, tc.want)
		}
	}
}
