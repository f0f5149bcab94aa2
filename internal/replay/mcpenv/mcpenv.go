// Package mcpenv makes a replay environment of any MCP server.
//
// Calls go to the server's tools. A log's tool names may carry a host's prefix
// (mcp__server__tool). MCP has no snapshots, so states are restored by resetting
// the server and running the calls before the mark again (replay.Prefix): a
// server started by a command is started anew, one behind a URL needs a tool
// that resets it. A server that is not deterministic is found out and refused.
//
// Annotations of tools become hints, which may only raise the risk of a call.
// MCP says nothing about what a call changed; verdicts come from monitors.
//
// The official SDK stays inside this package. An Env belongs to one goroutine.
//
// What belongs here: MCP as an environment: tools, hints, resetting. What never
// does: judging calls (packages monitor and gates), standing between a client
// and its servers (internal/mcpproxy).
package mcpenv

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/replay"
)

// Options say which server to use. One of Command and URL is needed.
type Options struct {
	Command []string // a server on standard input and output
	Dir     string
	Env     []string // NAME=value besides PATH, HOME, LANG and TMPDIR
	URL     string   // a server that speaks streamable HTTP

	// ResetTool is called before every episode with ResetArgs, one JSON object. A
	// server behind a URL needs one.
	ResetTool string
	ResetArgs string

	Timeout time.Duration // of one call; 0 for a minute
}

// Env is an MCP server as an environment.
type Env struct {
	*replay.Prefix
	s *server
}

// New checks the options. The server is started by Reset.
func New(opts Options) (*Env, error) {
	if (len(opts.Command) == 0) == (opts.URL == "") {
		return nil, errors.New("an MCP server needs either a command or a URL")
	}
	if opts.URL != "" && opts.ResetTool == "" {
		return nil, errors.New("an MCP server behind a URL needs a tool that resets it: nothing else brings it back to where an episode began")
	}
	if opts.Timeout == 0 {
		opts.Timeout = time.Minute
	}
	s := &server{opts: opts}
	return &Env{replay.NewPrefix(s), s}, nil
}

// Hints are the annotations of a tool that count for its risk.
func (e *Env) Hints(tool string) gates.Hints { return e.s.tools[e.s.resolve(tool)] }

type server struct {
	opts    Options
	session *mcp.ClientSession
	tools   map[string]gates.Hints
}

// Reset starts the server anew, or connects to it and calls its reset tool.
func (s *server) Reset(ctx context.Context, _ *corpora.Episode) error {
	if err := s.Close(); err != nil {
		return fmt.Errorf("stop the MCP server: %w", err)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "gbt-replay", Version: "1"}, nil)
	var err error
	if s.session, err = client.Connect(ctx, s.transport(), nil); err != nil {
		return fmt.Errorf("connect to the MCP server: %w", err)
	}
	s.tools = map[string]gates.Hints{}
	for t, err := range s.session.Tools(ctx, nil) {
		if err != nil {
			return fmt.Errorf("list the tools of the MCP server: %w", err)
		}
		s.tools[t.Name] = hints(t.Annotations)
	}
	if s.opts.ResetTool == "" {
		return nil
	}
	r, err := s.Execute(ctx, replay.Call{Tool: s.opts.ResetTool, Args: s.opts.ResetArgs})
	if err == nil && r.Error != "" {
		err = errors.New(r.Error)
	}
	if err != nil {
		return fmt.Errorf("reset the MCP server: %w", err)
	}
	return nil
}

func (s *server) transport() mcp.Transport {
	if s.opts.URL != "" {
		return &mcp.StreamableClientTransport{Endpoint: s.opts.URL, MaxRetries: -1, DisableStandaloneSSE: true}
	}
	cmd := exec.Command(s.opts.Command[0], s.opts.Command[1:]...)
	cmd.Dir, cmd.Env = s.opts.Dir, environ(s.opts.Env)
	return &mcp.CommandTransport{Command: cmd, TerminateDuration: 2 * time.Second}
}

func environ(more []string) []string {
	var env []string
	for _, name := range []string{"PATH", "HOME", "LANG", "TMPDIR"} {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	return append(env, more...)
}

// hints keeps what an annotation says outright. What it leaves out is not filled
// in with the defaults of MCP: those would call every tool destructive.
func hints(a *mcp.ToolAnnotations) gates.Hints {
	if a == nil {
		return gates.Hints{}
	}
	said := func(b *bool) bool { return b != nil && *b }
	return gates.Hints{Destructive: said(a.DestructiveHint), OpenWorld: said(a.OpenWorldHint), ReadOnly: a.ReadOnlyHint}
}

// resolve finds the server's name of a tool.
func (s *server) resolve(tool string) string {
	if _, ok := s.tools[tool]; ok {
		return tool
	}
	for _, sep := range []string{"__", ".", "/", ":"} {
		if i := strings.LastIndex(tool, sep); i >= 0 {
			if _, ok := s.tools[tool[i+len(sep):]]; ok {
				return tool[i+len(sep):]
			}
		}
	}
	return tool
}

// Execute calls a tool. An answer that is an error, of the tool or of the
// protocol, is a result; a server that does not answer is a failure.
func (s *server) Execute(ctx context.Context, c replay.Call) (replay.Result, error) {
	if s.session == nil {
		return replay.Result{}, errors.New("no episode: call Reset first")
	}
	args := json.RawMessage(c.Args)
	if strings.TrimSpace(c.Args) == "" {
		args = json.RawMessage("{}")
	}
	if !json.Valid(args) {
		return replay.Result{}, fmt.Errorf("the arguments of %s are not JSON", c.Tool)
	}
	ctx, cancel := context.WithTimeout(ctx, s.opts.Timeout)
	defer cancel()
	res, err := s.session.CallTool(ctx, &mcp.CallToolParams{Name: s.resolve(c.Tool), Arguments: args})
	var said *jsonrpc.Error
	switch {
	case ctx.Err() != nil:
		return replay.Result{}, fmt.Errorf("call %s: %w", c.Tool, ctx.Err())
	case errors.As(err, &said):
		return replay.Result{Error: said.Message}, nil
	case err != nil:
		return replay.Result{}, fmt.Errorf("call %s: %w", c.Tool, err)
	case res.NeedsInput():
		return replay.Result{}, fmt.Errorf("%s asks the user for input, which a replay cannot give", c.Tool)
	}
	text, err := textOf(res)
	if err != nil {
		return replay.Result{}, err
	}
	out := replay.Result{Text: text}
	if res.IsError {
		if out.Error = text; text == "" {
			out.Error = "the tool failed without a word"
		}
	}
	return out, nil
}

// textOf is what an agent sees of a result: its texts, and whatever else it
// holds as JSON.
func textOf(res *mcp.CallToolResult) (string, error) {
	var parts []string
	for _, c := range res.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			parts = append(parts, t.Text)
			continue
		}
		b, err := c.MarshalJSON()
		if err != nil {
			return "", err
		}
		parts = append(parts, string(b))
	}
	if len(parts) == 0 && res.StructuredContent != nil {
		b, err := json.Marshal(res.StructuredContent)
		return string(b), err
	}
	return strings.Join(parts, "\n"), nil
}

// Close ends the session, and the server where it was started here. How a
// server ends is no concern of the replay.
func (s *server) Close() error {
	if s.session != nil {
		s.session.Close()
		s.session = nil
	}
	return nil
}
