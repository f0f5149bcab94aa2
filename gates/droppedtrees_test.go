package gates

import (
	"strings"
	"testing"
)

// TestDroppedTrees: a work tree that the session made may be dropped with what is in it, as any
// directory that it made; what comes nearest to that asks.
func TestDroppedTrees(t *testing.T) {
	const beside = "git worktree add ../shop-old HEAD"
	for _, tt := range []struct {
		name  string
		lines []string
		asks  bool
	}{
		{"in a temporary directory", []string{"git worktree add /tmp/old HEAD", "git worktree remove --force /tmp/old"}, false},
		{"by its short option", []string{"git worktree add /tmp/old HEAD", "git worktree remove -f /tmp/old"}, false},
		{"beside the repository", []string{beside, "git worktree remove ../shop-old --force"}, false},
		{"from within", []string{beside, "git -C src worktree remove --force ../../shop-old"}, false},
		{"in the same line", []string{"git worktree add /tmp/old HEAD && ls /tmp/old && git worktree remove --force /tmp/old"}, false},
		{"by rm", []string{beside, "rm -rf ../shop-old && git worktree prune"}, false},
		{"one that is not there", []string{"git worktree remove --force ../shop-none"}, false},

		{"of others", []string{"git worktree remove --force ../shop-old"}, true},
		{"of others in a temporary directory", []string{"git worktree remove --force /tmp/theirs"}, true},
		{"another", []string{beside, "git worktree remove --force ../shop-mine"}, true},
		{"by the end of its path", []string{"git worktree add /tmp/old HEAD", "git worktree remove --force old"}, true},
		{"locked", []string{"git worktree add /tmp/old HEAD", "git worktree remove -f -f /tmp/old"}, true},
		{"by twice its letter", []string{"git worktree add /tmp/old HEAD", "git worktree remove -ff /tmp/old"}, true},
		{"computed", []string{"git worktree add /tmp/old HEAD", "git worktree remove --force $T"}, true},
		{"all of them", []string{"git worktree add /tmp/old HEAD", "for t in $(git worktree list); do git worktree remove --force $t; done"}, true},
		{"that was there", []string{"git worktree add /tmp/theirs HEAD", "git worktree remove --force /tmp/theirs"}, true},
		{"into which something was moved", []string{"git worktree add /tmp/old HEAD", "mv notes.txt /tmp/old/", "git worktree remove --force /tmp/old"}, true},
		{"above it", []string{"git worktree add /tmp/old/a HEAD", "git worktree remove --force /tmp/old"}, true},
		{"by another name", []string{beside, "git worktree move ../shop-mine ../shop-x; git worktree remove --force ../shop-x"}, true},
		{"by another name in the workspace", []string{"git worktree move ../shop-mine ./x && git worktree remove --force ./x"}, true},
		{"by another name in a temporary directory", []string{"git worktree move ../shop-mine /tmp/x && git worktree remove --force /tmp/x"}, true},
		{"into one of the session's", []string{beside, "git worktree move ../shop-mine ../shop-old/x && git worktree remove --force ../shop-old"}, true},
		{"into one of the session's, earlier", []string{beside, "git worktree move ../shop-mine ../shop-old", "git worktree remove --force ../shop-old"}, true},
		{"into one of the session's, by rm", []string{beside, "git -C . worktree move ../shop-mine ../shop-old", "rm -rf ../shop-old"}, true},
		{"in one's place", []string{beside, "git worktree remove ../shop-old && git worktree move ../shop-mine ../shop-old && git worktree remove --force ../shop-old"}, true},
		{"repaired to be another", []string{beside, "git worktree repair ../shop-old; git worktree remove --force ../shop-old"}, true},
		{"one that is not there, behind what may bring it", []string{"git stash pop; git worktree remove --force ../shop-none"}, true},
		{"one that is not there, by rm", []string{"rm -rf ~/Documents/none"}, true},
		{"the one the session is in", []string{"git worktree remove --force ../shop"}, true},
	} {
		s, made := relaxedPlaces(), map[string]bool{}
		there := func(p string) bool {
			return made[p] || strings.Contains(p, "/theirs") || strings.Contains(p, "/shop-mine") || strings.HasSuffix(p, "shop") || p == "/tmp/old" && len(tt.lines) > 1 && strings.Contains(tt.lines[0], "old/a") || p == "/home/me/src/shop-old" && len(tt.lines) == 1
		}
		s.Exists = there
		s.Found = func(p string) Found {
			if there(p) || strings.HasSuffix(p, "notes.txt") {
				return FoundFile
			}
			return FoundNothing
		}
		var d Decision
		for _, line := range tt.lines {
			c := ShellContext(line, s)
			d = (&Guardrail{}).Decide(&c)
			s.Flow = c.After()
			if line == beside {
				made["/home/me/src/shop-old"], s.Roots = true, append(s.Roots, "/home/me/src/shop-old")
			} else if strings.HasPrefix(line, "git worktree add /tmp/old H") {
				made["/tmp/old"] = true
			}
		}
		if asks := d.Disposition != Approved; asks != tt.asks {
			t.Errorf("%s: %q: asks %v, want %v %+v %q", tt.name, tt.lines, asks, tt.asks, d.Reasons, s.Flow.Own)
		}
	}
}
