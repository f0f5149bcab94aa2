package traverse

import (
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// TestAudit stops a plan that does not cover its task before any action (H3).
func TestAudit(t *testing.T) {
	tests := []struct {
		name, task, checks, want string // checks divided by |
	}{
		{"nothing asked for", "tidy up the notes", "done", ""},
		{"a file that a check names", "fix src/parser.py", "python -m py_compile src/parser.py", ""},
		{"a file that no check names", "fix src/parser.py and setup.cfg", "cat setup.cfg", "file:src/parser.py"},
		{"a file at the end of a sentence", "Write hello.txt.", "true", "file:hello.txt"},
		{"no file", "go to example.org, e.g. version 1.2", "true", ""},
		{"tests", "make the tests pass", "pytest -q", ""},
		{"tests that nobody runs", "make the tests pass", "true", "tests"},
		{"a test file by its name", "make test_parser pass", "true", "identifier:test_parser tests"},
		{"a file of a longer name", "fix a.py", "python -m py_compile data.py", "file:a.py"},
		{"a file in a comment", "fix a.py", "ls # a.py", "file:a.py"},
		{"a file behind what makes it good", "fix a.py", "cat a.py; true", "file:a.py"},
		{"a number", "print 42 with show.py", "python show.py | grep -x 42", ""},
		{"another number", "print 42 with show.py", "python show.py | grep -x 41", "number:42"},
		{"a rejection clause", "the function rejects negative numbers", "python -c 'assert f(-1)'", ""},
		{"a rejection clause without a check", "the function raises on negative numbers", "python -c 'f(1)'", "rejection"},
		{"all of them", "it rejects what test_a.py names", "true", "rejection file:test_a.py tests"},
	}
	p := repair().open(t)
	for _, tt := range tests {
		task := Task{ID: "x", Text: tt.task}
		for i, c := range strings.Split(tt.checks, "|") {
			task.Checks = append(task.Checks, Check{ID: string(rune('a' + i)), Text: c})
		}
		s := p.Start(task, env)
		if got := strings.Join(s.Status().Uncovered, " "); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		m, a, out := s.Propose(Proposal{Text: "go on"}), s.Check(calls["view"]), s.Finish()
		if stopped := m.Reason == "plan-uncovered" && a.Disposition == gates.Rejected && !out.Done(); stopped != (tt.want != "") {
			t.Errorf("%s: %s, %s, done %v", tt.name, m.Reason, a.Disposition, out.Done())
		}
		task.Checks = nil // no plan: nothing to stop
		if s := p.Start(task, env); s.Status().Stopped != "" {
			t.Errorf("%s: without checks: %s", tt.name, s.Status().Stopped)
		}
	}
}
