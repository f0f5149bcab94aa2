package gates_test

import (
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// TestRoundabout: code that the session wrote counts by whatever way it is started or
// loaded, each way beside its plain twin.
func TestRoundabout(t *testing.T) {
	const push, plain = "git push\n", "echo built\n"
	py := func(command string) string { return "import os\nos.system('" + command + "')\n" }
	for _, row := range []struct {
		name, line string
		bad, good  [2]string
		disk       map[string]string
		notebook   bool
	}{
		{name: "a makefile under any name", line: "make -f n.txt t", bad: [2]string{"n.txt", "t:\n\tgit push\n"}, good: [2]string{"n.txt", "t:\n\techo built\n"}},
		{name: "what a search finds", line: `find d -name blob -exec sh {} \;`, bad: [2]string{"d/blob", "#!/bin/sh\n" + push}, good: [2]string{"d/blob", "#!/bin/sh\n" + plain}},
		{name: "what a search finds, whatever its name", line: `find d -type f -exec sh {} \;`, bad: [2]string{"d/blob", "#!/bin/sh\n" + push}, good: [2]string{"d/blob", "#!/bin/sh\n" + plain}},
		{name: "a command in the first line", line: "./n", bad: [2]string{"n", "#!/usr/bin/env -S sh -c 'git push'\n"}, good: [2]string{"n", "#!/usr/bin/env -S sh -e\necho built\n"}},
		{name: "the options of the first line's program", line: "./n", bad: [2]string{"n", "#!/bin/sh -c 'git push'\n"}, good: [2]string{"n", "#!/bin/sh -e\necho built\n"}},
		{name: "examples in a document", line: "pytest --doctest-glob='*.md' d", bad: [2]string{"d/n.md", "# A\n\n>>> import os\n>>> os.system('rm -rf ~')\n"}, good: [2]string{"d/n.md", "# A\n\n>>> 1 + 1\n2\n"}},
		{name: "examples by settings", line: "pytest d", disk: map[string]string{"pytest.ini": "[pytest]\naddopts = --doctest-glob='*.md'\n"}, bad: [2]string{"d/n.md", "# A\n\n>>> import os\n>>> os.system('rm -rf ~')\n"}, good: [2]string{"d/n.md", "# A\n\n>>> 1 + 1\n2\n"}},
		{name: "the override of compose", line: "docker compose up -d", disk: map[string]string{"compose.yml": "services:\n  a:\n    image: x\n"}, bad: [2]string{"compose.override.yml", "services:\n  a:\n    privileged: true\n"}, good: [2]string{"compose.override.yml", "services:\n  a:\n    environment:\n      X: '1'\n"}},
		{name: "an installed tool", line: "npx eslint src", bad: [2]string{"node_modules/eslint/cli.js", "require('child_process').execSync('git push');\n"}, good: [2]string{"node_modules/eslint/cli.js", "console.log(1);\n"}},
		{name: "what an installed tool needs", line: "npm run lint", disk: map[string]string{"package.json": `{"scripts": {"lint": "eslint src"}}`, "node_modules/eslint/package.json": `{"dependencies": {"espree": "1"}}`, "node_modules/espree/package.json": `{}`}, bad: [2]string{"node_modules/espree/x.js", "require('child_process').execSync('git push');\n"}, good: [2]string{"node_modules/espree/x.js", "console.log(1);\n"}},
		{name: "what another installed tool needs", line: "npx eslint src", disk: map[string]string{"node_modules/eslint/package.json": `{}`}, bad: [2]string{"node_modules/eslint/x.js", "require('child_process').execSync('git push');\n"}, good: [2]string{"node_modules/espree/x.js", "require('child_process').execSync('git push');\n"}},
		{name: "a cell", line: "jupyter nbconvert --to notebook --execute n.ipynb", notebook: true, bad: [2]string{"n.ipynb", py("git push")}, good: [2]string{"n.ipynb", "print(1)\n"}},
		{name: "a cell that a shell takes", line: "jupyter nbconvert --execute --to html n.ipynb", notebook: true, bad: [2]string{"n.ipynb", "%%bash\ngit push\n"}, good: [2]string{"n.ipynb", "%%bash\ngit status\n"}},
		{name: "a cell that is timed", line: "jupyter nbconvert --execute --to html n.ipynb", notebook: true, bad: [2]string{"n.ipynb", "%%time\n" + py("git push")}, good: [2]string{"n.ipynb", "%%time\nprint(1)\n"}},
		{name: "examples in a module", line: "pytest --doctest-modules s", bad: [2]string{"s/m.py", "def f():\n    \"\"\"\n    >>> import os\n    >>> os.remove(os.path.expanduser('~/a'))\n    \"\"\"\n"}, good: [2]string{"s/m.py", "def f():\n    \"\"\"\n    >>> f()\n    \"\"\"\n"}},
		{name: "such examples where nobody runs them", line: "python3 s/m.py", bad: [2]string{"s/m.py", "import os\nos.remove(os.path.expanduser('~/a'))\n"}, good: [2]string{"s/m.py", "def f():\n    \"\"\"\n    >>> import os\n    >>> os.remove(os.path.expanduser('~/a'))\n    \"\"\"\n"}},
		{name: "a justfile under any name", line: "just -f n.txt all", bad: [2]string{"n.txt", "all:\n  git push\n"}, good: [2]string{"n.txt", "all:\n  git status\n"}},
		{name: "what a justfile imports", line: "just a", disk: map[string]string{"justfile": "import 'x.txt'\n"}, bad: [2]string{"x.txt", "a:\n  git push\n"}, good: [2]string{"x.txt", "a:\n  git status\n"}},
		{name: "the examples of one document", line: "python3 -m doctest t.txt", bad: [2]string{"t.txt", ">>> import os\n>>> os.remove(os.path.expanduser('~/a'))\n"}, good: [2]string{"t.txt", ">>> 1\n1\n"}},
		{name: "rules of ninja under any name", line: "ninja -f n.txt", bad: [2]string{"n.txt", "rule r\n  command = git push\nbuild o: r\n"}, good: [2]string{"n.txt", "rule r\n  command = git status\nbuild o: r\n"}},
		{name: "what compose includes", line: "docker compose up -d", disk: map[string]string{"compose.yml": "include:\n- parts/db.yml\nservices:\n  a:\n    image: x\n"}, bad: [2]string{"parts/db.yml", "services:\n  db:\n    image: x\n    privileged: true\n"}, good: [2]string{"parts/db.yml", "services:\n  db:\n    image: x\n"}},
		{name: "what compose does not include", line: "docker compose up -d", disk: map[string]string{"compose.yml": "include:\n- parts/db.yml\nservices:\n  a:\n    image: x\n"}, bad: [2]string{"parts/db.yml", "services:\n  db:\n    image: x\n    pid: host\n"}, good: [2]string{"other/db.yml", "services:\n  db:\n    image: x\n    privileged: true\n"}},
		{name: "a module of Perl", line: "PERL5LIB=l perl a.pl", disk: map[string]string{"a.pl": "use Foo::Bar;\n"}, bad: [2]string{"l/Foo/Bar.pm", "package Foo::Bar;\nsystem('git push');\n1;\n"}, good: [2]string{"l/Foo/Bar.pm", "package Foo::Bar;\nsub f { 1 }\n1;\n"}},
		{name: "another module of Perl", line: "perl a.pl", disk: map[string]string{"a.pl": "use lib 'l';\nuse Foo;\n"}, bad: [2]string{"l/Foo.pm", "package Foo;\nsystem('git push');\n1;\n"}, good: [2]string{"l/Bar.pm", "package Bar;\nsystem('git push');\n1;\n"}},
		{name: "Zig's build", line: "zig build", bad: [2]string{"build.zig", "pub fn build(b: *std.Build) void { std.fs.deleteTreeAbsolute(std.posix.getenv(\"HOME\").?) catch {}; }\n"}, good: [2]string{"build.zig", "pub fn build(b: *std.Build) void { _ = b; }\n"}},
		{name: "Elixir's tests", line: "mix test", bad: [2]string{"test/a_test.exs", "File.rm_rf!(System.user_home!() <> \"/a\")\n"}, good: [2]string{"test/a_test.exs", "IO.puts(System.user_home!())\n"}},
		{name: "a cell of a shell", line: "jupyter nbconvert --to notebook --execute n.ipynb", notebook: true, bad: [2]string{"n.ipynb", "!git push\n"}, good: [2]string{"n.ipynb", "!git status\n"}},
	} {
		for _, twin := range []struct {
			file [2]string
			asks bool
		}{{row.bad, true}, {row.good, false}} {
			p := inProject(t, row.disk)
			if row.notebook {
				p.call("NotebookEdit", map[string]string{"notebook_path": "/home/u/p/" + twin.file[0], "new_source": twin.file[1]})
			} else {
				p.write(twin.file[0], twin.file[1])
			}
			if d := p.call("Bash", map[string]string{"command": row.line}); (d.Disposition != gates.Approved) != twin.asks {
				t.Errorf("%s: %q: %v %v", row.name, twin.file[1], d.Disposition, d.Reasons)
			}
		}
	}
}

// TestLongTexts: a text too long to be remembered counts for what it holds where it is moved to
// a name that something loads.
func TestLongTexts(t *testing.T) {
	pad := strings.Repeat("# a line of a text that is long\n", 400)
	for _, row := range []struct {
		text, move, to, line string
		asks                 bool
	}{
		{pad + "all:\n\tgit push\n", "mv n.txt Makefile", "Makefile", "make", true},
		{pad + "all:\n\techo built\n", "mv n.txt Makefile", "Makefile", "make", false},
		{pad + "import os\nos.system('git push')\n", "cp n.txt conftest.py", "conftest.py", "pytest", true},
		{pad + "import os\nprint(os.getcwd())\n", "cp n.txt conftest.py", "conftest.py", "pytest", false},
	} {
		p := inProject(t, nil)
		p.write("n.txt", row.text)
		p.disk["/home/u/p/n.txt"] = row.text
		p.call("Bash", map[string]string{"command": row.move})
		p.disk["/home/u/p/"+row.to] = row.text
		if d := p.call("Bash", map[string]string{"command": row.line}); (d.Disposition != gates.Approved) != row.asks {
			t.Errorf("%s, %s: %v %v", row.move, row.line, d.Disposition, d.Reasons)
		}
	}
}

// TestCompiledModule: Python loads a compiled library by the name of a module.
func TestCompiledModule(t *testing.T) {
	for text, asks := range map[string]bool{"import fast\n": true, "import slow\n": false} {
		p := inProject(t, map[string]string{"t.py": text})
		p.write("e.c", "#include <stdlib.h>\nvoid f() { system(\"rm -rf ~\"); }\n")
		p.call("Bash", map[string]string{"command": "cc -shared -o fast.cpython-311-x86_64-linux-gnu.so e.c"})
		if d := p.call("Bash", map[string]string{"command": "python3 t.py"}); (d.Disposition != gates.Approved) != asks {
			t.Errorf("%s: %v %v", text, d.Disposition, d.Reasons)
		}
	}
}

// TestLibraryPath: a library that nobody vetted counts for all that a line starts with its
// directory among those of libraries.
func TestLibraryPath(t *testing.T) {
	for _, row := range []struct {
		line string
		asks bool
	}{
		{"export LD_LIBRARY_PATH=$PWD/l; git status", true},
		{"LD_LIBRARY_PATH=l git status", true},
		{"LD_LIBRARY_PATH=k git status", false},
		{"git status", false},
	} {
		p := inProject(t, nil)
		p.write("e.c", "#include <stdlib.h>\nvoid f() { system(\"rm -rf ~\"); }\n")
		p.call("Bash", map[string]string{"command": "cc -shared -o l/libz.so e.c"})
		if d := p.call("Bash", map[string]string{"command": row.line}); (d.Disposition != gates.Approved) != row.asks {
			t.Errorf("%s: %v %v", row.line, d.Disposition, d.Reasons)
		}
	}
}

// TestToldSecrets: a line that shows what a file of secrets holds reads it, though it names
// the file to nothing that reads; and what only uses a value, or picks other names, does not.
func TestToldSecrets(t *testing.T) {
	there := func(path string) bool { return path == "/home/u/p/.env" }
	for _, row := range []struct {
		line   string
		asks   bool
		exists func(string) bool
	}{
		{"set -a; . ./.env; set +a; echo $STRIPE", true, nil},
		{"source .env && printf '%s\\n' \"$STRIPE\"", true, nil},
		{". ./.env; cat <<< $STRIPE", true, nil},
		{". ./.env; cat <<EOF\n$STRIPE\nEOF", true, nil},
		{". ./.env; declare -p STRIPE", true, nil},
		{". ./.env; v=STRIPE; echo ${!v}", true, nil},
		{"set -x; . ./.env", true, nil},
		{"set -a; . ./.env; awk 'BEGIN { print ENVIRON[\"STRIPE\"] }'", true, nil},
		{"set -a; . ./.env; python3 -c 'import os; print(os.environ[\"STRIPE\"])'", true, nil},
		{". ./.env; declare -i n=1", false, nil},
		{"set -e; . ./.env", false, nil},
		{"set -a; . ./.env; bash -c 'echo hi'", false, nil},
		{"set -a; . ./.env; python3 -c 'print(1)'", false, nil},
		{". ./.env; npm test; echo $?", false, nil},
		{". ./.env; echo $HOME ${#STRIPE}", false, nil},
		{". ./.env; A=1; echo $A", false, nil},
		{". ./.env; psql -h localhost -d \"$STRIPE\" -c 'select 1'", true, nil}, // it may be an address
		{". ./.env; psql -h localhost -U \"$STRIPE\" -c 'select 1'", false, nil},
		{". ./a.sh; echo $STRIPE", false, nil},
		{"ls -A | grep env | xargs cat", true, nil},
		{"find . -type f | grep -i '\\.env' | xargs cat", true, nil},
		{"cat $(ls -A | grep env)", true, nil},
		{"ls -A | grep -v env | xargs cat", false, nil},
		{"ls | grep test | xargs cat", false, nil},
		{"git ls-files | grep '\\.py$' | xargs cat", false, nil},
		{"ls -A | grep env", false, nil},
		{"docker compose config", true, there},
		{"docker-compose config | head -40", true, there},
		{"docker compose config --services", false, there},
		{"docker compose config -q", false, there},
		{"docker compose config", false, nil},
		{"docker compose config", false, func(string) bool { return false }},
	} {
		c := gates.ShellContext(row.line, gates.State{Cwd: "/home/u/p", Roots: []string{"/home/u/p"}, Home: "/home/u", Exists: row.exists})
		d := (&gates.Checker{}).Check(&c, nil)
		if (d.Disposition != gates.Approved) != row.asks {
			t.Errorf("%s: %v %v", row.line, d.Disposition, d.Reasons)
		}
	}
}

// TestOtherMeanings: what makes git take one object or branch for another asks.
func TestOtherMeanings(t *testing.T) {
	for line, asks := range map[string]bool{
		"git replace HEAD HEAD~1": true, "git replace -d HEAD": true, "git replace -l": false, "git replace": false,
		"git update-ref refs/heads/x HEAD~1": true, "git checkout -B x HEAD~1": true, "git switch -C x HEAD~1": true, "git tag -f v1 HEAD~1": true,
		"git checkout -b x": false, "git checkout -B x": false, "git switch -c x": false, "git tag v1": false, "git tag -l": false,
		"git symbolic-ref HEAD refs/heads/x": true, "git symbolic-ref HEAD": false, "git symbolic-ref --short HEAD": false,
	} {
		c := gates.ShellContext(line, gates.State{Cwd: "/home/u/p", Roots: []string{"/home/u/p"}, Home: "/home/u"})
		if d := (&gates.Checker{}).Check(&c, nil); (d.Disposition != gates.Approved) != asks {
			t.Errorf("%s: %v %v", line, d.Disposition, d.Reasons)
		}
	}
}

// TestSettingsAnywhere: git takes any directory for a repository that looks like one, so
// settings in it that start programs count where git goes by them, and nowhere else.
func TestSettingsAnywhere(t *testing.T) {
	const starts, plain = "[core]\n\tfsmonitor = sh -c 'git push'\n", "[core]\n\trepositoryformatversion = 0\n\tbare = true\n"
	for _, row := range []struct {
		name, file, text, line string
		asks                   bool
	}{
		{"in it", "g/config", starts, "cd g && git status", true},
		{"by option", "g/config", starts, "git --git-dir=g status", true},
		{"by variable", "g/config", starts, "GIT_DIR=g git status", true},
		{"by -C", "g/config", starts, "git -C g status", true},
		{"an include", "g/config", "[include]\n\tpath = ../x\n", "cd g && git status", true},
		{"a hook's directory", "g/config", "[core]\n\thooksPath = h\n", "cd g && git status", true},
		{"beside it", "g/config", starts, "git status", false},
		{"another", "g/config", starts, "git -C k status", false},
		{"plain settings", "g/config", plain, "cd g && git status", false},
		{"settings of something else", "g/config.ini", starts, "cd g && git status", false},
	} {
		p := inProject(t, nil)
		p.write(row.file, row.text)
		if d := p.call("Bash", map[string]string{"command": row.line}); (d.Disposition != gates.Approved) != row.asks {
			t.Errorf("%s: %v %v", row.name, d.Disposition, d.Reasons)
		}
	}
}

// TestCompiledAtHome: code of a compiled language that finds out the home and changes
// something counts where it runs; what only looks there, or changes things elsewhere, does not.
func TestCompiledAtHome(t *testing.T) {
	for _, row := range []struct {
		name, file, text, line string
		asks                   bool
	}{
		{"walks and removes", "a_test.go", "package a\n\nfunc TestA(t *testing.T) {\n\tfilepath.Walk(os.Getenv(\"HOME\"), func(p string, i os.FileInfo, err error) error { return os.Remove(p) })\n}\n", "go test ./...", true},
		{"writes", "a.go", "package main\n\nfunc main() { os.WriteFile(os.Getenv(\"HOME\")+\"/.profile\", nil, 0o644) }\n", "go run .", true},
		{"sends by a client of its own", "a_test.go", "package a\n\nfunc TestA(t *testing.T) {\n\th, _ := os.UserHomeDir()\n\tb, _ := os.ReadFile(h + \"/k\")\n\tc.Post(u, \"t\", bytes.NewReader(b))\n}\n", "go test ./...", true},
		{"the home of an account", "a_test.go", "package a\n\nfunc TestA(t *testing.T) {\n\tu, _ := user.Current()\n\tos.RemoveAll(u.HomeDir)\n}\n", "go test ./...", true},
		{"a build script", "build.rs", "fn main() { let h = env::var(\"HOME\").unwrap(); for e in fs::read_dir(h).unwrap() { let _ = fs::remove_file(e.unwrap().path()); } }\n", "cargo build", true},
		{"looks", "a_test.go", "package a\n\nfunc TestA(t *testing.T) {\n\th, _ := os.UserHomeDir()\n\tif _, err := os.Stat(h + \"/go\"); err != nil {\n\t\tt.Skip(h)\n\t}\n}\n", "go test ./...", false},
		{"elsewhere", "a_test.go", "package a\n\nfunc TestA(t *testing.T) { os.Remove(t.TempDir() + \"/x\") }\n", "go test ./...", false},
		{"only built", "a.go", "package main\n\nfunc main() { os.WriteFile(os.Getenv(\"HOME\")+\"/.profile\", nil, 0o644) }\n", "go build ./...", false},
	} {
		p := inProject(t, map[string]string{"go.mod": "module a\n", "Cargo.toml": "[package]\n"})
		p.write(row.file, row.text)
		if d := p.call("Bash", map[string]string{"command": row.line}); (d.Disposition != gates.Approved) != row.asks {
			t.Errorf("%s: %v %v", row.name, d.Disposition, d.Reasons)
		}
	}
}
