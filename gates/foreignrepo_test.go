package gates

import (
	"encoding/json"
	"strings"
	"testing"
)

const (
	plainConfig = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n[remote \"origin\"]\n\turl = https://github.com/a/b\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n"
	evilConfig  = plainConfig + "[core]\n\tfsmonitor = ./x.sh\n"
)

// repositories are what the host sees.
var repositories = map[string]string{
	"/home/u/src/p/.git/config": "[core]\n\thooksPath = .husky\n", "/home/u/src/p/.git/HEAD": "", "/home/u/src/p/.git/hooks/pre-commit": "",
	"/home/u/src/p/deps/evil/.git/config": evilConfig, "/home/u/src/p/deps/plain/.git/config": plainConfig, "/home/u/src/p/deps/a.txt": "",
	"/home/u/src/n/.git/config": evilConfig, "/tmp/evil/.git/config": evilConfig, "/tmp/plain/.git/config": plainConfig,
	"/tmp/hooked/.git/config": plainConfig, "/tmp/hooked/.git/hooks/post-index-change": "", "/tmp/hooked/.git/hooks/pre-commit.sample": "",
	"/tmp/idle/.git/config": plainConfig, "/tmp/idle/.git/hooks/pre-commit": "",
	"/tmp/bare/HEAD": "", "/tmp/bare/config": evilConfig, "/tmp/far/.git/config": plainConfig, "/tmp/far/.git/commondir": "../x",
	"/tmp/tree/.git": "gitdir: /home/u/src/p/.git/worktrees/tree\n", "/tmp/pointer/.git": "gitdir: ../evil/.git\n",
	"/tmp/hg/.hg/hgrc": "[paths]\ndefault = https://x.example/a\n", "/tmp/hgevil/.hg/hgrc": "[hooks]\npre-status = ./x.sh\n",
	"/tmp/long/.git/config": strings.Repeat("# a\n", maxPlain) + evilConfig, "/tmp/jj/.jj/repo/config.toml": "[fsmonitor]\n", "/tmp/jjplain/.jj/repo/store": "",
}

func seeing(dir string) State {
	return State{
		Cwd: dir, Roots: []string{"/home/u/src/p"}, Home: "/home/u",
		Exists: func(p string) bool {
			for f := range repositories {
				if f == p || strings.HasPrefix(f, p+"/") {
					return true
				}
			}
			return false
		},
		Text: func(p string) (string, bool) { text, ok := repositories[p]; return text, ok },
		Names: func(p string) (out []string) {
			for f := range repositories {
				if name, ok := strings.CutPrefix(f, p+"/"); ok && !strings.Contains(name, "/") {
					out = append(out, name)
				}
			}
			return out
		},
	}
}

// TestForeignRepositories: git and hg ask where a repository's own configuration may start
// programs, and it is not the workspace's, nor a neighbour's of its owner's.
func TestForeignRepositories(t *testing.T) {
	for _, tt := range []struct {
		name  string
		lines []string // the last one is judged
		asks  bool
	}{
		{"the workspace", []string{"git status"}, false},
		{"a part of it", []string{"git -C deps log"}, false},
		{"a neighbour", []string{"git -C ../n log"}, false},
		{"elsewhere, plain", []string{"git -C /tmp/plain status"}, false},
		{"elsewhere, nothing there", []string{"git -C /tmp/none status"}, false},
		{"elsewhere", []string{"git -C /tmp/evil status"}, true},
		{"below it", []string{"git -C /tmp/evil/a/b log"}, true},
		{"by cd", []string{"cd /tmp/evil && git diff"}, true},
		{"in a shell", []string{"sh -c 'cd /tmp/evil && git diff'"}, true},
		{"a hook that reading starts", []string{"git -C /tmp/hooked status"}, true},
		{"one that it does not start", []string{"git -C /tmp/idle status"}, false},
		{"a change that starts it", []string{"git -C /tmp/idle commit -m x"}, true},
		{"a bare one", []string{"git -C /tmp/bare log"}, true},
		{"one that names another", []string{"git -C /tmp/far log"}, true},
		{"a tree of the workspace's", []string{"git -C /tmp/tree log"}, false},
		{"a tree of another", []string{"git -C /tmp/pointer log"}, true},
		{"longer than is read", []string{"git -C /tmp/long log"}, true},
		{"agreed to before", []string{"git -C /tmp/evil status", "git -C /tmp/evil log"}, false},
		{"a new one there", []string{"git init /tmp/evil"}, false},
		{"hg, plain", []string{"hg -R /tmp/hg status"}, false},
		{"hg", []string{"hg -R /tmp/hgevil status"}, true},
		{"hg by cd", []string{"cd /tmp/hgevil && hg log"}, true},
		{"jj", []string{"jj -R /tmp/jj log"}, true},
		{"a clone", []string{"git clone https://github.com/a/b /tmp/new", "git -C /tmp/new log"}, false},
		// what came with an archive or a copy
		{"unpacked into the workspace", []string{"tar xf a.tar -C deps", "git -C deps/evil status"}, true},
		{"plain", []string{"tar xf a.tar -C deps", "git -C deps/plain status"}, false},
		{"beside it", []string{"tar xf a.tar -C deps", "git -C deps status"}, false},
		{"the workspace after it", []string{"tar xf a.tar -C deps", "git status"}, false},
		{"without it", []string{"git -C deps/evil status"}, false},
		{"unpacked at the root", []string{"tar xf a.tar", "cd deps/evil && git log"}, true},
		{"into a neighbour", []string{"unzip a.zip -d ../n", "git -C ../n log"}, true},
		{"copied to a neighbour", []string{"cp -r /tmp/x ../n", "git -C ../n log"}, true},
		{"a file copied to it", []string{"cp /tmp/x ../n", "git -C ../n log"}, false},
		{"moved to it", []string{"mv /tmp/x ../n", "git -C ../n log"}, true},
		{"in one line", []string{"tar xf a.tar && cd foo && git log"}, true},
		{"in one line, elsewhere", []string{"curl -s https://a.example/a.tgz | tar xz -C /tmp/u; git -C /tmp/u/x diff"}, true},
		{"in one line, before it", []string{"git -C deps log && tar xf a.tar -C deps"}, false},
		{"in one line, the workspace", []string{"tar xf a.tar && git status"}, false},
		{"a copy of the workspace's", []string{"cp -r deps/plain /tmp/plain && git -C /tmp/plain diff"}, false},
		{"a copy of another's", []string{"cp -r ~/x /tmp/y && git -C /tmp/y diff"}, true},
		{"a clone in one line", []string{"git clone https://github.com/a/b /tmp/new && git -C /tmp/new log"}, false},
	} {
		var flow Flow
		for i, line := range tt.lines {
			args, _ := json.Marshal(map[string]string{"command": line})
			st := seeing("/home/u/src/p")
			st.Flow = flow
			c := NewContext(Request{Tool: "bash", Args: args}, st)
			var g Guardrail
			d := g.Decide(&c)
			if i == len(tt.lines)-1 && asksTurned(&d) != tt.asks {
				t.Errorf("%s: %+v", tt.name, d.Reasons)
			}
			flow = c.After()
		}
		if flow.Tainted() && strings.Contains(tt.name, "unpacked into") {
			t.Errorf("%s: tainted by %q", tt.name, flow.Turned)
		}
	}
}

// TestForeignRepositoriesUnseen: where nobody looks, only what the session unpacked asks.
func TestForeignRepositoriesUnseen(t *testing.T) {
	for _, tt := range []struct {
		lines []string
		asks  bool
	}{
		{[]string{"git -C /tmp/evil status"}, false},
		{[]string{"tar xf a.tar -C /tmp/u", "git -C /tmp/u/x status"}, true},
		{[]string{"tar xf a.tar -C deps", "git -C deps/x status"}, true},
		{[]string{"tar xf a.tar", "git -C deps log"}, false},
		{[]string{"git clone https://github.com/a/b /tmp/new", "git -C /tmp/new log"}, false},
	} {
		var flow Flow
		for i, line := range tt.lines {
			args, _ := json.Marshal(map[string]string{"command": line})
			c := NewContext(Request{Tool: "bash", Args: args}, State{Cwd: "/home/u/src/p", Roots: []string{"/home/u/src/p"}, Home: "/home/u", Flow: flow})
			var g Guardrail
			d := g.Decide(&c)
			if i == len(tt.lines)-1 && asksTurned(&d) != tt.asks {
				t.Errorf("%q: %+v", tt.lines, d.Reasons)
			}
			flow = c.After()
		}
	}
}

func asksTurned(d *Decision) bool {
	for i := range d.Reasons {
		if d.Reasons[i].Rule == "flow/turned" {
			return true
		}
	}
	return false
}
