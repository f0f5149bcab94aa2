package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/hosts"
)

// A file of testdata/discards has sequences of calls in a repository, each after a line with "#".
// The letters before its lines:
//
//	u  the user runs this
//	+  the session may run this command unasked, and runs it
//	!  the session is asked about this command, and runs it
//	?  the session is asked about this command, and does not run it
//	e  the session edits: FILE OLD=>NEW
//	w  the session writes: FILE TEXT, E and W where it is asked
//	b  this command begins, and ends where the same stands behind a dot
//	m  the user says this
type discardLine struct {
	letter byte
	text   string
}

// repository is where each sequence begins.
const repository = `set -e
git init -q -b main .
mkdir -p src d sub/deep
for f in a.txt b.txt src/main.go src/util.go d/c.txt sub/deep/x.py README.md; do printf 'one %s\ntwo\nthree\n' $f > $f; done
printf 'build/\n*.log\n.env\n' > .gitignore
echo '{"name":"app"}' > package.json
git add -A; git commit -q -m first
echo second >> README.md; git commit -qam second
git update-ref refs/remotes/origin/main HEAD
`

// sequence plays one of them.
type sequence struct {
	repo
	open map[string]map[string]any
	n    int
}

func (s *sequence) user(command string) bool {
	cmd := exec.Command("bash", "-c", command)
	cmd.Dir = s.dir
	cmd.Env = []string{"HOME=" + s.home, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "GIT_EDITOR=true"}
	for _, who := range []string{"AUTHOR", "COMMITTER"} {
		cmd.Env = append(cmd.Env, "GIT_"+who+"_NAME=x", "GIT_"+who+"_EMAIL=x@example.com")
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.t.Logf("%s: %v %s", command, err, out)
	}
	return err == nil
}

// event is a call of a tool.
func (s *sequence) event(tool string, input map[string]any) map[string]any {
	s.n++
	return map[string]any{"session_id": "a", "transcript_path": "", "cwd": s.dir, "permission_mode": "default", "tool_name": tool, "tool_input": input, "tool_use_id": strings.Repeat("i", s.n)}
}

// asks puts a call before the hook.
func (s *sequence) asks(event map[string]any, want hosts.Outcome, line string) bool {
	s.t.Helper()
	event["hook_event_name"] = "PreToolUse"
	data, err := json.Marshal(event)
	if err != nil {
		s.t.Fatal(err)
	}
	got, text := s.hook(s.t, "claude-code", string(data), s.args...)
	if got != want {
		s.t.Errorf("%s: %v, want %v %s", line, got, want, text)
	}
	return got == want
}

func (s *sequence) ended(event map[string]any, well bool) {
	event["hook_event_name"], event["tool_response"] = "PostToolUse", map[string]any{"stdout": "x"}
	if !well {
		event["hook_event_name"], event["error"] = "PostToolUseFailure", "exit 1"
	}
	mustZero(s.t, s.tell(s.t, "claude-code", event, s.args...))
}

func (s *sequence) play(l discardLine) {
	s.t.Helper()
	line := string(l.letter) + " " + l.text
	switch l.letter {
	case 'u':
		s.user(l.text)
	case 'm':
		mustZero(s.t, s.tell(s.t, "claude-code", s.saysEvent("claude-code", "a", l.text), s.args...))
	case '+', '!', '?', 'b':
		want := hosts.Proceeds
		if l.letter == '!' || l.letter == '?' {
			want = hosts.Asks
		}
		e := s.event("Bash", map[string]any{"command": l.text})
		switch met := s.asks(e, want, line); {
		case l.letter == 'b':
			s.open[l.text] = e
		case met && l.letter != '?':
			s.ended(e, s.user(l.text))
		}
	case '.':
		s.ended(s.open[l.text], s.user(l.text))
	case 'e', 'E', 'w', 'W':
		want := hosts.Proceeds
		if l.letter < 'a' {
			want = hosts.Asks
		}
		name, text, _ := strings.Cut(l.text, " ")
		full := filepath.Join(s.dir, name)
		var e map[string]any
		if old, put, edits := strings.Cut(text, "=>"); edits {
			was, err := os.ReadFile(full)
			if err != nil || !strings.Contains(string(was), old) {
				s.t.Fatalf("%s: %v", line, err)
			}
			e = s.event("Edit", map[string]any{"file_path": full, "old_string": old, "new_string": put})
			text = strings.Replace(string(was), old, put, 1)
		} else {
			text += "\n"
			e = s.event("Write", map[string]any{"file_path": full, "content": text})
		}
		s.asks(e, want, line)
		s.write(name, text)
		s.ended(e, true)
	default:
		s.t.Fatalf("%q", line)
	}
}

// TestDiscards plays all of them: what is the session's own goes unasked, and anything else asks.
func TestDiscards(t *testing.T) {
	files, err := filepath.Glob("testdata/discards/*.txt")
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.Split("\n"+string(data), "\n# ")[1:] {
			name, lines, _ := strings.Cut(part, "\n")
			t.Run(name, func(t *testing.T) {
				s := sequence{repo: repo{place: newPlace(t), t: t}, open: map[string]map[string]any{}}
				s.args = []string{"-state", filepath.Join(s.home, "state")}
				if !s.user(repository) {
					t.Fatal("no repository")
				}
				for line := range strings.Lines(lines) {
					if line = strings.TrimSuffix(line, "\n"); len(line) > 2 {
						s.play(discardLine{line[0], strings.ReplaceAll(line[2:], `\n`, "\n")})
					}
				}
			})
		}
	}
}

// TestSlowCalls: what a call writes late, or stashes late, may be somebody else's, whatever time a
// file has; and a call that begins again did not run before.
func TestSlowCalls(t *testing.T) {
	r := repo{place: newPlace(t), t: t}
	s := sequence{repo: r}
	if !s.user(repository) {
		t.Fatal("no repository")
	}
	file := filepath.Join(r.dir, "a.txt")
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(file, old, old); err != nil {
		t.Fatal(err)
	}
	if soon(file, time.Now().Add(-2*firstMoments).UnixMilli()) || !soon(file, time.Now().UnixMilli()) {
		t.Error("the time of a file that was set back")
	}
	s.user("echo mine >> a.txt; git stash -q")
	for _, took := range []time.Duration{time.Second, 2 * firstMoments} {
		now := time.Now()
		w := works{Open: []openWork{{Key: "k", At: now.UnixMilli(), Dir: r.dir, Stashes: true}}}
		w.end("k", true, now.Add(took))
		if got := len(w.Stashes) == 1; got != (took < firstMoments) {
			t.Error(took, w.Stashes)
		}
	}
	w := works{Open: []openWork{{Key: "k"}}}
	w.begin("k", &gates.Context{}, time.Now())
	if len(w.Open) > 0 {
		t.Error(w.Open)
	}
}
