package rules

import (
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// told are the facts of a table; what is not in it nobody knows.
func told(facts map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		v, ok := facts[name]
		return v, ok
	}
}

func TestEnds(t *testing.T) {
	cases := []struct {
		name, rules string
		facts       map[string]string
		want        string // the missing facts, "?" behind what nobody knows
	}{
		{"tests failed", "deny end when not tests passed", map[string]string{"tests": "no"}, "tests passed"},
		{"tests passed", "deny end when not tests passed", map[string]string{"tests": "passed"}, ""},
		{"nobody knows of tests", "deny end when not tests passed", nil, "tests passed?"},
		{"a command did not run", `deny end when not ran "make lint"`, map[string]string{"ran make lint": "no"}, `ran "make lint"`},
		{"a command ran", `deny end when not ran "make lint"`, map[string]string{"ran make lint": "yes"}, ""},
		{"the tree is dirty", "deny end when not tree clean", map[string]string{"tree": "dirty"}, "tree clean"},
		{"on main", "deny end when branch = main", map[string]string{"branch": "main"}, "not branch = main"},
		{"elsewhere", "deny end when branch = main", map[string]string{"branch": "x"}, ""},
		{"both facts hold", "deny end when branch = main and not tests passed", map[string]string{"branch": "main", "tests": "no"}, "not branch = main, tests passed"},
		{"one of two does not", "deny end when branch = main and not tests passed", map[string]string{"branch": "x"}, ""},
		{"a rule about calls", "deny git push when not tests passed", map[string]string{"tests": "no"}, ""},
		{"two rules", "deny end when not tests passed\ndeny end when not tree clean", map[string]string{"tests": "no", "tree": "dirty"}, "tests passed; tree clean"},
	}
	for _, c := range cases {
		f := Parse("r", []byte(c.rules))
		if len(f.Faults) > 0 {
			t.Fatalf("%s: %v", c.name, f.Faults)
		}
		s := NewSet(f)
		var got []string
		for _, l := range s.Ends(told(c.facts)) {
			x := strings.Join(l.Missing, ", ")
			if l.Unknown {
				x += "?"
			}
			if len(l.Do) != len(l.Missing) || l.Do[0] == "" {
				t.Errorf("%s: it does not say what to do: %+v", c.name, l)
			}
			got = append(got, x)
		}
		if g := strings.Join(got, "; "); g != c.want {
			t.Errorf("%s: %q, want %q", c.name, g, c.want)
		}
		if s.AsksEnds() != strings.Contains(c.rules, "deny end") {
			t.Errorf("%s: AsksEnds says %v", c.name, s.AsksEnds())
		}
	}
}

// TestEndRulesStopNoCall: a rule about the end is about no call, whatever holds.
func TestEndRulesStopNoCall(t *testing.T) {
	k := gates.Checker{Rules: NewSet(Parse("r", []byte("deny end when not tests passed\ndeny end when branch = main")))}
	facts := told(map[string]string{"tests": "no", "branch": "main"})
	for _, line := range []string{"ls", "end", "end now", "echo end", "touch end"} {
		c := gates.ShellContext(line, gates.State{Cwd: "/w", Roots: []string{"/w"}, Home: "/home/u", Facts: facts})
		d := k.Check(&c, nil)
		for _, r := range d.Reasons {
			if strings.HasPrefix(r.Rule, "rule/") {
				t.Errorf("%s: %s", line, r.Message)
			}
		}
	}
}

func TestEndRulesAreChecked(t *testing.T) {
	for _, line := range []string{"allow end", "allow end when tests passed", "ask end when not tests passed", "deny end", "deny end when it is done"} {
		if r, err := ParseRule(line); err == nil {
			t.Errorf("took %q: %+v", line, r)
		}
	}
	if r, err := ParseRule("deny end of story"); err != nil || r.kind != "command" {
		t.Errorf("a program called end: %+v, %v", r, err)
	}
}
