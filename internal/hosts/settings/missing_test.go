package settings

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/internal/hosts"
)

// TestMissingProgramSaysSo: in a project whose settings others wrote, a hook that is
// not there blocks with one sentence that says what to do, and one that is there and
// blocks says only its own words.
func TestMissingProgramSaysSo(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no POSIX shell")
	}
	o := options(Project)
	for _, tt := range []struct {
		hook, path, stderr string
	}{
		{"gbt-hook", "", "gbt: gbt-hook is missing, so every call is blocked: install it"},
		{"/no such place/gbt-hook", "", "gbt: /no such place/gbt-hook is missing"},
		{"gbt-hook", hookThat(t, "echo mine >&2; exit 2"), "mine\n"},
		{"gbt-hook", hookThat(t, "kill -9 $$"), ""},
	} {
		o.Hook = tt.hook
		h, _ := hosts.Lookup("codex")
		line := o.line("codex", &h.Settings, &h.Events[0])
		cmd := exec.Command("/bin/sh", "-c", line)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		cmd.Env = []string{"PATH=" + tt.path + ":/usr/bin:/bin"}
		err := cmd.Run()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 2 {
			t.Errorf("%s: %v, not exit 2", line, err)
		}
		if !strings.Contains(stderr.String(), tt.stderr) || strings.Contains(stderr.String(), "is missing") != strings.Contains(tt.stderr, "is missing") {
			t.Errorf("%s: %q", line, stderr.String())
		}
	}
}

// hookThat is a directory with a gbt-hook that is this script.
func hookThat(t *testing.T, script string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "gbt-hook"), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}
