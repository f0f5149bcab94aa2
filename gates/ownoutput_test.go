package gates_test

import (
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// TestOwnOutput: a script into which a program of the workspace prints is not run by that program, and
// is code that nobody knows for all that runs behind it.
func TestOwnOutput(t *testing.T) {
	for _, tt := range []struct {
		line string
		made string // a file that the session wrote
		asks bool
	}{
		{"go run . completion bash > completions/x.bash", "", false},
		{"go run . completion bash > completions/x.bash; git diff --stat", "cmd/a.go", false},
		{"node scripts/gen.js > src/gen.js && git status -s", "", false},
		{"python gen.py > a.py", "README.md", false},
		{"make gen >> out.sh", "a.c", false},
		{"npm run gen > a.js", "styles.css", false},
		{"node scripts/gen.js > src/gen.js", "scripts/gen.js", true},
		{"node scripts/gen.js > src/gen.js", "src/b.ts", true},
		{"python gen.py > a.py", "b.py", true},
		{"make > x.sh", "Makefile", true},
		{"make > x.sh", "run", true},
		{"npm run gen > a.js", "package.json", true},
		{"node scripts/gen.js > src/gen.js; npm test", "", true},
		{"python gen.py > a.py && python a.py", "", true},
		{"python gen.py > a.py & make", "", true},
		{"go run . > x.sh; bash x.sh", "", true},
		{"bash -c 'echo x; make' > x.sh", "", true},
		{"{ echo x; make; } > x.sh", "", true},
		{"python -c 'print(1); import a' > a.py", "", true},
		{"make > Makefile", "", true},
		{"python gen.py > conftest.py; pytest", "", true},
	} {
		st := gates.State{Cwd: "/w", Roots: []string{"/w"}, Home: "/home/u"}
		if tt.made != "" {
			st.Flow.Made = []gates.Made{{Path: "/tmp/run", Text: "x\n", Known: true}, {Path: "/w/" + tt.made, Text: "x\n", Known: true}}
		}
		c := gates.ShellContext(tt.line, st)
		if d := (&gates.Checker{}).Check(&c, nil); (d.Disposition != gates.Approved) != tt.asks {
			t.Errorf("%s, with %q made: %v %v", tt.line, tt.made, d.Disposition, d.Reasons)
		}
	}
}
