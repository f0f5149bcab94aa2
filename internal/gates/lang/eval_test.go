package lang

import (
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// failer is what a testing.T and a rapid.T have in common.
type failer interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

// gate compiles an expression into a global gate.
func gate(t failer, expr string) gates.Gate {
	t.Helper()
	canonical, prog, err := Compile(expr)
	if err != nil {
		t.Fatalf("%s: %v", expr, err)
	}
	return gates.Gate{ID: canonical, Scope: "global", Disposition: "rejected", Expr: canonical, Program: prog}
}

func library(t failer, exprs ...string) *gates.Library {
	t.Helper()
	var gs []gates.Gate
	for _, e := range exprs {
		gs = append(gs, gate(t, e))
	}
	l, err := gates.NewLibrary(gs)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestEval(t *testing.T) {
	state := gates.State{Cwd: "/repo", Roots: []string{"/repo"}, UID: 1000, GID: -1}
	for _, tc := range []struct {
		name, gate, command string
		passes              bool
	}{
		{"protected path", `!ctx.effects.exists(e, e.type == "delete" && e.resource.under("/etc"))`, "rm /etc/passwd", false},
		{"other path", `!ctx.effects.exists(e, e.type == "delete" && e.resource.under("/etc"))`, "rm /repo/etc/passwd", true},
		{"sibling of a path", `!ctx.effects.exists(e, e.resource.under("/etc"))`, "rm /etcetera", true},
		{"domain", `ctx.effects.all(e, e.type != "network" || e.domain.domainUnder("example.com"))`, "curl https://api.example.com/x", true},
		{"domain that ends alike", `ctx.effects.all(e, e.type != "network" || e.domain.domainUnder("example.com"))`, "curl https://notexample.com/x", false},
		{"pattern", `!ctx.effects.exists(e, e.argv.matches("(?i)curl .*evil"))`, "curl https://EVIL.example", false},
		{"confinement", `ctx.effects.all(e, e.type != "write" || ctx.roots.exists(r, e.resource.under(r)))`, "echo x > /repo/a", true},
		{"escape", `ctx.effects.all(e, e.type != "write" || ctx.roots.exists(r, e.resource.under(r)))`, "echo x > /srv/a", false},
		{"identity", `ctx.uid != 0 && ctx.gid < 0`, "ls", true},
		{"kinds", `!("network" in ctx.types)`, "wget http://a.example/b", false},
		{"sizes", `size(ctx.effects) == 0 || size(ctx.roots) == 1`, "ls", true},
	} {
		c := gates.ShellContext(tc.command, state)
		if got := len(library(t, tc.gate).Eval(&c, nil, nil)) == 0; got != tc.passes {
			t.Errorf("%s: %s passes %q: %v, want %v", tc.name, tc.command, tc.gate, got, tc.passes)
		}
	}
}

// TestIndexFinds holds the index to facts that are easy to miss: each context
// is stopped, so the index must have found the gate.
func TestIndexFinds(t *testing.T) {
	long := strings.Repeat("/abc", 2000)
	for _, tc := range []struct {
		name, gate string
		c          gates.Context
	}{
		{"root", `!ctx.cwd.under("/")`, gates.Context{Cwd: "/etc"}},
		{"root itself", `!ctx.cwd.under("/")`, gates.Context{Cwd: "/"}},
		{"directory itself", `!ctx.cwd.under("/etc")`, gates.Context{Cwd: "/etc"}},
		{"long path", `!ctx.cwd.under("/abc")`, gates.Context{Cwd: long}},
		{"long text", `!ctx.cwd.contains("d/a")`, gates.Context{Cwd: long + "d/a"}},
		{"single label", `!ctx.cwd.domainUnder("com")`, gates.Context{Cwd: "a.com"}},
		{"letters that fold outside ASCII", `!ctx.cwd.matches("(?i)kit")`, gates.Context{Cwd: "\u212ait"}},
		{"letters that fold outside ASCII, s", `!ctx.cwd.matches("(?i)sos")`, gates.Context{Cwd: "\u017fo\u017f"}},
		{"replacement character", `!ctx.cwd.matches("a\ufffdb")`, gates.Context{Cwd: "a\xffb"}},
		{"case of a text", `!ctx.cwd.contains("ABC")`, gates.Context{Cwd: "xABCx"}},
		{"short text", `!ctx.cwd.contains("a")`, gates.Context{Cwd: "a"}},
		{"empty text", `ctx.cwd != ""`, gates.Context{}},
		{"optional part", `!ctx.cwd.matches("(abc)?d")`, gates.Context{Cwd: "d"}},
		{"element of a list", `!("/x" in ctx.roots)`, gates.Context{Roots: []string{"/y", "/x"}}},
		{"flag that is not set", `ctx.flow.sensitive_read`, gates.Context{}},
		{"kind of an effect", `!("opaque" in ctx.types)`, gates.Context{Effects: []gates.Effect{{}}}},
	} {
		if got := library(t, tc.gate, `ctx.uid == 0`).Eval(&tc.c, nil, nil); !slices.Equal(got, []int{0}) {
			t.Errorf("%s: %s lets pass %.60q", tc.name, tc.gate, tc.c.Cwd)
		}
	}
}

// TestEvalTooLarge holds contexts outside the limits to be stopped by every
// gate, whatever it asks.
func TestEvalTooLarge(t *testing.T) {
	c := gates.Context{Effects: make([]gates.Effect, 5000)}
	if got := library(t, `true`, `ctx.uid == 0`).Eval(&c, nil, nil); len(got) != 2 {
		t.Errorf("gates %v stop a context of 5000 effects, want both", got)
	}
}

func TestEvalScopes(t *testing.T) {
	global, node, other := gate(t, `ctx.tool == "a"`), gate(t, `ctx.tool == "b"`), gate(t, `ctx.tool == "c"`)
	node.Scope, other.Scope = "node", "node"
	l, err := gates.NewLibrary([]gates.Gate{global, node, other})
	if err != nil {
		t.Fatal(err)
	}
	c := gates.Context{Tool: "Bash"}
	for name, tc := range map[string]struct{ got, want []int }{
		"global alone":   {l.Eval(&c, nil, nil), []int{0}},
		"with the node":  {l.Eval(&c, []string{node.ID}, nil), []int{0, 1}},
		"library-wide":   {l.EvalAll(&c, nil), []int{0, 1, 2}},
		"after others":   {l.Eval(&c, nil, []int{7}), []int{7, 0}},
		"no library":     {(*gates.Library)(nil).Eval(&c, nil, nil), nil},
		"name of a tool": {l.EvalAll(&gates.Context{Tool: "mcp__x__A"}, nil), []int{1, 2}},
	} {
		if !slices.Equal(tc.got, tc.want) {
			t.Errorf("%s: %v, want %v", name, tc.got, tc.want)
		}
	}
}

func TestLibraryRefuses(t *testing.T) {
	for _, prog := range [][]byte{nil, {}, {0}, {2, 0, 1}, {1, 0}, {1, 0, 0}, {1, 0, 1, 1}} {
		if _, err := gates.NewLibrary([]gates.Gate{{Scope: "global", Program: prog}}); err == nil {
			t.Errorf("program %v accepted", prog)
		}
	}
}
