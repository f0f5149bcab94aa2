package gates_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// project is a session in a workspace: what lay there before, and what the session wrote.
type project struct {
	t    *testing.T
	st   gates.State
	disk map[string]string
}

// inProject is a session in a workspace in which files lie, by their names in it.
func inProject(t *testing.T, disk map[string]string) *project {
	t.Helper()
	p := &project{t: t, disk: map[string]string{}}
	for name, text := range disk {
		p.disk["/home/u/p/"+name] = text
	}
	p.st = gates.State{Cwd: "/home/u/p", Roots: []string{"/home/u/p"}, Home: "/home/u"}
	p.st.Text = func(path string) (string, bool) { text, ok := p.disk[path]; return text, ok }
	p.st.Exists = func(path string) bool {
		for file := range p.disk {
			if file == path || strings.HasPrefix(file, path+"/") {
				return true
			}
		}
		return false
	}
	p.st.Names = func(dir string) []string {
		var out []string
		for file := range p.disk {
			if rest, ok := strings.CutPrefix(file, dir+"/"); ok {
				name, _, below := strings.Cut(rest, "/")
				if below {
					name += "/"
				}
				out = append(out, name)
			}
		}
		return out
	}
	return p
}

// call is the decision on a call, which then runs.
func (p *project) call(tool string, args any) gates.Decision {
	p.t.Helper()
	raw, err := json.Marshal(args)
	if err != nil {
		p.t.Fatal(err)
	}
	c := gates.NewContext(gates.Request{Tool: tool, Args: raw}, p.st)
	d := (&gates.Checker{}).Check(&c, nil)
	p.st.Flow = c.After()
	return d
}

// write has the session write a file.
func (p *project) write(name, text string) {
	p.t.Helper()
	p.call("Write", map[string]string{"file_path": "/home/u/p/" + name, "content": text})
	p.disk["/home/u/p/"+name] = text
}

// What the files of the cases below hold: code that asks where it is started itself.
const (
	pushPy = "import subprocess\n\ndef go():\n    subprocess.run(['git', 'push'])\n"
	pushJS = "exports.go = () => require('child_process').execSync('git push');\n"
	pushRb = "system('git push')\n"
	plainP = "def go():\n    return 1\n"
	plainJ = "exports.go = () => 1;\n"
)

// TestLoaded: a file that the session wrote counts for the run that loads it as it does
// where it is started itself, and counts for no other run.
func TestLoaded(t *testing.T) {
	for _, row := range []struct {
		name, line string
		asks       bool
		files      [][2]string // in the order in which they are written
		disk       map[string]string
	}{
		{"imports", "python3 a.py", true, [][2]string{{"util.py", pushPy}, {"a.py", "import util\nutil.go()\n"}}, nil},
		{"imports what is plain", "python3 a.py", false, [][2]string{{"util.py", plainP}, {"a.py", "import util\nutil.go()\n"}}, nil},
		{"lies beside", "python3 a.py", false, [][2]string{{"util.py", pushPy}, {"a.py", "print('util')\n# import util\n"}}, nil},
		{"lies elsewhere under the same name", "python3 a.py", false, [][2]string{{"x/util.py", pushPy}, {"util.py", plainP}, {"a.py", "import util\n"}}, nil},
		{"a chain through what is checked in", "python3 a.py", true, [][2]string{{"leaf.py", pushPy}}, map[string]string{"a.py": "from pkg import mid\n", "pkg/mid.py": "import leaf\n"}},
		{"a chain that ends elsewhere", "python3 a.py", false, [][2]string{{"leaf.py", pushPy}}, map[string]string{"a.py": "from pkg import mid\n", "pkg/mid.py": "import json\n"}},
		{"two that import each other", "python3 a.py", true, [][2]string{{"b.py", "import a\nimport os\nos.system('git push')\n"}, {"a.py", "import b\n"}}, nil},
		{"a relative import", "python3 -m pkg.x", true, [][2]string{{"pkg/util.py", pushPy}, {"pkg/x.py", "from . import util\n"}}, nil},
		{"a package's start", "python3 a.py", true, [][2]string{{"pkg/__init__.py", "import os\nos.system('git push')\n"}, {"a.py", "from pkg.b import c\n"}}, nil},
		{"a library's name", "python3 a.py", true, [][2]string{{"json.py", pushPy}, {"a.py", "import json\n"}}, nil},
		{"what is checked in is not judged anew", "python3 a.py", false, [][2]string{{"a.py", "import util\nutil.go()\n"}}, map[string]string{"util.py": pushPy}},
		{"starts another", "python3 a.py", true, [][2]string{{"b.sh", "git push\n"}, {"a.py", "import subprocess\nsubprocess.run(['bash', 'b.sh'])\n"}}, nil},

		{"requires", "node a.js", true, [][2]string{{"lib/index.js", pushJS}, {"a.js", "require('./lib').go();\n"}}, nil},
		{"requires what is plain", "node a.js", false, [][2]string{{"lib/index.js", plainJ}, {"a.js", "require('./lib').go();\n"}}, nil},
		{"a word", "node a.js", false, [][2]string{{"lib.js", pushJS}, {"a.js", "console.log('lib');\n"}}, nil},
		{"a planted package", "node a.js", true, [][2]string{{"node_modules/foo/x.js", pushJS}, {"a.js", "require('foo');\n"}}, nil},
		{"another package", "node a.js", false, [][2]string{{"node_modules/foo/x.js", pushJS}, {"a.js", "require('lodash');\n"}}, nil},
		{"requires in Ruby", "ruby a.rb", true, [][2]string{{"u.rb", pushRb}, {"a.rb", "require_relative 'u'\n"}}, nil},
		{"a plain command in Ruby", "ruby a.rb", false, [][2]string{{"u.rb", "V = `git describe`\nsystem('git status')\n"}, {"a.rb", "require_relative 'u'\n"}}, nil},
		{"a computed command in Ruby", "ruby a.rb", true, [][2]string{{"u.rb", "V = `git #{x}`\n"}, {"a.rb", "require_relative 'u'\n"}}, nil},
		{"includes in PHP", "php a.php", true, [][2]string{{"u.txt", "<?php exec('git push');\n"}, {"a.php", "<?php include __DIR__ . '/u.txt';\n"}}, nil},
		{"sources", "sh a.sh", true, [][2]string{{"l", "git push\n"}}, map[string]string{"a.sh": ". ./l\n"}},
		{"sources from where it is started", "sh scripts/a.sh", true, [][2]string{{"scripts/l.sh", "git push\n"}}, map[string]string{"scripts/a.sh": ". ./scripts/l.sh\n"}},
		{"starts another from where it is started", "sh scripts/a.sh", true, [][2]string{{"scripts/l.sh", "git push\n"}, {"scripts/a.sh", "set -e\nbash scripts/l.sh\n"}}, nil},
		{"starts code from where it is started", "cd scripts && sh a.sh", true, [][2]string{{"scripts/x/u.py", pushPy + "go()\n"}, {"scripts/a.sh", "python3 x/u.py\n"}}, nil},
		{"goes down before it sources", "sh scripts/a.sh", true, [][2]string{{"scripts/l.sh", "git push\n"}}, map[string]string{"scripts/a.sh": "cd scripts\n. ./l.sh\n"}},
		{"starts what is plain from where it is started", "sh scripts/a.sh", false, [][2]string{{"scripts/l.sh", "echo a\n"}, {"scripts/a.sh", "bash scripts/l.sh\n"}}, nil},
		{"sources another", "sh a.sh", false, [][2]string{{"l", "git push\n"}}, map[string]string{"a.sh": ". ./k\n", "k": "X=1\n"}},

		{"a dependency's program", "npx orm-kit generate", true, [][2]string{{"orm-kit.config.js", "require('https').request({host: 'db.example'}).end()\n"}}, map[string]string{"node_modules/.bin/orm-kit": "", "node_modules/orm-kit/package.json": "{}"}},
		{"a dependency's program and a model", "npx orm-kit generate", true, [][2]string{{"src/models/a.js", pushJS}}, map[string]string{"node_modules/.bin/orm-kit": "", "node_modules/orm-kit/package.json": "{}"}},
		{"a dependency's program and what is plain", "npx orm-kit generate", false, [][2]string{{"orm-kit.config.js", plainJ}}, map[string]string{"node_modules/.bin/orm-kit": "", "node_modules/orm-kit/package.json": "{}"}},

		{"settings in TypeScript", "npx vite build", true, [][2]string{{"vite.config.ts", "import { defineConfig } from 'vite'\nfetch('https://db.example', { method: 'POST' })\nexport default defineConfig({})\n"}}, nil},
		{"plain settings in TypeScript", "npx vite build", false, [][2]string{{"vite.config.ts", "import { defineConfig, type UserConfig } from 'vite'\nconst c: UserConfig = { server: { proxy: { '/api': 'http://localhost:8080' } }, build: { outDir: 'dist' } }\nexport default defineConfig(c)\n"}}, nil},
		{"what sets tests up in TypeScript", "npx vitest run", true, [][2]string{{"vitest.setup.ts", "import https from 'node:https'\nhttps.request({ host: 'db.example' }).end()\n"}}, map[string]string{"vite.config.ts": "export default { test: { setupFiles: ['./vitest.setup.ts'] } }\n"}},
		{"TypeScript that is run", "npx tsx scripts/seed.ts", true, [][2]string{{"scripts/seed.ts", "const body: string = 'x'\nawait fetch('https://db.example', { method: 'POST', body })\n"}}, nil},
		{"plain TypeScript that is run", "npx tsx scripts/seed.ts", false, [][2]string{{"scripts/seed.ts", "const n: number = 1\nconsole.log(n)\n"}}, nil},
		{"TypeScript that is compiled", "npx tsc --noEmit", false, [][2]string{{"src/api.ts", "export const get = (id: string) => fetch(`https://db.example/${id}`)\n"}}, nil},

		{"a command of MSBuild's", "dotnet build", true, [][2]string{{"Directory.Build.targets", "<Project><Target Name='x' BeforeTargets='Build'><Exec Command='git push' /></Target></Project>"}}, nil},
		{"code in a file of MSBuild's", "dotnet test", true, [][2]string{{"p.csproj", "<Project><UsingTask TaskName='x' TaskFactory='RoslynCodeTaskFactory'/></Project>"}}, nil},
		{"a plain command of MSBuild's", "dotnet build", false, [][2]string{{"p.csproj", "<Project><Target Name='x'><Exec Command='git describe --tags' /></Target></Project>"}}, nil},

		{"a test", "pytest", true, [][2]string{{"t/test_a.py", pushPy}}, nil},
		{"what a checked-in test imports", "pytest", true, [][2]string{{"u.py", pushPy}}, map[string]string{"t/test_a.py": "import u\n"}},
		{"another test", "pytest t/test_b.py", false, [][2]string{{"t/test_a.py", pushPy}, {"t/test_b.py", "def test_b():\n    pass\n"}}, nil},
		{"what steers a test above", "pytest t/test_b.py", true, [][2]string{{"conftest.py", pushPy}, {"t/test_b.py", "def test_b():\n    pass\n"}}, nil},
		{"a tool that no test imports", "pytest", false, [][2]string{{"tools/deploy.py", pushPy}, {"t/test_b.py", "def test_b():\n    pass\n"}}, nil},
		{"only read", "ruff check t", false, [][2]string{{"t/test_a.py", pushPy}}, nil},
		{"another language's runner", "npx jest", false, [][2]string{{"t/test_a.py", pushPy}}, nil},
		{"settings", "npx eslint src", true, [][2]string{{"eslint.config.js", pushJS}}, nil},
		{"what settings name", "npx jest", true, [][2]string{{"s.js", pushJS}, {"jest.config.js", "module.exports = { setupFiles: ['<rootDir>/s.js'] };\n"}}, nil},
		{"a spec", "bundle exec rspec", true, [][2]string{{"spec/a_spec.rb", pushRb}}, nil},
		{"Go's tests", "go test ./...", true, [][2]string{{"a_test.go", "package a\n\nfunc init() { exec.Command(\"git\", \"push\").Run() }\n"}}, nil},
		{"Go's build", "go build ./...", false, [][2]string{{"a_test.go", "package a\n\nfunc init() { exec.Command(\"git\", \"push\").Run() }\n"}}, nil},

		{"a script that pushes", "npm test", true, [][2]string{{"package.json", `{"scripts": {"pretest": "git push", "test": "jest"}}`}}, nil},
		{"another script that pushes", "npm test", false, [][2]string{{"package.json", `{"scripts": {"ship": "git push", "test": "jest"}}`}}, nil},
		{"a checked-in script that pushes", "npm run x", false, [][2]string{{"u.js", plainJ}, {"b.js", pushJS}}, map[string]string{"package.json": `{"scripts": {"x": "git push"}}`}},
		{"a file of a checked-in script", "npm run x", true, [][2]string{{"b.js", pushJS}}, map[string]string{"package.json": `{"scripts": {"x": "node b.js"}}`}},
		{"a target", "make t", true, [][2]string{{"Makefile", "t: u\nu:\n\tgit push\n"}}, nil},
		{"another target", "make t", false, [][2]string{{"Makefile", "t:\n\techo t\nu:\n\tgit push\n"}}, nil},
		{"what make reads", "make t", true, [][2]string{{"Makefile", "X := $(shell git push)\nt:\n\techo t\n"}}, nil},
		{"what it includes", "make t", true, [][2]string{{"r.mk", "t:\n\tgit push\n"}}, map[string]string{"Makefile": "include r.mk\n"}},
		{"a notebook", "papermill a.ipynb b.ipynb", true, [][2]string{{"a.ipynb", `{"cells": [{"cell_type": "code", "source": ["!git push"]}]}`}}, nil},
		{"a plain notebook", "papermill a.ipynb b.ipynb", false, [][2]string{{"a.ipynb", `{"cells": [{"cell_type": "markdown", "source": ["!git push"]}, {"cell_type": "code", "source": ["print(1)"]}]}`}}, nil},
		{"a recipe of just", "just t", true, [][2]string{{"justfile", "t: u\n\nu:\n    git push\n"}}, nil},
		{"another recipe of just", "just t", false, [][2]string{{"justfile", "t:\n    echo t\n\nu:\n    git push\n"}}, nil},
		{"a task", "task t", true, [][2]string{{"Taskfile.yml", "version: '3'\n\ntasks:\n  t:\n    deps: [u]\n  u:\n    cmds:\n      - git push\n"}}, nil},
		{"another task", "task t", false, [][2]string{{"Taskfile.yml", "version: '3'\n\ntasks:\n  t: echo t\n  u:\n    cmds:\n      - git push\n"}}, nil},
		{"another tool's section", "pytest", false, [][2]string{{"pyproject.toml", "[tool.pytest.ini_options]\naddopts = \"-q\"\n\n[tool.poe.tasks]\nship = \"git push\"\n"}}, nil},
		{"a tool's section", "pytest", true, [][2]string{{"plug.py", pushPy}, {"pyproject.toml", "[tool.pytest.ini_options]\naddopts = \"-p plug\"\n"}}, nil},
		{"plugins by computed names", "python3 a.py", true, [][2]string{{"plugins/x.py", pushPy}}, map[string]string{"a.py": "import importlib, os\nfor f in os.listdir('plugins'):\n    importlib.import_module(name(f))\n"}},
		{"others by computed names", "python3 a.py", false, [][2]string{{"tools/x.py", pushPy}}, map[string]string{"a.py": "import importlib, os\nfor f in os.listdir('plugins'):\n    importlib.import_module(name(f))\n"}},
		{"scripts in a row", "npm run a", true, [][2]string{{"package.json", `{"scripts": {"a": "run-s b c", "b": "echo", "c": "git push"}}`}}, nil},
		{"a recipe with parameters", "just t", true, [][2]string{{"justfile", "t x='1':\n    git push\n"}}, nil},
		{"a gemspec", "bundle exec rspec", true, [][2]string{{"a.gemspec", pushRb}}, nil},
		{"behind a computed directory", "php a.php", true, [][2]string{{"inc/x.php", "<?php exec('git push');\n"}}, map[string]string{"a.php": "<?php $d = __DIR__;\nrequire \"$d/inc/x.php\";\n"}},
		{"a hidden library of a shell", "sh a.sh", true, [][2]string{{".envs", "git push\n"}}, map[string]string{"a.sh": ". ./.envs\n"}},
		{"a workspace's package", "npm run b -w x", true, [][2]string{{"packages/x/package.json", `{"name": "x", "scripts": {"b": "git push"}}`}}, nil},
		{"an app of a server", "gunicorn app:app", true, [][2]string{{"core.py", pushPy}}, map[string]string{"app.py": "import core\n"}},
		{"make in make", "make", true, [][2]string{{"s/Makefile", "all:\n\tgit push\n"}}, map[string]string{"Makefile": "all:\n\t$(MAKE) -C s\n"}},
		{"another database", "python3 a.py", true, [][2]string{{"a.py", "import sqlite3\nsqlite3.connect('a.db').execute(\"ATTACH '/home/u/b.db' AS b\")\n"}}, nil},
	} {
		p := inProject(t, row.disk)
		for _, f := range row.files {
			p.write(f[0], f[1])
		}
		if d := p.call("Bash", map[string]string{"command": row.line}); (d.Disposition != gates.Approved) != row.asks {
			t.Errorf("%s: %v %v", row.name, d.Disposition, d.Reasons)
		}
	}
}

// TestEditsInTheirFile: what an edit puts in counts for what it makes of its file.
func TestEditsInTheirFile(t *testing.T) {
	const file = "import subprocess\nsubprocess.run(['git', 'status'])\n# notes\n"
	for _, row := range []struct {
		old, text string
		asks      bool
	}{
		{"status", "push", true},
		{"status", "diff", false},
		{"# notes", "# push", false},
		{"'git', 'status'", "*words", true},
	} {
		for _, looked := range []bool{true, false} {
			p := inProject(t, map[string]string{"a.py": file})
			if !looked { // the session's own file, which nobody looks up
				p = inProject(t, nil)
				p.write("a.py", file)
				p.st.Text = nil
			}
			p.call("Edit", map[string]string{"file_path": "/home/u/p/a.py", "old_string": row.old, "new_string": row.text})
			if d := p.call("Bash", map[string]string{"command": "python3 a.py"}); (d.Disposition != gates.Approved) != row.asks {
				t.Errorf("%s, looked at %v: %v %v", row.text, looked, d.Disposition, d.Reasons)
			}
		}
	}
	p := inProject(t, map[string]string{"a.py": strings.Replace(file, "status", "push", 1)}) // as it is after the call
	p.st.After = true
	p.call("Edit", map[string]string{"file_path": "/home/u/p/a.py", "old_string": "status", "new_string": "push"})
	p.st.After = false
	if d := p.call("Bash", map[string]string{"command": "python3 a.py"}); d.Disposition == gates.Approved {
		t.Error("an edit that has run passes")
	}
}

// TestLoadedPastBounds: a tree that is too large to look through asks, where something in
// it would not be approved, and does not where nothing would.
func TestLoadedPastBounds(t *testing.T) {
	disk := map[string]string{}
	for i := range 2100 {
		disk["t/test_"+strings.Repeat("a", i%50)+string(rune('a'+i%26))+strings.Repeat("b", i/50)+".py"] = "def test():\n    pass\n"
	}
	for _, asks := range []bool{true, false} {
		p := inProject(t, disk)
		text := plainP
		if asks {
			text = pushPy
		}
		p.write("tools/x.py", text)
		if d := p.call("Bash", map[string]string{"command": "pytest"}); (d.Disposition != gates.Approved) != asks {
			t.Errorf("%v: %v %v", asks, d.Disposition, d.Reasons)
		}
	}
}

// BenchmarkLoaded is the decision on a run of all tests of a project, where the session
// wrote a file that none of them loads: by the number of tests, of one import each.
func BenchmarkLoaded(b *testing.B) {
	for _, n := range []int{1, 10, 100, 1000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			st := gates.State{Cwd: "/home/u/p", Roots: []string{"/home/u/p"}, Home: "/home/u"}
			st.Flow.Unvetted = []string{"/home/u/p/tools/deploy.py"}
			names := make([]string, n)
			for i := range names {
				names[i] = "test_" + strconv.Itoa(i) + ".py"
			}
			text := "import json\n\nfrom app.users import User\n\n" + strings.Repeat("def test_a():\n    assert User('a').name == 'a'\n\n", 20)
			st.Text = func(path string) (string, bool) { return text, strings.Contains(path, "/test_") }
			st.Names = func(dir string) []string {
				if dir == "/home/u/p" {
					return names
				}
				return nil
			}
			for b.Loop() {
				c := gates.ShellContext("pytest -q", st)
				if d := (&gates.Guardrail{}).Decide(&c); d.Disposition != gates.Approved {
					b.Fatal(d.Reasons)
				}
			}
		})
	}
}
