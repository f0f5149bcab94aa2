package main

import (
	"bytes"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// exampleRepairs copies the example logs of mini-swe-agent, whose agents run the tests of
// little packages, with the name of Python that the sandbox has.
func exampleRepairs(t *testing.T) string {
	t.Helper()
	dir, n := t.TempDir(), 0
	err := fs.WalkDir(os.DirFS("../../examples/logs"), "mini-swe-agent", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join("../../examples/logs", name))
		if err != nil {
			return err
		}
		n += bytes.Count(data, []byte("python -m unittest"))
		data = bytes.ReplaceAll(data, []byte("python -m unittest"), []byte("python3 -m unittest"))
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		return os.WriteFile(to, data, 0o644)
	})
	if err != nil || n == 0 {
		t.Fatalf("%d commands: %v", n, err)
	}
	return dir
}

// minedRun is what the model does, which is a script here, and how the run ends.
type minedRun struct {
	name     string
	calls    []string
	args     []string
	want     int
	contains []string
}

// TestRunMinedChecks distils the example logs and lets a scripted model carry out a task that
// names no check: the tests that the logs' agents ended with decide.
func TestRunMinedChecks(t *testing.T) {
	logsDir := exampleRepairs(t)
	policy := filepath.Join(t.TempDir(), "policy.gbt")
	var stdout, stderr bytes.Buffer
	if got := run([]string{"gbt", "distill", logsDir, "-o", policy}, strings.NewReader(""), &stdout, &stderr); got != exitGood || !strings.Contains(stdout.String(), "mined at") {
		t.Fatalf("status %d: %s%s", got, stdout.String(), stderr.String())
	}
	fix, submit := `{"command":"sed -i 's/ - 1//' words/count.py"}`, `{"command":"echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"}`
	tests := `{"command":"python3 -m unittest discover -s tests"}`
	for _, tt := range []minedRun{
		{"mended", []string{tests, fix, tests, submit}, nil, exitGood, []string{"DONE (mined)", "`python3 -m unittest discover -s tests` ends with status 0", "passed, status 0, output sha256 "}},
		{"not mended", []string{tests, `{"command":"touch words/done"}`, tests, submit}, nil, exitFindings, []string{"STALL", "failed, status 1"}},
		{"the test is weakened", []string{tests, `{"command":"sed -i s/2/1/ tests/test_count.py"}`, tests, submit}, nil, exitEnded, []string{"ENDED (mined): ", "the run changed what judges it: tests/test_count.py"}},
		{"the task's own check fails", []string{tests, fix, tests, submit}, []string{"--check", "test -f words/report.txt"}, exitFindings, []string{"STALL"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out, got := tt.run(t, policy)
			for _, want := range tt.contains {
				if !strings.Contains(out, want) {
					t.Errorf("no %q in %s", want, out)
				}
			}
			if got != tt.want {
				t.Errorf("status %d, want %d: %s", got, tt.want, out)
			}
		})
	}
}

func (r *minedRun) run(t *testing.T, policy string) (out string, status int) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"words/__init__.py": "", "words/count.py": "def count_words(text):\n    return len(text.split(' ')) - 1\n",
		"tests/test_count.py": "import unittest\nfrom words.count import count_words\n\nclass T(unittest.TestCase):\n    def test_two(self):\n        self.assertEqual(count_words('a b'), 2)\n",
	} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	answers := []string{modelCalls("bash", `{"command":"ls -R"}`), modelCalls("bash", `{"command":"cat words/count.py"}`)}
	for _, c := range r.calls {
		answers = append(answers, modelCalls("bash", c))
	}
	model := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) {
		answer := modelCalls("finish", `{}`)
		if len(answers) > 0 {
			answer, answers = answers[0], answers[1:]
		}
		io.WriteString(out, answer)
	}))
	defer model.Close()
	var stdout, stderr bytes.Buffer
	line := append([]string{"gbt", "run", "--policy", policy, "--model", model.URL, "--dir", dir, "--store", "none", "--task",
		"Please solve this issue: counting words gives one too few. count_words('a b') in words/count.py must give 2, so that the unit tests pass; see words/report.txt."}, r.args...)
	status = run(line, strings.NewReader(""), &stdout, &stderr)
	return stdout.String() + stderr.String(), status
}
