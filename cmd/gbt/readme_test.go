package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadme runs every command of the README's console blocks, in order and
// in one folder, as a reader would. A command that ends in "# exit N" must end
// with that status, all others with 0 or, for findings that a reader is meant
// to look at (diff), 1.
func TestReadme(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.Symlink(filepath.Join(root, "examples"), "examples"); err != nil {
		t.Fatal(err)
	}
	lines := consoleLines(string(text))
	if len(lines) < 5 {
		t.Fatalf("found %d commands in the README's console blocks", len(lines))
	}
	for _, line := range lines {
		runLine(t, line)
	}
}

// consoleLines returns what stands behind "$ gbt " in the console blocks.
func consoleLines(text string) []string {
	var out []string
	in := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "```"):
			in = line == "```console"
		case in && strings.HasPrefix(line, "$ gbt "):
			out = append(out, strings.TrimPrefix(line, "$ gbt "))
		}
	}
	return out
}

func runLine(t *testing.T, line string) {
	t.Helper()
	cmd, want, _ := strings.Cut(line, "# exit ")
	if want == "" {
		want = "0"
	}
	cmd, input, _ := strings.Cut(cmd, "<")
	var stdin []byte
	if name := strings.TrimSpace(input); name != "" {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		stdin = data
	}
	var stdout, stderr bytes.Buffer
	got := run(append([]string{"gbt"}, words(cmd)...), bytes.NewReader(stdin), &stdout, &stderr)
	if string(rune('0'+got)) != strings.TrimSpace(want) {
		t.Errorf("gbt %s: exit status %d, want %s\n%s", cmd, got, want, stderr.Bytes())
	}
	if stdout.Len() == 0 && stderr.Len() == 0 {
		t.Errorf("gbt %s: printed nothing", cmd)
	}
}

// words splits a command at spaces, but not inside double quotes.
func words(line string) []string {
	var out []string
	for i, part := range strings.Split(line, `"`) {
		if i%2 == 1 {
			out = append(out, part)
		} else {
			out = append(out, strings.Fields(part)...)
		}
	}
	return out
}
