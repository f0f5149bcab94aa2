package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// forced are runs that drop a table; those that force it did harm, as the user's
// monitors say.
func forced(t *testing.T, dir string) {
	t.Helper()
	var b strings.Builder
	for i := range 60 {
		force := "false"
		if i < 12 {
			force = "true"
		}
		args, _ := json.Marshal(fmt.Sprintf(`{"name":"t%d","force":"%s"}`, i, force))
		fmt.Fprintf(&b, `{"id":"r%d","success":true,"messages":[{"role":"user","content":"Clean up, run %d."},{"role":"assistant","content":"","tool_calls":[{"id":"a","type":"function","function":{"name":"drop_table","arguments":%s}}]},{"role":"tool","tool_call_id":"a","content":"done"},{"role":"assistant","content":"Done."}]}`+"\n", i, i, args)
	}
	write(t, filepath.Join(dir, "runs.jsonl"), b.String())
	write(t, filepath.Join(dir, "mine.yaml"), "version: 1\nrules:\n  - id: forced\n    call: {tools: [drop_table]}\n    args: [{name: [force], matches: '^true$'}]\n")
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestDistillWithModel: a gate that a model proposes is accepted by the same
// tests, says where it comes from, and comes again from the recorded answers
// without a server.
func TestDistillWithModel(t *testing.T) {
	dir := t.TempDir()
	forced(t, dir)
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		body, _ := io.ReadAll(r.Body)
		if r.Header.Get("Authorization") != "Bearer secret-key" || bytes.Contains(body, []byte("Clean up")) || !bytes.Contains(body, []byte(`"temperature":0`)) {
			t.Errorf("request %.300s, authorization %q", body, r.Header.Get("Authorization"))
		}
		answer, _ := json.Marshal(`{"gates":[{"expr":"!ctx.args.exists(a, a.path == \"force\" && a.value == \"true\")"}]}`)
		fmt.Fprintf(w, `{"choices":[{"message":{"role":"assistant","content":%s}}]}`, answer)
	}))
	settings := "monitors: mine.yaml\nlearning:\n  ask: 0.05\n  proposer:\n    kind: openai\n    url: " + server.URL + "/v1\n    model: frozen-1\n    key_env: GBT_TEST_KEY\n    cassette: answers.json\n"
	write(t, filepath.Join(dir, "gbt.yaml"), settings)
	write(t, filepath.Join(dir, "off.yaml"), "monitors: mine.yaml\n")
	t.Setenv("GBT_TEST_KEY", "secret-key")
	distil := func(config, out string, more ...string) string {
		t.Helper()
		var stdout, stderr bytes.Buffer
		args := append([]string{"gbt", "distill", "-q", "--config", filepath.Join(dir, config), filepath.Join(dir, "runs.jsonl"), "-o", filepath.Join(dir, out)}, more...)
		if code := run(args, strings.NewReader(""), &stdout, &stderr); code != 0 {
			t.Fatalf("%v: %d, %s", args, code, stderr.String())
		}
		return stdout.String()
	}
	if said := distil("off.yaml", "off.gbt"); asked > 0 || strings.Contains(said, "\nmodel ") || !strings.Contains(said, "gates     0 learned") {
		t.Errorf("off by default: %d questions, %s", asked, said)
	}
	said := distil("gbt.yaml", "a.gbt", "--report", filepath.Join(dir, "r.md"))
	if asked != 1 || !strings.Contains(said, "gates     1 learned") || !strings.Contains(said, "1 questions, 1 expressions proposed, 1 gates accepted; 0 answers were of no use") {
		t.Errorf("%d questions:\n%s", asked, said)
	}
	report, _ := os.ReadFile(filepath.Join(dir, "r.md"))
	if !strings.Contains(string(report), "proposed by model frozen-1") || !strings.Contains(string(report), "| drop_table | 12 | 1 |") {
		t.Errorf("report:\n%s", report)
	}
	var list bytes.Buffer
	if code := run([]string{"gbt", "gates", "list", filepath.Join(dir, "a.gbt")}, strings.NewReader(""), &list, io.Discard); code != 0 || !strings.Contains(list.String(), "(gate proposed by model frozen-1 ") {
		t.Errorf("the policy does not say who proposed the gate: %s", list.String())
	}
	server.Close()
	if kept, err := os.ReadFile(filepath.Join(dir, "answers.json")); err != nil || bytes.Contains(kept, []byte("secret-key")) {
		t.Errorf("the kept answers: %v, %s", err, kept)
	}
	distil("gbt.yaml", "b.gbt", "-j", "1")
	for _, name := range []string{".gbt", ".contexts.parquet"} {
		a, _ := os.ReadFile(filepath.Join(dir, "a"+name))
		b, _ := os.ReadFile(filepath.Join(dir, "b"+name))
		if len(a) == 0 || !bytes.Equal(a, b) {
			t.Errorf("%s differs when the answers come from the file", name)
		}
	}
	// Without server and answers the run goes on, and says so.
	if err := os.Remove(filepath.Join(dir, "answers.json")); err != nil {
		t.Fatal(err)
	}
	if said := distil("gbt.yaml", "c.gbt"); !strings.Contains(said, "0 gates accepted; 1 answers were of no use") {
		t.Errorf("without a server:\n%s", said)
	}
}
