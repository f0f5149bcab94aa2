package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/artifacts"
)

// narrowRun lets a scripted model carry out a task in the sandbox, and returns what the
// model was shown last and what gbt printed.
func narrowRun(t *testing.T, w *doorWorld, answers []string, args ...string) (shown, printed string, code int) {
	t.Helper()
	model := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		body, _ := io.ReadAll(in.Body)
		shown = string(body)
		if len(answers) == 0 {
			out.WriteHeader(400)
			return
		}
		io.WriteString(out, answers[0])
		answers = answers[1:]
	}))
	defer model.Close()
	var stdout, stderr bytes.Buffer
	line := append([]string{"gbt", "run", "--policy", w.file, "--model", model.URL, "--dir", "dir", "--store", "none"}, args...)
	code = run(line, strings.NewReader(""), &stdout, &stderr)
	return shown, stdout.String() + stderr.String(), code
}

// narrowDir is a workspace of some files, in which the test runs.
func narrowDir(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.MkdirAll("dir", 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile("dir/"+name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestRunImports: a cell that brings in what the list does not have does not run, three
// repairs are told what is allowed, and then none runs before the next step.
func TestRunImports(t *testing.T) {
	w := newDoorWorld(t)
	narrowDir(t, map[string]string{"a.txt": "hello\n"})
	cell := func(code string) string {
		return modelCalls("bash", `{"command":`+jsonText("python3 -c "+`"`+code+`"`)+`}`)
	}
	bad, good := cell("import json; open('b.txt', 'w').write(json.dumps(1))"), cell("import string; open('b.txt', 'w').write(string.digits)")
	shown, printed, _ := narrowRun(t, w, []string{bad}, "--task", "zzz", "--imports", "string", "--output", "one")
	if !strings.Contains(shown, "This call was stopped: revision_required. The code brings in json, and the list of modules does not have it. Allowed: string. Revise the call. Retries left: 3.") {
		t.Errorf("the model is told: %s\n%s", shown, printed)
	}
	if _, err := os.Stat("one/b.txt"); err == nil {
		t.Error("the cell ran")
	}
	narrowRun(t, w, []string{bad, good}, "--task", "zzz", "--imports", "string", "--output", "two")
	if b, err := os.ReadFile("two/b.txt"); string(b) != "0123456789" {
		t.Errorf("a repair that holds did not run: %q %v", b, err)
	}
	shown, _, _ = narrowRun(t, w, []string{bad, bad, bad, bad, good}, "--task", "zzz", "--imports", "string", "--output", "three")
	if _, err := os.Stat("three/b.txt"); err == nil || !strings.Contains(shown, "No retry is left: do not make this call again. It does not run.") {
		t.Errorf("a fourth repair ran, %v; the model is told: %s", err, shown)
	}
}

// TestNarrowed: a list on the command line narrows that of a policy and never widens it.
func TestNarrowed(t *testing.T) {
	for _, tt := range []struct{ own, given, want string }{
		{"", "", ""}, {"numpy", "", "numpy"}, {"", "numpy", "numpy"}, {"numpy", "numpy.linalg os", "numpy.linalg"}, {"numpy", "os", "none"},
	} {
		var p artifacts.Policy
		p.Guardrail.Rules.Imports = strings.Fields(tt.own)
		if got := narrowed(&p, strings.Fields(tt.given)).Guardrail.Rules.Imports; strings.Join(got, " ") != tt.want {
			t.Errorf("%q narrowed by %q: %v", tt.own, tt.given, got)
		}
		if !slices.Equal(p.Guardrail.Rules.Imports, strings.Fields(tt.own)) {
			t.Error("the policy that was opened changed")
		}
	}
}
