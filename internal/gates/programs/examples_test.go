package programs_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/gates/programs"
)

// TestExamples reads every example of every program as package shell does.
func TestExamples(t *testing.T) {
	list, err := programs.Read(os.DirFS("../shell/programs"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, p := range list {
		for _, e := range p.Examples {
			n++
			if problem := read(e); problem != "" {
				t.Errorf("%s:%d: %s: %s", p.File, e.Line, e.Run, problem)
			}
		}
	}
	if n < 20 {
		t.Errorf("only %d examples", n)
	}
}

// read says what is wrong with the reading of an example, or nothing.
func read(e programs.Example) string {
	c := gates.ShellContext(e.Run, gates.State{Cwd: "/srv/project", Roots: []string{"/srv/project"}, Home: "/home/me", UID: 1000, GID: 1000})
	if e.Asks {
		var g gates.Guardrail
		if d := g.Decide(&c); d.Disposition == gates.Approved {
			return "goes through unasked"
		}
		return ""
	}
	var got []string
	for _, f := range c.Effects {
		resource := strings.TrimPrefix(f.Resource, "/srv/project/")
		got = append(got, strings.TrimSpace(fmt.Sprintf("%v %v %s", f.Kind, f.Op, resource)))
	}
	want := slices.Sorted(slices.Values(e.Gives))
	slices.Sort(got)
	got = slices.Compact(got)
	if !slices.Equal(got, want) {
		return "gives [" + strings.Join(got, ", ") + "]"
	}
	return ""
}

func TestExamplesAreHeldToWhatTheySay(t *testing.T) {
	for _, c := range []struct {
		name string
		e    programs.Example
		ok   bool
	}{
		{"effects in any order", programs.Example{Run: "head a.txt", Gives: []string{"spawn run head", "read read a.txt"}}, true},
		{"an effect too few", programs.Example{Run: "head a.txt", Gives: []string{"spawn run head"}}, false},
		{"a line that asks", programs.Example{Run: "curl -d @a.txt https://example.com", Asks: true}, true},
		{"a line that does not", programs.Example{Run: "head a.txt", Asks: true}, false},
	} {
		if problem := read(c.e); (problem == "") != c.ok {
			t.Errorf("%s: %q", c.name, problem)
		}
	}
}
