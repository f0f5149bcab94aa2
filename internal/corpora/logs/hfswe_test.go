package logs

import (
	"os"
	"path/filepath"
	"testing"
)

// TestHuggingFaceRows: a SWE-agent row has calls whatever its prompt says, and
// rows of one batch are episodes of their own.
func TestHuggingFaceRows(t *testing.T) {
	fence := func(role, prompt string) string {
		return `{"instance_id":"acme__tool-1","target":true,"trajectory":[{"role":"system","text":null,"system_prompt":"` + prompt + `"},` +
			`{"role":"user","text":"Mend it."},{"role":"` + role + `","text":"I look.\n` + "```" + `\nls -F\n` + "```" + `"},{"role":"user","text":"a.py"}]}`
	}
	batch := func(task string) string {
		return `{"instance_id":"` + task + `","run_id":"r","resolved":true,"messages":[{"role":"user","content":"Mend it."},` +
			`{"role":"assistant","content":"","tool_calls":[{"id":"c","function":{"name":"sh","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"ok"}]}`
	}
	for name, rows := range map[string][]string{
		"bare prompt":  {fence("ai", "You program."), fence("assistant", "")},
		"known prompt": {fence("ai", "Use just *one* command a turn.")},
		"one batch":    {batch("acme__tool-1"), batch("acme__tool-2")},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "rows.jsonl")
			var all string
			for _, r := range rows {
				all += r + "\n"
			}
			if err := os.WriteFile(path, []byte(all), 0o600); err != nil {
				t.Fatal(err)
			}
			ids := map[string]bool{}
			for _, ep := range episodesOf(t, Options{}, path) {
				ids[ep.ID] = true
				if ep.Format != "hf-swe" || len(ep.Steps) != 1 || ep.Steps[0].Result == "" || ep.Task != "Mend it." {
					t.Errorf("%+v", ep)
				}
			}
			if len(ids) != len(rows) {
				t.Errorf("%d rows have the ids %v", len(rows), ids)
			}
		})
	}
}
