package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

// TestWrongCommands: a command that does not exist, or one that only holds
// others, ends with 2; nothing of it is a result.
func TestWrongCommands(t *testing.T) {
	for _, tt := range []struct{ args, want string }{
		{"gbt nope", `gbt: gbt has no command "nope"; see gbt --help`},
		{"gbt chekc", `gbt: gbt has no command "chekc"; did you mean check? See gbt --help`},
		{"gbt hook instal", `gbt: gbt hook has no command "instal"; did you mean install? See gbt hook --help`},
		{"gbt gates prune", `gbt: gbt gates has no command "prune"; see gbt gates --help`},
		{"gbt explain --nope", `gbt: flag provided but not defined: -nope; see gbt explain --help`},
		{"gbt eval coverage --jobs x", `gbt: invalid value "x" for flag -jobs: parse error; see gbt eval coverage --help`},
		{"gbt distill", `gbt: gbt distill needs --output; see gbt distill --help`},
		{"gbt gates reject p.gbt", `gbt: gbt gates reject needs --key and --reason; see gbt gates reject --help`},
		{"gbt eval", `gbt: gbt eval: name one of its commands`},
		{"gbt gates", `gbt: gbt gates: name one of its commands`},
		{"gbt hook", `gbt: gbt hook: name one of its commands`},
	} {
		var out, errs bytes.Buffer
		if code := run(strings.Fields(tt.args), strings.NewReader(""), &out, &errs); code != exitUsage || out.Len() > 0 {
			t.Errorf("%s: exit status %d, %d bytes on standard output", tt.args, code, out.Len())
		}
		lines := strings.Split(strings.TrimSpace(errs.String()), "\n")
		if got := lines[len(lines)-1]; got != tt.want {
			t.Errorf("%s: %q, want %q", tt.args, got, tt.want)
		}
		if holds := len(strings.Fields(tt.args)) == 2 && strings.HasSuffix(tt.want, "commands"); holds != strings.Contains(errs.String(), "USAGE:") {
			t.Errorf("%s: help on standard error: %v", tt.args, !holds)
		}
	}
}

// TestHelpOfEveryCommand: help is a result, and has no default that says nothing. That of a
// command that does something itself has an example.
func TestHelpOfEveryCommand(t *testing.T) {
	var walk func(list []*cli.Command, path []string) int
	walk = func(list []*cli.Command, path []string) (n int) {
		for _, c := range list {
			at := append(slices.Clone(path), c.Name)
			var out, errs bytes.Buffer
			if code := run(append(at, "--help"), strings.NewReader(""), &out, &errs); code != exitGood || errs.Len() > 0 {
				t.Errorf("%q: exit status %d: %s", at, code, errs.String())
			}
			for _, noise := range []string{"(default: 0)", "(default: false)"} {
				if strings.Contains(out.String(), noise) {
					t.Errorf("%q: help says %s", at, noise)
				}
			}
			if c.Action != nil && !c.Hidden && !strings.Contains(out.String(), "Example") {
				t.Errorf("%q: no example", at)
			}
			n += 1 + walk(c.Subcommands, at)
		}
		return n
	}
	if n := walk(newApp(&env{}).Commands, []string{"gbt"}); n < 50 {
		t.Fatalf("%d commands", n)
	}
}

// TestEveryCommandHasAScript: each one is run through the real main, in a script
// below testdata.
func TestEveryCommandHasAScript(t *testing.T) {
	names, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	var scripts []byte
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		scripts = append(scripts, b...)
	}
	for _, c := range newApp(&env{}).Commands {
		if !regexp.MustCompile(`(?m)\bgbt ` + c.Name + `\b`).Match(scripts) {
			t.Errorf("gbt %s: no script runs it", c.Name)
		}
	}
}

// TestEmptyOptions: an option without a value is not an option left out. What a
// key or a policy should have refused is refused as wrong usage.
func TestEmptyOptions(t *testing.T) {
	for _, args := range [][]string{
		{"check", "--shell", "--policy", ""},
		{"check", "--shell", "--policy=", "--trust", "team.pub"},
		{"check", "--shell", "--policy", "policy.gbt", "--trust", ""},
		{"check", "--shell", "--root", "/w", "--root", ""},
		{"check", "--shell", "--profile", ""},
		{"serve", "--stdio", "--policy", "policy.gbt", "--trust", ""},
		{"mcp", "--policy", "", "--", "true"},
		{"verify", "--trust", "", "policy.gbt"},
		{"hook", "install", "claude-code", "--policy", "", "--dry-run"},
		{"gates", "list", "--trust", "", "policy.gbt"},
	} {
		var stdout, stderr bytes.Buffer
		code := run(append([]string{"gbt"}, args...), strings.NewReader(`{"id":1,"command":"ls"}`), &stdout, &stderr)
		if code != exitUsage || stdout.Len() > 0 || !strings.Contains(stderr.String(), " is empty: ") {
			t.Errorf("%q: exit status %d, %s%s", args, code, &stdout, &stderr)
		}
	}
	var out bytes.Buffer
	if code := run([]string{"gbt", "explain", "--task", "", "ls"}, strings.NewReader(""), &out, io.Discard); code != 0 || !strings.Contains(out.String(), "approved") {
		t.Errorf("an empty task: exit status %d, %s", code, &out)
	}
}
