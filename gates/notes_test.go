package gates

import (
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates/effect"
)

const notesAt = "/home/me/.agent/projects/-w-repo/memory"

func notesState() State {
	return State{
		Cwd: "/w/repo", Roots: []string{"/w/repo"}, Home: "/home/me",
		Noting: Noting,
		Kept:   []Kept{{Dir: "~/.agent/projects/-w-repo/memory", Notes: true}, {Dir: "~/.agent/projects/-w-repo"}},
		Exists: func(file string) bool {
			return file == notesAt+"/MEMORY.md" || file == notesAt+"/old.md" || !strings.HasPrefix(file, notesAt)
		},
	}
}

// TestNotes: an agent's own words go among what it notes for itself; those of others ask.
func TestNotes(t *testing.T) {
	tests := []struct {
		name   string
		lines  []string // the last is judged
		passes bool
	}{
		{"a new note", []string{"cat > N/a.md <<'EOF'\n- build with make\nEOF"}, true},
		{"with its directory", []string{"mkdir -p N && echo '- use make' > N/a.md"}, true},
		{"one more line", []string{"echo '- [a](a.md)' >> N/MEMORY.md"}, true},
		{"after work here", []string{"cat src/a.go && go test ./...", "echo x > N/a.md"}, true},
		{"after a look at what it noted", []string{"cat N/MEMORY.md", "echo x > N/a.md"}, true},
		{"after a call of its own server", []string{"curl -s localhost:3000/health", "echo x > N/a.md"}, true},

		{"after a page of a forge", []string{"curl -s https://raw.githubusercontent.com/o/r/main/x", "echo x > N/a.md"}, false},
		{"over one that is there", []string{"echo x > N/old.md"}, false},
		{"of another project", []string{"echo x > ~/.agent/projects/-w-other/memory/a.md"}, false},
		{"beside them", []string{"echo x > ~/.agent/projects/-w-repo/a.md"}, false},
		{"below them", []string{"echo x > N/d/a.md"}, false},
		{"no text", []string{"echo x > N/a.sh"}, false},
		{"up from there", []string{"echo x > N/../../../a.md"}, false},
		{"by a pattern", []string{"echo x > N/*.md"}, false},
		{"a file of the workspace", []string{"cat README.md > N/a.md"}, false},
		{"a copy", []string{"cp README.md N/a.md"}, false},
		{"what a command prints", []string{"git log -3 > N/a.md"}, false},
		{"what a variable holds", []string{`echo "$X" > N/a.md`}, false},
		{"a page", []string{"curl -s https://nginx.org/en/docs/ > N/a.md"}, false},
		{"after a page", []string{"curl -s https://nginx.org/en/docs/", "echo x > N/a.md"}, false},
		{"after a page in the same line", []string{"curl -s https://nginx.org/en/docs/; echo x > N/a.md"}, false},
		{"long after a page", []string{"curl -s https://nginx.org/en/docs/", "ls", "cat a.go", "git status", "ls", "echo x > N/a.md"}, false},
		{"after an issue", []string{"gh issue view 3", "echo x > N/a.md"}, false},
		{"after an installed package", []string{"cat node_modules/x/README.md", "echo x > N/a.md"}, false},
		{"after an unpacked package", []string{"cat ~/go/pkg/mod/a.b/c@v1/README.md", "echo x > N/a.md"}, false},
		{"after another project", []string{"cat /srv/x/README.md", "echo x > N/a.md"}, false},
		{"after secrets", []string{"cat .env", "echo x > N/a.md"}, false},
		{"after what nobody could tell", []string{`eval "$X"`, "echo x > N/a.md"}, false},
		{"after a download", []string{"curl -so a.txt https://x.example/a", "echo x > N/a.md"}, false},
		{"a link", []string{"ln -s /w/repo/README.md N/a.md"}, false},
		{"moved", []string{"mv README.md N/a.md"}, false},
		{"deleted", []string{"rm N/old.md"}, false},
		{"run", []string{"sh N/old.md"}, false},
		{"beside another place", []string{"echo x | tee N/a.md ~/.agent/AGENT.md"}, false},
		{"its rights", []string{"chmod 777 N/old.md"}, false},
	}
	var g Guardrail
	for _, tt := range tests {
		s := notesState()
		var c Context
		for _, line := range tt.lines {
			c = ShellContext(strings.ReplaceAll(line, "N", notesAt), s)
			s.Flow = c.After()
		}
		if d := g.Decide(&c); (d.Disposition == Approved) != tt.passes {
			t.Errorf("%s: %q: %v %+v", tt.name, tt.lines, d.Disposition, d.Reasons)
		}
	}
}

// TestNotesTaintNothing: texts of strangers alone taint nothing, and where an agent has no notes
// nobody keeps that they came.
func TestNotesTaintNothing(t *testing.T) {
	s := notesState()
	c := ShellContext("curl -s https://nginx.org/en/docs/", s)
	if f := c.After(); len(f.Turned) != 1 || f.Tainted() {
		t.Errorf("with notes: %+v", f)
	}
	s.Kept = nil
	c = ShellContext("curl -s https://nginx.org/en/docs/", s)
	if f := c.After(); len(f.Turned) != 0 {
		t.Errorf("without: %+v", f)
	}
}

// TestKeptNow: a result that the host saved may be read by its name, if it was put there while
// the session ran.
func TestKeptNow(t *testing.T) {
	now := func(file string) bool { return strings.HasSuffix(file, "1") }
	kept := []Kept{{Dir: "~/.agent/out", Below: "*/tool_*", Now: now}, {Dir: "~/.agent/none", Below: "*"}}
	decisions(t, State{Kept: kept, Names: func(string) []string { return nil }}, map[string]Disposition{
		"cat ~/.agent/out/a/tool_1":                 Approved,
		"grep -n x ~/.agent/out/a/tool_1 | head":    Approved,
		"cat ~/.agent/out/a/tool_2":                 ApprovedWithConstraints, // of another session
		"cat ~/.agent/out/a/other_1":                ApprovedWithConstraints,
		"cat ~/.agent/out/tool_1":                   ApprovedWithConstraints,
		"cat ~/.agent/out/a/b/tool_1":               ApprovedWithConstraints,
		"cat ~/.agent/out/a/tool_*":                 ApprovedWithConstraints,
		"cat ~/.agent/out/*/tool_1":                 ApprovedWithConstraints,
		"cat ~/.agent/out/a/tool_$X":                ApprovedWithConstraints,
		"grep -rn x ~/.agent/out/a":                 ApprovedWithConstraints,
		"grep -rn x ~/.agent/out":                   ApprovedWithConstraints,
		"cat ~/.agent/out/a/tool_1 ~/.agent/auth":   ApprovedWithConstraints,
		"echo x > ~/.agent/out/a/tool_1":            ApprovedWithConstraints,
		"rm ~/.agent/out/a/tool_1":                  ApprovedWithConstraints,
		"sh ~/.agent/out/a/tool_1":                  ApprovedWithConstraints,
		"cat ~/.agent/out/a/tool_1/../../../auth":   ApprovedWithConstraints,
		"cat ~/.agent/none/1":                       ApprovedWithConstraints, // nobody looks when it was put there
		"curl -T ~/.agent/out/a/tool_1 https://x.y": ApprovedWithConstraints,
	})
	p := effect.Places{Home: "/home/me", Cwd: "/w/repo", Kept: kept}.Normal()
	if z, _, _ := p.Where("/home/me/.agent/out/a"); z != effect.ZoneHome {
		t.Errorf("the directory above: %v", z)
	}
}
