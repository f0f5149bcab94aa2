package gates_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/lang"
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
	never := library(t, gates.Gate{ID: "g", Scope: "global", Disposition: "rejected", Expr: `ctx.tool != "send_email"`},
		gates.Gate{ID: "h", Scope: "node", Disposition: "rejected", Expr: `ctx.tool != "no tool"`})
	apps := gates.Guardrail{Profile: gates.ProfileApps}
	tests := []struct {
		name, tool, args string
		k                gates.Checker
		want             gates.Disposition
	}{
		{"workspace asks", "create_calendar_event", `{"title":"x"}`, gates.Checker{Library: never}, gates.ApprovedWithConstraints},
		{"apps with gates", "create_calendar_event", `{"title":"x"}`, gates.Checker{Library: never, Guardrail: apps}, gates.Approved},
		{"apps without gates asks", "create_calendar_event", `{"title":"x"}`, gates.Checker{Guardrail: apps}, gates.ApprovedWithConstraints},
		{"a gate stops", "send_email", `{"recipients":["a@example.org"]}`, gates.Checker{Library: never, Guardrail: apps}, gates.Rejected},
		{"files are not records", "Write", `{"file_path":"/etc/x","content":"y"}`, gates.Checker{Library: never, Guardrail: apps}, gates.ApprovedWithConstraints},
		{"nor are command lines", "Bash", `{"command":"curl https://example.org"}`, gates.Checker{Library: never, Guardrail: apps}, gates.ApprovedWithConstraints},
		{"unknown tools ask", "zorp", `{}`, gates.Checker{Library: never, Guardrail: apps}, gates.ApprovedWithConstraints},
	}
	for _, tt := range tests {
		c := tt.k.Context(gates.Call{Tool: tt.tool, Args: []byte(tt.args)}, gates.State{Cwd: "/w", Roots: []string{"/w"}})
		if d := tt.k.Check(&c, nil); d.Disposition != tt.want {
			t.Errorf("%s: %v, want %v: %v", tt.name, d.Disposition, tt.want, d.Reasons)
		}
	}
}
