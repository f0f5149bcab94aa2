package mcpproxy

//lint:file-ignore SA1019 roots, sampling and logging are deprecated as of protocol version 2026-07-28 and pass through as long as clients and servers of older versions use them.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// This file passes on what a client asks of servers beside calls, resources and
// prompts: what can stand in an argument, news of a resource, and how much is
// logged; and what servers say of themselves.

// serverOptions are the capabilities of the proxy as a server, and who answers.
func (p *Proxy) serverOptions() *mcp.ServerOptions {
	return &mcp.ServerOptions{
		Capabilities:       &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{ListChanged: true}, Logging: &mcp.LoggingCapabilities{}},
		CompletionHandler:  p.complete,
		SubscribeHandler:   p.subscribe,
		UnsubscribeHandler: p.unsubscribe,
		InitializedHandler: func(_ context.Context, r *mcp.InitializedRequest) {
			go p.rooted(r.Session)
			go p.unrooted(r.Session)
		},
		RootsListChangedHandler: func(_ context.Context, r *mcp.RootsListChangedRequest) { go p.rooted(r.Session) },
	}
}

// greet adds the servers' instructions to what a client is first told, and passes on
// what it wants to be logged.
func (p *Proxy) greet(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		if err != nil {
			return res, err
		}
		switch r := res.(type) {
		case *mcp.InitializeResult:
			r.Instructions = p.allInstructions()
		case *mcp.DiscoverResult:
			r.Instructions = p.allInstructions()
		}
		if in, ok := req.GetParams().(*mcp.SetLoggingLevelParams); ok {
			p.setLevel(ctx, in.Level)
		}
		return res, nil
	}
}

// maxInstructions bounds what is passed on of a server's instructions.
const maxInstructions = 8 << 10

// allInstructions are the proxy's own instructions and those of its servers, each
// under its server's name. Like descriptions of tools they are read by the model.
func (p *Proxy) allInstructions() string {
	var b strings.Builder
	b.WriteString(p.instructions())
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, u := range p.ups {
		if text := strings.TrimSpace(u.offers.instructions); text != "" {
			fmt.Fprintf(&b, "\n\nThe MCP server %s says:\n%s", u.Name, cut(text, maxInstructions))
		}
	}
	return b.String()
}

// setLevel passes the level on to servers that log. With several clients the last
// one's holds; each hears no more than it asked for.
func (p *Proxy) setLevel(ctx context.Context, level mcp.LoggingLevel) {
	p.mu.Lock()
	p.level = level
	p.mu.Unlock()
	for _, u := range p.ups {
		p.ask(ctx, u, func(ctx context.Context, s *mcp.ClientSession) error { return again(ctx, s, level, nil) })
	}
}

// again tells a session what clients have asked for before it was there. A server
// that refuses keeps to itself what it was asked for, and nothing else is lost.
func again(ctx context.Context, s *mcp.ClientSession, level mcp.LoggingLevel, uris []string) error {
	var errs []error
	if level != "" && s.InitializeResult().Capabilities.Logging != nil {
		errs = append(errs, s.SetLoggingLevel(ctx, &mcp.SetLoggingLevelParams{Level: level}))
	}
	for _, uri := range uris {
		errs = append(errs, s.Subscribe(ctx, &mcp.SubscribeParams{URI: uri}))
	}
	return errors.Join(errs...)
}

// complete asks the server of a prompt or a template what can stand in its argument.
func (p *Proxy) complete(ctx context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	in := req.Params
	if in.Ref == nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "completion/complete needs a ref"}
	}
	ref := *in.Ref
	p.mu.Lock()
	from := p.resourceOf[ref.URI]
	if t, ok := p.promptOf[ref.Name]; ok && ref.Type == "ref/prompt" {
		from, ref.Name = p.byName(t.server), t.own
	}
	p.mu.Unlock()
	res := &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{}}}
	if from == nil {
		return res, nil
	}
	err := p.ask(ctx, from, func(ctx context.Context, s *mcp.ClientSession) (err error) {
		if s.InitializeResult().Capabilities.Completions == nil {
			return nil
		}
		res, err = s.Complete(ctx, &mcp.CompleteParams{Argument: in.Argument, Context: in.Context, Ref: &ref})
		return err
	})
	if err != nil {
		return nil, asJSONRPC(err)
	}
	return res, nil
}

// subscribe asks a server for news of a resource, judged as reading it.
func (p *Proxy) subscribe(ctx context.Context, req *mcp.SubscribeRequest) error {
	uri := req.Params.URI
	u := p.resourceServer(uri)
	if u == nil {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "no server offers " + printable(uri)}
	}
	v, err := p.judge(ctx, reading(u, uri), unanswered)
	if err != nil {
		return notLogged(err)
	}
	if !v.allowed() {
		return &jsonrpc.Error{Code: codeStopped, Message: explain(v)}
	}
	err = p.ask(ctx, u, func(ctx context.Context, s *mcp.ClientSession) error {
		return s.Subscribe(ctx, &mcp.SubscribeParams{URI: uri})
	})
	if err != nil {
		return asJSONRPC(err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	u.watched = append(u.watched, uri)
	return nil
}

// unsubscribe ends one client's wish for news; the server is told when it was the
// last.
func (p *Proxy) unsubscribe(ctx context.Context, req *mcp.UnsubscribeRequest) error {
	uri := req.Params.URI
	u := p.resourceServer(uri)
	if u == nil {
		return nil
	}
	p.mu.Lock()
	if i := slices.Index(u.watched, uri); i >= 0 {
		u.watched = slices.Delete(u.watched, i, i+1)
	}
	last := !slices.Contains(u.watched, uri)
	p.mu.Unlock()
	if !last {
		return nil
	}
	err := p.ask(ctx, u, func(ctx context.Context, s *mcp.ClientSession) error {
		return s.Unsubscribe(ctx, &mcp.UnsubscribeParams{URI: uri})
	})
	if err != nil {
		return asJSONRPC(err)
	}
	return nil
}

// resourceServer is the server of a resource, by its address or by the template
// whose fixed beginning is the longest that it has; nil if nobody offers it.
func (p *Proxy) resourceServer(uri string) *upstream {
	p.mu.Lock()
	defer p.mu.Unlock()
	if u := p.resourceOf[uri]; u != nil {
		return u
	}
	best := ""
	for offered := range p.resourceOf {
		front, _, isTemplate := strings.Cut(offered, "{")
		if isTemplate && strings.HasPrefix(uri, front) && cmp.Compare(len(front), len(best)) > 0 {
			best = offered
		}
	}
	return p.resourceOf[best]
}
