package gates

import (
	"strings"
	"testing"
)

// TestGivenBack lists what may be deleted and thrown away because git can give it back,
// and what comes nearest to that. The last call of each case is judged.
func TestGivenBack(t *testing.T) {
	see := func(path string) Found {
		switch {
		case strings.Contains(path, "kept"):
			return FoundKept
		case strings.Contains(path, "conflict"):
			return FoundConflict
		case strings.Contains(path, "nothing"):
			return FoundNothing
		}
		return FoundUnknown
	}
	for _, tt := range []struct {
		name  string
		lines []string
		want  Disposition
	}{
		{"a file as git holds it", []string{"rm kept.go"}, Approved},
		{"a directory of such files", []string{"rm -rf kept/"}, Approved},
		{"one beside another", []string{"rm kept.go other.go"}, ApprovedWithConstraints},
		{"a pattern", []string{"rm kept*.go"}, ApprovedWithConstraints},
		{"a computed name", []string{"rm kept$X"}, ApprovedWithConstraints},
		{"outside the workspace", []string{"rm ~/kept.go"}, ApprovedWithConstraints},
		{"a workflow", []string{"rm .github/workflows/kept.yml"}, ApprovedWithConstraints},
		{"its changes", []string{"git checkout -- kept.go"}, Approved},
		{"overwritten first by another", []string{"mv notes.txt kept.go && rm kept.go"}, ApprovedWithConstraints},
		{"its changes, by the text of a commit", []string{"git show HEAD:kept.go > kept.go"}, Approved},
		{"those of another", []string{"git show HEAD:kept.go > other.go"}, Approved}, // a write like any other
		{"changes that were there before, so", []string{"git show HEAD~2:src/other.go > src/other.go"}, ApprovedWithConstraints},
		{"those of all files that differ", []string{"for f in $(git diff --name-only); do git show HEAD:$f > $f; done"}, ApprovedWithConstraints},
		{"with a stash brought to it", []string{"git stash pop && git checkout -- kept.go"}, ApprovedWithConstraints},
		{"with a patch put into it", []string{"patch -p1 < x.patch; git restore kept.go"}, ApprovedWithConstraints},
		{"nothing", []string{"rm -rf nothing"}, Approved},
		{"nothing in a home", []string{"rm -rf ~/nothing"}, ApprovedWithConstraints},
		{"nothing, until the line moves something there", []string{"mv notes.txt nothing; rm nothing"}, ApprovedWithConstraints},
		{"a conflict", []string{"git checkout --theirs conflict.go"}, Approved},
		{"the file itself", []string{"rm conflict.go"}, ApprovedWithConstraints},
		{"a change of the session's", []string{"sed -i s/a/b/ kept.go", "git checkout -- kept.go"}, Approved},
		{"one that was there before", []string{"sed -i s/a/b/ other.go", "git checkout -- other.go"}, ApprovedWithConstraints},
		{"one that came from elsewhere", []string{"mv notes.txt kept.go", "git checkout -- kept.go"}, ApprovedWithConstraints},
		{"one that a patch brought", []string{"git apply x.patch", "git checkout -- other.go"}, ApprovedWithConstraints},
		{"the whole tree", []string{"sed -i s/a/b/ kept.go", "git checkout -- ."}, ApprovedWithConstraints},
		{"all that no commit holds", []string{"git reset --hard"}, ApprovedWithConstraints},
		{"what no commit knows", []string{"git clean -fd"}, ApprovedWithConstraints},
		{"a stash", []string{"git stash drop"}, ApprovedWithConstraints},
	} {
		t.Run(tt.name, func(t *testing.T) {
			// What the session changed looks otherwise from then on.
			written := false
			s := State{Cwd: "/w/repo", Roots: []string{"/w/repo"}, Home: "/home/me", UID: 1000, GID: 1000, Exists: func(string) bool { return true }}
			s.Found = func(path string) Found {
				if written {
					return FoundUnknown
				}
				return see(path)
			}
			s.Stamp = func(string) string { return "s" }
			var d Decision
			for _, line := range tt.lines {
				c := ShellContext(line, s)
				d = (&Guardrail{}).Decide(&c)
				s.Flow = c.After()
				written = true
			}
			if d.Disposition != tt.want {
				t.Errorf("%q: %v, want %v %+v", tt.lines, d.Disposition, tt.want, d.Reasons)
			}
		})
	}
}

// TestChangesOfOthers: a file that somebody wrote to since the session did is no longer
// the session's alone, whatever the session writes to it after that.
func TestChangesOfOthers(t *testing.T) {
	stamp, seen := "1", FoundKept
	s := State{Cwd: "/w/repo", Roots: []string{"/w/repo"}, Home: "/home/me", Found: func(string) Found { return seen }, Stamp: func(string) string { return stamp }}
	run := func(line string) Disposition {
		c := ShellContext(line, s)
		d := (&Guardrail{}).Decide(&c)
		before := s
		before.Flow, before.After = c.After(), true
		seen = FoundUnknown
		if line != "git checkout -- a.go" {
			stamp += "w"
			c = ShellContext(line, before)
			s.Flow = c.After()
		}
		return d.Disposition
	}
	run("sed -i s/a/b/ a.go")
	if d := run("git checkout -- a.go"); d != Approved {
		t.Errorf("the session's own: %v", d)
	}
	stamp = "the user's"
	if d := run("git checkout -- a.go"); d != ApprovedWithConstraints {
		t.Errorf("with the user's: %v", d)
	}
	run("sed -i s/a/b/ a.go")
	if d := run("git checkout -- a.go"); d != ApprovedWithConstraints {
		t.Errorf("with both: %v", d)
	}
}
