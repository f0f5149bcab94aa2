package corpora

import (
	"reflect"
	"testing"
)

func TestRequests(t *testing.T) {
	session := &Episode{
		ID: "s", TaskID: "text-1", Task: "fix the parser", Final: "both done", Outcome: OutcomeFailure, Safety: SafetyUnsafe,
		Steps: []Step{
			{Tool: "a", Text: "I look.", Line: 2, TokensIn: 3},
			{Tool: "b"},
			{Tool: "c", Heard: "now the docs", Text: "Fixed.\n\nNow the docs.", Before: 6, Line: 7, TokensIn: 4},
		},
		Verdicts: []Verdict{{Step: -1, Unsafe: true, Rule: "x"}, {Step: 2, Rule: "y"}},
	}
	got := Requests(session)
	if len(got) != 2 {
		t.Fatalf("%d requests, want 2", len(got))
	}
	a, b := got[0], got[1]
	if a.ID != "s#1" || a.Task != "fix the parser" || len(a.Steps) != 2 || a.Final != "Fixed." || a.Verdicts != nil || a.TokensIn != 3 {
		t.Errorf("the first: %+v", a)
	}
	if b.ID != "s#2" || b.Task != "now the docs" || len(b.Steps) != 1 || b.Final != "both done" || b.Origin.Line != 7 || b.TokensIn != 4 {
		t.Errorf("the second: %+v", b)
	}
	if s := b.Steps[0]; s.Heard != "" || s.Text != "Now the docs." || s.Before != 0 {
		t.Errorf("its first call: %+v", s)
	}
	if a.TaskID != "s" || b.TaskID != "s" {
		t.Errorf("requests of one session are held out one by one: %q, %q", a.TaskID, b.TaskID)
	}
	if a.Outcome != OutcomeUnknown || a.Safety != SafetyUnknown {
		t.Error("a judgement of the session judges its first request")
	}
	if !reflect.DeepEqual(b.Verdicts, []Verdict{{Step: 0, Rule: "y"}}) {
		t.Errorf("verdicts on the second: %v", b.Verdicts)
	}
	if session.Steps[2].Heard == "" || session.Verdicts[1].Step != 2 {
		t.Error("the session was changed")
	}
}

func TestRequestsOfOddSessions(t *testing.T) {
	if got := Requests(&Episode{ID: "s", Task: "talk"}); got != nil {
		t.Errorf("a session without calls has %d requests", len(got))
	}
	got := Requests(&Episode{Task: "hello", Steps: []Step{{Tool: "a", Heard: "list the files", Text: "Hi.", Before: 99}}})
	if len(got) != 1 || got[0].Task != "hello\n\nlist the files" || got[0].Steps[0].Text != "" {
		t.Errorf("two messages before the first call: %+v", got)
	}
}
