package hosts

import (
	"reflect"
	"strings"
	"testing"
)

// endSamples are ends as the hosts' documentation writes them.
var endSamples = []struct {
	host, input string
	want        End
}{
	{"claude-code", `{"session_id":"abc","transcript_path":"/t.jsonl","cwd":"/w","permission_mode":"default","hook_event_name":"Stop","stop_hook_active":true,"last_assistant_message":"done","background_tasks":[]}`,
		End{Input: Input{State: state("/w"), Event: "Stop", Session: "abc", mode: "default"}, Again: true}},
	{"claude-code", `{"session_id":"abc","cwd":"/w","hook_event_name":"SubagentStop","stop_hook_active":false,"agent_id":"a1","agent_type":"x"}`,
		End{Input: Input{State: state("/w"), Event: "SubagentStop", Session: "abc", Agent: "a1"}}},
	{"codex", `{"session_id":"abc","turn_id":"t7","transcript_path":null,"cwd":"/w","hook_event_name":"Stop","model":"m","permission_mode":"default","stop_hook_active":false,"last_assistant_message":null}`,
		End{Input: Input{State: state("/w"), Event: "Stop", Session: "abc", mode: "default"}, Turn: "t7"}},
	{"copilot", `{"hook_event_name":"Stop","session_id":"abc","timestamp":"2026-11-25T22:05:14.141Z","cwd":"/w","transcript_path":"/t","stop_reason":"end_turn"}`,
		End{Input: Input{State: state("/w"), Event: "Stop", Session: "abc"}}},
	{"droid", `{"session_id":"abc","cwd":"/w","hook_event_name":"Stop","stopHookActive":true}`,
		End{Input: Input{State: state("/w"), Event: "Stop", Session: "abc"}, Again: true}},
	{"gemini", `{"session_id":"abc","transcript_path":"/t","cwd":"/w","hook_event_name":"AfterAgent","timestamp":"x","prompt":"p","prompt_response":"r","stop_hook_active":false}`,
		End{Input: Input{State: state("/w"), Event: "AfterAgent", Session: "abc"}}},
	{"cursor", `{"conversation_id":"c","generation_id":"g","hook_event_name":"stop","cursor_version":"3.9","workspace_roots":["/w"],"status":"completed","loop_count":2}`,
		End{Input: Input{State: state("/w", "/w"), Event: "stop", Session: "c"}, Tries: 2}},
	{"cursor", `{"conversation_id":"c","hook_event_name":"stop","workspace_roots":["/w"],"status":"aborted","loop_count":0}`,
		End{Input: Input{State: state("/w", "/w"), Event: "stop", Session: "c"}, Broken: true}},
	{"openhands", `{"event_type":"Stop","tool_name":null,"tool_input":null,"tool_output":null,"message":null,"session_id":"s","working_dir":"/w","metadata":{}}`,
		End{Input: Input{State: state("/w"), Event: "Stop", Session: "s"}}},
}

// TestDecodeEnd: what the hosts document is read as they mean it, and what can't be one is
// an error.
func TestDecodeEnd(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range endSamples {
		h := host(t, s.host)
		seen[s.host] = true
		got, err := h.DecodeEnd([]byte(s.input))
		if err != nil {
			t.Errorf("%s: %v", s.host, err)
			continue
		}
		if !reflect.DeepEqual(*got, s.want) {
			t.Errorf("%s:\n got %+v\nwant %+v", s.host, *got, s.want)
		}
		if _, err := h.Decode([]byte(s.input)); err == nil || !h.IsEnd([]byte(s.input)) {
			t.Errorf("%s: an end is taken for a call", s.host)
		}
		for _, key := range append([]string{h.eventKey, h.sessionKey}, h.Ends.Active...) {
			if e, err := h.DecodeEnd([]byte(with(t, s.input, key, 7.0))); err == nil {
				t.Errorf("%s: %s = 7 is read as %+v", s.host, key, e)
			}
		}
	}
	for _, h := range all {
		if seen[h.Name] != h.AsksEnds() {
			t.Errorf("%s has ends: %v, and samples: %v", h.Name, h.AsksEnds(), seen[h.Name])
		}
		if h.IsEnd([]byte(h.SampleCall(h.Events[0].Name, "/w", h.Samples.Shell, "ls"))) {
			t.Errorf("%s: a call is taken for an end", h.Name)
		}
	}
}

// TestEndAnswers: what sends an agent back does so in each host's reading and says why; what
// lets it go never does, and neither does any trouble.
func TestEndAnswers(t *testing.T) {
	process := func(o Output) Process { return Process{Stdout: o.Stdout, Stderr: o.Stderr, Exit: o.Exit} }
	for _, h := range all {
		if !h.AsksEnds() {
			continue
		}
		back := h.SendBack("run the tests\nFAIL x\x1b[2J")
		if !h.SentBack(process(back)) || !strings.Contains(back.Stdout, `gbt: run the tests\nFAIL x?[2J`) {
			t.Errorf("%s: %+v does not send back", h.Name, back)
		}
		for name, o := range map[string]Output{"silence": h.LetGo(""), "a note": h.LetGo("it lacks\nsomething"), "trouble": h.Trouble("x")} {
			if h.SentBack(process(o)) {
				t.Errorf("%s: %s sends back: %+v", h.Name, name, o)
			}
			if o.Exit == exitBlocked {
				t.Errorf("%s: %s ends with %d", h.Name, name, o.Exit)
			}
		}
		if o := h.LetGo("it lacks something"); !strings.Contains(o.Stdout+o.Stderr, "gbt: it lacks something") {
			t.Errorf("%s: nobody is told: %+v", h.Name, o)
		}
		if h.SentBack(Process{Died: true}) {
			t.Errorf("%s: a hook that died sends back", h.Name)
		}
	}
}
