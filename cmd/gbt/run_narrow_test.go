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

const lockedFile = "import os\n# gbt:lock\nscore = 1\n# gbt:end\nmodel = 3\n"

// TestRunRegions: no call changes a locked part of a file. What a call spells out is
// rejected before it runs, what only shows afterwards is taken back, and what nobody saw
// coming ends the run.
func TestRunRegions(t *testing.T) {
	w := newDoorWorld(t)
	write := func(name, text string) string {
		return modelCalls("write_file", `{"path":`+jsonText(name)+`,"content":`+jsonText(text)+`}`)
	}
	bash := func(line string) string { return modelCalls("bash", `{"command":`+jsonText(line)+`}`) }
	const rejected, back, over = "This call was stopped: rejected. It would change a locked part of a.py, lines ", "This call was taken back: rejected. It changed a locked part of a.py, lines ", "STALL: locked-region"
	for _, tt := range []struct {
		name    string
		answers []string
		options []string
		told    string // to the model, or as the end
		want    string // what the file holds at the end
	}{
		{"a line of it", []string{write("a.py", strings.Replace(lockedFile, "score = 1", "score = 9", 1))}, nil, rejected + "2-4", lockedFile},
		{"a line outside of it", []string{write("a.py", strings.Replace(lockedFile, "model = 3", "model = 4", 1))}, nil, "", strings.Replace(lockedFile, "model = 3", "model = 4", 1)},
		{"its mark", []string{bash("cat > a.py <<'E'\nimport os\nscore = 1\nmodel = 3\nE")}, nil, rejected + "2-4", lockedFile},
		{"sed, a line of it", []string{bash("sed -i 's/score = 1/score = 9/' a.py")}, nil, back + "2-4", lockedFile},
		{"sed, a line outside of it", []string{bash("sed -i 's/model = 3/model = 4/' a.py")}, nil, "", strings.Replace(lockedFile, "model = 3", "model = 4", 1)},
		{"a patch", []string{bash("patch -p0 <<'E'\n--- a.py\n+++ a.py\n@@ -3 +3 @@\n-score = 1\n+score = 9\nE")}, nil, back + "2-4", lockedFile},
		{"behind it", []string{bash("echo more >> a.py")}, nil, "", lockedFile + "more\n"},
		{"the file moved away", []string{bash("mv a.py b.py")}, nil, "a locked part of a.py, lines 2-4", lockedFile},
		{"a script", []string{write("tool.sh", "sed -i 's/score = 1/score = 9/' a.py\n"), bash("bash ./tool.sh")}, nil, "", ""},
		{"lines named by a person", []string{write("a.py", strings.Replace(lockedFile, "model = 3", "model = 4", 1))}, []string{"--lock", "a.py#5-5"}, rejected + "5-5", lockedFile},
		{"a file that may change", []string{write("a.py", "x\n")}, []string{"--unlock", "a.py"}, "", "x\n"},
	} {
		narrowDir(t, map[string]string{"a.py": lockedFile})
		shown, printed, code := narrowRun(t, w, tt.answers, append([]string{"--task", "zzz", "--output", "out"}, tt.options...)...)
		if tt.told != "" && !strings.Contains(shown, tt.told) && !strings.Contains(printed, tt.told) || tt.told == "" && tt.want != "" && strings.Contains(shown, "locked part") {
			t.Errorf("%s: %s\n%s", tt.name, shown, printed)
		}
		got, _ := os.ReadFile("out/a.py")
		if tt.want == "" { // it ran, or was taken back, and never both changed the file and went on
			if kept := string(got) == lockedFile; kept == strings.Contains(printed, over) {
				t.Errorf("%s: %q, status %d: %s", tt.name, got, code, printed)
			}
		} else if string(got) != tt.want {
			t.Errorf("%s: the file holds %q\n%s\n%s", tt.name, got, shown, printed)
		}
	}
	narrowDir(t, map[string]string{"a.py": lockedFile})
	if _, printed, code := narrowRun(t, w, nil, "--task", "zzz", "--lock", "a.py#4-90"); code != exitInput || !strings.Contains(printed, "the file has fewer lines: 5") {
		t.Errorf("lines that are not there: %d %s", code, printed)
	}
}

// TestUnforeseenRegion: a program of the workspace's own that changes a locked part ends
// the run, which is not DONE though its check passes.
func TestUnforeseenRegion(t *testing.T) {
	w := newDoorWorld(t)
	narrowDir(t, map[string]string{"a.py": lockedFile, "tool.py": "text = open('a.py').read()\nopen('a.py', 'w').write(text.replace('score = 1', 'score = 9'))\n"})
	answers := []string{modelCalls("bash", `{"command":"python3 tool.py"}`), modelCalls("finish", `{}`)}
	_, printed, code := narrowRun(t, w, answers, "--task", "zzz", "--check", "grep -q 'score = 9' a.py", "--output", "out")
	if code != exitFindings || !strings.Contains(printed, "STALL: locked-region") || !strings.Contains(printed, "a call changed a locked part of a.py, lines 2-4") {
		t.Errorf("%d %s", code, printed)
	}
}
