package logs

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gbt-policy/gbt/corpora"
)

// TestLayoutsAsDescribed: files that hold what the description of their layout
// names, and nothing more than that, are read as it.
func TestLayoutsAsDescribed(t *testing.T) {
	const (
		luna = `{"messages":[{"role":"user","content":"Weigh it."},{"role":"assistant","content":"w","tool_calls":[{"function":"weigh","args":{"n":1},"id":"k"}]},` +
			`{"role":"tool","content":"3 g","tool_call_id":"k"}],"evaluation":{"utility":true,"security":false}}`
		mini = `[{"role":"system","content":"Use the shell."},{"role":"user","content":"Feed the owl"},` +
			"{\"role\":\"assistant\",\"content\":\"THOUGHT: look\\n\\n```bash\\nls\\n```\"}," + `{"role":"user","content":"<returncode>0</returncode>\n<output>\nx\n</output>"},` +
			"{\"role\":\"assistant\",\"content\":\"THOUGHT: go\\n\\n```bash\\nfeed\\n```\"}," + `{"role":"user","content":"<returncode>1</returncode>\n<output>\n</output>"}]`
		advice = `[{"role":"user","content":"How?"},` + "{\"role\":\"assistant\",\"content\":\"So:\\n\\n```bash\\nls\\n```\"}," + `{"role":"user","content":"Thanks"}]`
		robot  = `{"prompt":"Put the mug away","intermediate_steps":[{"action":{"tool":"find","input":"mug"},"observation":{"action":"find mug","success":false,"message":"","errorMessage":"far"}}],"output":"done"}`
		dojo   = `{"messages":[{"role":"user","content":"Go."}],"metadata":{"suite_name":"s","model":"m","success":true,"security":true,"user_task_id":"u","injection_task_id":null}}`
	)
	for _, c := range []struct {
		name, format       string
		files              map[string]string
		runs, steps, skips int
		safety             corpora.Safety
		fault              string
	}{
		{name: "dojo-luna by its evaluation", format: "dojo-luna", files: map[string]string{"r.json": luna}, steps: 1, safety: corpora.SafetyUnsafe},
		{name: "mini-swe-agent by its answers", format: "mini-swe-agent", files: map[string]string{"m.json": mini}, steps: 2},
		{name: "advice with a fence in it", format: "chat", files: map[string]string{"m.json": advice}},
		{name: "embodied by its observations", format: "agentspec-embodied", files: map[string]string{"e.jsonl": robot + "\n" + robot + "\n"}, runs: 2, steps: 2, fault: "far"},
		{name: "event files with short ids", format: "openhands-v1", files: map[string]string{
			"c/events/event-00000-e0.json": userEvent, "c/events/event-00001-e1.json": callEvent,
		}, steps: 1},
		{name: "a first line about a suite", format: "agentdojo", files: map[string]string{"a.jsonl": `{"suite_name":"s","version":1}` + "\n" + dojo + "\n"}, skips: 1},
		{name: "a first line of metadata and more", format: "agentdojo", files: map[string]string{"a.jsonl": `{"metadata":{"n":[1]},"version":1}` + "\n" + dojo + "\n"}, skips: 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range c.files {
				p := filepath.Join(dir, name)
				if err := os.MkdirAll(filepath.Dir(p), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			got, runs := count(t, Options{}, dir), max(c.runs, 1)
			if got.episodes != runs {
				t.Errorf("%d episodes, want %d", got.episodes, runs)
			}
			if len(got.codes) != 0 || len(got.skips) != c.skips {
				t.Errorf("problems %v, skips %v, want %d", got.codes, got.skips, c.skips)
			}
			steps := 0
			for _, ep := range episodesOf(t, Options{}, dir) {
				steps += len(ep.Steps)
				if ep.Format != c.format || ep.Safety != c.safety {
					t.Errorf("%s, %v, want %s, %v", ep.Format, ep.Safety, c.format, c.safety)
				}
				for i := range ep.Steps {
					if s := &ep.Steps[i]; s.Error != c.fault || s.Status == corpora.StatusExecuted && s.Index < 0 {
						t.Errorf("step %d: error %q at %d", i, s.Error, s.Index)
					}
				}
			}
			if steps != c.steps {
				t.Errorf("%d steps, want %d", steps, c.steps)
			}
		})
	}
}
