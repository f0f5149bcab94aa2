package mcpproxy

//lint:file-ignore SA1019 roots, sampling and logging are deprecated as of protocol version 2026-07-28 and pass through as long as clients and servers of older versions use them.

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// This file passes on what a server asks of the client and tells it: questions to
// the user, completions of its model, its roots, progress and logs. What reaches a
// model that way is text that the server chose. The names say which server it is:
// a server's question can't be taken for one of gbt's, and its answer goes to that
// server alone.

// waiting are the clients whose requests a server is answering, one for each
// request.
type waiting struct {
	clients  []*mcp.ServerSession
	progress map[string]heard // by the proxy's token
}

// heard is who hears of a request's progress, and under which name.
type heard struct {
	client *mcp.ServerSession
	token  any
}

// began notes that a client waits for a server. The token is the proxy's own for
// the progress, nil if the client wants none; end forgets both.
func (p *Proxy) began(u *upstream, client *mcp.ServerSession, theirs any) (token any, end func()) {
	p.passing.Lock()
	defer p.passing.Unlock()
	u.waiting.clients = append(u.waiting.clients, client)
	own := ""
	if theirs != nil {
		own = rand.Text()
		token = own
		if u.waiting.progress == nil {
			u.waiting.progress = map[string]heard{}
		}
		u.waiting.progress[own] = heard{client, theirs}
	}
	return token, func() {
		p.passing.Lock()
		defer p.passing.Unlock()
		if i := slices.Index(u.waiting.clients, client); i >= 0 {
			u.waiting.clients = slices.Delete(u.waiting.clients, i, i+1)
		}
		if own != "" {
			time.AfterFunc(lateProgress, func() { p.forgetProgress(u, own) })
		}
	}
}

// lateProgress is how long after an answer progress that was told before it may come
// through: the SDK handles each message by itself.
const lateProgress = time.Second

func (p *Proxy) forgetProgress(u *upstream, own string) {
	p.passing.Lock()
	defer p.passing.Unlock()
	delete(u.waiting.progress, own)
}

// asker is the client that a server's question is for: the one that waits for it,
// or the only one there is. Of several that wait, nobody knows which is meant.
func (p *Proxy) asker(u *upstream) (*mcp.ServerSession, error) {
	p.passing.Lock()
	who := slices.Clone(u.waiting.clients)
	p.passing.Unlock()
	if len(who) == 0 {
		who = slices.Collect(p.server.Sessions())
	}
	for _, s := range who {
		if s != who[0] {
			return nil, errors.New("several clients wait for this server: nobody knows which of them it asks")
		}
	}
	if len(who) == 0 {
		return nil, errors.New("no client is there to be asked")
	}
	return who[0], nil
}

// passOn are the handlers of what a server asks and tells.
func (p *Proxy) passOn(u *upstream, o *mcp.ClientOptions) {
	o.Capabilities = &mcp.ClientCapabilities{
		RootsV2:     &mcp.RootCapabilities{ListChanged: true},
		Elicitation: &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{}, URL: &mcp.URLElicitationCapabilities{}},
	}
	o.ElicitationHandler = func(ctx context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		return p.elicit(ctx, u, r.Params)
	}
	o.CreateMessageHandler = func(ctx context.Context, r *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
		return p.sample(ctx, u, r.Params)
	}
	o.ProgressNotificationHandler = func(ctx context.Context, r *mcp.ProgressNotificationClientRequest) { p.progressed(ctx, u, r.Params) }
	o.LoggingMessageHandler = func(ctx context.Context, r *mcp.LoggingMessageRequest) { p.logged(ctx, u, r.Params) }
	o.ResourceUpdatedHandler = func(ctx context.Context, r *mcp.ResourceUpdatedNotificationRequest) {
		p.server.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: r.Params.URI})
	}
}

// elicit asks the user what a server wants to know.
func (p *Proxy) elicit(ctx context.Context, u *upstream, in *mcp.ElicitParams) (*mcp.ElicitResult, error) {
	client, err := p.asker(u)
	if err != nil {
		return nil, err
	}
	out := *in
	out.Meta, out.Message = nil, "The MCP server "+u.Name+" asks: "+printable(in.Message)
	res, err := client.Elicit(ctx, &out)
	if err != nil {
		return nil, fmt.Errorf("the client could not ask its user: %w", err)
	}
	return res, nil
}

// sample asks the client's model for a server. The prompt is a text that the server
// chose, and counts as one.
func (p *Proxy) sample(ctx context.Context, u *upstream, in *mcp.CreateMessageParams) (*mcp.CreateMessageResult, error) {
	client, err := p.asker(u)
	if err != nil {
		return nil, err
	}
	texts := []string{in.SystemPrompt}
	for _, m := range in.Messages {
		texts = append(texts, contentText(m.Content)...)
	}
	p.ledger.returned(judged(u.Name, "create_message"), nil, texts...)
	out := *in
	out.Meta, out.IncludeContext = nil, "" // what other servers said stays with the client
	return client.CreateMessage(ctx, &out)
}

func (p *Proxy) progressed(ctx context.Context, u *upstream, in *mcp.ProgressNotificationParams) {
	own, _ := in.ProgressToken.(string)
	p.passing.Lock()
	h, ok := u.waiting.progress[own]
	p.passing.Unlock()
	if ok {
		h.client.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: h.token, Message: in.Message, Progress: in.Progress, Total: in.Total})
	}
}

// logged tells all clients that want to hear what a server logs.
func (p *Proxy) logged(ctx context.Context, u *upstream, in *mcp.LoggingMessageParams) {
	name := u.Name
	if in.Logger != "" {
		name += "/" + in.Logger
	}
	for client := range p.server.Sessions() {
		client.Log(ctx, &mcp.LoggingMessageParams{Data: in.Data, Level: in.Level, Logger: name})
	}
}

// rooted tells all servers what roots the clients have, once they are known and
// whenever they change. A client's roots widen nothing that gbt lets pass.
func (p *Proxy) rooted(client *mcp.ServerSession) {
	in := client.InitializeParams()
	if in == nil || in.Capabilities == nil || in.Capabilities.RootsV2 == nil {
		return
	}
	ctx, cancel := context.WithTimeout(p.ctx, p.opts.Start)
	defer cancel()
	res, err := client.ListRoots(ctx, nil)
	if err != nil {
		return // a client that says it has roots and does not say which has none
	}
	p.passing.Lock()
	defer p.passing.Unlock()
	p.roots[client] = res.Roots
	p.sendRoots()
}

// unrooted forgets the roots of a client that is gone.
func (p *Proxy) unrooted(client *mcp.ServerSession) {
	client.Wait()
	p.passing.Lock()
	defer p.passing.Unlock()
	delete(p.roots, client)
	p.sendRoots()
}

// sendRoots brings the servers up to date. The caller holds the lock.
func (p *Proxy) sendRoots() {
	now := map[string]*mcp.Root{}
	for _, roots := range p.roots {
		for _, r := range roots {
			now[r.URI] = r
		}
	}
	var gone []string
	var added []*mcp.Root
	for uri := range p.rootsSent {
		if now[uri] == nil {
			gone = append(gone, uri)
		}
	}
	for uri, r := range now {
		if p.rootsSent[uri] == nil {
			added = append(added, r)
		}
	}
	if len(gone) == 0 && len(added) == 0 {
		return
	}
	p.rootsSent = now
	for _, u := range p.ups {
		u.client.AddRoots(added...)
		u.client.RemoveRoots(gone...)
	}
}
