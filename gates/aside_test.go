package gates

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// TestBesideSettings: what the host says that no agent loads is an ordinary file, for what the call does
// with it alone and by its own name.
func TestBesideSettings(t *testing.T) {
	aside := []string{"/w/.claude/scripts/x.sh", "/w/.claude/scripts/y.json"}
	for _, tt := range []struct {
		call, file, text string
		asks             bool
	}{
		{file: "/w/.claude/scripts/x.sh", text: "#!/bin/sh\nssh prod deploy\n"},
		{file: "/w/.claude/scripts/y.json", text: "{}"},
		{call: "chmod +x .claude/scripts/x.sh"},
		{call: "mkdir -p .claude/scripts"},
		{call: "echo hi > .claude/scripts/x.sh"},
		{call: "sed -i s/a/b/ .claude/scripts/x.sh"},

		{file: "/w/.claude/scripts/z.sh", text: "x", asks: true},
		{file: "/w/.claude/settings.json", text: "{}", asks: true},
		{call: "cp a.sh .claude/scripts/x.sh && cp b.json .claude/settings.json", asks: true},
		{call: "mv .claude/scripts/y.json .claude/settings.json", asks: true},
		{call: "mv a.sh .claude/scripts/x.sh", asks: true},
		{call: "rm -r .claude/scripts/x.sh", asks: true},
		{call: "cp -r a .claude/scripts", asks: true},
		{call: "mv a .claude/scripts", asks: true},
		{call: "rm -rf .claude/scripts", asks: true},
		{call: "rm .claude/scripts/*.sh", asks: true},
		{call: "chmod +x .claude/scripts/*", asks: true},
		{call: "chmod -R 777 .claude", asks: true},
		{call: "ln -s ../settings.json .claude/scripts/x.sh", asks: true},
		{call: "ln .claude/settings.json .claude/scripts/x.sh", asks: true},
		{call: "tar xf a.tar -C .claude/scripts", asks: true},
		{call: "echo x > .claude/scripts/$N.sh", asks: true},
		{call: "echo x > .claude/scripts/../settings.json", asks: true},
		{call: "bash .claude/scripts/bad.sh", asks: true},
		{call: "mkdir .git/hooks", asks: true},
	} {
		var k Checker
		st := State{Cwd: "/w", Roots: []string{"/w"}, Home: "/home/u", Exists: func(p string) bool { return p == "/w/.claude" || p == "/w/.claude/settings.json" }}
		st.Flow.Unvetted = []string{"/w/.claude/scripts/bad.sh"}
		st.Aside = BesideSettings(func(file string, made bool) bool {
			return made && strings.HasPrefix(file, "/w/.claude/") || slices.Contains(aside, file)
		})
		tool, args := "Bash", map[string]string{"command": tt.call}
		if tt.file != "" {
			tool, args = "Write", map[string]string{"file_path": tt.file, "content": tt.text}
		}
		b, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		c := k.Context(Request{Tool: tool, Args: b}, st)
		if d := k.Check(&c, nil); (d.Disposition != Approved) != tt.asks {
			t.Errorf("%s%s: %v %+v", tt.call, tt.file, d.Disposition, d.Reasons)
		}
	}
}

// TestBesideSettingsHeldTwice: a file with another name may be loaded under that one.
func TestBesideSettingsHeldTwice(t *testing.T) {
	st := State{Cwd: "/w", Roots: []string{"/w"}, Home: "/home/u", Exists: func(string) bool { return true }, Stamp: func(string) string { return "1" + Linked }, Aside: BesideSettings(func(string, bool) bool { return true })}
	var k Checker
	c := k.Context(Request{Tool: "Write", Args: []byte(`{"file_path":"/w/.claude/scripts/x.sh","content":"x"}`)}, st)
	if d := k.Check(&c, nil); d.Disposition == Approved {
		t.Error("a file with two names is written unasked")
	}
}

// TestPrivateAtHome: a file that is private in a home is none in a project.
func TestPrivateAtHome(t *testing.T) {
	for _, tt := range []struct {
		call, cwd string
		roots     []string
		asks      bool
	}{
		{call: "cat .claude.json", cwd: "/home/u/src/shop"},
		{call: "cat sub/.claude.json | head -20", cwd: "/home/u/src/shop"},
		{call: "cat ~/.claude.json", cwd: "/home/u/src/shop", asks: true},
		{call: "cat /home/v/.claude.json", cwd: "/home/u/src/shop", asks: true},
		{call: "cat ../../.claude.json", cwd: "/home/u/src/shop", asks: true},
		{call: "cat $D/.claude.json", cwd: "/home/u/src/shop", asks: true},
		{call: "cat .ssh/.claude.json", cwd: "/home/u/src/shop", asks: true},
		{call: "cat .claude.json", cwd: "/home/u", asks: true},
		{call: "cat u/.claude.json", cwd: "/home", asks: true},
		{call: "cat .claude/.credentials.json", cwd: "/home/u/src/shop", asks: true},
	} {
		var k Checker
		b, err := json.Marshal(map[string]string{"command": tt.call})
		if err != nil {
			t.Fatal(err)
		}
		c := k.Context(Request{Tool: "Bash", Args: b}, State{Cwd: tt.cwd, Roots: []string{tt.cwd}, Home: "/home/u"})
		if d := k.Check(&c, nil); (d.Disposition != Approved) != tt.asks {
			t.Errorf("%s in %s: %v %+v", tt.call, tt.cwd, d.Disposition, d.Reasons)
		}
	}
}
