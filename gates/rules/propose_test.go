package rules_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/rules"
)

// TestPropose: the rules that are proposed are the narrowest ones, and let the very call
// pass; where none can, none is proposed.
func TestPropose(t *testing.T) {
	for _, tt := range []struct {
		tool, command string
		want          []string
	}{
		{"Bash", "git push origin x", []string{"allow git push origin *"}},
		{"Bash", "git push -u origin x", []string{"allow git push origin *"}},
		{"Bash", "git push", []string{"allow git push"}},
		{"Bash", "timeout 5 curl -s https://a.example/x/y", []string{"allow curl https://a.example/*"}},
		{"Bash", "gh pr create --title x --body y", []string{"allow gh pr create"}},
		{"Bash", "cat ~/notes/a", []string{"allow read ~/notes/**"}},
		{"Bash", "touch ~/q/a", []string{"allow write ~/q/*"}},
		{"Bash", "touch .vscode/a", []string{"allow write /home/u/p/.vscode/a"}},
		{"Bash", "touch .gbt/rules", nil},
		{"Bash", "cat ~/notes/a; git push origin x", []string{"allow git push origin *", "allow read ~/notes/**"}},
		{"Bash", "frobnicate deploy x", []string{"allow frobnicate deploy x"}},
		{"Bash", "git push --force origin x", nil},
		{"Bash", "git push origin $X", nil},
		{"Bash", "rm -rf /", nil},
		{"Bash", "ls )", nil},
		{"Bash", "gbt allow x", nil},
		{"Bash", "go build", nil},
		{"mcp__linear__create_issue", "", []string{"allow tool linear/create_issue"}},
	} {
		args, _ := json.Marshal(map[string]string{"command": tt.command})
		if tt.command == "" {
			args = []byte(`{"title":"x"}`)
		}
		c := gates.NewContext(gates.Request{Tool: tt.tool, Args: args}, state())
		d := (&gates.Checker{}).Check(&c, nil)
		got := rules.Propose(&c, &d)
		slices.Sort(got)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s %s: %q, want %q", tt.tool, tt.command, got, tt.want)
		}
	}
}

// TestProposeWithoutPlace: where nobody told where a call would run, a proposed rule holds in whichever
// project it is written into.
func TestProposeWithoutPlace(t *testing.T) {
	for command, want := range map[string]string{
		"rm -rf notes":         "allow delete notes",
		"rm notes/a.txt":       "allow delete notes/a.txt",
		"touch .vscode/a":      "allow write .vscode/a",
		"cat .env":             "allow read .env",
		"rm -rf ~/x":           "allow delete ~/x",
		"cat ~/notes/a":        "allow read ~/notes/**",
		"rm -rf /srv/y":        "allow delete /srv/y",
		"touch ~/.config/fish": "allow write ~/.config/*",
		// which directory it is above an unknown place nobody knows
		"echo x > ../other/y":     "allow write ../other/y",
		"touch ../../other/y":     "allow write ../../other/y",
		"cat ../other/y":          "allow read ../other/y",
		"rm ../other/y":           "allow delete ../other/y",
		"cd sub; touch ../../o/y": "allow write /o/y",
		"touch /srv/a":            "allow write /srv/*",
	} {
		c := gates.ShellContext(command, gates.State{})
		d := (&gates.Checker{}).Check(&c, nil)
		if got := rules.Propose(&c, &d); !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
}
