package fixes

import (
	"reflect"
	"testing"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/internal/tree/merge"
)

func ran(command string, exit int) corpora.Step {
	return corpora.Step{Tool: "bash", Args: `{"command":"` + command + `"}`, Status: corpora.StatusExecuted, HasExit: true, ExitCode: exit}
}

func TestLook(t *testing.T) {
	test, other := "go test ./a", "go test ./b"
	blocked := ran(test, 0)
	blocked.Status = corpora.StatusBlocked
	for _, c := range []struct {
		name  string
		steps []corpora.Step
		want  []merge.Fall
	}{
		{"mended", []corpora.Step{ran(test, 1), ran("touch x", 0), ran(test, 0)}, []merge.Fall{{Action: "test", Class: "exit 1", Row: 1, Again: true, Passed: true, With: []string{"make"}}}},
		{"what failed in between is no fix", []corpora.Step{ran(test, 1), ran("touch x", 1), ran(test, 0)}, []merge.Fall{
			{Action: "test", Class: "exit 1", Row: 1, Again: true, Passed: true, With: []string{"test"}}, {Action: "make", Class: "exit 1", Row: 1, With: []string{"test"}}}},
		{"at once", []corpora.Step{ran(test, 1), ran(test, 2)}, []merge.Fall{
			{Action: "test", Class: "exit 1", Row: 1, Again: true, With: []string{"test"}}, {Action: "test", Class: "exit 2", Row: 2}}},
		{"another check", []corpora.Step{ran(test, 1), ran(other, 0)}, []merge.Fall{{Action: "test", Class: "exit 1", Row: 1, With: []string{"test"}}}},
		{"given up", []corpora.Step{ran(test, 1), ran("touch x", 0)}, []merge.Fall{{Action: "test", Class: "exit 1", Row: 1, With: []string{"make"}}}},
		{"a row ends where it passes", []corpora.Step{ran(test, 1), ran(other, 0), ran(test, 1)}, []merge.Fall{
			{Action: "test", Class: "exit 1", Row: 1, Again: true, With: []string{"test"}}, {Action: "test", Class: "exit 1", Row: 1}}},
		{"blocked", []corpora.Step{ran(test, 1), blocked}, []merge.Fall{{Action: "test", Class: "exit 1", Row: 1}}},
		{"nothing failed", []corpora.Step{ran(test, 0)}, nil},
	} {
		if got := Look(&corpora.Episode{Steps: c.steps}); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

var actions = map[string]bool{"test": true, "edit": true, "view": true}

// runs are n tasks in each of which a test failed, some things were done, and it came to an end.
func runs(s *Seen, from, n int, success, passed bool, with ...string) {
	for i := range n {
		s.Add(&merge.Trace{TaskKey: uint64(from + i), Success: success, Macros: []merge.Macro{{Key: "test"}},
			Falls: []merge.Fall{{Action: "test", Class: "assertion", Row: 1, Again: true, Passed: passed, With: with}}})
	}
}

func TestFixes(t *testing.T) {
	known := func(do func(s *Seen)) (out []string) {
		s := NewSeen()
		do(s)
		for _, f := range s.fixes(actions, Options{}.filled()) {
			if f.Class == "assertion" {
				out = append(out, f.Does)
			}
		}
		return out
	}
	for _, c := range []struct {
		name string
		do   func(s *Seen)
		want []string
	}{
		{"five of five", func(s *Seen) { runs(s, 0, 5, true, true, "edit") }, []string{"edit"}},
		{"four are too few", func(s *Seen) { runs(s, 0, 4, true, true, "edit") }, nil},
		{"runs of one task are one", func(s *Seen) {
			for range 9 {
				runs(s, 1, 1, true, true, "edit")
			}
		}, nil},
		{"what unsuccessful runs passed is no support", func(s *Seen) { runs(s, 0, 9, false, true, "edit") }, nil},
		{"what unsuccessful runs failed counts against it", func(s *Seen) {
			runs(s, 0, 6, true, true, "edit")
			runs(s, 50, 6, false, false, "edit")
		}, nil},
		{"a few failures leave it known", func(s *Seen) {
			runs(s, 0, 20, true, true, "edit")
			runs(s, 50, 4, false, false, "edit")
		}, []string{"edit"}},
		{"what helps less than anything else", func(s *Seen) {
			runs(s, 0, 30, true, true, "edit")
			runs(s, 100, 30, true, true, "view")
			runs(s, 200, 10, true, false, "view")
		}, []string{"edit"}},
		{"actions that the tree has not", func(s *Seen) { runs(s, 0, 9, true, true, "frobnicate") }, nil},
	} {
		if got := known(c.do); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestFixesNeedTasks: however low the bound of a rate, a fix needs its tasks.
func TestFixesNeedTasks(t *testing.T) {
	s := NewSeen()
	runs(s, 0, 4, true, true, "edit")
	if got := s.fixes(actions, Options{Least: .1}.filled()); got != nil {
		t.Errorf("four tasks: %v", got)
	}
	runs(s, 4, 1, true, true, "edit")
	if got := s.fixes(actions, Options{Least: .1}.filled()); len(got) != 2 { // of its class, and of any
		t.Errorf("five tasks: %v", got)
	}
}

func TestRetries(t *testing.T) {
	s := NewSeen()
	runs(s, 0, 28, true, true, "edit")
	bound := func() (uint32, bool) {
		for _, r := range s.retries(actions, Options{}.filled()) {
			if r.Action == "test" {
				return r.Most, r.Advice
			}
		}
		return 0, false
	}
	if most, advice := bound(); most != 1 || !advice {
		t.Errorf("28 tasks: %d, advice %v", most, advice)
	}
	s.Add(&merge.Trace{TaskKey: 99, Success: true, Macros: []merge.Macro{{Key: "test"}}}) // it never failed there
	if most, advice := bound(); most != 1 || advice {
		t.Errorf("29 tasks: %d, advice %v", most, advice)
	}
	row := []merge.Fall{{Action: "test", Row: 4}}
	s.Add(&merge.Trace{TaskKey: 200, Macros: []merge.Macro{{Key: "test"}}, Falls: row})
	if most, _ := bound(); most != 1 {
		t.Errorf("an unsuccessful run moves the bound to %d", most)
	}
	s.Add(&merge.Trace{TaskKey: 201, Success: true, Macros: []merge.Macro{{Key: "test"}}, Falls: row})
	if most, _ := bound(); most != 4 {
		t.Errorf("a successful run that failed four times in a row: %d", most)
	}
}
