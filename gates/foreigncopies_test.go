package gates

import (
	"path"
	"strings"
	"testing"
)

// TestCopiedIn: what calls bring in from elsewhere, nobody vetted, whoever agreed to that they
// read it.
func TestCopiedIn(t *testing.T) {
	for _, tt := range []struct {
		name  string
		lines []string
		asks  bool
	}{
		{"a copy", []string{"cp ~/Downloads/x.sh scripts/x.sh", "bash scripts/x.sh"}, true},
		{"moved", []string{"mv ~/Downloads/x.sh scripts/x.sh", "bash scripts/x.sh"}, true},
		{"written from it", []string{"cat ~/Downloads/x.sh > scripts/x.sh", "bash scripts/x.sh"}, true},
		{"installed", []string{"install -m755 /mnt/x/run scripts/run", "./scripts/run"}, true},
		{"a directory", []string{"cp -r /mnt/share/tools vendor/", "bash vendor/tools/x.sh"}, true},
		{"a directory's tests", []string{"rsync -a /mnt/share/tests/ vendor/x", "pytest vendor/x"}, true},
		{"an archive", []string{"tar xzf ~/Downloads/x.tgz -C k", "make -C k"}, true},
		{"an archive's tests", []string{"unzip ~/Downloads/x.zip -d k", "pytest k/tests"}, true},
		{"in an archive", []string{"unzip ~/Downloads/x.zip -d k", "cd k && npm test"}, true},
		{"a downloaded archive", []string{"curl -sSLO https://x.example/t.tgz", "tar xzf t.tgz -C k", "make -C k"}, true},
		{"an archive of anybody's", []string{"tar xzf /tmp/in/t.tgz -C k", "make -C k"}, true},
		{"cloned", []string{"git clone https://example.com/a/b vendor/b", "make -C vendor/b"}, true},
		{"cloned under its own name", []string{"git clone https://example.com/a/b.git", "cd b && npm test"}, true},
		{"cloned by gh", []string{"gh repo clone a/b vendor/b", "bash vendor/b/run.sh"}, true},

		{"a computed copy", []string{"cp $F scripts/x.sh", "bash scripts/x.sh"}, true},
		{"a copy of what a command names", []string{`cp "$(ls ~/Downloads | head -1)" x.sh`, "bash x.sh"}, true},
		{"an argument", []string{`cp "$1" run.sh`, "./run.sh"}, true},
		{"a computed move", []string{`mv "$F" run.sh`, "./run.sh"}, true},
		{"written from a computed file", []string{`cat "$F" > run.sh`, "./run.sh"}, true},
		{"a computed archive", []string{`tar xzf "$F" -C k`, "make -C k"}, true},
		{"a computed directory", []string{`cp -r "$D" vendor/x`, "pytest vendor/x"}, true},
		{"computed by an environment", []string{`install -m755 "${HOOK_SRC}" tools/run`, "tools/run"}, true},

		{"a computed copy of data", []string{"cp $F data/x.csv", "python scripts/load.py data/x.csv"}, false},
		{"computed and read", []string{`cat "$F"; printf 'echo hi\n' > y.sh`, "bash y.sh"}, false},
		{"files of the workspace in turn", []string{`for f in src/*.sh; do cp "$f" out/; done`, "bash out/x.sh"}, false},
		{"a variable of the line", []string{"S=scripts; cp $S/x.sh $S/y.sh", "bash scripts/y.sh"}, false},
		{"beside a computed copy", []string{"cp $F scripts/x.sh", "bash scripts/y.sh"}, false},
		{"read", []string{"cp ~/Downloads/x.sh scripts/x.sh", "cat scripts/x.sh && shellcheck scripts/x.sh"}, false},
		{"beside", []string{"cp ~/Downloads/x.sh scripts/x.sh", "bash scripts/y.sh"}, false},
		{"data", []string{"cp ~/Downloads/x.csv data/x.csv", "python scripts/load.py data/x.csv"}, false},
		{"builds beside", []string{"tar xzf ~/Downloads/x.tgz -C k", "make -C src"}, false},
		{"cloned and read", []string{"git clone https://example.com/a/b vendor/b", "ls vendor/b && grep -rn x vendor/b && git -C vendor/b log"}, false},
		{"a program of the workspace's there", []string{"git clone https://example.com/a/b vendor/b", "cd vendor/b && ../../bin/lint ."}, false},
		{"from the workspace", []string{"cp scripts/x.sh scripts/y.sh", "bash scripts/y.sh"}, false},
		{"of installed packages", []string{"cp /usr/share/misc/config.guess build-aux/config.guess", "sh build-aux/config.guess"}, false},
	} {
		var flow Flow
		var g Guardrail
		for i, line := range tt.lines {
			c := ShellContext(line, State{Cwd: "/w", Roots: []string{"/w"}, Home: "/home/u", Flow: flow})
			if i == len(tt.lines)-1 {
				d := g.Decide(&c)
				if got := hasRule(d, ruleUnvetted); got != tt.asks {
					t.Errorf("%s: %q: flow/unvetted %v, %v", tt.name, tt.lines, got, d.Reasons)
				}
			}
			flow = c.After()
		}
	}
}

// TestHandedData: a file of data that somebody else made is none that the run loads as code, and
// one that may be code or settings is.
func TestHandedData(t *testing.T) {
	for _, tt := range []struct {
		line string
		asks bool
	}{
		{"Rscript x.R in/a.csv", false},
		{"Rscript x.R --in in/a.csv", false},
		{"Rscript x.R --cfg in/a.json", false},
		{"npx tsx src/x.ts in/a.png", false},
		{"go run . in/a.parquet", false},
		{"cargo run -- --file=in/a.csv", false},
		{"dotnet run -- in/a.wav", false},
		{"pytest --data in/a.csv", false},

		{"Rscript in/a.csv", true},
		{"Rscript in/a.R", true},
		{"Rscript x.R in/a.R", true},
		{"Rscript x.R in/a.rds", true},
		{"bash in/a.csv", true},
		{"python in/a.csv", true},
		{"node in/a.csv", true},
		{"mocha in/a.csv", true},
		{"npx mocha -r ./in/a.csv t.js", true},
		{"npx mocha --require=./in/a.csv t.js", true},
		{"npx jest --setupFiles in/a.csv", true},
		{"npx tsx --require ./in/a.csv src/x.ts", true},
		{"rspec -r ./in/a.rb spec", true},
		{"npx tsx src/x.ts in/a.js", true},
		{"npx jest --config in/a.json", true},
		{"streamlit run app.py -- in/a.py", true},
		{"pytest in/a.py", true},
		{"pytest --data in/a.pkl", true},
	} {
		word := tt.line[strings.Index(tt.line, "in/a"):]
		word, _, _ = strings.Cut(word, " ")
		var flow Flow
		var g Guardrail
		for _, line := range []string{"cp ~/Downloads/" + path.Base(word) + " " + word, tt.line} {
			c := ShellContext(line, State{Cwd: "/w", Roots: []string{"/w"}, Home: "/home/u", Flow: flow})
			flow = c.After()
			if d := g.Decide(&c); line == tt.line && hasRule(d, ruleUnvetted) != tt.asks {
				t.Errorf("%q: flow/unvetted %v, %v", tt.line, !tt.asks, d.Reasons)
			}
		}
	}
}
