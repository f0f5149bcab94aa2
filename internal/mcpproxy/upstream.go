package mcpproxy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gbt-policy/gbt/gates"
)

// restartAfter is the shortest time between two starts of a server, so that one
// that crashes at once is not started for every call.
const restartAfter = time.Second

// asks is the newest version of the protocol in which a server asks its client by
// requests of its own. In the next one (2026-07-28) servers that have not learned yet
// to ask in an answer don't ask at all: one that has its user confirm what it deletes
// then deletes.
const asks = "2025-11-25"

// upstream is one MCP server. The session is replaced when it has ended.
type upstream struct {
	Server
	client *mcp.Client
	stderr io.Writer
	aloud  bool // pass all on that it writes to standard error

	mu      sync.Mutex // held while connecting
	words   *words     // what the running one writes there
	session *mcp.ClientSession
	started time.Time
	closed  bool

	offers  offers   // guarded by the proxy's lock, with the session that made them
	changes int      // how often its tools were said to have changed; guarded by the proxy's lock
	watched []string // resources that clients want news of, one for each; guarded by the proxy's lock
	waiting waiting  // guarded by Proxy.passing
}

// offers are what a server offers, as it last said.
type offers struct {
	by        *mcp.ClientSession
	changes   int // that had been told of when it was asked
	tools     []*mcp.Tool
	prompts   []*mcp.Prompt
	resources []*mcp.Resource
	templates []*mcp.ResourceTemplate

	instructions string
}

// connect returns the running session, or starts one.
func (u *upstream) connect(ctx context.Context) (*mcp.ClientSession, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	switch {
	case u.closed:
		return nil, errors.New("the proxy is closed")
	case u.session != nil:
		return u.session, nil
	case time.Since(u.started) < restartAfter:
		return nil, fmt.Errorf("it ended right after it was started")
	}
	u.started = time.Now()
	s, err := u.client.Connect(ctx, u.transport(), &mcp.ClientSessionOptions{ProtocolVersion: asks})
	if refused := (*jsonrpc.Error)(nil); errors.As(err, &refused) {
		s, err = u.client.Connect(ctx, u.transport(), nil) // it may know the newest version only
	}
	if err != nil {
		u.words.last()
		return nil, err
	}
	u.session = s
	go func() {
		s.Wait()
		u.forget(s)
	}()
	return s, nil
}

// forget drops a session that has ended by itself, and says what it wrote last.
func (u *upstream) forget(s *mcp.ClientSession) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.session == s {
		u.session = nil
		fmt.Fprintf(u.stderr, "gbt: the MCP server %s ended; it is started again for the next call\n", u.Name)
		u.words.last()
	}
}

func (u *upstream) close() {
	u.mu.Lock()
	s := u.session
	u.session, u.closed = nil, true
	u.mu.Unlock()
	if s != nil {
		s.Close() // how a server ends is its own affair
	}
}

func (u *upstream) transport() mcp.Transport {
	if u.URL != "" {
		t := &mcp.StreamableClientTransport{Endpoint: u.URL}
		if len(u.Headers) > 0 {
			t.HTTPClient = &http.Client{Transport: headers(u.Headers)}
		}
		return t
	}
	cmd := exec.Command(u.Command[0], u.Command[1:]...)
	cmd.Dir, cmd.Env = u.Dir, append(environment(), u.Env...)
	u.words = &words{to: u.stderr, prefix: "gbt: server " + u.Name + ": ", aloud: u.aloud}
	cmd.Stderr = u.words
	cmd.WaitDelay = 2 * time.Second
	return &command{run: cmd, logs: u.words}
}

// headers adds fixed headers to every request.
type headers map[string]string

func (h headers) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for k, v := range h {
		r.Header.Set(k, v)
	}
	return http.DefaultTransport.RoundTrip(r)
}

// environment are the variables that a server gets beside its own, as MCP's SDKs
// choose them: none that usually holds a secret.
func environment() []string {
	var env []string
	for _, name := range []string{"HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "USER"} {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	return env
}

// list asks the server for everything that it offers. What it does not support
// it does not offer.
func (u *upstream) list(ctx context.Context) (offers, error) {
	var o offers
	s, err := u.connect(ctx)
	if err != nil {
		return o, err
	}
	o.by = s
	hello := s.InitializeResult()
	has := hello.Capabilities
	o.instructions = hello.Instructions
	if has.Tools != nil {
		for t, err := range s.Tools(ctx, nil) {
			if err != nil {
				return o, err
			}
			o.tools = append(o.tools, t)
		}
	}
	if has.Prompts != nil {
		for p, err := range s.Prompts(ctx, nil) {
			if err != nil {
				return o, err
			}
			o.prompts = append(o.prompts, p)
		}
	}
	if has.Resources == nil {
		return o, nil
	}
	for r, err := range s.Resources(ctx, nil) {
		if err != nil {
			return o, err
		}
		o.resources = append(o.resources, r)
	}
	for t, err := range s.ResourceTemplates(ctx, nil) {
		if err != nil {
			return o, nil // many servers have resources and do not know this request
		}
		o.templates = append(o.templates, t)
	}
	return o, nil
}

// ask does something with the server within a time. The error is a sentence
// about the server, or the answer that it gave as an error of the protocol.
func (u *upstream) ask(ctx context.Context, limit time.Duration, f func(context.Context, *mcp.ClientSession) error) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	s, err := u.connect(ctx)
	if err != nil {
		return fmt.Errorf("the MCP server %s cannot be reached: %w", u.Name, err)
	}
	err = f(ctx, s)
	var said *jsonrpc.Error
	switch {
	case err == nil:
		return nil
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Errorf("the MCP server %s did not answer within %v; whether it did anything is not known", u.Name, limit)
	case errors.Is(err, mcp.ErrConnectionClosed), errors.Is(err, io.EOF):
		u.forget(s)
		return fmt.Errorf("the MCP server %s ended before it answered; whether it did anything is not known. It is started again for the next call", u.Name)
	case errors.As(err, &said):
		return err
	}
	return fmt.Errorf("the MCP server %s: %w", u.Name, err)
}

// hints keeps what annotations say outright. What they leave out is not filled in
// with the defaults of MCP: those would call every tool destructive. How far they
// count is for package call.
func hints(a *mcp.ToolAnnotations) gates.Hints {
	if a == nil {
		return gates.Hints{}
	}
	said := func(b *bool) bool { return b != nil && *b }
	return gates.Hints{Destructive: said(a.DestructiveHint), OpenWorld: said(a.OpenWorldHint), ReadOnly: a.ReadOnlyHint}
}

// printable replaces control characters, so that a server's words cannot draw on
// somebody's terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\t' && (r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0) {
			return '?'
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
}
