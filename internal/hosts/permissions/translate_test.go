package permissions

import (
	"strings"
	"testing"
)

// TestTranslate: what becomes of a host's rules, and what is left out.
func TestTranslate(t *testing.T) {
	for _, tt := range []struct {
		list Behavior
		rule string
		want string // rules, or "-" where none is made
	}{
		{Allow, "Bash(npm run build)", "allow npm run build"},
		{Allow, "Bash(git push origin:*)", "allow git push origin; allow git push origin *"},
		{Allow, "Bash(git push origin *)", "allow git push origin; allow git push origin *"},
		{Allow, "Bash(python manage.py migrate:*)", "allow python manage.py migrate; allow python manage.py migrate *"},
		{Allow, "Bash(curl -s https://a.example/*)", "allow curl -s https://a.example/*"},
		{Allow, "Bash(bash -c 'ls')", "allow bash -c 'ls'"},
		{Allow, "Bash", "-"}, {Allow, "Bash(*)", "-"}, {Allow, "Bash(* install)", "-"}, {Allow, "Bash(python:*)", "-"}, {Allow, "Bash(bash -c:*)", "-"},
		{Allow, "Bash(python3 -c *)", "-"}, {Allow, "Bash(/usr/bin/python3 *)", "-"}, {Allow, "Bash(python -m *)", "-"}, {Allow, "Bash(sudo systemctl *)", "-"},
		{Allow, "Bash(env A=1 *)", "-"}, {Allow, "Bash(timeout 60 *)", "-"}, {Allow, "Bash(ssh host *)", "-"}, {Allow, "Bash(docker exec app *)", "-"}, {Allow, "Bash(git *)", "-"},
		{Allow, "Bash(rm -rf *)", "-"}, {Allow, "Bash(xargs -n 1:*)", "-"}, {Allow, "Bash(npm exec *)", "-"},
		{Ask, "Bash(git *)", "ask git; ask git *"}, {Deny, "Bash(python:*)", "deny python; deny python *"}, {Deny, "Bash", "deny tool Bash"}, {Ask, "WebFetch", "ask tool WebFetch"},
		{Allow, "WebFetch(domain:a.example)", "allow fetch a.example"}, {Allow, "WebFetch(domain:*.a.example)", "allow fetch *.a.example"}, {Allow, "WebFetch(domain:*)", "-"}, {Allow, "WebFetch", "-"},
		{Allow, "mcp__a__b", "allow tool a/b"}, {Allow, "mcp__a", "allow tool a/*"}, {Allow, "mcp__a__*", "allow tool a/*"}, {Allow, "mcp__*", "-"}, {Allow, "mcp__a__get_*", "-"}, {Deny, "mcp__a__b(x)", "-"},
		{Allow, "Read(~/n/**)", "allow read ~/n/**"}, {Allow, "Read(//a/b)", "allow read /a/b"}, {Allow, "Read(/a/*)", "allow read a/*"}, {Deny, "Read(./.env)", "deny read .env"},
		{Allow, "Edit(src/**)", "allow write src/**"}, {Allow, "Read(**/x)", "-"}, {Allow, "Read(a b)", "-"}, {Allow, "Read", "-"}, {Allow, "Edit", "-"}, {Deny, "Read(x?)", "-"},
		{Allow, "Skill(x)", "-"}, {Allow, "", "-"}, {Allow, "*", "-"}, {Deny, "*", "-"}, {Deny, "Bash(git", "-"}, {Allow, "Bash(git push origin", "-"}, {Ask, "mcp__a__b)", "-"}, {Allow, "Bash(git status) x", "-"},
	} {
		r := ruleOf(tt.list, tt.rule, "s", 1)
		texts, why := r.Translate(true)
		got := strings.Join(texts, "; ")
		if got == "" {
			got = "-"
		}
		if got != tt.want || (got == "-") != (why != "") {
			t.Errorf("%s %s: %s (%s), want %s", tt.list, tt.rule, got, why, tt.want)
		}
	}
	for _, bad := range []string{"Bash(git push origin", "mcp__a__b(", "Bash(ls) x"} {
		r := ruleOf(Allow, bad, "s", 1)
		if _, why := r.Translate(true); !strings.Contains(why, "parenthesis") {
			t.Errorf("%s: %q", bad, why)
		}
	}
	r := ruleOf(Allow, "Read(src/**)", "s", 1)
	if texts, why := r.Translate(false); texts != nil || why == "" {
		t.Errorf("a project's path in the user's settings: %v", texts)
	}
	for rule, want := range map[string]bool{"Read(.env)": true, "Read(./.env)": false, "Bash(x)": false, "Read": false} {
		if r := ruleOf(Deny, rule, "s", 1); (r.Narrower() != "") != want {
			t.Errorf("%s: %q", rule, r.Narrower())
		}
	}
}
