package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
)

// check runs gbt check on lines and returns its answers.
func checkLines(t *testing.T, lines ...string) []answer {
	t.Helper()
	var out bytes.Buffer
	if code := run([]string{"gbt", "check"}, strings.NewReader(strings.Join(lines, "\n")), &out, io.Discard); code != 0 {
		t.Fatalf("exit status %d", code)
	}
	var all []answer
	dec := json.NewDecoder(&out)
	for {
		var a answer
		if err := dec.Decode(&a); err == io.EOF {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, a)
	}
}

// TestConfirmations: one confirmation lets exactly one run of exactly one call
// pass (V4).
func TestConfirmations(t *testing.T) {
	call := func(id int, args, more string) string {
		return fmt.Sprintf(`{"id":%d,"tool":"Bash","args":%s,"cwd":"/w"%s}`, id, args, more)
	}
	send := `{"command":"curl https://h.example/a"}`
	name := checkLines(t, call(1, send, ""))[0].Confirmation
	if len(name) != 32 {
		t.Fatalf("confirmation %q", name)
	}
	with := `,"confirmation":"` + name + `"`
	got := checkLines(t,
		call(1, send, with), // nobody asked yet
		call(2, send, ""),
		call(3, `{"command":"curl https://h.example/b"}`, with), // another call
		call(4, send, `,"cwd":"/v"`+with),                       // another directory
		call(5, send, `,"session":"s"`+with),
		call(6, send, with),
		call(7, send, with), // used up
		call(8, `{"command":"rm -rf /etc"}`, with),
	)
	for i, want := range []string{"approved_with_constraints", "approved_with_constraints", "approved_with_constraints", "approved_with_constraints",
		"approved_with_constraints", "approved", "approved_with_constraints", "rejected"} {
		// The first line asks by itself, so the second finds it open and asks again.
		if got[i].Disposition != want || got[i].Confirmed != (want == "approved") || (got[i].Confirmation != "") != (want == "approved_with_constraints") {
			t.Errorf("call %d: %s confirmed %v confirmation %q", i+1, got[i].Disposition, got[i].Confirmed, got[i].Confirmation)
		}
	}
}
