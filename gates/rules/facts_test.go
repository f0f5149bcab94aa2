package rules

import (
	"strings"
	"testing"
)

// TestRanNeverHolds: facts that no session can come to have are refused with a way out.
func TestRanNeverHolds(t *testing.T) {
	for line, ok := range map[string]bool{
		"make lint": true, "X=1 make  check": true, "golangci-lint run ./...": true, "grep 'a|b' x": true,
		"make lint && go vet": false, "a | b": false, "a; b": false, "a || b": false, "! a": false, "a &": false, "(a)": false, "a > f": false, "time a": false, "if": false, strings.Repeat("x", 301): false,
	} {
		for _, rule := range []string{"deny end when not ran ", "deny git push when not ran ", "allow git push origin * when ran "} {
			_, err := ParseRule(rule + `"` + line + `"`)
			if (err == nil) != ok {
				t.Errorf("%s%q: %v", rule, line, err)
			}
		}
	}
	if _, err := ParseRule(`deny end when not ran "make lint && go vet"`); err == nil || !strings.Contains(err.Error(), "can never hold") || !strings.Contains(err.Error(), "ran \"A\"") {
		t.Error(err)
	}
}

// TestRemoteForms: a remote is the same in each way of writing its address, and as questions
// show it.
func TestRemoteForms(t *testing.T) {
	for _, tt := range []struct {
		rule, have string
		same       bool
	}{
		{"github.com/acme/app", "https://github.com/acme/app", true},
		{"github.com/acme/app", "https://github.com/acme/app.git", true},
		{"github.com/acme/app", "https://u:p@GitHub.com/acme/app.git/", true},
		{"github.com/acme/app", "git@github.com:acme/app.git", true},
		{"github.com/acme/app", "ssh://git@github.com:22/acme/app", true},
		{"git@github.com:acme/app.git", "https://github.com/acme/app", true},
		{"https://github.com/acme/app", "git@github.com:acme/app", true},
		{"/srv/app.git", "/srv/app.git", true},
		{"github.com/acme/app", "https://github.com/acme/app2", false},
		{"github.com/acme/app", "https://github.com.evil.example/acme/app", false},
		{"github.com/acme/app", "https://github.com@evil.example/acme/app", false},
		{"github.com/acme/app", "http://github.com/acme/app", false},
		{"github.com/acme/app", "git@github.com:evil/acme/app", false},
		{"github.com/acme/app", "/github.com/acme/app", false},
		{"srv/app", "/srv/app", false},
	} {
		for _, not := range []bool{false, true} {
			op := " = "
			if not {
				op = " != "
			}
			r, err := ParseRule("deny git push when remote" + op + tt.rule)
			if err != nil {
				t.Fatal(err)
			}
			if got := r.facts[0].is(tt.have); got != (tt.same != not) {
				t.Errorf("remote%s%s, %s: %v", op, tt.rule, tt.have, got)
			}
		}
	}
}
