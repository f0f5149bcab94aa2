package beside

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/corpora"
)

func bash(command string) corpora.Step {
	args, err := json.Marshal(map[string]string{"command": command})
	if err != nil {
		panic(err)
	}
	return corpora.Step{Tool: "Bash", Args: string(args), Cwd: "/p"}
}

// TestClaude is the documentation's reading, line by line.
func TestClaude(t *testing.T) {
	for line, want := range map[string]string{
		"ls -la": "", "cat a | grep b | head -3": "", "cd x && git status && git log -3": "", "find . -name '*.go'": "", "git -C x diff": "", "git branch": "", "git stash list": "",
		"ls 2>/dev/null": "", "ls > /dev/null 2>&1": "", "timeout 5 ls": "",
		"npm test": "npm test", "npm run build && npm test": "npm run, npm test", "git add -A && git commit -m x": "git add, git commit", "go test ./...": "go test", "python3 x.py": "python3",
		"echo x > a": "edits", "mkdir -p a": "edits", "find . -delete": "find", "find . -exec rm {} +": "find", "git branch -D x": "git branch", "git stash": "", "ls $(rm x)": "edits",
		"for i in 1 2; do make all; done": "make all", "time go build": "go build", "FOO=1 make": "make", "curl https://a.example": "curl", "$X y": "? y",
	} {
		s := bash(line)
		asks, scopes := Claude{}.Asks(&s)
		var names []string
		for _, x := range scopes {
			names = append(names, x.Name)
		}
		if got := strings.Join(names, ", "); got != want || asks != (want != "") {
			t.Errorf("%s: asks %v: %q, want %q", line, asks, got, want)
		}
	}
	for tool, want := range map[string]bool{"Read": false, "Grep": false, "Glob": false, "TodoWrite": false, "Write": true, "Edit": true, "WebFetch": true, "WebSearch": true, "mcp__a__b": true} {
		if asks, _ := (Claude{}).Asks(&corpora.Step{Tool: tool, Args: `{"url":"https://a.example/x"}`}); asks != want {
			t.Errorf("%s: %v", tool, asks)
		}
	}
	if asks, scopes := asksShell("echo 'x"); !asks || scopes != nil {
		t.Error("a line that can't be read is remembered")
	}
}

// TestWalk: what is remembered while a session lasts, what for the project, and that a
// No is not remembered.
func TestWalk(t *testing.T) {
	no := bash("make all")
	no.Status, no.BlockedBy = corpora.StatusBlocked, "user"
	e := &corpora.Episode{Steps: []corpora.Step{bash("ls"), no, bash("make all"), bash("make all"), {Tool: "Write", Args: "{}"}, {Tool: "Edit", Args: "{}"}}}
	m := Memory{}
	if got, want := Walk(Claude{}, e, m), (Count{6, 5, 3, 3}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	e.Steps = e.Steps[2:]
	if got, want := Walk(Claude{}, e, m), (Count{4, 4, 2, 1}); got != want {
		t.Errorf("the next session: got %+v, want %+v", got, want)
	}
	e.Steps[0].Cwd = "/other"
	if got := Walk(Claude{}, e, m); got.Kept != 2 {
		t.Errorf("another project: %+v", got)
	}
}
