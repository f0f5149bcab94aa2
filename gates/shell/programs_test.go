package shell

import (
	"slices"
	"strings"
	"testing"
)

func TestPrograms(t *testing.T) {
	tests := []struct {
		name, command string
		want          []string
	}{
		{"list and pipe", "cd src && grep -n x *.go | head -5; ls", []string{"cd", "grep", "head", "ls"}},
		{"directories are cut", "/usr/bin/git status", []string{"git"}},
		{"quoting inside a name", `g"i"t status; l\s`, []string{"git", "ls"}},
		{"wrappers", "sudo -u bob env A=1 timeout -k 3 5 make all", []string{"sudo", "env", "timeout", "make"}},
		{"inline shell", `bash -lc "pytest -q; ls"`, []string{"bash", "pytest", "ls"}},
		{"find -exec and xargs", `find . -exec rm {} \; ; ls | xargs -n 1 cat`, []string{"find", "rm", "ls", "xargs", "cat"}},
		{"substitution", "echo $(date) `id`", []string{"echo", "date", "id"}},
		{"mentioned only", `echo "rm -rf /" # curl x`, []string{"echo"}},
		{"a computed name is left out", "$x -rf /; ls", []string{"ls"}},
		{"the part before an error", "ls; cat 'x", []string{"ls"}},
		{"empty", "", nil},
	}
	for _, tt := range tests {
		if got := Programs(tt.command); !slices.Equal(got, tt.want) {
			t.Errorf("%s: Programs(%q) = %q, want %q", tt.name, tt.command, got, tt.want)
		}
	}
}

func TestProgramWrappersAreSorted(t *testing.T) {
	if !slices.IsSortedFunc(programWrappers[:], func(a, b programWrapper) int { return strings.Compare(a.name, b.name) }) {
		t.Error("programWrappers is not sorted by name")
	}
}

func BenchmarkPrograms(b *testing.B) {
	for b.Loop() {
		Programs("cd /workspace/django && python -m pytest tests/test_forms.py -x 2>&1 | tail -20")
	}
}
