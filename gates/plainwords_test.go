package gates

import "testing"

// TestPlainWords: after secrets were read a question to the workspace's own remote asks,
// unless each of its words was known before.
func TestPlainWords(t *testing.T) {
	const secret = "sk-live-9f8e7d6c5b4a39281706"
	for _, tt := range []struct {
		steps []string
		asks  bool
	}{
		{[]string{"cat .env", "git fetch"}, false},
		{[]string{"cat .env", "git fetch origin"}, false},
		{[]string{"cat .env", "git fetch origin main"}, false},
		{[]string{"cat .env", "git fetch origin fix --prune"}, false},
		{[]string{"cat .env", "git fetch --all -p"}, false},
		{[]string{"cat .env", "git fetch origin +refs/heads/main:refs/remotes/origin/main"}, false},
		{[]string{"cat .env", "git fetch origin pull/12/head"}, false},
		{[]string{"cat .env", "git fetch --depth=50 origin long-lived-branch-2024"}, false},
		{[]string{"cat .env", "git pull --rebase origin main"}, false},
		{[]string{"cat .env", "git ls-remote origin"}, false},
		{[]string{"cat .env", "git ls-remote --heads origin main"}, false},
		{[]string{"cat .env", "gh pr view 12"}, false},
		{[]string{"cat .env", "gh pr view 12 --json title,body -q .title"}, false},
		{[]string{"cat .env", "gh pr list --state open --limit 20"}, false},
		{[]string{"cat .env", "gh run view 12345678901 --log"}, false},
		{[]string{"cat .env", "gh pr checks"}, false},
		{[]string{"cat .env", "gh issue list --author @me"}, false},
		{[]string{"cat .env", "git fetch origin " + secret}, true},
		{[]string{"cat .env", "git fetch -q " + secret}, true},
		{[]string{"cat .env", "git fetch origin refs/heads/" + secret}, true},
		{[]string{"cat .env", "git fetch origin main:" + secret}, true},
		{[]string{"cat .env", "git fetch origin deadbeefdeadbeefdeadbeefdeadbeefdeadbeef"}, true},
		{[]string{"cat .env", "git ls-remote origin " + secret}, true},
		{[]string{"cat .env", "git ls-remote origin hunter"}, true},
		{[]string{"cat .env", "git ls-remote --sort=" + secret + " origin"}, true},
		{[]string{"cat .env", "git pull origin " + secret}, true},
		{[]string{"cat .env", "git fetch -o" + secret + " origin"}, true},
		{[]string{"cat .env", "gh pr list --search " + secret}, true},
		{[]string{"cat .env", "gh pr list -S correct-horse"}, true},
		{[]string{"cat .env", "gh pr list --label=" + secret}, true},
		{[]string{"cat .env", "gh issue view " + secret}, true},
		{[]string{"cat .env", "git fetch origin main && git fetch origin " + secret}, true},
		{[]string{"cat .env", "git branch long-lived-branch-2024", "git fetch origin long-lived-branch-2024"}, true},
		{[]string{"cat .env", "git checkout -b fix", "git fetch origin main"}, false},
		{[]string{"git branch long-lived-branch-2024", "cat .env", "git fetch origin long-lived-branch-2024"}, false},
		{[]string{"cat README.md", "git fetch origin " + secret}, false},
	} {
		c, d := turnedChain(t, tt.steps, &Checker{})
		if (d.Disposition != Approved) != tt.asks {
			t.Errorf("%q: %v %+v %+v", tt.steps, d.Disposition, d.Reasons, c.Effects)
		}
	}
}

// TestPlainWordsOfInterface: the words of a path of a host's interface are known alike.
func TestPlainWordsOfInterface(t *testing.T) {
	st := turnedState()
	st.Remotes = []string{"github.com/acme/shop"}
	st.Flow.SensitiveRead = true
	for line, asks := range map[string]bool{
		"gh api repos/acme/shop/pulls/12/comments":               false,
		"gh api repos/{owner}/{repo}/commits/main/check-runs":    false,
		"gh api repos/acme/shop/contents/src/server/handler.go":  false,
		"gh api 'repos/acme/shop/pulls?state=open&per_page=100'": false,
		"gh api repos/acme/shop/contents/src/server/hunter2":     true,
		"gh api repos/acme/shop/contents/sk-live-9f8e7d6c":       true,
		"gh api 'repos/acme/shop/commits?author=hunter'":         true,
		"gh api -X GET search/code -f q=hunter":                  true,
	} {
		c := ShellContext(line, st)
		d := (&Checker{}).Check(&c, nil)
		if (d.Disposition != Approved) != asks {
			t.Errorf("%s: %v %+v", line, d.Disposition, d.Reasons)
		}
	}
}
