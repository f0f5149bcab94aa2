package gates

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// fixedLibrary stops every call with the gates it is made of.
type fixedLibrary struct {
	global, node []string
	disp         Disposition
}

func (l fixedLibrary) all() []string { return append(slices.Clone(l.global), l.node...) }

func (l fixedLibrary) Eval(_ *Context, node []string, dst []int) []int {
	for i, id := range l.all() {
		if slices.Contains(l.global, id) || slices.Contains(node, id) {
			dst = append(dst, i)
		}
	}
	return dst
}

func (l fixedLibrary) EvalAll(_ *Context, dst []int) []int {
	for i := range l.all() {
		dst = append(dst, i)
	}
	return dst
}

func (l fixedLibrary) Verdict(i int) (string, Disposition, string) {
	return l.all()[i], l.disp, "use another way"
}

func TestCheckerTakesTheStrictest(t *testing.T) {
	reject := fixedLibrary{global: []string{"g"}, node: []string{"n"}, disp: Rejected}
	onlyNode := fixedLibrary{node: []string{"n"}, disp: RevisionRequired}
	tests := []struct {
		name    string
		k       Checker
		command string
		node    []string
		want    Disposition
		would   Disposition
		gates   []string
		library bool
	}{
		{"no gates, harmless", Checker{}, "ls", nil, Approved, Approved, nil, false},
		{"no gates, guardrail rejects", Checker{}, "rm -rf /etc", nil, Rejected, Rejected, nil, false},
		{"global gate", Checker{Library: reject}, "ls", nil, Rejected, Rejected, []string{"g"}, false},
		{"global and node gate", Checker{Library: reject}, "ls", []string{"n"}, Rejected, Rejected, []string{"g", "n"}, false},
		{"another node's gate is reported", Checker{Library: onlyNode}, "ls", nil, Approved, Approved, nil, true},
		{"strict enforces it", Checker{Library: onlyNode, Strict: true}, "ls", nil, RevisionRequired, RevisionRequired, []string{"n"}, false},
		{"a gate does not loosen the guardrail", Checker{Library: onlyNode}, "rm -rf /etc", []string{"n"}, Rejected, Rejected, []string{"n"}, false},
		{"observe reports and approves", Checker{Library: reject, Guardrail: Guardrail{Profile: ProfileObserve}}, "ls", nil, Approved, Rejected, []string{"g"}, false},
	}
	for _, tt := range tests {
		c := ShellContext(tt.command, State{Cwd: "/w"})
		d := tt.k.Check(&c, tt.node)
		if d.Disposition != tt.want || d.Would != tt.would || !reflect.DeepEqual(d.Gates, tt.gates) || d.LibraryRejected != tt.library {
			t.Errorf("%s: %v would %v gates %v library %v", tt.name, d.Disposition, d.Would, d.Gates, d.LibraryRejected)
		}
		for _, id := range d.Gates {
			if !slices.ContainsFunc(d.Reasons, func(r Reason) bool { return r.Rule == "gate/"+id && r.Message == "use another way" }) {
				t.Errorf("%s: no reason for gate %s in %v", tt.name, id, d.Reasons)
			}
		}
	}
}

func TestDecisionID(t *testing.T) {
	id := func(command, cwd, policy string, k Checker) string {
		c := ShellContext(command, State{Cwd: cwd})
		d := k.Check(&c, nil)
		return d.ID(&c, policy)
	}
	want := id("rm -rf build", "/w", "p", Checker{})
	if len(want) != 32 || strings.Trim(want, "0123456789abcdef") != "" {
		t.Fatalf("id %q", want)
	}
	if got := id("rm   -rf  build # now", "/w", "p", Checker{}); got != want {
		t.Error("blanks and a comment change the id of the same effects")
	}
	for name, other := range map[string]string{
		"another command": id("rm -rf built", "/w", "p", Checker{}), "another directory": id("rm -rf build", "/v", "p", Checker{}),
		"another policy": id("rm -rf build", "/w", "q", Checker{}), "another verdict": id("rm -rf build", "/w", "p", Checker{Guardrail: Guardrail{Profile: ProfileStrict}}),
	} {
		if other == want {
			t.Errorf("%s has the same id", name)
		}
	}
}
