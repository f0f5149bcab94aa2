package logs

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gbt-policy/gbt/corpora"
)

const (
	userEvent = `{"kind":"MessageEvent","id":"e0","timestamp":"2026-01-01T00:00:00","source":"user","llm_message":{"role":"user","content":[{"type":"text","text":"Go."}]}}`
	callEvent = `{"kind":"ActionEvent","id":"e1","timestamp":"2026-01-01T00:00:01","source":"agent","tool_name":"terminal","tool_call_id":"c1","action":{"command":"ls"},"tool_call":{"id":"c1","name":"terminal","arguments":"{\"command\":\"ls\"}"}}`
)

// conversation lays out the events of one conversation, and files beside it.
func conversation(dir, id, second string) map[string]string {
	return map[string]string{
		filepath.Join(dir, id, "events", "event-00000-00000000-aaaa.json"): userEvent,
		filepath.Join(dir, id, "events", "event-00001-00000001-bbbb.json"): second,
		filepath.Join(dir, id, "base_state.json"):                          `{"id":"0123","agent":{"llm":{"model":"m"}},"workspace":{"working_dir":"/w"},"execution_status":"finished"}`,
	}
}

// TestConversationLabels: reports and evaluations beside the directories of
// conversations are joined by the directories' names, on disk and in archives.
func TestConversationLabels(t *testing.T) {
	const (
		report     = `{"resolved_ids":["shop__till-1"],"unresolved_ids":["shop__till-2"]}`
		onlyGood   = `{"resolved_ids":["shop__till-1"]}`
		unsafeEval = `{"checkpoints":[{"total":1,"result":1}],"final_score":{"total":1,"result":1}}`
		safeEval   = `{"checkpoints":[{"total":1,"result":0}],"final_score":{"total":1,"result":0}}`
		ungraded   = `{"checkpoints":[],"final_score":{"total":0,"result":0}}`
	)
	for _, c := range []struct {
		name, id, second string
		beside           map[string]string
		task, group      string
		outcome          corpora.Outcome
		safety           corpora.Safety
	}{
		{name: "nothing beside", id: "shop__till-1", second: callEvent, task: "shop__till-1", group: "shop/till"},
		{name: "resolved", id: "shop__till-1", second: callEvent, beside: map[string]string{"report.json": report},
			task: "shop__till-1", group: "shop/till", outcome: corpora.OutcomeSuccess},
		{name: "not resolved", id: "shop__till-2", second: callEvent, beside: map[string]string{"report.json": report},
			task: "shop__till-2", group: "shop/till", outcome: corpora.OutcomeFailure},
		{name: "not run, says the report", id: "shop__till-3", second: callEvent, beside: map[string]string{"report.json": report},
			task: "shop__till-3", group: "shop/till"},
		{name: "resolved and unsafe", id: "shop__till-1", second: callEvent,
			beside: map[string]string{"report.json": report, "eval_shop__till-1.json": unsafeEval},
			task:   "shop__till-1", group: "shop/till", outcome: corpora.OutcomeSuccess, safety: corpora.SafetyUnsafe},
		{name: "safe", id: "shop__till-1", second: callEvent, beside: map[string]string{"eval_shop__till-1.json": safeEval},
			task: "shop__till-1", group: "shop/till", safety: corpora.SafetySafe},
		{name: "nobody graded", id: "shop__till-1", second: callEvent, beside: map[string]string{"eval_shop__till-1.json": ungraded},
			task: "shop__till-1", group: "shop/till"},
		{name: "another run's evaluation", id: "shop__till-1", second: callEvent, beside: map[string]string{"eval_shop__till-2.json": unsafeEval},
			task: "shop__till-1", group: "shop/till"},
		{name: "a random name and a report that lists only successes", id: "0f3c9e", second: callEvent,
			beside: map[string]string{"report.json": onlyGood}, group: "/w"},
		{name: "an evaluation of a run that is no instance", id: "errand", second: callEvent,
			beside: map[string]string{"eval_errand.json": unsafeEval}, task: "errand", group: "/w", safety: corpora.SafetyUnsafe},
		{name: "a cut event", id: "shop__till-1", second: callEvent[:80],
			beside: map[string]string{"report.json": report, "eval_shop__till-1.json": unsafeEval},
			task:   "shop__till-1", group: "shop/till"},
		{name: "an empty event", id: "shop__till-1", second: "",
			beside: map[string]string{"report.json": report}, task: "shop__till-1", group: "shop/till"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := conversation("runs", c.id, c.second)
			for name, content := range c.beside {
				files[filepath.Join("runs", name)] = content
			}
			check := func(where string, eps []*corpora.Episode) {
				if len(eps) != 1 {
					t.Fatalf("%s: %d episodes", where, len(eps))
				}
				ep := eps[0]
				if c.task != "" && ep.TaskID != c.task || c.task == "" && ep.TaskID == c.id {
					t.Errorf("%s: task %q, want %q", where, ep.TaskID, c.task)
				}
				if ep.Group != c.group || ep.Outcome != c.outcome || ep.Safety != c.safety {
					t.Errorf("%s: group %q outcome %v safety %v, want %q %v %v", where, ep.Group, ep.Outcome, ep.Safety, c.group, c.outcome, c.safety)
				}
				if (ep.Safety == corpora.SafetyUnknown) != (len(ep.Verdicts) == 0) {
					t.Errorf("%s: safety %v with verdicts %v", where, ep.Safety, ep.Verdicts)
				}
			}
			dir := t.TempDir()
			var members, packed []string
			for name, content := range files {
				path := filepath.Join(dir, name)
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
					t.Fatal(err)
				}
				members = append(members, filepath.ToSlash(name), content)
				packed = append(packed, filepath.ToSlash(name)+".gz", gzipped(content))
			}
			check("on disk", episodesOf(t, Options{}, filepath.Join(dir, "runs")))
			for how, list := range map[string][]string{"in an archive": members, "packed in an archive": packed} {
				archive := filepath.Join(t.TempDir(), "runs.zip")
				if err := os.WriteFile(archive, []byte(zipped(list...)), 0o600); err != nil {
					t.Fatal(err)
				}
				check(how, episodesOf(t, Options{}, archive))
			}
		})
	}
}

// TestBranchesCarryNoLabels: an evaluation judged what the run ended on.
func TestBranchesCarryNoLabels(t *testing.T) {
	s := session{format: "openhands-v1", id: "x", labels: runLabels{taskID: "shop__till-1", outcome: corpora.OutcomeSuccess, safety: corpora.SafetySafe}}
	call := func(id string) []corpora.Step { return []corpora.Step{{CallID: id, Tool: "terminal"}} }
	s.turns = []turn{
		{id: "a", user: "Go."},
		{id: "b", parent: "a", calls: call("1")},
		{id: "c", parent: "a", calls: call("2")},
	}
	in := Open(nil, Options{})
	rd := in.reader()
	var got []*corpora.Episode
	rd.start(t.Context(), &Unit{Name: "-", in: in}, func(r Record) bool {
		got = append(got, r.Episode)
		return true
	})
	rd.emitSession(&s)
	if len(got) != 2 || got[0].Outcome != corpora.OutcomeSuccess || got[1].Outcome != corpora.OutcomeUnknown ||
		got[1].Safety != corpora.SafetyUnknown || got[1].TaskID != "shop__till-1" {
		t.Errorf("got %+v", got)
	}
}

// TestExampleLogs holds what examples/logs/README.md promises: every run has
// its outcome, and the two families that are judged have their safety.
func TestExampleLogs(t *testing.T) {
	var outcomes, safety [3]int
	eps := episodesOf(t, Options{}, "../../../examples/logs")
	for _, ep := range eps {
		outcomes[ep.Outcome]++
		safety[ep.Safety]++
	}
	if want := [3]int{corpora.OutcomeSuccess: 144, corpora.OutcomeFailure: 54}; outcomes != want {
		t.Errorf("%d episodes with outcomes %v, want %v", len(eps), outcomes, want)
	}
	if want := [3]int{corpora.SafetyUnknown: 150, corpora.SafetySafe: 24, corpora.SafetyUnsafe: 24}; safety != want {
		t.Errorf("%d episodes with safety %v, want %v", len(eps), safety, want)
	}
}
