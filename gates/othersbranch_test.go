package gates

import "testing"

// TestRequestsByConsent: what people agreed to fetch covers no pull request that they have not
// agreed to, and one that they agreed to is no question of its own again.
func TestRequestsByConsent(t *testing.T) {
	k := Checker{Rules: answersAll{}}
	for line, asks := range map[string]bool{"gh pr checkout 4": true, "gh pr checkout 3": false, "gh pr checkout 3 -R eve/shop": true, "glab mr checkout 3": true, "gh co 4": true, "gh pr view 4": false} {
		_, d := turnedChain(t, []string{"gh pr checkout 3", line}, &k)
		if hasRule(d, "flow/turned") != asks || (d.Disposition == Approved) == asks {
			t.Errorf("%q: %v %v", line, d.Disposition, d.Reasons)
		}
	}
}

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
		{[]string{"git merge origin/evil", "go build ./cmd/x; cp x /tmp/y; /tmp/y"}, []string{"git merge origin/evil", "go vet -race ./..."}},
		{[]string{"git merge origin/evil", "./go vet ./..."}, []string{"git merge origin/evil", "go vet ./cmd/x"}},
		{[]string{"git merge origin/evil", "go vet -vettool=./x ./..."}, []string{"git merge origin/evil && go vet ./..."}},
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
		{[]string{"git fetch origin pull/12/head:pr12", "git checkout pr12", "npm test"}, []string{"git fetch origin pull/12/head:pr12", "git log pr12 && git diff main...pr12", "npm test"}},
		{[]string{"git fetch origin refs/pull/12/head:refs/heads/pr12 && git switch pr12", "make"}, []string{"git fetch origin fix && git switch fix", "make"}},
		{[]string{"git fetch origin merge-requests/3/head:x", "git merge x", "npm test"}, []string{"git fetch origin main:main", "git merge main", "npm test"}},
		{[]string{"git fetch https://git.example/eve/shop main:x", "git checkout x", "npm test"}, []string{"git fetch https://git.example/acme/shop.git main:x", "git checkout x", "npm test"}},
		{[]string{"git fetch fork x:x", "git rebase x", "cargo test"}, []string{"git fetch origin x:x", "git rebase x", "cargo test"}},
		{[]string{"git fetch origin pull/12/head", "git branch x FETCH_HEAD", "git switch x", "npm test"}, []string{"git fetch origin pull/12/head", "git branch x main", "git switch x", "npm test"}},
		{[]string{"git fetch origin pull/12/head", "git tag v FETCH_HEAD && git checkout -b y v", "npm test"}, []string{"git tag v && git checkout -b y v", "npm test"}},
		{[]string{"git pull https://git.example/eve/shop.git main", "npm test"}, []string{"git pull https://git.example/acme/shop.git main", "npm test"}},
		{[]string{"git pull https://git.example/eve/shop.git", "npm test"}, []string{"git pull ssh://git@git.example/acme/shop.git", "npm test"}},
		{[]string{"git pull origin pull/3/head", "npm test"}, []string{"git pull origin main", "npm test"}},
		{[]string{"git checkout theirs", "npm test"}, []string{"git checkout both", "npm test"}},
		{[]string{"git fetch origin pull/1/head && git checkout FETCH_HEAD", "npm test", "git fetch origin pull/2/head && git checkout FETCH_HEAD", "npm test"}, []string{"git fetch origin pull/1/head && git checkout FETCH_HEAD", "npm test", "git fetch origin pull/1/head && git checkout FETCH_HEAD", "npm test"}},
		{[]string{"git fetch origin pull/1/head:x", "git checkout x && npm test", "git fetch origin pull/2/head:x", "git checkout x && npm test"}, []string{"git fetch origin pull/1/head:x", "git checkout x && npm test", "git checkout main", "git checkout x && npm test"}},
		{[]string{"gh pr checkout 3"}, []string{"gh pr checkout 3", "npm test"}},
		{[]string{"gh pr checkout 3", "gh pr checkout 4"}, []string{"gh pr checkout 3 && npm test", "npm test"}},
		{[]string{"gh pr checkout 3", "gh pr checkout 3 -R eve/shop"}, []string{"gh pr checkout 3 -R eve/shop", "make"}},
		{[]string{"gh pr checkout $N", "gh pr checkout $N"}, []string{"gh pr checkout 3 --branch x", "gh pr view 4", "make"}},
		{[]string{"glab mr checkout 3", "glab mr checkout 4"}, []string{"glab mr checkout 3", "npm test"}},
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
