package gates

import (
	"strings"
	"testing"
)

// TestRunAs: what the session wrote is judged in the language of what runs it,
// whatever its name, and by whatever names it to a program.
func TestRunAs(t *testing.T) {
	harm, py := "git push -f\n", "import os\nos.system('git push -f')\n"
	for _, tt := range []struct {
		name, file, harm, harmless, run string
	}{
		{"a document by sh", "doc/a.md", harm, "# a\necho hi\n", "sh doc/a.md"},
		{"data by bash", "a.csv", harm, "echo hi\n", "bash -e a.csv"},
		{"a document by zsh", "a.rst", harm, "echo hi\n", "zsh ./a.rst"},
		{"a document by dash, after cd", "doc/a.md", harm, "echo hi\n", "cd doc && dash a.md"},
		{"by itself", "bin/a.dat", harm, "echo hi\n", "chmod +x bin/a.dat && bin/a.dat"},
		{"python's name by sh", "a.py", harm, "echo hi\n", "sh a.py"},
		{"a shell's name by python", "a.sh", py, "", "python3 a.sh"},
		{"a document by python", "a.md", py, "print(1)\n", "python3 a.md"},
		{"a document by node", "a.md", "require('child_process').execSync('git push -f')\n", "console.log(1)\n", "node a.md"},
		{"settings that are sourced", "dev.env", "A=1\nNODE_OPTIONS=--require=./a.cjs\n", "A=1\nNODE_OPTIONS=--max-old-space-size=512\n", "set -a; . ./dev.env; node b.js"},
		{"settings with a search path", "conf/dev.vars", "LD_PRELOAD=./a.so\n", "DEBUG=app\nPORT=80\n", "source conf/dev.vars && npm test"},
		{"the library's module", "json.py", py, "", "python3 -m json.tool a.json"},
		{"the library's package", "unittest/main.py", py, "", "python -m unittest.main"},
		{"a tool's module", "black.py", py, "", "python -m black src"},
		{"a path file", ".venv/lib/python3.12/site-packages/a.pth", "import os; os.system('git push -f')\n", "", "python -m isort src"},
		{"a plugin of a checker", "ext/a.py", py, "X = 1\n", "mypy src"},
		{"what a variable names", "conf/rc.py", py, "", "PYTHONSTARTUP=conf/rc.py true"},
		{"options of a compiler", "etc/o.rsp", "-O2 -fplugin=./a.so\n", "-O2 -Wall\n", "clang @etc/o.rsp -c a.c -o a.o"},
		{"options of a linker", "o", "-wrapper 'sh,-c,git push -f'", "-g -I include", "gcc -c @o a.c"},
		{"what a setting names", "a/boot", harm, "", "BASH_ENV=a/boot npm test"},
	} {
		if chainApproved([]Request{chainPlain(tt.file, tt.harm), chainBash(tt.run)}) {
			t.Errorf("%s goes through", tt.name)
		}
		if tt.harmless != "" && !chainApproved([]Request{chainPlain(tt.file, tt.harmless), chainBash(tt.run)}) {
			t.Errorf("%s asks", tt.name)
		}
	}
}

// TestNamesAsOptions: a name that begins with a dash is an option where a pattern
// brings it to a program.
func TestNamesAsOptions(t *testing.T) {
	for _, tt := range []struct {
		make, run string
		asks      bool
	}{
		{"touch -- '--checkpoint-action=exec=sh a.sh'", "tar cf ../a.tar *", true},
		{"touch ./--reference=a", "chown u *", true},
		{"> '-rf'", "ls *", true},
		{"cp a -- -e.sh", "rsync *.sh b/", true},
		{"touch -- -x", "ls ./*", false},
		{"touch -- -x", "wc -l -- *", false},
		{"touch -- -x", "ls *.txt", false},
		{"touch a", "ls *", false},
	} {
		if got := !chainApproved([]Request{chainBash(tt.make), chainBash(tt.run)}); got != tt.asks {
			t.Errorf("%s, then %s: asks %v", tt.make, tt.run, got)
		}
	}
}

// TestRunsItself: scripts that run each other are read once each, whatever they say.
func TestRunsItself(t *testing.T) {
	a, b := chainPlain("a.txt", strings.Repeat("sh b.txt\n", 50)+"git push -f\n"), chainPlain("b.txt", strings.Repeat("sh a.txt\n", 50))
	if chainApproved([]Request{a, b, chainBash("sh b.txt")}) {
		t.Error("goes through")
	}
	allocs := func(line string) float64 {
		s := State{Cwd: "/w", Roots: []string{"/w"}, Flow: Flow{Made: []Made{{Path: "/w/a.txt", Text: strings.Repeat(line, 50), Known: true}}}}
		return testing.AllocsPerRun(1, func() { ShellContext("sh a.txt", s) })
	}
	if itself, nothing := allocs("sh a.txt\n"), allocs("echo a bc\n"); itself > 2*nothing {
		t.Errorf("%v allocations, %v for one that runs nothing", itself, nothing)
	}
}

// BenchmarkRunsItself is the worst of such scripts beside one that runs nothing.
func BenchmarkRunsItself(b *testing.B) {
	for name, line := range map[string]string{"itself": "sh a.txt\n", "nothing": "echo a bc\n"} {
		b.Run(name, func(b *testing.B) {
			s := State{Cwd: "/w", Roots: []string{"/w"}, Flow: Flow{Made: []Made{{Path: "/w/a.txt", Text: strings.Repeat(line, 50), Known: true}}}}
			for b.Loop() {
				ShellContext("sh a.txt", s)
			}
		})
	}
}
