package runner

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
	"github.com/gbt-policy/gbt/traverse"
)

func constrained(o *Options) { o.Model.Calls = CallsConstrained }

const copying = `{"tool": "bash", "command": "cp a.txt b.txt"}`

// TestLed holds a model's answers to one call each, and ends by itself once the
// checks pass: the model never has to say so.
func TestLed(t *testing.T) {
	s := newScripted(t, says(copying))
	out, record := start(t, t.Context(), s, constrained)
	if !out.Done() || out.Basis != traverse.BasisChecks || len(s.requests) != 1 {
		t.Errorf("%d requests, outcome %+v", len(s.requests), out)
	}
	if got := s.requests[0].way(); got != bySchema {
		t.Errorf("the first request is held by way %d", got)
	}
	for _, name := range toolNames {
		if !strings.Contains(string(s.requests[0].Format.Schema.Schema), `"const":"`+name+`"`) {
			t.Errorf("%s is not in the schema", name)
		}
	}
	ep := episode(t, record)
	if len(ep.Steps) != 1 || ep.Steps[0].Tool != "bash" || ep.Steps[0].Status != corpora.StatusExecuted || ep.Outcome != corpora.OutcomeSuccess {
		t.Errorf("episode %+v", ep)
	}
}

// TestLedFallsBack finds the way that an endpoint has, once, and keeps it.
func TestLedFallsBack(t *testing.T) {
	fenced := says("Sure.\n```bash\ncp a.txt b.txt\n```")
	tests := []struct {
		name    string
		refused []way
		answers []string
		want    way
	}{
		{"schema", nil, []string{says(copying)}, bySchema},
		{"a schema that is not heeded", nil, []string{says("Sure, I copy it."), does("bash", `{"command":"cp a.txt b.txt"}`)}, byTools},
		{"tools", []way{bySchema}, []string{does("bash", `{"command":"cp a.txt b.txt"}`)}, byTools},
		{"grammar", []way{bySchema, byTools}, []string{says(copying)}, byGrammar},
		{"words", []way{bySchema, byTools, byGrammar}, []string{fenced}, byWords},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newScripted(t, tt.answers...)
			s.refuses = func(q *request) string {
				if slices.Contains(tt.refused, q.way()) {
					return "unknown field"
				}
				return ""
			}
			out, _ := start(t, t.Context(), s, constrained)
			if !out.Done() || s.requests[len(s.requests)-1].way() != tt.want {
				t.Errorf("way %d of %d requests, %+v", s.requests[len(s.requests)-1].way(), len(s.requests), out)
			}
		})
	}
	s := newScripted(t)
	s.refuses = func(*request) string { return "no" }
	if out, _ := start(t, t.Context(), s, constrained); out.Done() || out.Reason != "model" || out.Err == nil {
		t.Errorf("an endpoint that refuses everything: %+v", out)
	}
}

// TestGoesOverToLed leads a model that calls no tools by itself, and no other.
func TestGoesOverToLed(t *testing.T) {
	words, call, ls := says("I would look around."), says(copying), does("bash", `{"command":"ls"}`)
	noTools := func(q *request) string {
		if q.way() == byTools {
			return `{"error":"this model does not support tools"}`
		}
		return ""
	}
	tests := []struct {
		name    string
		answers []string
		refuses func(*request) string
		edit    func(*Options)
		led     bool
	}{
		{"two answers without a call", []string{words, words, call}, nil, nil, true},
		{"one answer without a call", []string{words, ls, words, words}, nil, nil, false},
		{"it can, and stops to", []string{ls, words, words, words}, nil, nil, false},
		{"an endpoint without tools", []string{call}, noTools, nil, true},
		{"it was asked for otherwise", []string{words, words, words}, nil, func(o *Options) { o.Model.Calls = CallsRequired }, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newScripted(t, tt.answers...)
			s.refuses = tt.refuses
			out, _ := start(t, t.Context(), s, tt.edit)
			if led := slices.ContainsFunc(s.requests, func(q request) bool { return q.way() == bySchema }); led != tt.led || out.Done() != tt.led {
				t.Errorf("led %v, %+v", led, out)
			}
		})
	}
}

// TestLedIsChecked: what a model that is led calls is checked like any other
// call, and neither its choice nor a run of calls makes it DONE.
func TestLedIsChecked(t *testing.T) {
	bad := says(`{"tool": "bash", "command": "rm -rf /"}`)
	worse := says(`{"tool": "bash", "command": "rm -rf /usr"}`)
	s := newScripted(t, bad, worse, bad, worse, bad, worse, bad, worse)
	out, record := start(t, t.Context(), s, constrained)
	if out.Done() || out.Status.Stats.Calls != 0 || out.Status.Stats.Blocked < 3 {
		t.Errorf("outcome %+v", out)
	}
	for i, st := range episode(t, record).Steps {
		if st.Status != corpora.StatusBlocked {
			t.Errorf("step %d: %+v", i, st)
		}
	}
	if m := s.requests[1].Messages; !strings.Contains(m[len(m)-1].Content, "This call was stopped: rejected") {
		t.Errorf("the model was told %q", m[len(m)-1].Content)
	}
	if m := s.requests[3].Messages; len(m) != len(s.requests[0].Messages) {
		t.Errorf("a call that was made before did not end the macro: %d messages", len(m))
	}
}

// learned is a policy distilled from example logs.
var learned = sync.OnceValues(func() (*traverse.Policy, error) {
	in := logs.Open([]string{"../../examples/logs/mini-swe-agent"}, logs.Options{})
	out, err := distill.Run(context.Background(), in, distill.Options{Config: distill.DefaultConfig(), Workers: 2})
	if err != nil {
		return nil, err
	}
	data, err := artifacts.Encode(out.Policy)
	if err != nil {
		return nil, err
	}
	p, info, err := artifacts.Open(data, artifacts.Trust{})
	if err != nil {
		return nil, err
	}
	return traverse.New(p, traverse.Options{Digest: info.Digest})
})

// TestLedByAPolicy: the model only ever chooses among the macros of the policy and
// makes calls with their tools, is shown little, and follows the tree.
func TestLedByAPolicy(t *testing.T) {
	p, err := learned()
	if err != nil {
		t.Fatal(err)
	}
	s := newScripted(t)
	chosen := 0
	s.answer = func(q *request) string {
		var form struct {
			Properties map[string]struct {
				Const string
				Enum  []string
			}
		}
		if err := json.Unmarshal(q.Format.Schema.Schema, &form); err != nil {
			t.Fatal(err)
		}
		if list := form.Properties[choiceKey].Enum; len(list) > 0 {
			chosen++
			answer, _ := json.Marshal(map[string]string{choiceKey: list[0]})
			return says(string(answer))
		}
		if got := form.Properties["tool"].Const; got != "bash" {
			t.Errorf("a call of %q is asked for, the logs have bash alone: %s", got, q.Format.Schema.Schema)
		}
		return says(`{"tool": "bash", "command": "cat a.txt"}`)
	}
	out, _ := start(t, t.Context(), s, func(o *Options) {
		constrained(o)
		o.Policy = p
		o.Task = traverse.Task{ID: "t", Text: "fix the bug in the parser so that the tests pass", Checks: []traverse.Check{{ID: "tests", Text: "pytest -q && false"}}}
	})
	if out.Done() || out.Status.Stats.Calls == 0 || !out.Status.Routed || len(out.Status.Spine) == 0 || chosen == 0 {
		t.Errorf("%d choices, outcome %+v", chosen, out)
	}
	for i, q := range s.requests {
		if b, err := json.Marshal(q.Messages); err != nil || len(b) > 8000 {
			t.Errorf("request %d has %d bytes", i, len(b))
		}
	}
}

// FuzzForm: no answer makes a call of a tool that was not offered, or a choice
// that was not.
func FuzzForm(f *testing.F) {
	for _, s := range []string{copying, `{"tool":"bash"}`, `{"tool":"rm","command":"x"}`, `{"next":"a"}`, `{"next":"c"}`, "a and b", "```bash\nls\n```", "{", `{"tool":"bash","command":"x","y":"z"}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		tools := allTools()[:2]
		call, _ := (&form{tools: tools}).read(&message{Content: text})
		if call != nil && (call.Function.Name != "bash" && call.Function.Name != "read_file" || !json.Valid([]byte(call.Function.Args))) {
			t.Errorf("%+v", call)
		}
		if _, choice := (&form{choices: []string{"a", "b"}}).read(&message{Content: text}); choice != "" && choice != "a" && choice != "b" {
			t.Errorf("choice %q", choice)
		}
	})
}
