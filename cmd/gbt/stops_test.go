package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/integrations/wasm/engine"
	"github.com/gbt-policy/gbt/internal/mcpproxy"
	"github.com/gbt-policy/gbt/internal/runner"
	"github.com/gbt-policy/gbt/internal/serve"
	"github.com/gbt-policy/gbt/replay"
	"github.com/gbt-policy/gbt/traverse"
)

// stopCase is a run that makes steps and then tells what it used.
type stopCase struct {
	name            string
	steps           int // proposals, the last of which tells what was used
	seconds, tokens int64
	want            string
}

// stopCases are the bounds of the governance pack, at them and one below (B3).
var stopCases = []stopCase{
	{"steps, one below", 50, 0, 0, ""},
	{"steps", 51, 0, 0, "pack:budget-steps"},
	{"wall, one below", 1, 1800, 0, ""},
	{"wall", 1, 1801, 0, "pack:budget-wall-seconds"},
	{"tokens, one below", 1, 0, 2_000_000, ""},
	{"tokens", 1, 0, 2_000_001, "pack:budget-tokens"},
}

func (c *stopCase) used(i int) (seconds, tokens int64) {
	if i == c.steps-1 {
		return c.seconds, c.tokens
	}
	return 0, 0
}

// wire are the requests of a case as lines of JSON-RPC.
func (c *stopCase) wire(layer1 int64) []string {
	out := []string{fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"startSession","params":{"task":{"id":"s","text":"zzz","limits":{"wall_seconds":%d,"steps":%d,"plateau":%d}},"env":{"cwd":"/w"}}}`, layer1, layer1, layer1)}
	for i := range c.steps {
		s, n := c.used(i)
		out = append(out, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"propose","params":{"session":"s","text":"step %d","used":{"seconds":%d,"tokens":%d}}}`, i+2, i, s, n))
	}
	return append(out, `{"jsonrpc":"2.0","id":999,"method":"getSession","params":{"session":"s"}}`)
}

// changingEnv is an environment in which every call changes a file.
type changingEnv struct{ doorEnv }

func (e *changingEnv) Execute(context.Context, replay.Call) (replay.Result, error) {
	return replay.Result{Deltas: []corpora.Delta{{Kind: corpora.DeltaFileModify, Resource: "f", Observed: true}}}, nil
}

func stoppedIn(t *testing.T, answer []byte) string {
	t.Helper()
	var in struct {
		Result struct{ Status struct{ Stopped *string } }
		Status struct{ Stopped *string }
	}
	if err := json.Unmarshal(answer, &in); err != nil || strings.Contains(string(answer), `"error"`) {
		t.Fatalf("%s: %v", answer, err)
	}
	for _, s := range []*string{in.Result.Status.Stopped, in.Status.Stopped} {
		if s != nil {
			return *s
		}
	}
	return ""
}

// TestPackThroughEveryDoor: with the first layer at 10^9 and at 10^18, the governance
// pack stops a run at its bound on every axis and not one below, through every front end.
// The clocks of gbt run and gbt mcp are the test's. gbt check, the hook and the proxy of the
// Agent Client Protocol decide on calls and have no runs.
func TestPackThroughEveryDoor(t *testing.T) {
	w := newDoorWorld(t)
	doors := map[string]func(t *testing.T, c *stopCase, layer1 int64) string{
		"embedded": func(t *testing.T, c *stopCase, layer1 int64) string {
			s := w.policy.Start(traverse.Task{ID: "s", Text: "zzz", Limits: traverse.Limits{WallSeconds: layer1, Steps: layer1, Plateau: layer1}}, traverse.Env{})
			for i := range c.steps {
				n, k := c.used(i)
				s.Propose(traverse.Proposal{Text: fmt.Sprint("step ", i), Used: traverse.Usage{Seconds: n, Tokens: k}})
			}
			return s.Status().Stopped
		},
		"serve, HTTP": func(t *testing.T, c *stopCase, layer1 int64) string {
			s, err := serve.New(w.policy, serve.Options{Info: *w.info})
			if err != nil {
				t.Fatal(err)
			}
			var last []byte
			for _, l := range c.wire(layer1) {
				var in struct {
					Method string
					Params map[string]json.RawMessage
				}
				json.Unmarshal([]byte(l), &in)
				method, path := "POST", "/v1/sessions"
				delete(in.Params, "session")
				switch in.Method {
				case "propose":
					path += "/s/propose"
				case "getSession":
					method, path = "GET", path+"/s"
				}
				req := httptest.NewRequest(method, path, strings.NewReader(jsonText(in.Params)))
				req.Header.Set("Content-Type", "application/json")
				got := httptest.NewRecorder()
				s.Handler().ServeHTTP(got, req)
				last = got.Body.Bytes()
			}
			return stoppedIn(t, last)
		},
		"serve, lines": func(t *testing.T, c *stopCase, layer1 int64) string {
			s, err := serve.New(w.policy, serve.Options{Info: *w.info})
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			if err := s.Stdio(t.Context(), strings.NewReader(strings.Join(c.wire(layer1), "\n")+"\n"), &out); err != nil {
				t.Fatal(err)
			}
			all := bytes.Split(bytes.TrimSpace(out.Bytes()), []byte("\n"))
			return stoppedIn(t, all[len(all)-1])
		},
		"wasm": func(t *testing.T, c *stopCase, layer1 int64) string {
			var e engine.Engine
			e.Do([]byte(opened(t, w)))
			var last []byte
			for _, l := range c.wire(layer1) {
				last = e.Do([]byte(l))
			}
			return stoppedIn(t, last)
		},
		"run": func(t *testing.T, c *stopCase, layer1 int64) string {
			asked, clock := 0, time.Unix(1e9, 0)
			model := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) {
				tokens := int64(0)
				if asked++; asked == 1 {
					tokens, clock = c.tokens, clock.Add(time.Duration(c.seconds)*time.Second)
				}
				if asked > max(c.steps-1, 1) { // the model goes away
					out.WriteHeader(400)
					return
				}
				io.WriteString(out, strings.Replace(modelCalls("write_file", fmt.Sprintf(`{"path":"f%d","content":"x"}`, asked)), `{"choices"`, fmt.Sprintf(`{"usage":{"total_tokens":%d},"choices"`, tokens), 1))
			}))
			defer model.Close()
			out, err := runner.Run(t.Context(), runner.Options{
				Policy: w.policy, Env: &changingEnv{}, Calls: 1, Now: func() time.Time { return clock }, Task: traverse.Task{ID: "t", Text: "zzz", Limits: traverse.Limits{WallSeconds: layer1, Steps: layer1, Plateau: layer1}},
				Model: &runner.Model{URL: model.URL, Name: "m", Calls: runner.CallsRequired},
			})
			if err != nil {
				t.Fatal(err)
			}
			return out.Status.Stopped
		},
		"mcp": func(t *testing.T, c *stopCase, layer1 int64) string {
			up := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return doorServer("bash", came{}, new(string)) }, nil))
			defer up.Close()
			clock := time.Unix(1e9, 0)
			p, err := mcpproxy.New(t.Context(), mcpproxy.Options{
				Servers: []mcpproxy.Server{{Name: "tools", URL: up.URL}}, Checker: w.checker, Policy: w.policy, State: w.state,
				Limits: traverse.Limits{WallSeconds: layer1, Steps: layer1, Plateau: layer1}, Now: func() time.Time { return clock },
			})
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			client := newLineClient(t, p)
			defer client.close()
			client.send("tools/call", `{"name":"gbt_start","arguments":{"task":"zzz"}}`)
			var last string
			for i := range c.steps {
				s, n := c.used(i)
				clock = clock.Add(time.Duration(s) * time.Second)
				last = client.send("tools/call", fmt.Sprintf(`{"name":"gbt_plan","arguments":{"next":"step %d"},"_meta":{"gbt/tokens":%d}}`, i, n))
			}
			var in struct {
				Result struct {
					StructuredContent struct{ Stopped *string }
				}
			}
			if err := json.Unmarshal([]byte(last), &in); err != nil {
				t.Fatalf("%s: %v", last, err)
			}
			if in.Result.StructuredContent.Stopped == nil {
				return ""
			}
			return *in.Result.StructuredContent.Stopped
		},
	}
	for name, door := range doors {
		for _, c := range stopCases {
			for _, layer1 := range []int64{1e9, 1e18} {
				got := door(t, &c, layer1)
				if c.want == "" && strings.HasPrefix(got, "stall:") {
					got = "" // stuck, and not stopped by a bound
				}
				if got != c.want {
					t.Errorf("%s, layer 1 at %g: %s: stopped %q, want %q", name, float64(layer1), c.name, got, c.want)
				}
			}
		}
	}
}
