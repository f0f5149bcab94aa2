package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/internal/replay/workspace"
)

// TestAuditTaskModel: a model may propose rules for what was not understood; they are told
// as the model's, the rest stays listed. The model is scripted.
func TestAuditTaskModel(t *testing.T) {
	t.Chdir(t.TempDir())
	const task = "Tidy up. Do not delete a.txt. You must not bother the vendor. Never be late.\n"
	if err := os.WriteFile("task.txt", []byte(task), 0o644); err != nil {
		t.Fatal(err)
	}
	gbt := func(args ...string) (int, string) {
		var stdout, stderr bytes.Buffer
		status := run(append([]string{"gbt", "audit", "task", "task.txt"}, args...), strings.NewReader(""), &stdout, &stderr)
		return status, stdout.String() + stderr.String()
	}
	_, plain := gbt()
	for _, tt := range []struct {
		name, answer string
		has          []string
		without      string
	}{
		{"an honest one", `{"rules":[{"sentence":1,"does":"send"}]}`, []string{"rejected: delete a.txt  (Do not delete a.txt)\n", "rejected: send  (You must not bother the vendor)  [proposed by the model scripted]\n", "not understood: Never be late\n"}, "not understood: You must"},
		{"one that allows", `{"rules":[{"sentence":1,"does":"allow"}]}`, []string{plain, "refused of what the model proposed: \"allow\" for sentence 1"}, "[proposed"},
		{"one that asks instead", `{"rules":[{"sentence":1,"does":"send","asks":true}]}`, []string{"refused of what the model proposed:", "not understood: You must not bother the vendor\n"}, "[proposed"},
		{"prose", "I would not.", []string{"refused of what the model proposed: the answer", "not understood: You must not bother the vendor\n"}, "[proposed"},
		{"none", `{"rules":[]}`, []string{"not understood: You must not bother the vendor\n", "not understood: Never be late\n"}, "[proposed"},
	} {
		m := newDraftModel(t, tt.answer)
		status, said := gbt("--model", m.URL, "--model-name", "scripted")
		if n, prompt := m.asked(); status != exitFindings || n != 1 || strings.Contains(prompt, "a.txt") || strings.Contains(said, tt.without) {
			t.Errorf("%s: %d, %d questions, %s", tt.name, status, n, said)
		}
		for _, want := range tt.has {
			if tt.name == "one that allows" && want == plain { // the lines of the rules without a model
				for _, line := range strings.Split(strings.TrimSpace(plain), "\n") {
					if !strings.Contains(said, line+"\n") {
						t.Errorf("%s: no %q in %s", tt.name, line, said)
					}
				}
				continue
			}
			if !strings.Contains(said, want) {
				t.Errorf("%s: no %q in %s", tt.name, want, said)
			}
		}
	}
	if status, said := gbt("--model", newDraftModel(t, `{"rules":[{"sentence":1,"does":"send"}]}`).URL, "--json"); status != exitFindings || !strings.Contains(said, `"proposed":[{"does":"send","text":"You must not bother the vendor","by":"default"}]`) || !strings.Contains(said, `"not_understood":["Never be late"]`) {
		t.Errorf("%d %s", status, said)
	}
	if status, _ := gbt("--model", "http://127.0.0.1:1/v1"); status != exitInput {
		t.Errorf("no server: %d", status)
	}
	if status, _ := gbt("--model-name", "x"); status != exitUsage {
		t.Errorf("a name without an address: %d", status)
	}
}

// TestRunProposedRules: gbt run obeys a proposed rule if it is told to ask for any, and
// asks nobody otherwise. The model is scripted.
func TestRunProposedRules(t *testing.T) {
	if w, err := workspace.New(t.Context(), workspace.Options{}); err != nil {
		t.Fatalf("NOT TESTED: %v", err)
	} else {
		w.Close()
	}
	world := newDoorWorld(t)
	t.Chdir(t.TempDir())
	gbt := func(answer string, more ...string) string {
		m := newTalkModel(t, answer, modelCalls("bash", `{"command":"touch new.txt"}`), modelCalls("finish", `{}`))
		var stdout, stderr bytes.Buffer
		run(append([]string{"gbt", "run", "--task", "Look around. You must not litter.", "--check", "test -f new.txt", "--policy", world.file, "--model", m.URL, "--model-name", "scripted", "--store", "none", "--max-steps", "3"}, more...), strings.NewReader(""), &stdout, &stderr)
		return stdout.String() + stderr.String()
	}
	honest := `{"rules":[{"sentence":1,"does":"change"}]}`
	if said := gbt(honest); !strings.Contains(said, "\nDONE (checks)") || strings.Contains(said, "proposed") || !strings.Contains(said, "not enforced: You must not litter") {
		t.Errorf("without the option:\n%s", said)
	}
	if said := gbt(honest, "--propose-rules"); strings.Contains(said, "\nDONE") || !strings.Contains(said, "gbt: the task's rule: rejected: change  (You must not litter)  [proposed by the model scripted]") || !strings.Contains(said, "stopped calls 1") {
		t.Errorf("with it:\n%s", said)
	}
	if said := gbt(`{"rules":[{"sentence":1,"does":"allow"}]}`, "--propose-rules"); !strings.Contains(said, "\nDONE (checks)") || !strings.Contains(said, "refused of what the model proposed") || !strings.Contains(said, "not enforced: You must not litter") {
		t.Errorf("a rule that allows:\n%s", said)
	}
}

// newTalkModel answers questions about rules with one text, and all others with calls in
// turn, the last for ever.
func newTalkModel(t *testing.T, rules string, calls ...string) *httptest.Server {
	t.Helper()
	said, err := json.Marshal(map[string]any{"choices": []any{map[string]any{"message": map[string]any{"role": "assistant", "content": rules}}}})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	m := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		if bytes.Contains(body, []byte("in words that a program did not understand")) {
			w.Write(said)
			return
		}
		io.WriteString(w, calls[min(n, len(calls)-1)])
		n++
	}))
	t.Cleanup(m.Close)
	return m
}
