package lang

import "testing"

func TestPhrase(t *testing.T) {
	for _, c := range []struct{ expr, want string }{
		{`ctx.tool != "cancel_event"`, "a call of cancel_event"},
		{`true`, "no call at all"},
		{`!ctx.high`, "any high-risk call"},
		{`ctx.args.all(a, a.origin != "untrusted")`, "a call with an argument that comes out of a tool's result"},
		{`ctx.tool != "send_money" || ctx.args.all(a, a.source != "get_scheduled_transactions")`,
			"a call of send_money with an argument that comes out of what get_scheduled_transactions returned"},
		{`!ctx.high || ctx.args.all(a, !(a.path in ["to", "title"]) && !a.path.startsWith("to.") && !a.path.startsWith("title.") || !a.form.contains("~") || a.origin != "untrusted")`,
			"a call whose title or to comes out of text that a tool returned"},
		{`ctx.effects.all(e, e.op != "remove")`, "a call that removes something"},
		{`ctx.effects.all(e, e.op != "run" || e.program != "git")`, "a call that runs git"},
		{`ctx.effects.all(e, e.op != "run_code")`, "a call that runs inline code"},
		{`ctx.effects.all(e, !e.protected || e.op != "remove" || e.program != "rm")`, "a call that removes something protected with rm"},
		{`ctx.effects.all(e, e.type != "list" || e.zone != "outside")`, "a call that lists something outside the workspace"},
		{`ctx.effects.all(e, e.op != "read") || ctx.history.all(h, h.op != "create")`, "a call that reads something after a call that creates something"},
		{`!ctx.effects.exists(x, x.resource.under("/srv/prod"))`, "a call that touches what lies in /srv/prod"},
		{`ctx.effects.all(e, e.type != "network" || e.domain.domainUnder("example.com"))`, "a call that connects to a host outside example.com"},
		{`ctx.effects.all(e, e.type != "network" || e.domain.domainUnder("example.com") && e.domain != "api.example.com")`,
			"a call that connects to api.example.com or a host outside example.com"},
		{`ctx.verb != "send" || !ctx.flow.sensitive_read`, "a call that sends where something secret was read before"},
		{`!ctx.high || ctx.family in ["shell", "sql"] || ctx.args.all(a, a.role != "recipient")`, "a call outside tools for shell or sql and with recipient"},
		{`ctx.tool != "a" && ctx.tool != "b"`, "a call of a or b"},
		{`ctx.tool != "a" && ctx.verb != "send"`, "a call of a, or a call that sends"},
	} {
		got, err := Phrase(c.expr)
		if err != nil || got != c.want {
			t.Errorf("%s\n got %q, %v\nwant %q", c.expr, got, err, c.want)
		}
	}
	if _, err := Phrase("ctx.thought"); err == nil {
		t.Error("a field that no gate has was worded")
	}
}
