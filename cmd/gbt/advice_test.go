package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/internal/hosts"
)

// TestAdviceWorks: what gbt explain advises is carried out as it stands there, and after
// that the hook does not ask about the call; before, it did.
func TestAdviceWorks(t *testing.T) {
	hook, tried := hookBinary(t), 0
	for _, command := range []string{
		"curl https://a.example/x", "curl -d x=1 https://a.example/x", "git push origin x", "gh pr create --title x", "cat /srv/data/f", "touch /srv/data/f", "rm -r src", "frobnicate deploy", "ls /home/nobody/x",
		"cat /srv/data/f && curl https://a.example/x", "npx cowsay hi", "docker push a/b", "pip install requests", "nc -l 80",
	} {
		home, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(home, "p")
		if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o755); err != nil {
			t.Fatal(err)
		}
		t.Setenv("HOME", home)
		t.Setenv("XDG_CONFIG_HOME", "")
		t.Setenv("XDG_STATE_HOME", "")
		t.Chdir(dir)
		ask := func() hosts.Outcome {
			h, _ := hosts.Lookup("claude-code")
			args, _ := json.Marshal(map[string]string{"command": command})
			in := `{"hook_event_name":"PreToolUse","session_id":"s","cwd":` + jsonText(dir) + `,"tool_name":"Bash","tool_input":` + string(args) + `}`
			cmd := exec.Command(hook, "claude-code")
			cmd.Stdin, cmd.Env = strings.NewReader(in), append(os.Environ(), "CLAUDE_PROJECT_DIR="+dir)
			var out bytes.Buffer
			cmd.Stdout = &out
			if err := cmd.Run(); cmd.ProcessState == nil {
				t.Fatal(err)
			}
			return h.Reading("PreToolUse", hosts.Process{Stdout: out.String(), Exit: cmd.ProcessState.ExitCode()})
		}
		before := ask()
		var stdout, stderr bytes.Buffer
		if code := run([]string{"gbt", "explain", "--json", "--cwd", dir, command}, nil, &stdout, &stderr); code != exitGood {
			t.Fatalf("%s: %s", command, stderr.String())
		}
		var x explanation
		if err := json.Unmarshal(stdout.Bytes(), &x); err != nil {
			t.Fatal(err)
		}
		if before == hosts.Proceeds || len(x.Answer) == 0 {
			if before == hosts.Asks {
				t.Logf("%s: asks and nothing is advised", command)
			}
			continue
		}
		tried++
		for _, a := range x.Answer {
			words := strings.SplitN(a, " ", 3)
			what := strings.Trim(words[2], "'")
			if code := run([]string{"gbt", words[1], what}, nil, &stdout, &stderr); code != exitGood {
				t.Fatalf("%s: %s: %s", command, a, stderr.String())
			}
		}
		if after := ask(); before != hosts.Asks || after != hosts.Proceeds {
			t.Errorf("%s: %v before, %v after %q", command, before, after, x.Answer)
		}
	}
	if tried < 10 {
		t.Errorf("only %d questions were asked and advised on", tried)
	}
}
