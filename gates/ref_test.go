package gates

import (
	"slices"
	"testing"
)

// TestOwnRefs lists what of branches and tags a session may delete because it made it, and
// what comes nearest to that and asks. main, old and v1 are there before; each line makes the
// refs that stand behind it.
func TestOwnRefs(t *testing.T) {
	const repo = "/w/repo/.git"
	type step struct {
		line  string
		makes []string
	}
	made := step{"git branch tmp", []string{"refs/heads/tmp"}}
	for _, tt := range []struct {
		name   string
		before []step
		line   string
		asks   bool
	}{
		{"a branch", []step{made}, "git branch -D tmp", false},
		{"by its long options", []step{made}, "git branch --delete --force tmp", false},
		{"of a directory", []step{made}, "git -C /w/repo --no-pager branch -D tmp", false},
		{"below it", []step{made}, "cd /w/repo/src && git branch -D tmp", false},
		{"by checkout", []step{{"git checkout -q -b tmp main", made.makes}}, "git checkout main; git branch -D tmp", false},
		{"by switch", []step{{"git switch --create tmp", made.makes}}, "git switch main && git branch -D tmp", false},
		{"by the name that the remote has", []step{{"git switch tmp", made.makes}}, "git switch - && git branch -D tmp", false},
		{"by a work tree", []step{{"git worktree add --track -b tmp ../repo-x origin/x", made.makes}}, "git worktree list; git branch -D tmp", false},
		{"by a fetch", []step{{"git fetch -q origin pull/1/head:tmp 2>&1 | tail -1", made.makes}}, "git branch -D tmp", false},
		{"in a line that failed later", []step{{"git branch tmp && false", made.makes}}, "git branch -D tmp", false},
		{"a tag", []step{{"git tag tmp", []string{"refs/tags/tmp"}}}, "git tag -d tmp", false},
		{"a branch that is called as the tag", []step{{"git tag old", []string{"refs/tags/old"}}}, "git branch -D old", true},
		{"a tag that is called as the branch", []step{{"git branch v1", []string{"refs/heads/v1"}}}, "git tag -d v1", true},

		{"of others", nil, "git branch -D old", true},
		{"a tag of others", nil, "git tag -d v1", true},
		{"that was there", []step{{"git branch old", nil}}, "git branch -D old", true},
		{"moved by force", []step{{"git branch -f old main", nil}}, "git branch -D old", true},
		{"given another name", []step{{"git branch -m old new", []string{"refs/heads/new"}}}, "git branch -D new", true},
		{"copied", []step{{"git branch -c old new", []string{"refs/heads/new"}}}, "git branch -D new", true},
		{"that a program made", []step{{"make x", made.makes}}, "git branch -D tmp", true},
		{"that is not there", []step{{"git branch tmp", nil}}, "git switch -q main; git branch -D tmp 2>/dev/null", false},
		{"that is not there, after another fetch", nil, "git fetch origin x:tmp; git branch -D tmp", true},
		{"that is not there, with one that is", nil, "git branch -D tmp old", true},
		{"that is not there, by what follows", nil, "git branch -D tmp; git branch -D old", true},
		{"in another repository", []step{made}, "cd /w/other && git branch -D tmp", true},
		{"in another, by an option", []step{made}, "git -C /w/other branch -D tmp", true},
		{"in another, by a long option", []step{made}, "git --git-dir=/w/other/.git branch -D tmp", true},
		{"in another, by a variable", []step{made}, "GIT_DIR=/w/other/.git git branch -D tmp", true},
		{"on the server", []step{made}, "git push origin --delete tmp", true},
		{"of the server", []step{made}, "git branch -D -r origin/tmp", true},
		{"with another", []step{made}, "git branch -D tmp old", true},
		{"computed", []step{made}, `git branch -D $(git branch --list "t*")`, true},
		{"the one before", []step{made}, "git branch -D -", true},
		{"by what it was before", []step{made}, "git branch -D @{-1}", true},
		{"in a loop", []step{made}, "for b in tmp old; do git branch -D $b; done", true},
		{"in a loop that makes it anew", []step{made}, "for i in 1 2; do git branch -D tmp; git branch tmp old; done", true},
		{"in a loop of another shell", []step{made}, `sh -c 'for i in 1 2; do git branch -D tmp; git branch tmp old; done'`, true},
		{"after its file is written", []step{made}, "cat .git/refs/heads/old > .git/refs/heads/tmp; git branch -D tmp", true},
		{"after it is moved", []step{made}, "git update-ref refs/heads/tmp old && git branch -D tmp", true},
		{"after a commit", []step{made}, "git commit -qam wip; git switch main; git branch -D tmp", true},
		{"after another fetch", []step{made}, "git fetch origin +x:tmp; git branch -D tmp", true},
		{"after it is made anew", []step{made}, "git checkout -B tmp old; git switch main; git branch -D tmp", true},
		{"after a program", []step{made}, "make x; git branch -D tmp", true},
		{"beside one", []step{made}, "git branch -D tmp | make x", true},
		{"in the background", []step{made}, "git branch -D tmp & git log", true},
		{"by another git", []step{made}, "git() { command git \"$@\"; }; git branch -D tmp", true},
		{"made in the same line", nil, "git branch tmp && git branch -D tmp", true},
		{"by xargs", []step{made}, "git branch --list 't*' | xargs git branch -D", true},
		{"moved too", []step{made}, "git branch -M old tmp", true},
		{"by the name of a file in it", []step{made}, "git update-ref -d refs/heads/tmp", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			have := map[string]string{"refs/heads/main": "a", "refs/heads/old": "b", "refs/tags/v1": "b"}
			s := State{Cwd: "/w/repo", Roots: []string{"/w/repo"}, Home: "/home/me", UID: 1000, GID: 1000}
			s.Ref = func(dir, name string, but []string) Ref {
				if dir == "/w/other" {
					return Ref{Repo: "/w/other/.git", At: "a", Kept: true}
				}
				return Ref{Repo: repo, At: have[name], Kept: have[name] == "a" && !slices.Contains(but, "refs/heads/main")}
			}
			for _, b := range tt.before {
				c := ShellContext(b.line, s)
				flow := c.After()
				for _, name := range b.makes {
					have[name] = "a"
				}
				s.After, s.Flow = true, flow
				c = ShellContext(b.line, s)
				s.After, s.Flow = false, c.After()
			}
			c := ShellContext(tt.line, s)
			d := (&Guardrail{}).Decide(&c)
			if asks := d.Disposition != Approved; asks != tt.asks {
				t.Errorf("asks %v, want %v %+v %q", asks, tt.asks, d.Reasons, s.Flow.Own)
			}
			if d := (&Guardrail{Profile: ProfileStrict}).Decide(&c); d.Disposition == Approved {
				t.Error("the strict profile approves")
			}
		})
	}
}

// TestOwnRefsAreForgotten: a ref that was not there before a call of which nobody told counts
// for nothing, and with a ref all go that stand for the same commit: each kept it.
func TestOwnRefsAreForgotten(t *testing.T) {
	have := map[string]string{}
	s := State{Cwd: "/w/repo", Roots: []string{"/w/repo"}, Home: "/home/me"}
	s.Ref = func(_, name string, _ []string) Ref { return Ref{Repo: "/r", At: have[name], Kept: true} }
	c := ShellContext("git branch x1; git branch x2", s)
	if s.Flow = c.After(); !slices.Equal(s.Flow.Own, []string{"newref:refs/heads/x1 /r", "newref:refs/heads/x2 /r"}) {
		t.Errorf("before it ran: %q", s.Flow.Own)
	}
	have["refs/heads/x1"], have["refs/heads/x2"] = "a", "a"
	c = ShellContext("ls", s)
	if own := c.After().Own; len(own) > 0 {
		t.Errorf("nobody told of it: %q", own)
	}
	s.After = true
	c = ShellContext("git branch x1; git branch x2", s)
	if s.Flow = c.After(); !slices.Equal(s.Flow.Own, []string{"ref:a refs/heads/x1 /r", "ref:a refs/heads/x2 /r"}) {
		t.Errorf("after it ran: %q", s.Flow.Own)
	}
	s.After = false
	c = ShellContext("git branch -D x1", s)
	if own := c.After().Own; len(own) > 0 {
		t.Errorf("with one of them: %q", own)
	}
}
