package rules_test

import (
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// TestElsewhere: rules are about this machine. What may run on another is let pass by a
// rule alone that names the server's shell, and only for what would pass here.
func TestElsewhere(t *testing.T) {
	for _, tt := range []struct {
		rule, line string
		want       gates.Disposition
	}{
		{"allow make", "make", gates.ApprovedWithConstraints},
		{"allow git push", "git push origin x", gates.ApprovedWithConstraints},
		{"allow read /srv/x/**", "cat /srv/x/a", gates.ApprovedWithConstraints},
		{"allow fetch a.example", "curl https://a.example/x", gates.ApprovedWithConstraints},
		{"allow run frobnicate", "frobnicate a", gates.ApprovedWithConstraints},
		{"allow tool bash", "make", gates.ApprovedWithConstraints},
		{"allow tool dev/bash", "make", gates.ApprovedWithConstraints},
		{"allow tool prod/*", "make", gates.ApprovedWithConstraints},
		{"allow tool prod/bash", "make", gates.Approved},
		{"allow tool prod/bash", "rm -rf build", gates.Approved},
		{"allow tool prod/bash", "rm -rf src", gates.ApprovedWithConstraints},
		{"allow tool prod/bash", "git push origin x", gates.ApprovedWithConstraints},
		{"allow tool prod/bash", "rm -rf ~", gates.Rejected},
		{"deny make", "make", gates.Rejected},
		{"deny tool prod/bash", "ls", gates.Rejected},
		{"deny tool prod/*", "ls", gates.Rejected},
	} {
		if d := decide(t, set(t, tt.rule+"\n"), "mcp__prod__bash", `{"command":"`+tt.line+`"}`, state()); d.Disposition != tt.want {
			t.Errorf("%s: %s: %v %+v", tt.rule, tt.line, d.Disposition, d.Reasons)
		}
	}
}
