package scope_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/scope"
)

// TestSettingsThatNameOwnScripts: who agreed to settings that run a script of the session's agreed to that script
// as it was, and to none whose text nobody knows.
func TestSettingsThatNameOwnScripts(t *testing.T) {
	const file, script = "/p/.claude/settings.json", "/p/.claude/scripts/w.sh"
	hook := func(command string) string {
		return "{\n  \"type\": \"command\",\n  \"command\": \"" + command + " stop\"\n}"
	}
	old, now := hook("frob hooks x"), hook("bash .claude/scripts/w.sh hooks x")
	names := func(tool string, args map[string]string, made *gates.Made, held string, seen bool) string {
		b, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		st := gates.State{Cwd: "/p", Roots: []string{"/p"}, Home: "/home/u", Exists: func(string) bool { return true }, Text: func(p string) (string, bool) {
			switch p {
			case file:
				return old + "\n", true
			case script:
				return held, seen
			}
			return "", false
		}}
		if made != nil {
			st.Flow.Made = []gates.Made{*made}
		}
		var k gates.Checker
		c := k.Context(gates.Request{Tool: tool, Args: b}, st)
		d := k.Check(&c, nil)
		var out []string
		for _, s := range scope.Of(&c, &d) {
			out = append(out, s.String())
		}
		return strings.Join(out, "\n")
	}
	edit := map[string]string{"file_path": file, "old_string": old, "new_string": now}
	whole := map[string]string{"file_path": file, "content": now + "\n"}
	one := &gates.Made{Path: script, Text: "echo 1", Known: true}
	for tool, args := range map[string]map[string]string{"Edit": edit, "Write": whole} {
		before := names(tool, args, one, "echo 1", true)
		if before == "" || before != names(tool, args, one, "echo 1", true) {
			t.Errorf("%s: %q", tool, before)
		}
		if names(tool, args, one, "echo 2", true) == before {
			t.Errorf("%s: another script under the same yes: %q", tool, before)
		}
		if got := names(tool, args, one, "", false); got != "" {
			t.Errorf("%s: a script that nobody knows: %q", tool, got)
		}
		if names(tool, args, nil, "echo 2", true) != names(tool, args, nil, "echo 1", true) {
			t.Errorf("%s: a script of others counts", tool)
		}
	}
}
