package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"testing"

	"github.com/gbt-policy/gbt/internal/hosts"
)

// runs is a command line of the session that really runs: what the hook says before it, and
// the word after it.
func (r repo) runs(id, line string) hosts.Outcome {
	r.t.Helper()
	a := &asker{place: r.place, t: r.t, state: r.args[1], mode: "default", dir: r.dir}
	args, err := json.Marshal(map[string]string{"command": line})
	if err != nil {
		r.t.Fatal(err)
	}
	before, _ := a.tell("PreToolUse", a.event("PreToolUse", id, "Bash", string(args)))
	after := "PostToolUse"
	if err := r.bash(line); err != nil {
		after = "PostToolUseFailure"
	}
	a.tell(after, a.event(after, id, "Bash", string(args)))
	return before
}

func (r repo) bash(line string) error {
	cmd := exec.Command("bash", "-c", line)
	cmd.Dir = r.dir
	cmd.Env = []string{"HOME=" + r.home, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=x", "GIT_AUTHOR_EMAIL=x@example.com", "GIT_COMMITTER_NAME=x", "GIT_COMMITTER_EMAIL=x@example.com"}
	return cmd.Run()
}

// TestOwnRefs: branches and tags that the session made and nobody moved may be deleted, where
// their commits stay in the repository under another name or are another machine's. A line
// that begins with "! " is somebody else's; the last one is judged.
func TestOwnRefs(t *testing.T) {
	const passes, asks = hosts.Proceeds, hosts.Asks
	topic := "git checkout -qb topic && git commit -qm t --allow-empty && git checkout -q -"
	lost := "git checkout -q --detach && echo x > q && git add q && git commit -qm q"
	second := "git commit -qm two --allow-empty"
	other := "git init -q ../z && cd ../z && git commit -qm z --allow-empty && git branch tmp"
	theirs := "git clone -q . ../z && cd ../z && git switch -qc other && git commit -qm z --allow-empty && cd - && git remote add origin file://$PWD/../z"
	for _, tt := range []struct {
		name  string
		there string // before the session
		lines []string
		want  hosts.Outcome
	}{
		{"a branch", "", []string{"git branch tmp", "git branch -D tmp"}, passes},
		{"one that it was on", "", []string{"git switch -c tmp", "git switch - && git branch -D tmp"}, passes},
		{"a tag", "", []string{"git tag b/x", "git reflog -10 | cat; git tag -d b/x"}, passes},
		{"of a branch that went on", "", []string{"git branch tmp", "! git stash -q; git commit -qm y --allow-empty; git commit -qm z --allow-empty", "git branch -D tmp"}, passes},
		{"of a branch that was merged into", topic, []string{"git tag t", "! git merge -q topic", "git tag -d t"}, passes},
		{"through a link", "ln -s . l", []string{"git branch tmp", "git -C l branch -D tmp"}, passes},
		{"with a work tree", "", []string{"git worktree add -b wt ../wt", "git worktree remove ../wt", "git branch -D wt"}, passes},
		{"called as a work tree", "", []string{"git worktree add ../wt", "git worktree remove ../wt && git branch -D wt"}, passes},
		{"two", "", []string{"git branch x1 && git branch x2", "git branch -D x1 x2"}, passes},
		{"packed since", "", []string{"git branch x1", "! git pack-refs --all", "git branch -D x1"}, passes},
		{"fetched", theirs, []string{"git fetch origin other:pr-1", "git branch -D pr-1"}, passes},
		{"one that is not there", "", []string{"git branch -D tmp"}, passes},

		{"where refs are kept in another format", "git branch tmp && mkdir .git/reftable && mv .git/refs/heads/tmp .git/reftable/tmp", []string{"git branch -D tmp"}, asks},
		{"of others", "git branch tmp", []string{"git branch -D tmp"}, asks},
		{"asked for again", "git branch tmp", []string{"git branch tmp || true", "git branch -D tmp"}, asks},
		{"with commits", "", []string{"git switch -c tmp", "echo x > q && git add -A && git commit -m x", "git switch - && git branch -D tmp"}, asks},
		{"with a commit of the same line", "echo dirty > a.txt", []string{"git switch -c tmp", "git commit -qam wip; git switch -; git branch -D tmp"}, asks},
		{"with a commit of others", "", []string{"git branch tmp", "! git switch -q tmp; git commit -qm y --allow-empty; git switch -q -", "git branch -D tmp"}, asks},
		{"deleted, and made by others", "", []string{"git branch tmp", "git branch -D tmp", "! git branch tmp", "git branch -D tmp"}, asks},
		{"of a commit that nothing else names", lost, []string{"git branch tmp", "git checkout -q -", "git branch -D tmp"}, asks},
		{"two of such a commit", lost, []string{"git branch t1; git branch t2", "git checkout -q -", "git branch -D t1; git branch -D t2"}, asks},
		{"one of two of such a commit", lost, []string{"git branch t1; git branch t2", "git checkout -q -", "git branch -D t1"}, asks},
		{"before one of others", "git branch theirs", []string{"git branch tmp", "git branch -D tmp; git branch -D theirs"}, asks},
		{"with the branch that has its commit", topic, []string{"git branch tmp topic", "git branch -D tmp topic"}, asks},
		{"after that branch", topic, []string{"git branch tmp topic", "git branch -d topic; git branch -D tmp"}, asks},
		{"fetched of a branch of its own", topic, []string{"git fetch . topic:tmp", "! git branch -qD topic", "git branch -D tmp"}, asks},
		{"a tag of what was rebased since", topic + "; git commit -qm m --allow-empty", []string{"git checkout -q topic && git tag b/x", "git rebase -q -", "git tag -d b/x"}, passes},
		{"of what was reset away since", second, []string{"git branch backup", "! git reset -q --hard HEAD~1", "git branch -D backup"}, asks},
		{"of what was reset away, and more committed", second, []string{"git branch backup", "! git reset -q --hard HEAD~1; git commit -qm y --allow-empty", "git branch -D backup"}, asks},
		{"of what was amended since", second, []string{"git branch backup", "git commit -q --amend --allow-empty -m z", "git branch -D backup"}, passes},
		{"of what a branch was taken to another commit from", second, []string{"git branch backup", "! git checkout -q --detach; git branch -f @{-1} HEAD~1", "git branch -D backup"}, asks},
		{"with a commit that was taken away again", "", []string{"git branch tmp", "! git switch -q tmp; git commit -qm y --allow-empty; git reset -q --hard HEAD~1; git switch -q -", "git branch -D tmp"}, asks},
		{"of a commit that a message names", lost + "; h=$(git rev-parse HEAD); git checkout -q -; git commit -qm \"see $h for it\" --allow-empty; git checkout -q $h", []string{"git branch tmp", "git checkout -q -", "git branch -D tmp"}, asks},
		{"through a link into another repository", "mkdir -p v/s && git -C v init -q && git -C v commit -qm z --allow-empty && git -C v branch tmp && ln -s v/s l", []string{"git branch tmp", "git -C l branch -D tmp"}, asks},
		{"below a repository without a work tree", "git init -q --bare v && git push -q v HEAD:tmp", []string{"git branch tmp", "git -C v/info branch -D tmp"}, asks},
		{"of others, by the same words as its own in another repository", "mkdir v && git -C v init -q && git -C v commit -qm z --allow-empty && git branch tmp", []string{"git -C v branch tmp", "git -C v branch -D tmp; git branch -D tmp"}, asks},
		{"in another repository", other, []string{"git branch tmp", "cd ../z && git branch -D tmp"}, asks},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRepo(t)
			r.git("config", "user.name", "x")
			if err := r.bash(tt.there); err != nil {
				t.Fatal(err)
			}
			for i, line := range tt.lines {
				if line[0] == '!' {
					if err := r.bash(line[2:]); err != nil {
						t.Fatal(line, err)
					}
					continue
				}
				if got := r.runs(tt.name+string(rune('a'+i)), line); i == len(tt.lines)-1 && got != tt.want {
					t.Errorf("%v, want %v", got, tt.want)
				}
			}
		})
	}
}
