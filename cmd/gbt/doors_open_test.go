package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/gates/episode"
	"github.com/gbt-policy/gbt/integrations/wasm/engine"
	"github.com/gbt-policy/gbt/internal/hosts"
	"github.com/gbt-policy/gbt/internal/mcpproxy"
	"github.com/gbt-policy/gbt/internal/runner"
	"github.com/gbt-policy/gbt/internal/serve"
	"github.com/gbt-policy/gbt/traverse"
)

// told is what a front end made of a row.
type told struct {
	disposition string
	rules       []string
	silent      bool   // it tells no rules
	refused     bool   // the message was no message, so nothing was decided and nothing ran
	why         reason // the front end could not carry the row, or did not take it
	text        string // what it said, for people who look for the fault
}

// door is a front end.
type door struct {
	name string
	ask  func(t *testing.T, w *doorWorld, r *doorRow) told
}

// doors are all front ends, as a program, a person or a host meets them.
func doors() []door {
	list := []door{
		{"gates", askGates}, {"traverse", askTraverse}, {"http", askHTTP}, {"stdio", askStdio}, {"wasm", askWasm},
		{"mcp", askMCP}, {"check", askCheck}, {"run", askRun},
	}
	for _, name := range hosts.Names() {
		list = append(list, door{name, func(t *testing.T, w *doorWorld, r *doorRow) told { return askHook(t, w, name, r) }})
	}
	return list
}

// decided is a decision as a told.
func decided(w *doorWorld, disposition string, rules []string) told {
	out := told{disposition: disposition}
	for _, r := range rules {
		if r == w.gate {
			r = "gate/untrusted"
		}
		out.rules = append(out.rules, r)
	}
	return out
}

func rulesOf(d *gates.Decision) (out []string) {
	for _, r := range d.Reasons {
		out = append(out, r.Rule)
	}
	return out
}

// askGates is a Go program that asks package gates.
func askGates(_ *testing.T, w *doorWorld, r *doorRow) told {
	var m episode.Memory
	m.Hear(doorTask)
	for _, b := range r.before {
		s := b.source()
		m.Returned(s.tool, []byte(s.args), s.output, s.fault)
	}
	st := w.state()
	m.Before(&st)
	c := call.Read(call.Request{Tool: r.tool, Args: []byte(r.args)}, &effect.Places{Cwd: doorDir, Roots: []string{doorDir}}, w.checker.Schemas)
	ctx := gates.ContextOf(c, st)
	d := w.checker.Check(&ctx, nil)
	return decided(w, d.Disposition.String(), rulesOf(&d))
}

// askTraverse is a Go program with a session.
func askTraverse(_ *testing.T, w *doorWorld, r *doorRow) told {
	s := w.policy.Start(traverse.Task{ID: "t", Text: doorTask}, traverse.Env{Cwd: doorDir, Roots: []string{doorDir}, UID: -1, GID: -1})
	for _, b := range r.before {
		b := b.source()
		c := traverse.Call{Tool: b.tool, Args: []byte(b.args)}
		s.Check(c)
		s.Observe(c, traverse.Result{Output: []byte(b.output), Error: b.fault})
	}
	a := s.Check(traverse.Call{Tool: r.tool, Args: []byte(r.args)})
	return decided(w, a.Disposition.String(), rulesOf(&a.Decision))
}

// text is a value as JSON.
func jsonText(v any) string { return string(mustJSON(v)) }

// requests are a session's requests: their method and their params, without the
// braces around them.
func requests(r *doorRow) (out [][2]string) {
	out = append(out, [2]string{"startSession", `"task":{"id":"s","text":` + jsonText(doorTask) + `},"env":{"cwd":"` + doorDir + `","roots":["` + doorDir + `"],"uid":-1,"gid":-1}`})
	of := func(tool, args string) string { return `"call":{"tool":` + jsonText(tool) + `,"args":` + args + `}` }
	for _, b := range r.before {
		s := b.source()
		out = append(out, [2]string{"check", of(s.tool, s.args)},
			[2]string{"observe", of(s.tool, s.args) + `,"result":{"output":` + jsonText(s.output) + `,"error":` + jsonText(s.fault) + `}`})
	}
	return append(out, [2]string{"check", of(r.tool, r.args)})
}

// answered reads a decision of the protocol; a message that was not taken is
// refused, since it is broken.
func answered(t *testing.T, w *doorWorld, body []byte) told {
	t.Helper()
	var in struct {
		Disposition string
		Reasons     []struct{ Rule string }
	}
	if err := json.Unmarshal(body, &in); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	if in.Disposition == "" {
		return told{refused: true, why: broken, text: string(body)}
	}
	var rules []string
	for _, r := range in.Reasons {
		rules = append(rules, r.Rule)
	}
	return decided(w, in.Disposition, rules)
}

func askHTTP(t *testing.T, w *doorWorld, r *doorRow) told {
	s, err := serve.New(w.policy, serve.Options{Info: *w.info})
	if err != nil {
		t.Fatal(err)
	}
	var body []byte
	for _, q := range requests(r) {
		path := "/v1/sessions"
		if q[0] != "startSession" {
			path += "/s/" + q[0]
		}
		req := httptest.NewRequest("POST", path, strings.NewReader("{"+q[1]+"}"))
		req.Header.Set("Content-Type", "application/json")
		got := httptest.NewRecorder()
		s.Handler().ServeHTTP(got, req)
		body = got.Body.Bytes()
	}
	return answered(t, w, body)
}

// lines are a row's requests as JSON-RPC.
func lines(r *doorRow) (out []string) {
	for i, q := range requests(r) {
		params := q[1]
		if q[0] != "startSession" {
			params = `"session":"s",` + params
		}
		out = append(out, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"%s","params":{%s}}`, i+1, q[0], params))
	}
	return out
}

// rpcResult is the answer in a line.
func rpcResult(t *testing.T, w *doorWorld, line []byte) told {
	t.Helper()
	var in struct{ Result, Error json.RawMessage }
	if err := json.Unmarshal(line, &in); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	if in.Result == nil {
		return told{refused: true, why: broken, text: string(in.Error)}
	}
	return answered(t, w, in.Result)
}

func askStdio(t *testing.T, w *doorWorld, r *doorRow) told {
	s, err := serve.New(w.policy, serve.Options{Info: *w.info})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := s.Stdio(t.Context(), strings.NewReader(strings.Join(lines(r), "\n")+"\n"), &out); err != nil {
		t.Fatal(err)
	}
	all := bytes.Split(bytes.TrimSpace(out.Bytes()), []byte("\n"))
	return rpcResult(t, w, all[len(all)-1])
}

// opened is the line that gives an engine the policy.
func opened(t *testing.T, w *doorWorld) string {
	t.Helper()
	data, err := os.ReadFile(w.file)
	if err != nil {
		t.Fatal(err)
	}
	return `{"jsonrpc":"2.0","id":0,"method":"openPolicy","params":{"policy":"` + base64.StdEncoding.EncodeToString(data) + `"}}`
}

// askWasm asks what the WebAssembly modules export, as a Go function.
func askWasm(t *testing.T, w *doorWorld, r *doorRow) told {
	var e engine.Engine
	e.Do([]byte(opened(t, w)))
	var last []byte
	for _, l := range lines(r) {
		last = e.Do([]byte(l))
	}
	return rpcResult(t, w, last)
}

func askCheck(t *testing.T, w *doorWorld, r *doorRow) told {
	in := []string{}
	for _, b := range r.before {
		s := b.source()
		in = append(in, `{"observe":{"tool":`+jsonText(s.tool)+`,"args":`+s.args+`,"result":`+jsonText(s.output+s.fault)+`},"session":1}`)
	}
	in = append(in, `{"id":1,"session":1,"task":`+jsonText(doorTask)+`,"cwd":"`+doorDir+`","tool":`+jsonText(r.tool)+`,"args":`+r.args+`}`)
	var stdout, stderr bytes.Buffer
	if code := run([]string{"gbt", "check", "--policy", w.file}, strings.NewReader(strings.Join(in, "\n")+"\n"), &stdout, &stderr); code != exitGood {
		t.Fatalf("gbt check: %d %s", code, stderr.String())
	}
	out := answered(t, w, stdout.Bytes())
	if slices.Equal(out.rules, []string{"input/malformed"}) {
		return told{refused: true, why: broken, text: stdout.String()}
	}
	return out
}

// askRun is a model in gbt run's loop that makes the call.
func askRun(t *testing.T, w *doorWorld, r *doorRow) told {
	env := &doorEnv{}
	var answers []string
	for _, b := range r.before {
		if b.as == "resource" || b.as == "prompt" {
			return told{why: ownTools}
		}
		env.say = b
		answers = append(answers, modelCalls("bash", `{"command":"ls"}`))
	}
	if !slices.Contains([]string{"bash", "write_file", "read_file"}, r.tool) {
		return told{why: ownTools}
	}
	if strings.ToValidUTF8(r.args, "") != r.args {
		return told{why: mended}
	}
	answers = append(answers, modelCalls(r.tool, r.args))
	var shown []string
	asked := 0
	model := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		body, _ := io.ReadAll(in.Body)
		shown = append(shown, string(body))
		if asked++; asked > len(answers) {
			io.WriteString(out, `{"choices":[{"message":{"role":"assistant","content":"I stop here."}}]}`)
			return
		}
		io.WriteString(out, answers[asked-1])
	}))
	defer model.Close()
	out, err := runner.Run(t.Context(), runner.Options{
		Policy: w.policy, Env: env, Task: traverse.Task{ID: "t", Text: doorTask, Limits: traverse.Limits{Steps: 2}},
		Model: &runner.Model{URL: model.URL, Name: "m", Calls: runner.CallsRequired},
	})
	if err != nil || asked <= len(answers) {
		t.Fatalf("%d of %d answers: %+v %v", asked, len(answers), out, err)
	}
	ran := len(env.ran) == len(answers)
	last := shown[len(answers)]
	got := told{disposition: gates.Approved.String(), silent: true, text: last}
	if at := strings.LastIndex(last, "This call was stopped: "); at >= 0 {
		got.disposition, _, _ = strings.Cut(last[at+len("This call was stopped: "):], ".")
	}
	switch {
	case !ran && strings.Contains(got.disposition, " takes the arguments "):
		return told{refused: true, why: ownForm, text: last}
	case ran != (got.disposition == gates.Approved.String()):
		t.Fatalf("ran is %v: %s", ran, last)
	}
	return got
}

// modelCalls is a model's answer that makes one call.
func modelCalls(tool, args string) string {
	return `{"choices":[{"message":{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"` + tool + `","arguments":` + jsonText(args) + `}}]}}]}`
}

// askMCP is a client that writes lines to the proxy, with a server behind it.
func askMCP(t *testing.T, w *doorWorld, r *doorRow) told {
	var say came
	for _, b := range r.before {
		if say = b; b.as == "stderr" {
			return told{why: unseen}
		}
	}
	reached := ""
	up := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return doorServer(r.tool, say, &reached) }, nil))
	defer up.Close()
	var last *mcpproxy.Event
	checker := *w.checker
	var err error
	// Every other front end's shell is this machine's; that of a server is where its user says so.
	if checker.Schemas, err = checker.Schemas.WithServers([]call.Server{{Name: "tools", Touches: call.TouchesMachine}}); err != nil {
		t.Fatal(err)
	}
	p, err := mcpproxy.New(t.Context(), mcpproxy.Options{
		Servers: []mcpproxy.Server{{Name: "tools", URL: up.URL}}, Checker: &checker, Digest: w.info.Digest, Task: doorTask,
		State: w.state, Log: func(e mcpproxy.Event) error { last = &e; return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	c := newLineClient(t, p)
	defer c.close()
	for _, b := range r.before {
		switch b.as {
		case "resource":
			c.send("resources/read", `{"uri":"`+doorResource+`"}`)
		case "prompt":
			c.send("prompts/get", `{"name":"greet"}`)
		default:
			c.send("tools/call", `{"name":"read_inbox","arguments":{}}`)
		}
	}
	last = nil
	answer := c.send("tools/call", `{"name":`+jsonText(r.tool)+`,"arguments":`+r.args+`}`)
	switch {
	case last == nil:
		return told{refused: true, why: broken, text: answer}
	case slices.Equal(rulesOf(last.Decision), []string{"input/malformed"}):
		return told{refused: true, why: objects, text: answer}
	case (reached != "") != (last.Decision.Disposition == gates.Approved):
		t.Fatalf("the server saw %q: %s", reached, answer)
	}
	return decided(w, last.Decision.Disposition.String(), rulesOf(last.Decision))
}

// doorServer is an MCP server with one tool, beside one that lets say come back.
func doorServer(tool string, say came, reached *string) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "tools", Version: "1"}, nil)
	add := func(name string, f func(*mcp.CallToolRequest) *mcp.CallToolResult) {
		s.AddTool(&mcp.Tool{Name: name, InputSchema: map[string]any{"type": "object"}}, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return f(r), nil })
	}
	add(tool, func(r *mcp.CallToolRequest) *mcp.CallToolResult {
		*reached = "call " + string(r.Params.Arguments)
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "done"}}}
	})
	add("read_inbox", func(*mcp.CallToolRequest) *mcp.CallToolResult {
		return &mcp.CallToolResult{IsError: say.as == "error", Content: []mcp.Content{&mcp.TextContent{Text: say.text}}}
	})
	s.AddPrompt(&mcp.Prompt{Name: "greet"}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: say.text}}}}, nil
	})
	s.AddResource(&mcp.Resource{URI: doorResource, Name: "letter"}, func(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI, Text: say.text}}}, nil
	})
	return s
}

// lineClient speaks MCP over lines of its own making, since a library would mend
// the arguments.
type lineClient struct {
	t     *testing.T
	in    io.WriteCloser
	out   *bufio.Reader
	n     int
	close func()
}

func newLineClient(t *testing.T, p *mcpproxy.Proxy) *lineClient {
	t.Helper()
	near, far := io.Pipe()
	back, answers := io.Pipe()
	ended := make(chan struct{})
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		defer close(ended)
		p.Run(ctx, mcpproxy.Stdio(near, answers))
		answers.Close()
	}()
	c := &lineClient{t: t, in: far, out: bufio.NewReader(back)}
	c.close = func() { stop(); far.Close(); back.Close(); <-ended }
	c.send("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`)
	io.WriteString(c.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	return c
}

// send sends a request and returns the line that answers it; a connection that
// ends is an answer too.
func (c *lineClient) send(method, params string) string {
	c.n++
	id := fmt.Sprintf(`"id":%d`, c.n)
	if _, err := io.WriteString(c.in, `{"jsonrpc":"2.0",`+id+`,"method":"`+method+`","params":`+params+"}\n"); err != nil {
		return err.Error()
	}
	for {
		line, err := c.out.ReadString('\n')
		if err != nil {
			return err.Error()
		}
		if strings.Contains(line, id) && !strings.Contains(line, `"method"`) || strings.Contains(line, `"id":null`) {
			return line
		}
	}
}

// askHook is a host that starts the hook's own program for every event.
func askHook(t *testing.T, w *doorWorld, name string, r *doorRow) told {
	h, _ := hosts.Lookup(name)
	dir, err := os.MkdirTemp(w.dir, name+"-")
	if err != nil {
		t.Fatal(err)
	}
	k := hookDoor{t, h, w, dir}
	if !k.tell(hookPrompt(h)) && strings.Contains(r.args, "ana@") {
		return told{why: untold} // the task's words
	}
	for _, b := range r.before {
		if !k.note(b) {
			return told{why: untold}
		}
	}
	p := k.start(hookCall(h, h.Events[0].Name, r.tool, r.args))
	outcome := h.Reading(h.Events[0].Name, p)
	line, err := os.ReadFile(filepath.Join(dir, "log"))
	if err != nil {
		if outcome != hosts.Blocks {
			t.Fatalf("nothing was decided, and the call %v: %+v", outcome, p)
		}
		why := broken
		if strings.Contains(p.Stderr+p.Stdout, "input/shape") || strings.Contains(p.Stderr+p.Stdout, "input/missing") {
			why = objects
		}
		return told{refused: true, why: why, text: p.Stdout + p.Stderr}
	}
	var e struct {
		Disposition string
		Rules       []string
	}
	if err := json.Unmarshal(line, &e); err != nil {
		t.Fatal(err)
	}
	if (outcome == hosts.Proceeds) != (e.Disposition == gates.Approved.String()) {
		t.Fatalf("decided %s and the call %v: %+v", e.Disposition, outcome, p)
	}
	return decided(w, e.Disposition, e.Rules)
}

// hookDoor is one session of a host.
type hookDoor struct {
	t   *testing.T
	h   hosts.Host
	w   *doorWorld
	dir string
}

func (k hookDoor) start(stdin string, more ...string) hosts.Process {
	k.t.Helper()
	args := append([]string{k.h.Name, "-policy", k.w.file, "-state", filepath.Join(k.dir, "state")}, more...)
	if more == nil {
		args = append(args, "-log", filepath.Join(k.dir, "log"))
	}
	cmd := exec.Command(hookBinary(k.t), args...)
	cmd.Env = append(os.Environ(), "HOME="+k.dir, "CLAUDE_PROJECT_DIR=", "OPENHANDS_PROJECT_DIR=")
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &stdout, &stderr
	if err := cmd.Run(); cmd.ProcessState == nil {
		k.t.Fatal(err)
	}
	return hosts.Process{Stdout: stdout.String(), Stderr: stderr.String(), Exit: cmd.ProcessState.ExitCode()}
}

// tell tells the hook of an event; there may be none.
func (k hookDoor) tell(stdin string) bool {
	if stdin == "" {
		return false
	}
	if p := k.start(stdin, "-after"); p.Exit != 0 {
		k.t.Fatalf("%s: %+v", stdin, p)
	}
	return true
}

// note tells the hook what came back, where the host has an event for it.
func (k hookDoor) note(b came) bool {
	before := k.h.Events[0].Name
	var after *hosts.EventKind
	for i := range k.h.Events {
		e := &k.h.Events[i]
		if e.Of == before && (after == nil || b.as == "error" && slices.ContainsFunc(e.Results, func(s string) bool { return strings.Contains(s, "error") })) {
			after = e
		}
	}
	fault := strings.Contains(strings.Join(after.Results, ""), "error")
	var result any = b.text
	switch {
	case b.as == "prompt", b.as == "error" && !fault && !slices.Contains([]string{"gemini", "openhands"}, k.h.Name):
		return false
	case b.as == "error" && !fault:
		result = map[string]any{"error": map[string]any{"message": b.text}}
	case b.as == "stderr" && k.h.Name != "opencode" && k.h.Name != "cursor":
		result = map[string]any{"stdout": "built", "stderr": b.text}
	}
	s := b.source()
	in := hookCall(k.h, before, s.tool, s.args)
	in = strings.Replace(in, jsonText(before), jsonText(after.Name), 1)
	return k.tell(strings.TrimSuffix(in, "}") + `,` + jsonText(after.Results[0]) + `:` + jsonText(result) + `}`)
}

// hookPrompt is the event that tells the user's words, or nothing.
func hookPrompt(h hosts.Host) string {
	i := slices.IndexFunc(h.Events, func(e hosts.EventKind) bool { return e.Prompt != "" })
	if i < 0 {
		return ""
	}
	in := hookCall(h, h.Events[0].Name, "bash", "{}")
	in = strings.Replace(in, jsonText(h.Events[0].Name), jsonText(h.Events[i].Name), 1)
	return strings.TrimSuffix(in, "}") + `,` + jsonText(h.Events[i].Prompt) + `:` + jsonText(doorTask) + `}`
}

// hookCall is what a host writes for a call, with the arguments to the byte.
func hookCall(h hosts.Host, event, tool, args string) string {
	return strings.Replace(jsonText(h.Samples.Call(event, doorDir, tool, map[string]any{"@": "@"})), `{"@":"@"}`, args, 1)
}
