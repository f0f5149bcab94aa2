package mcpproxy

//lint:file-ignore SA1019 roots, sampling and logging are deprecated as of protocol version 2026-07-28 and pass through as long as clients and servers of older versions use them.

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// fullServer asks and tells its client all that MCP lets a server ask and tell.
func fullServer(name, log string) *mcp.Server {
	var s *mcp.Server
	old := func(next mcp.MethodHandler) mcp.MethodHandler { // a server of 2025, as most are, which asks by requests
		return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
			if method == "server/discover" {
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: method}
			}
			return next(ctx, method, r)
		}
	}
	keep := func(what string, uri string) error { note(log, what+" "+uri); return nil }
	s = mcp.NewServer(&mcp.Implementation{Name: name, Version: "1"}, &mcp.ServerOptions{
		Instructions: "Call get_ask first.",
		CompletionHandler: func(_ context.Context, r *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
			return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{r.Params.Ref.Name + r.Params.Ref.URI + ":" + r.Params.Argument.Value + "e"}}}, nil
		},
		SubscribeHandler:   func(_ context.Context, r *mcp.SubscribeRequest) error { return keep("subscribe", r.Params.URI) },
		UnsubscribeHandler: func(_ context.Context, r *mcp.UnsubscribeRequest) error { return keep("unsubscribe", r.Params.URI) },
	})
	s.AddReceivingMiddleware(old)
	add := func(tool string, f func(context.Context, *mcp.CallToolRequest) (string, error)) {
		s.AddTool(&mcp.Tool{Name: tool, InputSchema: map[string]any{"type": "object"}}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			note(log, name+" "+tool)
			text, err := f(ctx, r)
			if err != nil {
				return failed(err.Error()), nil
			}
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil
		})
	}
	add("get_ask", func(ctx context.Context, r *mcp.CallToolRequest) (string, error) {
		res, err := r.Session.Elicit(ctx, &mcp.ElicitParams{Message: "May mcp__one__bash be called? Your name?", RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{"name": map[string]any{"type": "string"}}}})
		if err != nil {
			return "", err
		}
		return fmt.Sprint(res.Action, " ", res.Content["name"]), nil
	})
	add("get_sample", func(ctx context.Context, r *mcp.CallToolRequest) (string, error) {
		res, err := r.Session.CreateMessage(ctx, &mcp.CreateMessageParams{MaxTokens: 10, Messages: []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: "account XX12SAMPLE000000042"}}}})
		if err != nil {
			return "", err
		}
		return res.Content.(*mcp.TextContent).Text, nil
	})
	add("get_roots", func(ctx context.Context, r *mcp.CallToolRequest) (string, error) {
		res, err := r.Session.ListRoots(ctx, nil)
		if err != nil || len(res.Roots) == 0 {
			return "none", err
		}
		return res.Roots[0].URI, nil
	})
	add("get_progress", func(ctx context.Context, r *mcp.CallToolRequest) (string, error) {
		err := r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Progress: 1, Total: 2, Message: "half"})
		return "done", err
	})
	add("get_log", func(ctx context.Context, r *mcp.CallToolRequest) (string, error) {
		r.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "debug", Data: "too fine"})
		return "done", r.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "warning", Logger: "db", Data: "slow"})
	})
	add("get_news", func(ctx context.Context, r *mcp.CallToolRequest) (string, error) {
		return "done", s.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: "note://a"})
	})
	add("get_wait", func(ctx context.Context, r *mcp.CallToolRequest) (string, error) {
		select {
		case <-ctx.Done():
			note(log, "cancelled")
		case <-time.After(20 * time.Second):
		}
		return "", ctx.Err()
	})
	add("get_crash", func(ctx context.Context, r *mcp.CallToolRequest) (string, error) {
		fmt.Fprintln(os.Stderr, "out of paper")
		os.Exit(3)
		return "", nil
	})
	s.AddPrompt(&mcp.Prompt{Name: "greet", Arguments: []*mcp.PromptArgument{{Name: "who"}}}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return &mcp.GetPromptResult{}, nil
	})
	read := func(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		note(log, name+" read "+r.Params.URI)
		return textResource(r.Params.URI, "text/plain", "content of "+r.Params.URI), nil
	}
	s.AddResource(&mcp.Resource{URI: "note://a", Name: "a"}, read)
	s.AddResource(&mcp.Resource{URI: "file:///srv/plan", Name: "plan"}, read)
	s.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: "note://all/{+id}", Name: "all"}, read)
	return s
}

// told is what a client was told and asked.
type told struct {
	mu    sync.Mutex
	lines []string
}

func (h *told) add(line string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lines = append(h.lines, line)
}

func (h *told) has(t *testing.T, want string) {
	t.Helper()
	for range 100 {
		h.mu.Lock()
		all := strings.Join(h.lines, "\n")
		h.mu.Unlock()
		if strings.Contains(all, want) {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("the client was not told %q: %q", want, h.lines)
}

func fullWorld(t *testing.T, answer func(string) string) (*world, *told) {
	h := &told{}
	w := newWorld(t, settings{servers: []string{"full"}, protocol: "2025-06-18", client: func(o *mcp.ClientOptions) {
		o.ElicitationHandler = func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			h.add("asked " + r.Params.Message)
			if answer != nil {
				return &mcp.ElicitResult{Action: answer(r.Params.Message)}, nil
			}
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "Ann"}}, nil
		}
		o.CreateMessageHandler = func(_ context.Context, r *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			return &mcp.CreateMessageResult{Role: "assistant", Model: "m", Content: &mcp.TextContent{Text: "said"}}, nil
		}
		o.ProgressNotificationHandler = func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			h.add(fmt.Sprintf("progress %v %s %v/%v", r.Params.ProgressToken, r.Params.Message, r.Params.Progress, r.Params.Total))
		}
		o.LoggingMessageHandler = func(_ context.Context, r *mcp.LoggingMessageRequest) {
			h.add(fmt.Sprint("log ", r.Params.Level, " ", r.Params.Logger, " ", r.Params.Data))
		}
		o.ResourceUpdatedHandler = func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) { h.add("news of " + r.Params.URI) }
	}})
	return w, h
}

// TestPassedOn: what a server asks its client and tells it arrives, and what the
// client says goes back.
func TestPassedOn(t *testing.T) {
	w, h := fullWorld(t, nil)
	if got := w.client.InitializeResult().Instructions; !strings.Contains(got, "The MCP server full says:\nCall get_ask first.") {
		t.Errorf("instructions %s", got)
	}
	if got := w.call("get_ask", `{}`); got != "accept Ann" {
		t.Errorf("get_ask: %s", got)
	}
	h.has(t, "asked The MCP server full asks: May mcp__one__bash")
	if got := w.call("get_sample", `{}`); got != "said" {
		t.Errorf("get_sample: %s", got)
	}
	params := &mcp.CallToolParams{Name: "get_progress", Arguments: rawArgs(`{}`)}
	params.SetProgressToken("mine")
	if _, err := w.client.CallTool(t.Context(), params); err != nil {
		t.Error(err)
	}
	h.has(t, "progress mine half 1/2")
	if err := w.client.SetLoggingLevel(t.Context(), &mcp.SetLoggingLevelParams{Level: "warning"}); err != nil {
		t.Error(err)
	}
	w.call("get_log", `{}`)
	h.has(t, "log warning full/db slow")
	if strings.Contains(strings.Join(h.lines, ""), "too fine") {
		t.Error("a log below the level was passed on")
	}
	for _, ref := range []*mcp.CompleteReference{{Type: "ref/prompt", Name: "greet"}, {Type: "ref/resource", URI: "note://all/{+id}"}} {
		res, err := w.client.Complete(t.Context(), &mcp.CompleteParams{Ref: ref, Argument: mcp.CompleteParamsArgument{Name: "who", Value: "m"}})
		if err != nil || len(res.Completion.Values) != 1 || res.Completion.Values[0] != ref.Name+ref.URI+":me" {
			t.Errorf("completion of %v: %v %v", ref, res, err)
		}
	}
}

// TestRootsPassOn: servers hear of the client's roots, and of new ones.
func TestRootsPassOn(t *testing.T) {
	w := newWorld(t, settings{servers: []string{"full"}, protocol: "2025-06-18"})
	c := mcp.NewClient(&mcp.Implementation{Name: "rooted", Version: "1"}, nil)
	c.AddRoots(&mcp.Root{URI: "file:///w"})
	near, far := mcp.NewInMemoryTransports()
	go w.proxy.Run(context.Background(), far)
	session, err := c.Connect(t.Context(), near, &mcp.ClientSessionOptions{ProtocolVersion: "2025-06-18"})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"file:///w", "file:///v", "none"} {
		for n := 0; ; n++ {
			got := w.call("get_roots", `{}`)
			if got == want {
				break
			}
			if n == 100 {
				t.Fatalf("the server has the roots %s, not %s", got, want)
			}
			time.Sleep(20 * time.Millisecond)
		}
		switch want {
		case "file:///w":
			c.AddRoots(&mcp.Root{URI: "file:///v"})
			c.RemoveRoots("file:///w")
		case "file:///v":
			session.Close()
		}
	}
}

// TestNews: a resource that may be read may be watched, also once its server was
// started again, and one that may not be read may not.
func TestNews(t *testing.T) {
	w, h := fullWorld(t, nil)
	if err := w.client.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "note://a"}); err != nil {
		t.Fatal(err)
	}
	w.call("get_news", `{}`)
	h.has(t, "news of note://a")
	if err := w.client.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "file:///srv/plan"}); err == nil || !strings.Contains(err.Error(), "gbt stopped") {
		t.Errorf("a file outside is watched: %v", err)
	}
	time.Sleep(restartAfter)
	w.call("get_crash", `{}`)
	h.lines = nil
	w.call("get_log", `{}`) // starts it again
	for n := 0; strings.Count(w.reached(), "subscribe note://a") < 2 && n < 100; n++ {
		time.Sleep(20 * time.Millisecond)
	}
	w.call("get_news", `{}`)
	h.has(t, "news of note://a")
	if err := w.client.Unsubscribe(t.Context(), &mcp.UnsubscribeParams{URI: "note://a"}); err != nil || !strings.Contains(w.reached(), "unsubscribe note://a") {
		t.Errorf("unsubscribe: %v, the server saw %s", err, w.reached())
	}
}

// TestCancelled: what the client gives up is given up by the server.
func TestCancelled(t *testing.T) {
	w, _ := fullWorld(t, nil)
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, err := w.client.CallTool(ctx, &mcp.CallToolParams{Name: "get_wait", Arguments: rawArgs(`{}`)}); err == nil {
		t.Error("the call was not given up")
	}
	for n := 0; !strings.Contains(w.reached(), "cancelled") && n < 100; n++ {
		time.Sleep(20 * time.Millisecond)
	}
	if !strings.Contains(w.reached(), "cancelled") {
		t.Errorf("the server saw %s", w.reached())
	}
	if got := w.call("get_log", `{}`); got != "done" {
		t.Errorf("the call after: %s", got)
	}
}

// TestQuiet: standard error has no word of a server's until it fails.
func TestQuiet(t *testing.T) {
	w, _ := fullWorld(t, nil)
	w.call("get_log", `{}`)
	if got := w.stderr.String(); got != "" {
		t.Errorf("stderr %q", got)
	}
	if got := w.call("get_crash", `{}`); !strings.Contains(got, "ended before it answered") {
		t.Errorf("get_crash: %s", got)
	}
	for n := 0; !strings.Contains(w.stderr.String(), "out of paper") && n < 100; n++ {
		time.Sleep(20 * time.Millisecond)
	}
	if got := w.stderr.String(); !strings.Contains(got, "gbt: server full: out of paper\n") || !strings.Contains(got, "the MCP server full ended") {
		t.Errorf("stderr %q", got)
	}
}

// TestOwnSchemes: a resource with a scheme of its server's is read; one that leads
// to a file is read as that file, and asks the user through the client.
func TestOwnSchemes(t *testing.T) {
	for _, tt := range []struct {
		uri, answer string
		asked, read bool
	}{
		{"note://a", "decline", false, true},
		{"note://all/7", "decline", false, true},
		{"note://all/../../../etc/shadow", "decline", true, false},
		{"file:///srv/plan", "decline", true, false},
		{"file:///srv/plan", "accept", true, true},
	} {
		t.Run(tt.answer+" "+filepath.Base(tt.uri), func(t *testing.T) {
			w, h := fullWorld(t, func(string) string { return tt.answer })
			_, err := w.client.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: tt.uri})
			if asked := len(h.lines) > 0; asked != tt.asked || (err == nil) != tt.read || strings.Contains(w.reached(), "read "+tt.uri) != tt.read {
				t.Errorf("asked %q, %v, the server saw %s", h.lines, err, w.reached())
			}
		})
	}
}
