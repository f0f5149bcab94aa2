package episode

import (
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// TestRepairs: code that breaks the list of modules may be written another way three
// times; then none runs until the user speaks. Code that passes, and words, begin anew.
func TestRepairs(t *testing.T) {
	k := gates.Checker{Guardrail: gates.Guardrail{Imports: []string{"numpy"}}}
	var m Memory
	made := func(code string) gates.Disposition {
		st := gates.State{Cwd: "/w", Roots: []string{"/w"}}
		m.Before(&st)
		c := k.Context(gates.Request{Tool: "python", Args: []byte(`{"code":"` + code + `"}`)}, st)
		d := k.Check(&c, nil)
		if d.Disposition == gates.Approved {
			m.Ran(&c, 1)
		} else {
			m.Stopped(&d)
		}
		return d.Disposition
	}
	for i, step := range []struct {
		code, say string
		want      gates.Disposition
	}{
		{"import a", "", gates.RevisionRequired}, {"import a", "", gates.RevisionRequired}, {"import a", "", gates.RevisionRequired},
		{"import numpy", "", gates.Approved}, // a repair that holds
		{"import a", "", gates.RevisionRequired}, {"eval(x)", "", gates.RevisionRequired}, {"import b", "", gates.RevisionRequired}, {"x = (", "", gates.RevisionRequired},
		{"import numpy", "", gates.Rejected}, {"print(1)", "", gates.Rejected},
		{"import numpy", "use numpy", gates.Approved}, {"import a", "", gates.RevisionRequired},
	} {
		m.Hear(step.say)
		if got := made(step.code); got != step.want {
			t.Errorf("%d: %s: %s, want %s", i, step.code, got, step.want)
		}
	}
	var other Memory
	d := gates.Decision{Disposition: gates.Rejected, Reasons: []gates.Reason{{Rule: "workspace/delete"}}}
	if other.Stopped(&d) || other.broke != 0 {
		t.Error("another reason counts")
	}
}
