package logs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/corpora"
)

// sessionOf reads the one episode of a file with these lines.
func sessionOf(t *testing.T, lines ...string) *corpora.Episode {
	t.Helper()
	name := filepath.Join(t.TempDir(), "session.jsonl")
	if err := os.WriteFile(name, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out []*corpora.Episode
	for r := range Map(t.Context(), Open([]string{name}, Options{}), func(_ *Unit, r Record) Record { return r }) {
		if r.Episode == nil {
			t.Fatalf("%+v", r)
		}
		out = append(out, r.Episode)
	}
	if len(out) != 1 {
		t.Fatalf("%d episodes, want 1", len(out))
	}
	return out[0]
}

const (
	claudeAsked = `{"type":"user","sessionId":"s","uuid":"%","parentUuid":"^","message":{"role":"user","content":"#"}}`
	claudeSaid  = `{"type":"assistant","sessionId":"s","uuid":"%","parentUuid":"^","message":{"role":"assistant","content":[{"type":"text","text":"#"}]}}`
	claudeRan   = `{"type":"assistant","sessionId":"s","uuid":"%","parentUuid":"^","message":{"role":"assistant","content":[{"type":"tool_use","id":"#","name":"Bash","input":{"command":"ls"}}]}}`
	claudeDone  = `{"type":"user","sessionId":"s","uuid":"%","parentUuid":"^","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"#","content":"a"}]}}`
)

// claudeLines threads pairs of a form and its text.
func claudeLines(pairs ...string) []string {
	var out []string
	last := ""
	for i := 0; i+1 < len(pairs); i += 2 {
		id := "u" + string(rune('a'+i))
		out = append(out, strings.NewReplacer("%", id, "^", last, "#", pairs[i+1]).Replace(pairs[i]))
		last = id
	}
	return out
}

func TestUserStopsTheRun(t *testing.T) {
	ep := sessionOf(t, claudeLines(claudeAsked, "look", claudeRan, "1", claudeDone, "1",
		claudeAsked, "[Request interrupted by user]", claudeAsked, "look again", claudeRan, "2", claudeDone, "2")...)
	if len(ep.Steps) != 2 || !ep.Steps[0].Stopped || ep.Steps[1].Stopped {
		t.Errorf("a stop belongs to the call before it: %+v", ep.Steps)
	}
	ep = sessionOf(t, claudeLines(claudeAsked, "look", claudeRan, "1", claudeDone, "1", claudeAsked, "thanks, and now",
		claudeAsked, "[Request interrupted by user]", claudeAsked, "look again", claudeRan, "2", claudeDone, "2")...)
	if ep.Steps[0].Stopped {
		t.Error("a request that was stopped before its first call blames the call of another")
	}
	ep = sessionOf(t, claudeLines(claudeAsked, "look", claudeRan, "1", claudeDone, "1", claudeAsked, "[Request interrupted by user for tool use]")...)
	if !ep.Steps[0].Stopped {
		t.Error("the stop that ends a session is not seen")
	}
	ep = sessionOf(t,
		`{"type":"session_meta","payload":{"id":"c","cwd":"/w"}}`,
		`{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"look"}]}}`,
		`{"type":"response_item","payload":{"type":"function_call","name":"shell","call_id":"1","arguments":"{\"command\":\"ls\"}"}}`,
		`{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"<turn_aborted>x</turn_aborted>"}]}}`)
	if len(ep.Steps) != 1 || !ep.Steps[0].Stopped {
		t.Errorf("Codex: %+v", ep.Steps)
	}
}

func TestWordsBeforeTheRequest(t *testing.T) {
	ep := sessionOf(t, claudeLines(claudeAsked, "look", claudeRan, "1", claudeDone, "1", claudeSaid, "There is a.",
		claudeAsked, "look again", claudeSaid, "I look.", claudeRan, "2", claudeDone, "2")...)
	s := &ep.Steps[1]
	if s.Text[:s.Before] != "There is a." || s.Heard != "look again" {
		t.Errorf("before: %q of %q, heard %q", s.Text[:s.Before], s.Text, s.Heard)
	}
}

func TestSummaryOfTheProgramIsNoRequest(t *testing.T) {
	ep := sessionOf(t, claudeLines(claudeAsked, "This session is being continued from a previous conversation that ran out of context. Long.",
		claudeAsked, "look", claudeRan, "1", claudeDone, "1")...)
	if ep.Task != "look" {
		t.Errorf("task %q", ep.Task)
	}
}

// TestHookStopsTheCall: what gbt-hook answers for a call is what its session says of it.
func TestHookStopsTheCall(t *testing.T) {
	stopped := strings.Replace(claudeDone, `"content":"a"`, `"is_error":true,"content":"gbt: blocked. This call deletes protected files."`, 1)
	ep := sessionOf(t, claudeLines(claudeAsked, "look", claudeRan, "1", stopped, "1", claudeRan, "2", claudeDone, "2")...)
	if s := ep.Steps; len(s) != 2 || s[0].Status != corpora.StatusBlocked || s[0].BlockedBy != "hook" || s[1].Status != corpora.StatusExecuted {
		t.Errorf("%+v", s)
	}
}
