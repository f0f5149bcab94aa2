package main

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// TestAuditOpinion: a model is asked about a plan in which nothing was found, and whatever it
// says, the audit decides. The model is scripted.
func TestAuditOpinion(t *testing.T) {
	t.Chdir(t.TempDir())
	const good = "task: Write ready into out.txt.\nstates:\n  - id: s\n    checks:\n      - id: c\n        command: grep -qx ready out.txt\n"
	secret := "ghp_" + "x7Kp2mQ9vR4tW8yB1nC6dF3gH5jL0sZaEuTi"
	for name, text := range map[string]string{
		"good.yaml":   good,
		"bad.yaml":    strings.Replace(good, "grep -qx ready out.txt", "ls", 1),
		"secret.yaml": strings.Replace(good, "Write ready", "Use "+secret+" and write ready", 1) + "      - id: d\n        command: grep -q " + secret + " out.txt\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	audit := func(args ...string) (status int, stdout, stderr string) {
		var out, said bytes.Buffer
		status = run(append([]string{"gbt", "audit", "plan"}, args...), strings.NewReader(""), &out, &said)
		return status, out.String(), said.String()
	}
	for _, tt := range []struct{ answer, want string }{
		{"PASS", "opinion of the model m, which decides nothing: PASS\n"},
		{"PASS: it is all there\n", "opinion of the model m, which decides nothing: PASS: it is all there\n"},
		{"FAIL: out.txt may hold more lines", "opinion of the model m, which decides nothing: FAIL: out.txt may hold more lines\n"},
		{"", "opinion of the model m, which decides nothing: FAIL: the answer is empty\n"},
		{"Sure!\nPASS", "opinion of the model m, which decides nothing: FAIL: the answer is not one short line\n"},
	} {
		m := newDraftModel(t, tt.answer)
		status, out, said := audit("good.yaml", "--model", m.URL, "--model-name", "m")
		if n, prompt := m.asked(); status != 0 || n != 1 || !strings.HasSuffix(out, tt.want) || !strings.Contains(prompt, "grep -qx ready out.txt") {
			t.Errorf("%q: %d, %d questions, %s%s", tt.answer, status, n, out, said)
		}
	}
	m := newDraftModel(t, "PASS: fine")
	plain, want, _ := audit("bad.yaml")
	status, out, _ := audit("bad.yaml", "--model", m.URL)
	if n, _ := m.asked(); plain != exitFindings || status != plain || out != want || n != 0 {
		t.Errorf("a plan with findings: %d and %d, %d questions, %s", plain, status, n, out)
	}
	status, out, said := audit("secret.yaml", "--model", m.URL, "--json")
	var got planAudit
	if err := json.Unmarshal([]byte(out), &got); err != nil || got.Opinion == nil || !got.Opinion.Pass || got.Opinion.Model != "default" {
		t.Errorf("%d %v: %s%s", status, err, out, said)
	}
	if n, prompt := m.asked(); n != 1 || strings.Contains(prompt, secret) {
		t.Errorf("%d questions, the secret is in %s", n, prompt)
	}
	m.Close()
	if status, out, said := audit("good.yaml", "--model", m.URL); status != 0 || strings.Contains(out, "opinion") || !strings.Contains(said, "no opinion") {
		t.Errorf("no server: %d %s%s", status, out, said)
	}
	for _, args := range [][]string{{"good.yaml", "--model-name", "m"}, {"good.yaml", "--model", "ftp://h"}} {
		if status, _, said := audit(args...); status != exitUsage {
			t.Errorf("%v: %d %s", args, status, said)
		}
	}
}
