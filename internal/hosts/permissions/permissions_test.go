package permissions

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestParse: every rule with its list and its line.
func TestParse(t *testing.T) {
	rules, err := Parse("s.json", []byte(`{
  "model": {"permissions": {"allow": ["no"]}},
  "permissions": {
    "defaultMode": "default",
    "allow": ["Bash(git commit *)",
      "mcp__notes__list"],
    "ask": ["Bash", "Bash(*)"], "deny": ["Read(./.env)"]
  }
}`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range rules {
		got = append(got, fmt.Sprintf("%d %s %s|%s", r.Line, r.Behavior, r.Tool, r.Spec))
	}
	want := "5 allow Bash|git commit *; 6 allow mcp__notes__list|; 7 ask Bash|; 7 ask Bash|; 7 deny Read|./.env"
	if s := strings.Join(got, "; "); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
	for _, none := range []string{"{}", `{"permissions":{}}`, `{"permissions":{"allow":[]}}`} {
		if rules, err := Parse("s", []byte(none)); err != nil || len(rules) != 0 {
			t.Errorf("%s: %v %v", none, rules, err)
		}
	}
}

// TestParseFaults: what can't be read names its file and line.
func TestParseFaults(t *testing.T) {
	for text, line := range map[string]int{
		"": 1, "[]": 1, "{\n\"permissions\": 1}": 2, "{\"permissions\": {\n\"ask\": \"Bash\"}}": 2, "{\"permissions\": {\"ask\": [\n\n1]}}": 3,
		"{\n\"permissions\": {\"ask\": [}}": 2, "{\"permissions\": {\"ask\": [\"a\"": 1, "{}\n{}": 2, "{\"permissions\": null}": 1, "{\"a\": 1,\n}": 2,
		strings.Repeat(" ", MaxSize) + "{}": 1, "{\"permissions\": {},\n\"permissions\": {}}": 2, "{\"permissions\": {\"ask\": [],\n\"ask\": []}}": 2, "{\"a\": [{\"b\": 1,\n\"b\": 2}]}": 2,
		"{\"a\": " + strings.Repeat("[", 500) + strings.Repeat("]", 500) + "}": 1,
	} {
		rules, err := Parse("s.json", []byte(text))
		var e *Error
		if !errors.As(err, &e) || rules != nil || e.File != "s.json" || e.Line != line {
			t.Errorf("%.40q: %v, %v; want line %d", text, rules, err, line)
		}
	}
}

// TestMayMatch: whatever could be about the call says yes.
func TestMayMatch(t *testing.T) {
	for _, tt := range []struct {
		rule, tool, args string
		want             bool
	}{
		{"Bash", "Bash", `{"command":"ls"}`, true},
		{"Bash(*)", "Bash", `{"command":"ls"}`, true},
		{"Bash()", "Bash", `{"command":"ls"}`, true},
		{"Bash(ls:*)", "Bash", `{"command":"ls"}`, true},
		{"Bash(git push *)", "Bash", `{"command":"cd a && git push"}`, true},
		{"Bash(git push *)", "Bash", `{"command":"cd a && g\"i\"t push"}`, true},
		{"Bash(git push *)", "Bash", `{"command":"\u0067it push"}`, true},
		{"Bash(a&b *)", "Bash", `{"command":"a&b c"}`, true},
		{"Bash(git push *)", "Bash", `{"command":"make"}`, false},
		{"Bash(* --force)", "Bash", `{"command":"make"}`, true},
		{"Bash(run_in_background:true)", "Bash", `{"command":"make","run_in_background":true}`, true},
		{"Bash(git *)", "Read", `{"file_path":"git"}`, false},
		{"Read(./.env)", "Bash", `{"command":"make"}`, true},
		{"Edit(src/**)", "Read", `{"file_path":"a"}`, true},
		{"WebFetch(domain:a.example)", "WebFetch", `{"url":"https://b.example"}`, true},
		{"WebFetch", "Bash", `{"command":"make"}`, false},
		{"mcp__a__b", "Bash", `{"command":"make"}`, false},
		{"*", "Bash", `{"command":"make"}`, true},
		{"B*", "Bash", `{"command":"make"}`, true},
		{"Bash(git", "Bash", `{"command":"make"}`, true},
		{"", "Bash", `{"command":"make"}`, true},
	} {
		r := ruleOf(Ask, tt.rule, "s", 1)
		if got := r.MayMatch(tt.tool, []byte(tt.args)); got != tt.want {
			t.Errorf("%s about %s %s: %v", tt.rule, tt.tool, tt.args, got)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"permissions":{"ask":["Bash(git *)"],"deny":[],"allow":["a"]}}`))
	f.Add([]byte(`{"permissions":{"ask":[}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		rules, err := Parse("s", data)
		if err != nil && rules != nil {
			t.Error("rules and an error")
		}
		for i := range rules {
			if rules[i].Line < 1 {
				t.Errorf("line %d", rules[i].Line)
			}
			rules[i].MayMatch("Bash", data)
		}
	})
}
