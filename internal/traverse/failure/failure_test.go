package failure

import (
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates/call"
)

func TestOf(t *testing.T) {
	for _, c := range []struct{ name, fault, output, class string }{
		{"no failure", "", "ok", "-"},
		{"words of a failure in the middle of a result", "", "there was no error: all is well", "-"},
		{"a status alone", "exit status 3", "", "exit 3"},
		{"a status that says what it is", "exit status 127", "", "command"},
		{"a command that is not there", "exit status 127", "sh: 1: frob: not found", "command"},
		{"a module", "exit status 1", "ModuleNotFoundError: No module named 'frob'", "module"},
		{"a file", "exit status 1", "cat: a.txt: No such file or directory", "absent"},
		{"a column", "", "Error: Unknown column 'x' in 'field list'", "absent"},
		{"syntax", "", "Error: You have an error in your SQL syntax near 'form'", "syntax"},
		{"tests", "exit status 1", "--- FAIL: TestX (0.00s)", "assertion"},
		{"tests of another kind", "exit status 1", strings.Repeat("x\n", 9000) + "2 failed, 3 passed in 0.1s", "assertion"},
		{"in the middle of a long result", "exit status 1", strings.Repeat("x\n", 9000) + "AssertionError" + strings.Repeat("\nx", 9000), "exit 1"},
		{"rights", "Permission denied", "", "denied"},
		{"what is there", "", `{"error":"user already exists"}`, "exists"},
		{"time", "context deadline exceeded", "", "timeout"},
		{"an argument", "missing 1 required positional argument: 'day'", "", "argument"},
		{"something else", "oops", "", "other"},
	} {
		class, failed := Of(c.fault, []byte(c.output))
		if failed != (c.class != "-") || failed && class != c.class {
			t.Errorf("%s: %q %v, want %q", c.name, class, failed, c.class)
		}
	}
}

// TestOfHoldsNothing: a class is one of a few words, whatever a call printed.
func TestOfHoldsNothing(t *testing.T) {
	for _, secret := range []string{"hunter2", "/home/ann/secret.txt", "token=abc"} {
		if class, _ := Of("no such thing as "+secret, []byte(secret)); strings.Contains(class, secret) {
			t.Errorf("class %q", class)
		}
	}
}

func TestCheckOf(t *testing.T) {
	check := func(tool, args string) string { return CheckOf(tool, []byte(args), call.ActionOf(tool, args)) }
	same := func(a, b string) bool { return check("bash", a) == check("bash", b) }
	if !same(`{"command":"cd /srv && go test ./..."}`, `{"command":"go test ./..."}`) {
		t.Error("the same tests from another directory")
	}
	if same(`{"command":"go test ./a"}`, `{"command":"go test ./b"}`) {
		t.Error("other tests are another check")
	}
	if check("get_user", `{"id":"1"}`) != check("get_user", `{"id":"2"}`) {
		t.Error("a tool called with another argument is the same check")
	}
	if check("get_user", `{"id":"1"}`) == check("get_order", `{"id":"1"}`) {
		t.Error("another tool is another check")
	}
}
