package gates_test

import (
	"path"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// keptDisk is what package managers and version managers keep in a home, with logins beside it.
var keptDisk = map[string]string{
	".pyenv/versions/3.12.1/pip.conf": "index-url = https://u:hunter22@x.example/\n", ".pyenv/versions/3.12.1/lib/python3.12/json/a.py": "x\n", ".pyenv/versions/3.12.1/lib/python3.12/test/key.pem": "x\n",
	".nvm/versions/node/v20/etc/npmrc": "//r/:_authToken=t\n", ".nvm/versions/node/v20/README.md": "x\n", ".nvm/versions/node/v20/lib/node_modules/npm/npmrc": "x\n",
	".sdkman/candidates/maven/3.9/conf/settings.xml": "<password>\n", ".sdkman/candidates/java/21/lib/src.txt": "x\n", ".sdkman/candidates/java/21/conf/management/jmxremote.password": "u p\n",
	".local/share/pipx/venvs/black/pip.conf": "token\n", ".local/share/mise/installs/node/20/etc/npmrc": "token\n", ".opam/log/log-1.env": "TOKEN=x\n", ".cache/pypoetry/auth.toml": "token\n",
	".cache/pre-commit/r/.git/config": "url = https://u:tok12345@x.example/y\n", ".cache/pre-commit/r/hook.py": "x\n", ".cache/pre-commit/plain/.git/config": "url = https://x.example/y\n",
	"go/pkg/mod/cache/vcs/abc/config": "url = https://u:tok12345@x.example/y\n", "go/pkg/mod/x.example/y@v1.2.3/a.go": "package a\n", "go/pkg/mod/x.example/y@v1.2.3/testdata/key.pem": "x\n",
	".pub-cache/credentials.json": "{}\n", ".pub-cache/hosted/pub.dev/http-1.0.0/pubspec.yaml": "x\n", ".npm/_logs/a-debug-0.log": "_authToken=npm_aB3dE5gH7jK9mN1pQ3sT5vX7zB9dF1hJ3lN5\n", ".npm/_logs/b-debug-0.log": "info ok\n",
	".rustup/toolchains/stable/lib/rustlib/src/lib.rs": "x\n", "priv/notes.txt": "mine\n", "w/third/README.md": "x\n", "w/third/src/a.go": "x\n",
}

// keptLinks are links there, as `npm link` and others make them.
var keptLinks = map[string]string{
	".sdkman/candidates/java/dev": "priv", ".nvm/versions/node/v20/lib/node_modules/mine": "priv", ".local/share/mise/installs/node/dev": "priv", ".rustup/toolchains/dev": "priv", "w/third/led": "priv",
	".sdkman/candidates/java/current": ".sdkman/candidates/java/21",
}

// keptPlace is a project beside which that lies.
func keptPlace(t *testing.T) *project {
	p := inProject(t, nil)
	p.st.Cwd, p.st.Roots = "/home/u/w/p", []string{"/home/u/w/p"}
	for name, text := range keptDisk {
		p.disk["/home/u/"+name] = text
	}
	led := func(file string) string {
		for from, to := range keptLinks {
			if rest, ok := strings.CutPrefix(file+"/", "/home/u/"+from+"/"); ok {
				return strings.TrimSuffix("/home/u/"+to+"/"+rest, "/")
			}
		}
		return file
	}
	names, exists, text := p.st.Names, p.st.Exists, p.st.Text
	p.st.LinksIn = func(dir string) []gates.Link {
		var out []gates.Link
		for from, to := range keptLinks {
			if path.Dir("/home/u/"+from) == dir {
				out = append(out, gates.Link{From: "/home/u/" + from, To: "/home/u/" + to})
			}
		}
		return out
	}
	p.st.Names = func(dir string) []string {
		out := names(led(dir))
		for _, l := range p.st.LinksIn(dir) {
			out = append(out, path.Base(l.From))
		}
		return out
	}
	p.st.Exists = func(file string) bool { return exists(led(file)) }
	p.st.Text = func(file string) (string, bool) { return text(led(file)) }
	p.st.Holds = func(string, bool) bool { return false }
	p.st.Tracked = func(string) bool { return true }
	p.st.Installed = gates.InstalledLooker()
	return p
}

func (p *project) line(line string) gates.Decision {
	return p.call("Bash", map[string]string{"command": line})
}

// TestLoginsBesidePackages: whichever way a login beside packages is read, it asks.
func TestLoginsBesidePackages(t *testing.T) {
	p := keptPlace(t)
	for _, s := range []struct{ dir, file, text string }{
		{"~/.pyenv/versions/3.12.1", "pip.conf", "index-url"}, {"~/.nvm/versions/node/v20", "etc/npmrc", "authToken"}, {"~/.sdkman/candidates/maven", "3.9/conf/settings.xml", "password"},
		{"~/.sdkman/candidates/java/21/conf", "management/jmxremote.password", "u"}, {"~/.local/share/pipx/venvs", "black/pip.conf", "token"}, {"~/.local/share/mise/installs/node", "20/etc/npmrc", "token"},
		{"~/.opam/log", "log-1.env", "TOKEN"}, {"~/.cache/pre-commit/r", ".git/config", "url"}, {"~/go/pkg/mod/cache", "vcs/abc/config", "url"}, {"~/.pub-cache", "credentials.json", "x"},
	} {
		dir, base := path.Dir(s.dir+"/"+s.file), path.Base(s.file)
		star := strings.Repeat("/*", strings.Count(s.file, "/"))
		if strings.HasPrefix(s.file, ".git") {
			star = "/.git"
		}
		for _, line := range []string{
			"cat FILE", "cat DIR/" + base[:len(base)-1] + "?", "cat DIR/" + base[:3] + "*", "cat DIR/[" + base[:1] + "]" + base[1:], "cat DIR/{" + base + ",x}", "head -3 TOP" + star + "/" + base, "cat TOP" + star + "/" + base[:3] + "*",
			"grep -r " + s.text + " TOP", "rg -uu " + s.text + " TOP", "find TOP -type f -exec cat {} +", "find TOP -name '" + base[:4] + "*' -exec cat {} \\;", "find TOP -type f | xargs cat", "cd DIR && cat " + base, "cd DIR; cat " + base[:3] + "*",
			"cd TOP && grep -r " + s.text + " .", "cd TOP && tar cf /tmp/x.tar .", "tar cf x.tar TOP", "cp -r TOP .", "cp TOP" + star + "/" + base[:3] + "* .", "for f in DIR/" + base[:3] + `*; do cat "$f"; done`, "rsync -a TOP/ x/", "zip -r x.zip TOP", "cat < FILE", "D=DIR; cat $D/" + base[:3] + "*",
		} {
			line = strings.NewReplacer("FILE", s.dir+"/"+s.file, "DIR", dir, "TOP", s.dir).Replace(line)
			if d := p.line(line); d.Disposition == gates.Approved {
				t.Errorf("passes: %s", line)
			}
			p.st.Flow = gates.Flow{}
		}
		home := func(file string) string { return strings.Replace(file, "~", "/home/u", 1) }
		for tool, args := range map[string]map[string]string{
			"Read": {"file_path": home(s.dir + "/" + s.file)}, "Grep": {"path": home(s.dir), "pattern": s.text, "glob": base, "output_mode": "content"},
		} {
			if d := p.call(tool, args); d.Disposition == gates.Approved {
				t.Errorf("passes: %s %v", tool, args)
			}
			p.st.Flow = gates.Flow{}
		}
	}
	for line, asks := range map[string]bool{
		"cat ~/.npm/_logs/a-debug-0.log": true, "while read l; do echo $l; done < ~/.npm/_logs/a-debug-0.log": true, "cp ~/.npm/_logs/a-debug-0.log x": true, "cat ~/.cache/pypoetry/auth.toml": true,
		"cat ~/.npm/_logs/b-debug-0.log": false, "cat ~/.cache/pre-commit/r/hook.py": false, "grep -r url ~/.cache/pre-commit/plain": false,
		"cat ~/go/pkg/mod/x.example/y@v1.2.3/*": false, "cat ~/go/pkg/mod/x.example/y@v1.2.3/testdata/*": false, "cp -r ~/go/pkg/mod/x.example/y@v1.2.3 .": false, "find ~/go/pkg/mod/x.example -type f -exec cat {} +": false,
		"cat ~/.pyenv/versions/3.12.1/lib/python3.12/test/*": false, "grep -rn json ~/.pyenv/versions/3.12.1/lib": false, "cat ~/.nvm/versions/node/v20/lib/node_modules/npm/npmrc": false, "cat ~/.nvm/versions/node/v20/*.md": false,
		"cat ~/.pub-cache/hosted/pub.dev/http-1.0.0/*": false, "ls -R ~/.pyenv/versions": false, "cat ~/.sdkman/candidates/java/21/lib/src.txt": false, "find ~/.nvm/versions -name npmrc": false,
	} {
		if d := p.line(line); (d.Disposition != gates.Approved) != asks {
			t.Errorf("%s: %v %v", line, d.Disposition, d.Reasons)
		}
		p.st.Flow = gates.Flow{}
	}
}

// TestLinksAmongPackages: what a link beside packages or in another project leads to is read through a
// pattern as by its own name.
func TestLinksAmongPackages(t *testing.T) {
	p := keptPlace(t)
	for link := range keptLinks {
		if strings.HasSuffix(link, "/current") {
			continue
		}
		dir, base := "~/"+path.Dir(link), path.Base(link)
		for _, line := range []string{
			"cat DIR/*/notes.txt", "cat DIR/" + base[:2] + "*/notes.txt", "cat DIR/[" + base[:1] + "]" + base[1:] + "/notes.txt", "cat DIR/*/*.txt", "grep -R x DIR", "grep -r x DIR/*", "rg -L x DIR", "find -L DIR -type f -exec cat {} +", "find DIR -follow -name '*.txt' | xargs cat", "fd -L -e txt . DIR -X cat",
			"cp -rL DIR .", "tar chf x.tar DIR", "rsync -aL DIR/ x/", "zip -r x.zip DIR", "cd DIR; cat */notes.txt", "cd DIR && grep -R x .", "for x in DIR/*; do cat $x/notes.txt; done",
		} {
			line = strings.ReplaceAll(line, "DIR", dir)
			if d := p.line(line); d.Disposition == gates.Approved {
				t.Errorf("passes: %s", line)
			}
			p.st.Flow = gates.Flow{}
		}
	}
	for _, line := range []string{
		"cat ~/.sdkman/candidates/java/cur*/lib/src.txt", "grep -rn x ~/.nvm/versions/node/v20/lib/node_modules/npm", "grep -rn x ~/w/third", "cat ~/w/third/src/*", "grep -R x ~/w/third/src", "cat ~/w/third/*.md",
		"grep -R x ~/.rustup/toolchains/stable/lib", "grep -R package ~/go/pkg/mod/x.example", "ls ~/.rustup/toolchains/*", "find ~/w/third -name '*.go' -exec cat {} +", "cat /usr/lib/python3/*/a.py",
	} {
		if d := p.line(line); d.Disposition != gates.Approved {
			t.Errorf("%s: %v %v", line, d.Disposition, d.Reasons)
		}
		p.st.Flow = gates.Flow{}
	}
}

// TestOwnFilesElsewhere: skills and what is installed by hand may hold secrets, and a tool that takes patterns and directories reads what lies there.
func TestOwnFilesElsewhere(t *testing.T) {
	p := keptPlace(t)
	p.disk["/home/u/.claude/skills/x/credentials.json"], p.disk["/home/u/.claude/skills/x/SKILL.md"], p.disk["/opt/app/conf/credentials.json"], p.disk["/opt/app/a.txt"] = "{}\n", "x\n", "{}\n", "x\n"
	p.st.Kept = []gates.Kept{{Dir: "~/.claude/skills"}}
	for line, asks := range map[string]bool{
		"cat ~/.claude/skills/x/*": true, "cp -r ~/.claude/skills/x .": true, "head ~/.claude/skills/x/cred*": true, "cat /opt/app/*/*": true, "cp -r /opt/app .": true,
		"cat ~/.claude/skills/x/*.md": false, "cat ~/.claude/skills/x/SKILL.md": false, "cat /opt/app/*.txt": false, "ls /opt/app/*": false,
	} {
		if d := p.line(line); (d.Disposition != gates.Approved) != asks {
			t.Errorf("%s: %v %v", line, d.Disposition, d.Reasons)
		}
		p.st.Flow = gates.Flow{}
	}
	p.disk["/home/u/w/p/conf/credentials.json"], p.disk["/home/u/w/p/src/[id].tsx"], p.disk["/home/u/w/p/src/a.ts"] = "{}\n", "x\n", "x\n"
	for what, asks := range map[string]bool{
		"/home/u/w/p/conf/*": true, "/home/u/w/p/conf": true, "/home/u/w/p/**/*.json": true, "/home/u/w/p/{conf,src}/*": true, "/home/u/.nvm/versions/node/v20/etc/*": true, "/home/u/.nvm/versions/node/v20/etc": true, "/home/u/w/third/*/notes.txt": true,
		"/home/u/w/p/src/*": false, "/home/u/w/p/src/[id].tsx": false, "/home/u/w/third/src/*": false, "/home/u/go/pkg/mod/x.example/y@v1.2.3": false,
	} {
		if d := p.call("read_many_files", map[string][]string{"paths": {what}}); (d.Disposition != gates.Approved) != asks {
			t.Errorf("%s: %v %v", what, d.Disposition, d.Reasons)
		}
		p.st.Flow = gates.Flow{}
	}
}
