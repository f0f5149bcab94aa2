package main

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// loggedLines runs gbt check on lines and returns its log, line by line.
func loggedLines(t *testing.T, lines ...string) []string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "log.jsonl")
	if code := run([]string{"gbt", "check", "--log", name}, strings.NewReader(strings.Join(lines, "\n")), io.Discard, io.Discard); code != 0 {
		t.Fatalf("exit status %d", code)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

// TestLogExplainsApprovals: a call that a person let pass says so, and by which
// consent; arguments say where they came from, and results that they were heard.
func TestLogExplainsApprovals(t *testing.T) {
	call := func(more string) string {
		return `{"id":1,"tool":"send_money","args":{"recipient":"GB29NWBK60161331926819","amount":5},"cwd":"/w","session":"s"` + more + `}`
	}
	heard := `{"session":"s","observe":{"tool":"get_page","result":{"iban":"GB29NWBK60161331926819"}}}`
	ask := checkLines(t, heard, call(""))[0]
	log := loggedLines(t, heard, call(""), call(`,"confirmation":"`+ask.Confirmation+`","repeat":{"template":"`+ask.Template+`","count":2}`), call(""), call(""), call(""))
	if len(log) != 6 {
		t.Fatalf("%d lines: %s", len(log), log)
	}
	if !strings.HasPrefix(log[0], `{"observed":{"tool":"get_page","len":33,"sha256":"`) || !strings.Contains(log[0], `"line":1,"session":"s"}`) || strings.Contains(log[0], "GB29") {
		t.Errorf("observation: %s", log[0])
	}
	for i, want := range []struct {
		disposition string
		confirmed   bool
		left        int // -1: none
	}{{"approved_with_constraints", false, -1}, {"approved", true, 2}, {"approved", true, 1}, {"approved", true, 0}, {"approved_with_constraints", false, -1}} {
		var e logEntry
		if err := json.Unmarshal([]byte(log[i+1]), &e); err != nil {
			t.Fatal(err)
		}
		left := -1
		if e.RepeatsLeft != nil {
			left = *e.RepeatsLeft
		}
		if e.Disposition != want.disposition || e.Confirmed != want.confirmed || left != want.left || e.Template != ask.Template || len(e.Rules) == 0 {
			t.Errorf("line %d: %s", i+2, log[i+1])
		}
		if a := e.Input[1]; a.Path != "recipient" || a.Origin != "untrusted" || a.Source != "get_page" || a.Form == "" || e.Input[0].Origin != "agent" {
			t.Errorf("line %d: %+v", i+2, e.Input)
		}
	}
}

// TestLogHasNoPassword runs calls with passwords through the whole log, the
// resources of effects included.
func TestLogHasNoPassword(t *testing.T) {
	const pw = "k93LmQpZt2Vb"
	for _, call := range []string{
		`{"tool":"Bash","args":{"command":"mysql -uroot -pPW -h db.example.com -e 'select 1'"}}`,
		`{"tool":"Bash","args":{"command":"sshpass -p PW ssh h"}}`,
		`{"tool":"Bash","args":{"command":"curl -H \"Authorization: Basic PW\" https://h.example"}}`,
		`{"tool":"x","args":{"headers":{"X-Api-Key":"PW"},"pin":"PW","session":"PW","private-key":"PW"}}`,
	} {
		for _, line := range loggedLines(t, strings.ReplaceAll(call, "PW", pw)) {
			if strings.Contains(line, pw) || !strings.Contains(line, "<secret ") {
				t.Errorf("%s", line)
			}
		}
	}
}
