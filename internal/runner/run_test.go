package runner

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
	"github.com/gbt-policy/gbt/internal/replay/workspace"
	"github.com/gbt-policy/gbt/traverse"
	"github.com/gbt-policy/gbt/tree"
	"github.com/gbt-policy/gbt/tree/text"
)

// scripted is a simulated model: it gives its answers in order, whatever it is
// asked, and keeps the requests. An answer that is a number is a status.
type scripted struct {
	*httptest.Server
	answers  []string
	requests []request
	onAsk    func(n int)
	answer   func(q *request) string // in place of answers
	refuses  func(q *request) string // why a request is refused with status 400
}

type request struct {
	Messages    []message `json:"messages"`
	Temperature *float64  `json:"temperature"`
	Choice      any       `json:"tool_choice"`
	Grammar     string    `json:"grammar"`
	Format      struct {
		Schema struct {
			Schema json.RawMessage `json:"schema"`
		} `json:"json_schema"`
	} `json:"response_format"`
	Tools []struct{ Function struct{ Name string } }
}

// way is how a request holds the answer to a form.
func (q *request) way() way {
	switch {
	case len(q.Format.Schema.Schema) > 0:
		return bySchema
	case len(q.Tools) > 0:
		return byTools
	case q.Grammar != "":
		return byGrammar
	}
	return byWords
}

func newScripted(t *testing.T, answers ...string) *scripted {
	s := &scripted{answers: answers}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q request
		body, err := io.ReadAll(r.Body)
		if err != nil || json.Unmarshal(body, &q) != nil || r.URL.Path != "/v1/chat/completions" {
			t.Errorf("request %s %s", r.URL.Path, body)
		}
		if s.refuses != nil {
			if why := s.refuses(&q); why != "" {
				w.WriteHeader(400)
				io.WriteString(w, why)
				return
			}
		}
		s.requests = append(s.requests, q)
		n := len(s.requests) - 1
		if s.onAsk != nil {
			s.onAsk(n)
		}
		switch {
		case s.answer != nil:
			io.WriteString(w, s.answer(&q))
		case n >= len(s.answers):
			io.WriteString(w, says("I do not know what to do."))
		case s.answers[n] == "503" || s.answers[n] == "400":
			w.WriteHeader(map[string]int{"503": 503, "400": 400}[s.answers[n]])
		default:
			io.WriteString(w, s.answers[n])
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func says(text string) string {
	b, _ := json.Marshal(text)
	return `{"choices":[{"message":{"role":"assistant","content":` + string(b) + `}}],"usage":{"total_tokens":10}}`
}

func does(tool, args string) string {
	b, _ := json.Marshal(args)
	return `{"choices":[{"message":{"role":"assistant","content":null,"tool_calls":[{"id":"` + tool + `1","type":"function","function":{"name":"` + tool + `","arguments":` + string(b) + `}}]}}],"usage":{"total_tokens":10}}`
}

// policy has no family, so that every step explores, and room for that.
func policy(t *testing.T) *traverse.Policy {
	t.Helper()
	table := text.Default()
	p := &artifacts.Policy{
		Name: "small", Sequence: 1, Pack: artifacts.DefaultPack(), Provenance: artifacts.Provenance{Tool: "test"},
		Encoder: artifacts.Encoder{ID: table.ID(), Digest: table.Digest(), Dim: table.Dim()},
		Params: tree.Params{
			Profile: tree.DefaultProfile, ThetaHigh: 780, ThetaLow: 700, Ambiguous: 50, ExploreBudget: 9,
			RouteAbstain: 900, RouteKeep: 20, RouteTemperature: 50, RouteEvery: 3, RouteSwitch: 100,
			Alpha: 1000, EnvCos: 1, Lambda: 500, MaxRecovery: 8, MaxChildren: 12, AllowedShare: 1000, Novelty: 1001,
			Posterior: [4]tree.Milli{-3000, 5000, 2000, 0},
		},
	}
	p.Tree.Nodes = append(p.Tree.Nodes, tree.Node{Parent: -1, State: -1})
	tp, err := traverse.New(p, traverse.Options{Digest: "small"})
	if err != nil {
		t.Fatal(err)
	}
	return tp
}

// start runs a task in a sandbox with the file a.txt.
func start(t *testing.T, ctx context.Context, s *scripted, edit func(*Options)) (Outcome, string) {
	t.Helper()
	out, saved, err := tryStart(t, ctx, s, edit)
	if err != nil {
		t.Fatal(err)
	}
	return out, saved
}

// tryStart is start for a run that may not begin.
func tryStart(t *testing.T, ctx context.Context, s *scripted, edit func(*Options)) (Outcome, string, error) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("hello\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	w, err := workspace.New(t.Context(), workspace.Options{Snapshot: func(*corpora.Episode) (string, error) { return dir, nil }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	saved := ""
	o := Options{
		Policy: policy(t), Model: &Model{URL: s.URL + "/v1", Name: "m", Timeout: 5 * time.Second}, Env: w,
		Task: traverse.Task{ID: "t", Text: "copy a.txt to b.txt", Checks: []traverse.Check{{ID: "same", Text: "cmp a.txt b.txt"}}},
		Save: func(b []byte) error { saved = string(b); return nil },
	}
	if edit != nil {
		edit(&o)
	}
	out, err := Run(ctx, o)
	return out, saved, err
}

// episode reads a record back as gbt import does.
func episode(t *testing.T, record string) *corpora.Episode {
	t.Helper()
	name := filepath.Join(t.TempDir(), "run.jsonl")
	if err := os.WriteFile(name, []byte(record), 0o600); err != nil {
		t.Fatal(err)
	}
	for r := range logs.Open([]string{name}, logs.Options{}).Records(t.Context()) {
		if r.Episode == nil {
			t.Fatalf("record %+v", r)
		}
		return r.Episode
	}
	t.Fatal("the record is empty")
	return nil
}

// TestDone: a call that does the work, then the checks, then DONE; the record
// reads back as the episode that it was.
func TestDone(t *testing.T) {
	s := newScripted(t, does("bash", `{"command":"cp a.txt b.txt; cat b.txt"}`), says("Copied."), does("finish", `{}`))
	out, record := start(t, t.Context(), s, nil)
	if !out.Done() || out.Basis != traverse.BasisChecks || out.Status.Used.Tokens != 30 {
		t.Errorf("outcome %+v", out)
	}
	ep := episode(t, record)
	if ep.Task != "copy a.txt to b.txt" || ep.Model != "m" || ep.Outcome != corpora.OutcomeSuccess || len(ep.Steps) != 2 {
		t.Fatalf("episode %+v", ep)
	}
	if st := ep.Steps[0]; st.Tool != "bash" || st.Result != "hello\n" || st.Status != corpora.StatusExecuted {
		t.Errorf("step %+v", st)
	}
	for _, q := range s.requests {
		if q.Choice != "auto" {
			t.Errorf("tool choice %q", q.Choice)
		}
		if q.Temperature == nil || *q.Temperature != 0 {
			t.Error("a request at another temperature than 0")
		}
	}
}

// TestNotDone: the model's word for it is worth nothing, however often it is given.
func TestNotDone(t *testing.T) {
	claim := does("finish", `{}`)
	out, record := start(t, t.Context(), newScripted(t, claim, claim, claim, claim, claim), nil)
	if out.Done() || out.Reason == "" {
		t.Errorf("outcome %+v", out)
	}
	if ep := episode(t, record); ep.Outcome != corpora.OutcomeFailure {
		t.Errorf("outcome in the record: %v", ep.Outcome)
	}
}

// TestChecksThatWrite: a completion check that another one undid afterwards does
// not stand for DONE; one that another one left as it was does.
func TestChecksThatWrite(t *testing.T) {
	tests := []struct {
		name   string
		checks []string
		done   bool
	}{
		{"the second undoes the first", []string{"test ! -e x", "touch x"}, false},
		{"the second writes something else", []string{"test -e a.txt", "touch x"}, true},
		{"the last writes every time", []string{"test -e a.txt", "echo >> log"}, true},
		{"both write the first time", []string{"touch x", "touch y", "test -e a.txt"}, true},
		{"both write every time", []string{"echo >> log", "echo >> log"}, false},
	}
	for _, tt := range tests {
		s := newScripted(t, does("bash", `{"command":"cp a.txt b.txt"}`), does("finish", `{}`))
		out, _ := start(t, t.Context(), s, func(o *Options) {
			o.Task.Text, o.Task.Checks = "put the files in order", nil
			for i, c := range tt.checks {
				o.Task.Checks = append(o.Task.Checks, traverse.Check{ID: strconv.Itoa(i), Text: "test -e b.txt && " + c})
			}
		})
		if out.Done() != tt.done {
			t.Errorf("%s: %+v", tt.name, out)
		}
	}
}

// TestStoppedCall: what may not run does not, the model is told why, and the
// record says so.
func TestStoppedCall(t *testing.T) {
	s := newScripted(t, does("bash", `{"command":"rm -rf / ; touch ran"}`), does("bash", `{"command":"ls"}`), does("nope", `{}`))
	out, record := start(t, t.Context(), s, nil)
	if out.Done() || out.Status.Stats.Blocked != 1 {
		t.Errorf("outcome %+v", out)
	}
	ep := episode(t, record)
	if ep.Steps[0].Status != corpora.StatusBlocked || ep.Steps[1].Status != corpora.StatusExecuted || strings.Contains(ep.Steps[1].Result, "ran") {
		t.Errorf("steps %+v", ep.Steps)
	}
	if m := s.requests[1].Messages; !strings.Contains(m[len(m)-1].Content, "This call was stopped: rejected") {
		t.Errorf("the model was told %+v", m)
	}
}

// TestCallRetries bounds how often a stopped call may be revised within a macro, and
// tells the model so (V6).
func TestCallRetries(t *testing.T) {
	bad := does("bash", `{"command":"rm -rf /"}`)
	s := newScripted(t, bad, bad, bad, bad, does("bash", `{"command":"rm a.txt"}`))
	out, record := start(t, t.Context(), s, nil)
	if out.Done() || out.Status.Stats.Blocked != 5 {
		t.Errorf("outcome %+v", out)
	}
	for i, want := range []string{"Retries left: 3.", "Retries left: 2.", "Retries left: 1.", "No retry is left", "No retry is left"} {
		m := s.requests[i+1].Messages
		if got := m[len(m)-1].Content; !strings.Contains(got, want) {
			t.Errorf("after call %d the model was told %q", i+1, got)
		}
	}
	for i, st := range episode(t, record).Steps {
		if st.Status != corpora.StatusBlocked {
			t.Errorf("step %d: %+v", i, st)
		}
	}
}

// TestFencedCommand: a model that cannot call tools writes one command.
func TestFencedCommand(t *testing.T) {
	s := newScripted(t, says("I copy it.\n```bash\ncp a.txt b.txt\n```"), does("finish", `{}`))
	if out, _ := start(t, t.Context(), s, nil); !out.Done() {
		t.Errorf("outcome %+v", out)
	}
	if calls := (&message{Content: "```bash\na\n```\n```bash\nb\n```"}).calls("x"); calls != nil {
		t.Errorf("two commands gave %v", calls)
	}
}

// TestRequired: every request can ask for a call.
func TestRequired(t *testing.T) {
	s := newScripted(t, does("bash", `{"command":"cp a.txt b.txt"}`), does("finish", `{}`))
	out, _ := start(t, t.Context(), s, func(o *Options) { o.Model.Calls = CallsRequired })
	if !out.Done() || s.requests[0].Choice != "required" || s.requests[1].Choice != "required" {
		t.Errorf("%+v, choice %q", out, s.requests[0].Choice)
	}
}

// TestContextBounded: what the model sees does not grow with the run.
func TestContextBounded(t *testing.T) {
	var answers []string
	for range 4 {
		for range 6 {
			answers = append(answers, does("bash", `{"command":"yes x | head -c 20000; echo $RANDOM >> r.txt"}`))
		}
	}
	s := newScripted(t, answers...)
	start(t, t.Context(), s, func(o *Options) { o.Task.Checks = nil })
	if len(s.requests) < 12 {
		t.Fatalf("only %d requests", len(s.requests))
	}
	for i, q := range s.requests {
		b, err := json.Marshal(q.Messages)
		if err != nil || len(b) > 24_000 {
			t.Errorf("request %d has %d bytes", i, len(b))
		}
	}
}

// TestRetries: what passes is tried again, a bounded number of times; what is
// refused is not.
func TestRetries(t *testing.T) {
	s := newScripted(t, "503", "503", does("bash", `{"command":"cp a.txt b.txt"}`), does("finish", `{}`))
	if out, _ := start(t, t.Context(), s, nil); !out.Done() {
		t.Errorf("after two failures: %+v", out)
	}
	for answer, want := range map[string]int{"503": 4, "400": 1} {
		s := newScripted(t, answer, answer, answer, answer, answer, answer)
		out, _ := start(t, t.Context(), s, nil)
		if out.Done() || out.Reason != "model" || out.Err == nil || len(s.requests) != want {
			t.Errorf("%s: %d requests, %+v", answer, len(s.requests), out)
		}
	}
	if out, _ := start(t, t.Context(), newScripted(t, `{"choices":[]}`), nil); out.Reason != "model" {
		t.Errorf("no choices: %+v", out)
	}
}

// TestInterrupted: an interrupt leaves the whole record.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s := newScripted(t, does("bash", `{"command":"cp a.txt b.txt"}`))
	s.onAsk = func(n int) {
		if n == 1 {
			cancel()
		}
	}
	out, record := start(t, ctx, s, nil)
	if out.Done() || out.Reason != "interrupted" {
		t.Errorf("outcome %+v", out)
	}
	if ep := episode(t, record); len(ep.Steps) != 1 || ep.Outcome != corpora.OutcomeUnknown {
		t.Errorf("episode %+v", ep)
	}
}

// TestStepLimit: the task's limit stops the run, and the record is written.
func TestStepLimit(t *testing.T) {
	s := newScripted(t)
	out, record := start(t, t.Context(), s, func(o *Options) { o.Task.Limits.Steps = 2 })
	if out.Done() || out.Status.Steps > 2 || out.Reason == "" || record == "" {
		t.Errorf("outcome %+v", out)
	}
}

// FuzzReply: any answer of a model is an error or a message.
func FuzzReply(f *testing.F) {
	for _, s := range []string{says("x"), does("bash", `{"command":"ls"}`), `{"choices":[]}`, `{}`, `[`, `{"choices":[{"message":{"content":"` + "```bash\\nls\\n```" + `"}}]}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, tokens, err := decodeReply(data)
		if err != nil {
			return
		}
		if m.Role != "assistant" || tokens < 0 {
			t.Errorf("%+v %d", m, tokens)
		}
		for _, c := range m.calls("id") {
			if len(m.Calls) == 0 && !json.Valid([]byte(c.Function.Args)) {
				t.Errorf("arguments %q", c.Function.Args)
			}
		}
	})
}

// TestMalformedCalls: what gates could take for another call than the one that
// runs does not run, whatever they would say to it.
func TestMalformedCalls(t *testing.T) {
	for _, c := range [][2]string{
		{"read_file", `{"path":"hook","content":"x"}`},
		{"read_file", `{"command":"create","path":"hook","file_text":"x"}`},
		{"write_file", `{"path":"ok.txt","Path":"hook","content":"x"}`},
		{"write_file", `{"path":"ok.txt","path":"hook","content":"x"}`},
		{"write_file", `{"path":"hook","content":null}`},
		{"write_file", `{"path":"hook"}`},
		{"bash", `{"command":"true","Command":"touch hook"}`},
		{"bash", `{"command":"true","command":"touch hook"}`},
		{"bash", `{"command":["touch","hook"]}`},
		{"bash", `"touch hook"`},
		{"bash", `{"cmd":"touch hook"}`},
	} {
		s := newScripted(t, does(c[0], c[1]), does("bash", `{"command":"ls -A"}`))
		_, record := start(t, t.Context(), s, nil)
		steps := episode(t, record).Steps
		if steps[0].Status != corpora.StatusBlocked || steps[1].Result != "a.txt\n" {
			t.Errorf("%s %s: %+v", c[0], c[1], steps)
		}
		if m := s.requests[1].Messages; !strings.HasPrefix(m[len(m)-1].Content, "This call was stopped: ") {
			t.Errorf("%s %s: the model was told %+v", c[0], c[1], m)
		}
	}
}

// TestBudgetEndsMacro: once a bound has stopped the session, the model is not
// asked again, in the middle of a macro neither.
func TestBudgetEndsMacro(t *testing.T) {
	ls := strings.Replace(does("bash", `{"command":"ls"}`), `"total_tokens":10`, `"total_tokens":100000000`, 1)
	led := strings.Replace(says(`{"tool": "bash", "command": "ls"}`), `"total_tokens":10`, `"total_tokens":100000000`, 1)
	for name, s := range map[string]*scripted{"free": newScripted(t, ls, ls, ls), "led": newScripted(t, led, led, led)} {
		out, _ := start(t, t.Context(), s, func(o *Options) {
			if name == "led" {
				o.Model.Calls = CallsConstrained
			}
		})
		if out.Done() || out.Reason != "pack:budget-tokens" || len(s.requests) != 1 {
			t.Errorf("%s: %d requests, %+v", name, len(s.requests), out)
		}
	}
}
