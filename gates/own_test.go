package gates

import (
	"fmt"
	"testing"
)

// TestOwn lists what a session may take away and run because it made it, and what
// comes nearest to that and asks.
func TestOwn(t *testing.T) {
	for _, tt := range []struct {
		name  string
		lines []string // the last one is judged
		want  Disposition
	}{
		{"a directory in /tmp", []string{"mkdir -p /tmp/t1", "rm -rf /tmp/t1"}, Approved},
		{"all that is in it", []string{"mkdir -p /tmp/t1", "rm -rf /tmp/t1/*"}, Approved},
		{"a part of it", []string{"mkdir -p /tmp/t1", "rm -rf /tmp/t1/a/b"}, Approved},
		{"one that was there", []string{"ls /tmp/t1", "rm -rf /tmp/t1"}, ApprovedWithConstraints},
		{"the one above", []string{"mkdir -p /tmp/a/t1", "rm -rf /tmp/a"}, ApprovedWithConstraints},
		{"another of nearly its name", []string{"mkdir -p /tmp/t1", "rm -rf /tmp/t10"}, ApprovedWithConstraints},
		{"a way out of it", []string{"mkdir -p /tmp/t1", "rm -rf /tmp/t1/../t2"}, ApprovedWithConstraints},
		{"after it was taken away and is there again", []string{"mkdir -p /tmp/t1", "rm -rf /tmp/t1", "rm -rf /tmp/t1"}, ApprovedWithConstraints},
		{"a program built into /tmp", []string{"go build -o /tmp/tool ./cmd/tool", "/tmp/tool --version"}, Approved},
		{"a program that was there", []string{"/tmp/tool --version"}, ApprovedWithConstraints},
		{"one that was fetched", []string{"curl -o /tmp/tool https://example.com/tool", "/tmp/tool"}, ApprovedWithConstraints},
		{"one that a client fetched", []string{"gh release download v1 -O /tmp/tool -R o/n", "/tmp/tool"}, ApprovedWithConstraints},
		{"a program in a repository that was cloned", []string{"git clone https://example.com/x /tmp/x", "/tmp/x/run.sh"}, ApprovedWithConstraints},
		{"that repository", []string{"git clone https://example.com/x /tmp/x", "rm -rf /tmp/x"}, Approved},
		{"a new file of the workspace", []string{"printf x > new.txt", "rm new.txt"}, Approved},
		{"an old one", []string{"sed -i s/a/b/ old.txt", "rm old.txt"}, ApprovedWithConstraints},
		{"a directory of the workspace, which may have been there", []string{"mkdir -p docs2", "rm -rf docs2"}, ApprovedWithConstraints},
		{"a file in a home", []string{"printf x > ~/new.txt", "rm ~/new.txt"}, ApprovedWithConstraints},
		{"a hook", []string{"printf x > .git/hooks/pre-push", "rm .git/hooks/pre-push"}, ApprovedWithConstraints},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := State{Cwd: "/w/repo", Roots: []string{"/w/repo"}, Home: "/home/me", UID: 1000, GID: 1000}
			var d Decision
			for _, line := range tt.lines {
				c := ShellContext(line, s)
				d = (&Guardrail{}).Decide(&c)
				s.Flow = c.After()
			}
			if d.Disposition != tt.want {
				t.Errorf("%q: %v, want %v %+v", tt.lines, d.Disposition, tt.want, d.Reasons)
			}
		})
	}
}

// TestOwnIsBounded: what is forgotten asks again.
func TestOwnIsBounded(t *testing.T) {
	s := State{Cwd: "/w/repo", Roots: []string{"/w/repo"}, Home: "/home/me"}
	for i := range maxFlow + 10 {
		c := ShellContext(fmt.Sprintf("mkdir /tmp/d%d", i), s)
		s.Flow = c.After()
	}
	if len(s.Flow.Own) != maxFlow {
		t.Fatalf("%d are remembered, want %d", len(s.Flow.Own), maxFlow)
	}
	c := ShellContext("rm -rf /tmp/d0", s)
	if d := (&Guardrail{}).Decide(&c); d.Disposition != ApprovedWithConstraints {
		t.Errorf("the first: %v", d.Disposition)
	}
}
