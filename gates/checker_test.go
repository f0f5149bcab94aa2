package gates_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/gates/lang"
)

// library makes gates that let nothing pass that has an effect, or that let
// everything pass.
func library(t *testing.T, gs ...gates.Gate) *gates.Library {
	t.Helper()
	for i := range gs {
		expr, program, err := lang.Compile(gs[i].Expr)
		if err != nil {
			t.Fatal(err)
		}
		gs[i].Expr, gs[i].Program, gs[i].Message = expr, program, "use another way"
	}
	l, err := gates.NewLibrary(gs)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestCheckerTakesTheStrictest(t *testing.T) {
	const never = `ctx.tool == "no tool"`
	reject := library(t, gates.Gate{ID: "g", Scope: "global", Disposition: "rejected", Expr: never},
		gates.Gate{ID: "n", Scope: "node", Disposition: "rejected", Expr: never}, gates.Gate{ID: "p", Scope: "global", Disposition: "rejected", Expr: `ctx.tool != "no tool"`})
	onlyNode := library(t, gates.Gate{ID: "n", Scope: "node", Disposition: "revision_required", Expr: never})
	below := library(t, gates.Gate{ID: "s", Scope: "subtree", Disposition: "rejected", Expr: never})
	tests := []struct {
		name    string
		k       gates.Checker
		command string
		node    []string
		want    gates.Disposition
		would   gates.Disposition
		gates   []string
		library bool
	}{
		{"no gates, harmless", gates.Checker{}, "ls", nil, gates.Approved, gates.Approved, nil, false},
		{"no gates, guardrail rejects", gates.Checker{}, "rm -rf /etc", nil, gates.Rejected, gates.Rejected, nil, false},
		{"global gate", gates.Checker{Library: reject}, "ls", nil, gates.Rejected, gates.Rejected, []string{"g"}, false},
		{"global and node gate", gates.Checker{Library: reject}, "ls", []string{"n"}, gates.Rejected, gates.Rejected, []string{"g", "n"}, false},
		{"a subtree's gate in it", gates.Checker{Library: below}, "ls", []string{"s"}, gates.Rejected, gates.Rejected, []string{"s"}, false},
		{"a subtree's gate outside", gates.Checker{Library: below}, "ls", []string{}, gates.Approved, gates.Approved, nil, true},
		{"a subtree's gate at another node's gates", gates.Checker{Library: below}, "ls", []string{"n"}, gates.Approved, gates.Approved, nil, true},
		{"a subtree's gate where nobody knows the node", gates.Checker{Library: below}, "ls", nil, gates.Rejected, gates.Rejected, []string{"s"}, false},
		{"another node's gate is reported", gates.Checker{Library: onlyNode}, "ls", nil, gates.Approved, gates.Approved, nil, true},
		{"strict enforces it", gates.Checker{Library: onlyNode, Strict: true}, "ls", nil, gates.RevisionRequired, gates.RevisionRequired, []string{"n"}, false},
		{"a gate does not loosen the guardrail", gates.Checker{Library: onlyNode}, "rm -rf /etc", []string{"n"}, gates.Rejected, gates.Rejected, []string{"n"}, false},
		{"observe reports and approves", gates.Checker{Library: reject, Guardrail: gates.Guardrail{Profile: gates.ProfileObserve}}, "ls", nil, gates.Approved, gates.Rejected, []string{"g"}, false},
	}
	for _, tt := range tests {
		c := gates.ShellContext(tt.command, gates.State{Cwd: "/w"})
		d := tt.k.Check(&c, tt.node)
		if d.Disposition != tt.want || d.Would != tt.would || !reflect.DeepEqual(d.Gates, tt.gates) || d.LibraryRejected != tt.library {
			t.Errorf("%s: %v would %v gates %v library %v", tt.name, d.Disposition, d.Would, d.Gates, d.LibraryRejected)
		}
		for _, id := range d.Gates {
			if !slices.ContainsFunc(d.Reasons, func(r gates.Reason) bool { return r.Rule == "gate/"+id && r.Message == "use another way" }) {
				t.Errorf("%s: no reason for gate %s in %v", tt.name, id, d.Reasons)
			}
		}
	}
}

func TestDecisionID(t *testing.T) {
	id := func(command, cwd, policy string, k gates.Checker) string {
		c := gates.ShellContext(command, gates.State{Cwd: cwd})
		d := k.Check(&c, nil)
		return d.ID(&c, policy)
	}
	want := id("rm -rf build", "/w", "p", gates.Checker{})
	if len(want) != 32 || strings.Trim(want, "0123456789abcdef") != "" {
		t.Fatalf("id %q", want)
	}
	if got := id("rm   -rf  build # now", "/w", "p", gates.Checker{}); got != want {
		t.Error("blanks and a comment change the id of the same effects")
	}
	for name, other := range map[string]string{
		"another command": id("rm -rf built", "/w", "p", gates.Checker{}), "another directory": id("rm -rf build", "/v", "p", gates.Checker{}),
		"another policy": id("rm -rf build", "/w", "q", gates.Checker{}), "another verdict": id("rm -rf build", "/w", "p", gates.Checker{Guardrail: gates.Guardrail{Profile: gates.ProfileStrict}}),
	} {
		if other == want {
			t.Errorf("%s has the same id", name)
		}
	}
}

func TestAppsLeavesRecordsToTheGates(t *testing.T) {
	vetted := gates.Gate{ID: "g", Scope: "global", Disposition: "rejected", Expr: `!ctx.high || ctx.args.all(a, a.origin != "untrusted")`}
	there := vetted
	there.Scope = "node"
	apps := func(gs ...gates.Gate) gates.Checker {
		return gates.Checker{Library: library(t, gs...), Guardrail: gates.Guardrail{Profile: gates.ProfileApps}}
	}
	strict := apps(there)
	strict.Strict = true
	const event, ask = `{"title":"standup"}`, gates.ApprovedWithConstraints
	tests := []struct {
		name, tool, args string
		k                gates.Checker
		node             []string
		want             gates.Disposition
	}{
		{"workspace asks", "create_calendar_event", event, gates.Checker{Library: library(t, vetted)}, nil, ask},
		{"a gate judges it", "create_calendar_event", event, apps(vetted), nil, gates.Approved},
		{"no gate", "create_calendar_event", event, apps(), nil, ask},
		{"a gate about another tool", "create_calendar_event", event, apps(gates.Gate{ID: "g", Scope: "global", Disposition: "rejected", Expr: `ctx.tool != "send_email" || ctx.args.all(a, a.origin != "untrusted")`}), nil, ask},
		{"a gate about a value", "create_calendar_event", event, apps(gates.Gate{ID: "g", Scope: "global", Disposition: "rejected", Expr: `ctx.args.all(a, a.value != "party")`}), nil, ask},
		{"a gate of another node", "create_calendar_event", event, apps(there), []string{"h"}, ask},
		{"a gate of this node", "create_calendar_event", event, apps(there), []string{"g"}, gates.Approved},
		{"strict asks every node's", "create_calendar_event", event, strict, nil, gates.Approved},
		{"nothing is known of the arguments", "create_calendar_event", `{"title":"unheard"}`, apps(vetted), nil, ask},
		{"no arguments", "delete_calendar_event", `{}`, apps(vetted), nil, ask},
		{"a gate about a value of any argument", "send_email", `{"recipients":["ana@example.org"],"subject":"standup"}`, apps(gates.Gate{ID: "g", Scope: "global", Disposition: "rejected", Expr: `ctx.args.all(a, a.path != "subject" || !a.value.contains("/"))`}), nil, ask},
		{"the recipient is known", "send_email", `{"recipients":["standup"],"subject":"unheard"}`, apps(vetted), nil, gates.Approved},
		{"the recipient is not, the subject is", "send_email", `{"recipients":["ana@example.org"],"subject":"standup"}`, apps(vetted), nil, ask},
		{"a gate about one of two recipients", "send_email", `{"recipients":["standup"],"cc":["plan"]}`, apps(gates.Gate{ID: "g", Scope: "global", Disposition: "rejected", Expr: `ctx.args.all(a, !a.path.startsWith("recipients") || a.origin != "untrusted")`}), nil, ask},
		{"a gate stops", "send_email", `{"recipients":["a@example.org"]}`, apps(vetted), nil, gates.Rejected},
		{"an application's file, by id", "append_to_file", `{"file_id":"standup","content":"x"}`, apps(vetted), nil, gates.Approved},
		{"sharing it", "share_file", `{"file_id":"standup","email":"a@example.org"}`, apps(vetted), nil, gates.Rejected},
		{"deleting it", "delete_file", `{"file_id":"standup"}`, apps(vetted), nil, ask},
		{"files are not records", "Write", `{"file_path":"/etc/x","content":"standup"}`, apps(vetted), nil, ask},
		{"nor are command lines", "Bash", `{"command":"curl https://example.org","description":"standup"}`, apps(vetted), nil, ask},
		{"unknown tools ask", "zorp", event, apps(vetted), nil, ask},
	}
	for _, tt := range tests {
		call := gates.Request{Tool: tt.tool, Args: []byte(tt.args)}
		c := tt.k.Context(call, gates.State{Cwd: "/w", Roots: []string{"/w"}, Sources: gates.Told("Plan the standup", "write to a@example.org")})
		if d := tt.k.Check(&c, tt.node); d.Disposition != tt.want {
			t.Errorf("%s: %v, want %v: %v", tt.name, d.Disposition, tt.want, d.Reasons)
		}
	}
}
