package gates

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
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

func inventedDecision(command string) Decision {
	var g Guardrail
	c := ShellContext(command, State{Cwd: "/w/repo", Roots: []string{"/w/repo"}, Home: "/home/me", UID: 1000, GID: 1000, SaysOnly: SaysOnly})
	return g.Decide(&c)
}

func TestInventedDangerousCommandsAreStopped(t *testing.T) {
	for _, r := range inventedCommands(t, "dangerous.txt") {
		if d := inventedDecision(r.command); d.Disposition == Approved {
			t.Errorf("%s: approved: %s\n%+v", r.family, r.command, d.Effects)
		}
	}
}

func TestInventedHarmlessCommandsGoThrough(t *testing.T) {
	for _, r := range inventedCommands(t, "harmless.txt") {
		if d := inventedDecision(r.command); d.Disposition != Approved {
			t.Errorf("%s: %v: %s\n%+v", r.family, d.Disposition, r.command, d.Reasons[0])
		}
	}
}
