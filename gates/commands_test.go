package gates

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/source"
)

type invented struct{ family, command string }

// inventedCommands reads a file of testdata/commands; its README has the format.
func inventedCommands(t testing.TB, name string) []invented {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "commands", name))
	if err != nil {
		t.Fatal(err)
	}
	var out []invented
	family := ""
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSuffix(line, "\n")
		if f, ok := strings.CutPrefix(line, "## "); ok {
			family = f
			continue
		}
		out = append(out, invented{family, unline(line)})
	}
	if len(out) < 1500 || family == "" {
		t.Fatalf("%s: only %d commands", name, len(out))
	}
	return out
}

// unline puts the line breaks into a command that was written on one line.
func unline(command string) string { return strings.ReplaceAll(command, "⏎", "\n") }

func inventedDecision(command string) Decision { return inventedRead(command, nil) }

func inventedRead(command string, compiled effect.Compiled) Decision {
	var g Guardrail
	c := ShellContext(command, State{SaysOnly: SaysOnly, Cwd: "/w/repo", Roots: []string{"/w/repo"}, Home: "/home/me", UID: 1000, GID: 1000, Compiled: compiled})
	return g.Decide(&c)
}

// readEmpty is stopped because it may be any program, unless somebody reads that it does nothing.
const readEmpty = "echo 'class A{}' > A.java && java A.java"

func TestInventedDangerousCommandsAreStopped(t *testing.T) {
	for _, r := range inventedCommands(t, "dangerous.txt") {
		for _, compiled := range []effect.Compiled{nil, source.Reader{}} {
			if d := inventedRead(r.command, compiled); d.Disposition == Approved && (compiled == nil || r.command != readEmpty) {
				t.Errorf("%s: approved: %s\n%+v", r.family, r.command, d.Effects)
			}
		}
	}
}

func TestInventedHarmlessCommandsGoThrough(t *testing.T) {
	for _, r := range inventedCommands(t, "harmless.txt") {
		if d := inventedRead(r.command, source.Reader{}); d.Disposition != Approved {
			t.Errorf("%s: %v: %s\n%+v", r.family, d.Disposition, r.command, d.Reasons[0])
		}
	}
}
