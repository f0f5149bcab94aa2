package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/internal/hosts"
)

// TestThrowAway: in a repository that the session made in a directory for temporary files it may
// throw away what it likes, and push to another one; what comes nearest to that asks. A line that
// begins with "! " is somebody else's, one that begins with "? " may be asked about; the last one is
// judged. /tmp/ is a new directory of the test's there, and W the workspace.
func TestThrowAway(t *testing.T) {
	const passes, asks = hosts.Proceeds, hosts.Asks
	const x = "git init -q /tmp/x && cd /tmp/x && git commit -qm one --allow-empty && git branch old && echo a > a.txt && git add . && git commit -qm two"
	const up = "git init -q --bare /tmp/up.git"
	const link = "! ln -s W l; git add l; git commit -qm l"
	const theirs = "! git init -q /tmp/x; cd /tmp/x; git commit -qm mine --allow-empty; git branch keep; echo notes > n"
	const pushed = "git clone -q /tmp/up.git /tmp/c && cd /tmp/c && git commit -qm one --allow-empty"
	for _, tt := range []struct {
		name  string
		lines []string
		want  hosts.Outcome
	}{
		{"a branch", []string{x, "cd /tmp/x && git branch -D old"}, passes},
		{"changes", []string{x, "cd /tmp/x && echo b > a.txt && git reset -q --hard HEAD~1"}, passes},
		{"what is checked out over them", []string{x, "git -C /tmp/x checkout -qf old"}, passes},
		{"untracked files", []string{x, "cd /tmp/x; touch q; git clean -fdx"}, passes},
		{"stashes", []string{x, "cd /tmp/x && echo b > a.txt && git stash -q && git stash drop"}, passes},
		{"records", []string{x, "cd /tmp/x && git reflog expire --expire=now --all && git gc -q --prune=now"}, passes},
		{"refs", []string{x, "cd /tmp/x && git update-ref -d refs/heads/old"}, passes},
		{"below it", []string{x, "mkdir /tmp/x/d && cd /tmp/x/d && git clean -fdx"}, passes},
		{"all in one line", []string{x + " && git reset -q --hard old && git branch -D old"}, passes},
		{"all in one line, one command after the other", []string{"rm -rf /tmp/x; mkdir /tmp/x; cd /tmp/x; git init -q; git commit -qm one --allow-empty; git branch b; git branch -D b; git reset -q --hard"}, passes},
		{"a new directory that the line asks for", []string{"d=$(mktemp -d); cd $d; git init -q; git commit -qm one --allow-empty; git branch b; git branch -D b; rm -rf $d"}, passes},
		{"a clone", []string{"git clone -q . /tmp/z", "cd /tmp/z && git checkout -q -b b && rm a.txt && git checkout -f && git checkout -q - && git branch -D b"}, passes},
		{"a clone, in one line", []string{"git clone -q . /tmp/z && cd /tmp/z && rm a.txt && git reset -q --hard"}, passes},
		{"a copy", []string{"cp -r . /tmp/w", "cd /tmp/w && echo x > a.txt && git reset -q --hard && git clean -fdxq"}, passes},
		{"a copy, in one line", []string{"cp -r . /tmp/w && cd /tmp/w && git reset -q --hard"}, passes},
		{"in a loop", []string{x, "cd /tmp/x; for i in 1 2; do echo $i > a.txt; git add a.txt; git reset -q --hard; done"}, passes},
		{"what is deleted in it by git", []string{x, "cd /tmp/x && git rm -rqf . && git commit -qm none", "rm -rf /tmp/x/.git && git -C /tmp/x init -q"}, passes},
		{"a push to one made here", []string{up, pushed, "cd /tmp/c && git push -q origin HEAD:main && git push -q --force origin HEAD:main && git push -q origin --delete main"}, passes},
		{"a push in the line that makes it", []string{up + " && " + pushed + " && git push -q origin HEAD"}, passes},
		{"a push to a remote that the line adds", []string{up, x, "cd /tmp/x && git remote add up /tmp/up.git && git push -q up HEAD"}, passes},
		{"a push to a remote that an earlier line added", []string{up, x, "git -C /tmp/x remote add up ../up.git", "cd /tmp/x && git push -q up HEAD"}, passes},
		{"a fetch from beside it", []string{x, "git clone -q /tmp/x /tmp/y && cd /tmp/y && git fetch -q origin old:old && git pull -q"}, passes},
		{"a setting that is taken away", []string{x, "git -C /tmp/x config user.name y && git -C /tmp/x config --unset user.name"}, passes},
		{"settings that name no program", []string{x, "cd /tmp/x && git config core.hooksPath /dev/null && git config receive.denyCurrentBranch ignore && git -c advice.detachedHead=false checkout -qf old"}, passes},
		{"a work tree of one", []string{x, "git -C /tmp/x worktree add -q /tmp/y -b w && cd /tmp/y && git reset -q --hard && cd /tmp/x && git worktree remove --force /tmp/y && git branch -D w"}, passes},
		{"a work tree of the user's, which the session made", []string{"git worktree add -q --detach /tmp/y", "git worktree remove --force /tmp/y"}, passes},
		{"by a function", []string{"r() { git init -q $1 && git -C $1 commit -qm one --allow-empty; }; r /tmp/x; git -C /tmp/x reset -q --hard"}, passes},
		{"by a script", []string{"printf '#!/bin/sh\nset -e\nrm -rf /tmp/x\ngit init -q /tmp/x\ncd /tmp/x\ngit commit -qm one --allow-empty\ngit reset -q --hard\n' > s.sh", "sh s.sh"}, passes},
		{"that a script made where the call says", []string{"printf '#!/bin/sh\nset -e\ngit init -q \"$DIR\"\n' > s.sh", "DIR=/tmp/x sh s.sh", "rm -rf /tmp/x/.git/x/*.json; rm -rf /tmp/x"}, passes},
		{"a clone by an address of a file", []string{up, "git clone -q file:///tmp/up.git /tmp/c && cd /tmp/c && git commit -qm one --allow-empty && git push -q origin HEAD"}, passes},
		{"one command after the other that ends where one fails", []string{"set -e\ngit clone -q . /tmp/z\ncd /tmp/z\ngit reset -q --hard\n"}, passes},
		{"plain files under names with a dot", []string{"printf 'import os\\nos.makedirs(\"/tmp/o/.c\")\\nopen(\"/tmp/o/.c/x\", \"w\").write(\"1\")\\n' > s.py; python3 s.py", "rm -rf /tmp/o/.c"}, passes},

		{"a setting that names a program", []string{x, "git -C /tmp/x config core.sshCommand W/x"}, asks},
		{"a setting that lets others in", []string{x, "git -C /tmp/x config protocol.ext.allow always"}, asks},
		{"a setting of other files, with the command", []string{x, "git -C /tmp/x -c core.worktree=W clean -fdx"}, asks},
		{"a work tree of the user's, in one line", []string{"git worktree add -q --detach /tmp/y && cd /tmp/y && git update-ref -d refs/heads/old"}, asks},
		{"a work tree that is gone", []string{x, "git -C /tmp/x worktree add -q /tmp/y -b w", "git -C /tmp/x worktree remove /tmp/y; cd /tmp/y; git reset -q --hard"}, asks},
		{"a directory of others, named by a call", []string{theirs, "ls /tmp/x", "rm -rf /tmp/x"}, asks},
		{"a directory of others, made after a call named it", []string{"test -d /tmp/x || true", theirs, "rm -rf /tmp/x"}, asks},
		{"what was moved to where a call says", []string{"! mkdir v; git init -q v; echo notes > v/n", "mv v /tmp/x", "rm -rf /tmp/x"}, asks},
		{"in a function whose failures count for nothing", []string{"set -e\nf() { git clone -q . /tmp/z; cd /tmp/z; git reset -q --hard; }\nf || true\n"}, asks},
		{"in a list whose failures count for nothing", []string{"set -e\n{ git clone -q . /tmp/z; cd /tmp/z; git reset -q --hard; } || true\n"}, asks},
		{"where failures are let pass again", []string{"set -e\nset +e\ngit clone -q . /tmp/z\ncd /tmp/z\ngit reset -q --hard\n"}, asks},
		{"in a loop behind a sign", []string{x, "cd /tmp/x;for i in 1 2; do git reset -q --hard; rm -rf /tmp/x; done"}, asks},
		{"in a loop in brackets", []string{x, "cd /tmp/x; (for i in 1 2; do git reset -q --hard; rm -rf /tmp/x; done)"}, asks},
		{"in a loop that takes it away", []string{x, "cd /tmp/x; for i in 1 2; do git reset -q --hard; rm -rf /tmp/x; done"}, asks},
		{"a clone from an address that is written another way", []string{"git clone -q file:///%2e%2e/etc /tmp/z"}, asks},
		{"a clone beside nothing", []string{"git clone -q https://example.com/a/b /tmp/z"}, asks},
		{"of others", []string{theirs, "cd /tmp/x && git branch -D keep"}, asks},
		{"of others, initialized again", []string{theirs, "git init -q /tmp/x; cd /tmp/x && git reset -q --hard"}, asks},
		{"of others, with a directory of the session's", []string{theirs, "! git -C /tmp/x add n", "mkdir /tmp/x/d", "cd /tmp/x/d && git reset -q --hard"}, asks},
		{"of others, with one of the line's", []string{theirs, "mkdir /tmp/x/d && cd /tmp/x/d && git branch -D keep"}, asks},
		{"of others, all of it", []string{theirs, "rm -rf /tmp/x"}, asks},
		{"with the user's own directory of git", []string{x, "cd /tmp/x && git --git-dir=W/.git branch -D old"}, asks},
		{"with a variable", []string{x, "cd /tmp/x && GIT_DIR=W/.git git branch -D old"}, asks},
		{"with a variable that is exported", []string{x, "export GIT_DIR=W/.git; cd /tmp/x && git branch -D old"}, asks},
		{"with a variable that is read", []string{x, "D=/tmp/x; read GIT_DIR <<< W/.git; cd $D && git branch -D old"}, asks},
		{"with files elsewhere", []string{x, "? git -C /tmp/x config core.worktree W", "cd /tmp/x && git clean -fdx"}, asks},
		{"with files elsewhere, in one line", []string{x, "cd /tmp/x && git config core.worktree W; git clean -fdx"}, asks},
		{"with settings of another file", []string{x, "? git -C /tmp/x config include.path W/c", "cd /tmp/x && git clean -fdx"}, asks},
		{"whose directory of git is the user's", []string{"mkdir /tmp/x", "! echo gitdir: W/.git > /tmp/x/.git", "cd /tmp/x && git branch -D old"}, asks},
		{"that becomes the user's in the line", []string{"mkdir /tmp/x", "echo gitdir: W/.git > /tmp/x/.git; cd /tmp/x && git branch -D old"}, asks},
		{"through a link", []string{"mkdir /tmp/x", "! ln -s W /tmp/x/l; echo mine >> a.txt", "cd /tmp/x/l && git reset -q --hard"}, asks},
		{"with a link to the user's", []string{"mkdir /tmp/x", "! ln -s W/.git /tmp/x/.git", "cd /tmp/x && git stash clear"}, asks},
		{"with branches that are the user's", []string{x, "! rm -rf /tmp/x/.git/refs; ln -s W/.git/refs /tmp/x/.git/refs", "cd /tmp/x && git branch -D old"}, asks},
		{"with second names of the user's", []string{"! rm -rf .git/logs; echo mine >> a.txt", "cp -al . /tmp/w", "cd /tmp/w && git reset -q --hard"}, asks},
		{"below a clone, where it may bring a link", []string{link, "git clone -q . /tmp/z && cd /tmp/z/l && git branch -D old"}, asks},
		{"below a clone, made as a directory", []string{link, "git clone -q . /tmp/z && mkdir -p /tmp/z/l && cd /tmp/z/l && git branch -D old"}, asks},
		{"below a clone, by -C", []string{link, "git clone -q . /tmp/z && git -C /tmp/z/l branch -D old"}, asks},
		{"below a work tree", []string{link, "git clone -q . /tmp/z && cd /tmp/z", "git -C /tmp/z worktree add -q /tmp/y && cd /tmp/y/l && git branch -D old"}, asks},
		{"below it, after git brought files", []string{x, "cd /tmp/x && git checkout -q old && mkdir -p l && cd l && git branch -D old"}, asks},
		{"below it, made anew after git brought files", []string{x, "cd /tmp/x && git checkout -q old && git init -q l && cd l && git branch -D old"}, asks},
		{"below it, in a directory that git may make a link", []string{x, "mkdir /tmp/x/d", "cd /tmp/x && git checkout -q old && cd d && git branch -D old"}, asks},
		{"below a new one, after git brought files", []string{"git init -q /tmp/x && cd /tmp/x && git pull -q W && mkdir -p l && cd l && git branch -D old"}, asks},
		{"made while a line waits", []string{"! echo 'git init -q \"$1\"' > s.sh", "sleep 0.01; sh s.sh /tmp/x", "rm -rf /tmp/x"}, asks},
		{"a work tree of the user's", []string{"git branch b; git worktree add -q /tmp/wt HEAD~0 --detach", "cd /tmp/wt && git update-ref -d refs/heads/b"}, asks},
		{"records of a work tree of the user's", []string{"git worktree add -q --detach /tmp/wt", "cd /tmp/wt && git reflog expire --expire=now --all"}, asks},
		{"a copy of a work tree of the user's", []string{"git worktree add -q --detach /tmp/wt && cp -r /tmp/wt /tmp/w && cd /tmp/w && git branch -D old"}, asks},
		{"back in the workspace", []string{x, "cd /tmp/x; cd W; git branch -D old"}, asks},
		{"back in the workspace, with the same words", []string{x, "cd /tmp/x && git branch -D old; cd W && git branch -D old"}, asks},
		{"back in the workspace, by another -C", []string{x, "git -C /tmp/x -C W branch -D old"}, asks},
		{"up from it", []string{x, "git -C /tmp/x/.. branch -D old"}, asks},
		{"one that may not be there", []string{"git clone -q https://example.com/a/b /tmp/z; cd /tmp/z; git reset -q --hard"}, asks},
		{"a copy that may not be there", []string{"cp -r . /tmp/w; cd /tmp/w; git reset -q --hard"}, asks},
		{"one that the line takes away", []string{x, "rm -rf /tmp/x; cd /tmp/x; git reset -q --hard"}, asks},
		{"one that the line makes and takes away", []string{"mkdir /tmp/x; rm -rf /tmp/x; cd /tmp/x; git reset -q --hard"}, asks},
		{"one that the line makes, takes away, makes and takes away", []string{"mkdir /tmp/x; rm -rf /tmp/x; mkdir /tmp/x; rm -rf /tmp/x; cd /tmp/x; git reset -q --hard"}, asks},
		{"below one, which may not be there", []string{"mkdir /tmp/x; cd /tmp/x/d; git reset -q --hard"}, asks},
		{"below a file", []string{"! touch /tmp/x", "mkdir -p /tmp/x/d; cd /tmp/x/d; git reset -q --hard"}, asks},
		{"that nobody may enter", []string{"mkdir -m 000 /tmp/x; cd /tmp/x; git init -q; git reset -q --hard"}, asks},
		{"behind a mask", []string{"umask 777; mkdir /tmp/x; cd /tmp/x; git init -q; git reset -q --hard"}, asks},
		{"by another program", []string{x, "cd /tmp/x; find W -name .git -execdir git reset --hard \\;"}, asks},
		{"moved there", []string{"! echo notes > n.txt", "mkdir /tmp/x && mv n.txt /tmp/x/", "cd /tmp/x && git init -q && git clean -fdx"}, asks},
		{"a push elsewhere", []string{x, "cd /tmp/x && git push -q https://example.com/a/b HEAD"}, asks},
		{"a push to the user's", []string{x, "cd /tmp/x && git push -qf W HEAD:refs/heads/b"}, asks},
		{"a push from a clone", []string{"git clone -q . /tmp/z", "cd /tmp/z && git push -q origin HEAD:refs/heads/b"}, asks},
		{"a push from a clone, in one line", []string{"git clone -q . /tmp/z && cd /tmp/z && git push -q origin HEAD:refs/heads/b"}, asks},
		{"a push from a clone that may not be there", []string{up, "git clone -q /tmp/up.git /tmp/c && cd /tmp/c; git push -q origin HEAD"}, asks},
		{"a push to one of others", []string{"! git init -q --bare /tmp/up.git", pushed, "cd /tmp/c && git push -q origin HEAD"}, asks},
		{"a push to one that starts something", []string{up, pushed, "! printf '#!/bin/sh\\ntouch W/x\\n' > /tmp/up.git/hooks/post-receive", "cd /tmp/c && git push -q origin HEAD"}, asks},
		{"a push to one that starts something from the line on", []string{up, pushed, "printf 'touch W/x' > /tmp/up.git/hooks/post-receive; chmod +x /tmp/up.git/hooks/post-receive; cd /tmp/c && git push -q origin HEAD"}, asks},
		{"a push to an address that the settings change", []string{up, pushed, "? git -C /tmp/c config url.https://example.com/.insteadOf /tmp/", "cd /tmp/c && git push -q origin HEAD"}, asks},
		{"a push to an address that the user's settings change", []string{"! git config --global url.https://example.com/.insteadOf /tmp/", up, x, "cd /tmp/x && git remote add up /tmp/up.git && git push -q up HEAD"}, asks},
		{"a push to two places", []string{up, pushed, "? git -C /tmp/c remote set-url --add --push origin https://example.com/a/b", "cd /tmp/c && git push -q origin HEAD"}, asks},
		{"a push to a remote that is another one", []string{up, pushed, "? git -C /tmp/c remote set-url origin https://example.com/a/b", "cd /tmp/c && git remote add origin /tmp/up.git; git push -q origin HEAD"}, asks},
		{"a push with a program", []string{up, pushed, "cd /tmp/c && git push -q --receive-pack=W/x origin HEAD"}, asks},
		{"a fetch from elsewhere", []string{x, "cd /tmp/x && git fetch -q https://example.com/a/b"}, asks},
		{"an extension that the settings name", []string{x, "? git -C /tmp/x config core.fsmonitor W/x.sh", "cd /tmp/x && git reset -q --hard"}, asks},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRepo(t)
			r.git("branch", "old")
			dir, err := os.MkdirTemp("/tmp", "gbt")
			if err != nil {
				t.Skip(err)
			}
			os.Remove(dir)
			t.Cleanup(func() {
				list, _ := filepath.Glob(dir + "-*")
				for _, name := range append(list, dir) {
					os.RemoveAll(name)
				}
			})
			put := strings.NewReplacer("/tmp/", dir+"-", "../up", "../"+filepath.Base(dir)+"-up", "W/", r.dir+"/", " W", " "+r.dir)
			for i, line := range tt.lines {
				line = put.Replace(line)
				if line[0] == '!' {
					if err := r.bash(line[2:]); err != nil {
						t.Fatal(line, err)
					}
					continue
				}
				line, may := strings.CutPrefix(line, "? ")
				got := r.runs(tt.name+string(rune('a'+i)), line)
				if i == len(tt.lines)-1 && got != tt.want || i < len(tt.lines)-1 && got != passes && !may {
					t.Errorf("%s: %v, want %v", line, got, tt.want)
				}
			}
		})
	}
}
