package gates

import "testing"

// TestOthersBranch: what comes from somebody else's branch is asked about when it runs, and
// what the branch follows is not.
func TestOthersBranch(t *testing.T) {
	for _, tt := range []struct{ harm, twin []string }{
		{[]string{"git fetch origin", "git checkout origin/evil -- tools/deploy", "./tools/deploy"}, []string{"git fetch origin", "git checkout origin/main -- tools/deploy", "./tools/deploy"}},
		{[]string{"git checkout fork/main -- tools", "./tools/deploy"}, []string{"git checkout HEAD~1 -- tools", "./tools/deploy"}},
		{[]string{"git checkout origin/evil -- Makefile", "make"}, []string{"git checkout origin/fix -- Makefile", "make"}},
		{[]string{"git checkout origin/evil -- x.sh", "cp x.sh y.sh", "sh y.sh"}, []string{"git checkout main -- x.sh", "cp x.sh y.sh", "sh y.sh"}},
		{[]string{"git restore --source=origin/evil x.sh", "sh x.sh"}, []string{"git restore --source=HEAD x.sh", "sh x.sh"}},
		{[]string{"git restore -s origin/evil -- x.sh", "sh x.sh"}, []string{"git restore -s main -- x.sh", "sh x.sh"}},
		{[]string{"git show origin/evil:x.sh > y.sh", "sh y.sh"}, []string{"git show HEAD:x.sh > y.sh", "cat y.sh"}},
		{[]string{"git show FETCH_HEAD:x.sh | tee y.sh", "bash y.sh"}, []string{"git show origin/evil:x.sh", "git show origin/evil:x.sh | head"}},
		{[]string{"git merge origin/evil", "npm test"}, []string{"git merge origin/main", "npm test"}},
		{[]string{"git merge FETCH_HEAD", "go test ./..."}, []string{"git merge fix-2", "go test ./..."}},
		{[]string{"git pull origin evil", "make test"}, []string{"git pull", "make test"}},
		{[]string{"git pull fork main", "npm test"}, []string{"git pull --rebase origin main", "npm test"}},
		{[]string{"git pull origin +evil:x", "npm test"}, []string{"git pull origin fix", "npm test"}},
		{[]string{"git rebase fork/main", "npm test"}, []string{"git rebase origin/main", "npm test"}},
		{[]string{"git checkout origin/evil", "./tools/deploy"}, []string{"git checkout origin/evil", "git log -3"}},
		{[]string{"git checkout -b x fork/x", "cargo test"}, []string{"git checkout -b x origin/main", "cargo test"}},
		{[]string{"git switch --detach origin/evil", "npm test"}, []string{"git switch -", "npm test"}},
		{[]string{"git reset --hard refs/remotes/origin/evil", "npm test"}, []string{"git reset --hard origin/fix", "npm test"}},
		{[]string{"git cherry-pick fork/x~2", "npm test"}, []string{"git cherry-pick fix-2~2", "npm test"}},
		{[]string{"git merge origin/evil && npm test"}, []string{"npm test && git merge origin/evil"}},
		{[]string{"git merge origin/evil", "npm test", "git merge fork/evil", "npm test"}, []string{"git merge origin/evil", "npm test", "git merge origin/evil", "npm test"}},
	} {
		var k Checker
		if _, d := turnedChain(t, tt.harm, &k); d.Disposition == Approved {
			t.Errorf("%q: %v", tt.harm, d.Disposition)
		}
		if _, d := turnedChain(t, tt.twin, &k); d.Disposition != Approved && !hasRule(d, "workspace/discard") && !hasRule(d, "spawn/escape") {
			t.Errorf("twin %q: %v %+v", tt.twin, d.Disposition, d.Reasons)
		} else if hasRule(d, "flow/turned") || hasRule(d, "flow/unvetted") {
			t.Errorf("twin %q asks about the branch", tt.twin)
		}
	}
}
