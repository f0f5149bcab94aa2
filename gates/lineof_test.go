package gates_test

import (
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// TestLineOf: a line is told where it starts the program, and not where its name only occurs.
func TestLineOf(t *testing.T) {
	run := func(argv string) *gates.Effect { return &gates.Effect{Program: "tool", Argv: argv} }
	for _, tt := range []struct {
		text string
		e    *gates.Effect
		want int
	}{
		{"cd /srv/tool/x\nD=/srv/tool\nexec tool \"$@\"\n", run("tool --version"), 3},
		{"echo tool\ntool aa\ntool bb\n", run("tool bb"), 3},
		{"echo tool\n[ -f x ] && tool a\n", run("tool a"), 2},
		{"x=$(tool a)\n", run("tool a"), 1},
		{"if ! tool a; then exit; fi\n", run("tool a"), 1},
		{"/usr/bin/tool a\n", run("/usr/bin/tool a"), 1},
		{"A=1 tool a\n", run("tool a"), 1},
		{"case $x in\na) tool a;;\nesac\n", run("tool a"), 2},
		{"# tool a\necho tool-x tool/y\n", run("tool a"), 0},
		{"cp tool /tmp\n", run("tool"), 0},
		{"cp x \"tool\"\n", run("tool"), 0},
		{"'tool' a\n", run("tool a"), 1},
	} {
		if got := gates.LineOf(tt.text, tt.e); got != tt.want {
			t.Errorf("%q in %q: line %d, want %d", tt.e.Argv, tt.text, got, tt.want)
		}
	}
}

// FuzzLineOf: any text has a line, or none.
func FuzzLineOf(f *testing.F) {
	for _, s := range []string{"tool a", "\"tool\" a", "'\"tool", "(tool;tool|`tool", "/tool", "=tool"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if n := gates.LineOf(text, &gates.Effect{Program: "tool", Argv: "tool a"}); n < 0 || n > 1+strings.Count(text, "\n") {
			t.Errorf("%q: line %d", text, n)
		}
	})
}
