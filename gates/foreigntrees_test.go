package gates

import (
	"strings"
	"testing"
)

// TestTreesOverTheWorkspace: what somebody else's archive, directory or repository brings over
// the workspace itself asks when something is built, tested or run next, and once.
func TestTreesOverTheWorkspace(t *testing.T) {
	for _, tt := range []struct {
		name  string
		lines []string // the last one is judged
		asks  bool
	}{
		{"an archive", []string{"tar xzf ~/Downloads/x.tgz", "make"}, true},
		{"an archive's tests", []string{"tar xzf ~/Downloads/x.tgz", "npm test"}, true},
		{"an archive's script", []string{"tar xzf ~/Downloads/x.tgz", "./script.sh"}, true},
		{"in one line", []string{"tar xzf ~/Downloads/x.tgz && make"}, true},
		{"a downloaded archive", []string{"curl -sSLO https://x.example/t.tgz", "tar xzf t.tgz", "make"}, true},
		{"downloaded in one line", []string{"curl -sSLO https://x.example/t.tgz && tar xzf t.tgz", "make"}, true},
		{"through a pipe", []string{"curl -sSL https://x.example/t.tgz | tar xz", "cargo test"}, true},
		{"through another program", []string{"gzip -dc ~/Downloads/x.tgz | tar x", "make"}, true},
		{"anybody's archive", []string{"unzip -o /tmp/in/x.zip", "make"}, true},
		{"an archive of a computed name", []string{"unzip \"$F\"", "make"}, true},
		{"to the root by name", []string{"cd src", "unzip ~/x.zip -d /w", "make"}, true},
		{"over code", []string{"unzip ~/x.zip -d src", "make"}, true},
		{"over code by cd", []string{"cd src && unzip ~/x.zip", "make"}, true},
		{"over a directory of code", []string{"rsync -a /mnt/x/ src", "pytest"}, true},
		{"by 7z", []string{"7z x ~/Downloads/x.7z", "make"}, true},
		{"copied", []string{"rsync -a /mnt/x/ .", "go test ./..."}, true},
		{"copied by cp", []string{"cp -r ~/Downloads/x/. .", "make"}, true},
		{"cloned", []string{"git clone https://x.example/a/b .", "npm test"}, true},
		{"another archive", []string{"tar xzf ~/Downloads/x.tgz", "make", "tar xzf ~/Downloads/x.tgz", "make"}, true},

		{"a patch", []string{"git apply ~/Downloads/x.patch", "make"}, true},
		{"a patch on standard input", []string{"patch -p1 < ~/Downloads/x.patch", "npm test"}, true},
		{"a downloaded patch", []string{"curl -sSLO https://x.example/12.patch", "git am 12.patch", "make"}, true},
		{"a patch through a pipe", []string{"curl -sSL https://x.example/12.patch | patch -p1", "make"}, true},

		{"a patch that is tried", []string{"git apply --check ~/Downloads/x.patch", "make"}, false},
		{"the workspace's own patch", []string{"git apply patches/x.patch", "make"}, false},
		{"the session's patch", []string{"git diff > /tmp/x.patch", "git apply -R /tmp/x.patch", "make"}, false},
		{"asked about before", []string{"tar xzf ~/Downloads/x.tgz", "make", "npm test"}, false},
		{"looked at", []string{"tar xzf ~/Downloads/x.tgz", "ls -la && grep -rn x . && git diff"}, false},
		{"listed", []string{"tar tzf ~/Downloads/x.tgz", "make"}, false},
		{"printed", []string{"tar xzOf ~/Downloads/x.tgz README", "make"}, false},
		{"the workspace's own archive", []string{"tar xzf fixtures.tgz", "make"}, false},
		{"one that the session made", []string{"tar czf /tmp/a.tgz src", "tar xzf /tmp/a.tgz", "make"}, false},
		{"a directory for data", []string{"tar xzf ~/Downloads/x.tgz -C data", "make"}, false},
		{"a directory that holds data", []string{"tar xzf ~/Downloads/x.tgz -C fixtures", "make"}, false},
		{"the workspace's own archive over code", []string{"tar xzf fixtures.tgz -C src", "make"}, false},
		{"a file", []string{"cp ~/Downloads/x.csv .", "make"}, false},
		{"a directory beside the code", []string{"cp -r ~/Downloads/x .", "make"}, false},
		{"one that rsync makes", []string{"rsync -a /mnt/x .", "make"}, false},
		{"a copy within the workspace", []string{"cp -r templates/. .", "make"}, false},
		{"cloned beside the code", []string{"git clone https://x.example/a/b", "make"}, false},
	} {
		var flow Flow
		var g Guardrail
		for i, line := range tt.lines {
			c := ShellContext(line, State{Cwd: "/w", Roots: []string{"/w"}, Home: "/home/u", Flow: flow, Names: func(dir string) []string {
				return map[string][]string{"/w": {"src/", "fixtures/"}, "/w/src": {"a/"}, "/w/src/a": {"b.c"}, "/w/fixtures": {"a.csv", "b.png"}}[dir]
			}})
			if i == len(tt.lines)-1 {
				d := g.Decide(&c)
				if got := hasRule(d, "flow/turned"); got != tt.asks {
					t.Errorf("%s: %q: flow/turned %v, %v, %q", tt.name, tt.lines, got, d.Reasons, c.Flow.Turned)
				}
			}
			flow = c.After()
		}
	}
}

// TestTreesOverARepository: where somebody else's files were brought over a repository, git
// asks if what it starts there is something else than before.
func TestTreesOverARepository(t *testing.T) {
	const config, hook = "/w/.git/config", "/w/.git/hooks/pre-commit"
	const husky = plainConfig + "[core]\n\thooksPath = .husky/_\n"
	for _, tt := range []struct {
		name          string
		before, after map[string]string
		line          string
		asks          bool
	}{
		{"settings", map[string]string{config: plainConfig}, map[string]string{config: evilConfig}, "git status", true},
		{"a hook", map[string]string{config: plainConfig}, map[string]string{config: plainConfig, hook: "x"}, "git commit -m x", true},
		{"another hook", map[string]string{config: plainConfig, hook: "x"}, map[string]string{config: plainConfig, hook: "y"}, "git commit -m x", true},
		{"a hook where the settings have them", map[string]string{config: husky, "/w/.husky/pre-commit": "x"}, map[string]string{config: husky, "/w/.husky/pre-commit": "y"}, "git commit -m x", true},
		{"another repository's directory", map[string]string{config: plainConfig}, map[string]string{config: plainConfig, "/w/.git/commondir": "../x"}, "git log", true},

		{"as before", map[string]string{config: husky, hook: "x"}, map[string]string{config: husky, hook: "x"}, "git commit -m x", false},
		{"settings that start nothing", map[string]string{config: plainConfig}, map[string]string{config: plainConfig + "[user]\n\tname = x\n"}, "git status", false},
		{"a sample", map[string]string{config: plainConfig}, map[string]string{config: plainConfig, hook + ".sample": "x"}, "git commit -m x", false},
	} {
		disk := tt.before
		st := State{Cwd: "/w", Roots: []string{"/w"}, Home: "/home/u",
			Text: func(p string) (string, bool) { text, ok := disk[p]; return text, ok },
			Names: func(dir string) (out []string) {
				for file := range disk {
					if name, ok := strings.CutPrefix(file, dir+"/"); ok && !strings.Contains(name, "/") {
						out = append(out, name)
					}
				}
				return out
			}}
		c := ShellContext("tar xzf ~/Downloads/x.tgz", st)
		st.Flow, disk = c.After(), tt.after
		for i, want := range []bool{tt.asks, false} {
			c = ShellContext(tt.line, st)
			d := new(Guardrail).Decide(&c)
			if hasRule(d, "flow/turned") != want {
				t.Errorf("%s, run %d: %v %q", tt.name, i+1, d.Reasons, c.Flow.Turned)
			}
			st.Flow = c.After()
		}
	}
}
