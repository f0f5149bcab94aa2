package mcpproxy

//lint:file-ignore SA1019 roots, sampling and logging are deprecated as of protocol version 2026-07-28 and pass through as long as clients and servers of older versions use them.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gbt-policy/gbt/gates"
)

// Proxy is an MCP server that offers what other servers offer, behind gates.
type Proxy struct {
	opts   Options
	server *mcp.Server
	ups    []*upstream // sorted by name
	ledger ledger
	run    *run // the task under way, nil before any; guarded by ledger.mu
	ctx    context.Context
	stop   context.CancelFunc
	work   sync.WaitGroup // refreshes under way

	mu        sync.Mutex // guards the rest, and offers of ups
	tools     []target
	risk      map[string]gates.Hints // by judged name: all that was ever said
	pins      Pins
	defined   Pins // as the servers say now
	unsaved   bool // pins changed
	prompts   []string
	resources []string
	templates []string

	promptOf   map[string]target // by offered name
	resourceOf map[string]*upstream
	level      mcp.LoggingLevel // that a client asked for last

	passing   sync.Mutex // guards what is passed on: roots, and waiting of ups
	roots     map[*mcp.ServerSession][]*mcp.Root
	rootsSent map[string]*mcp.Root
}

// New connects the servers and returns a proxy that offers what they offer. A
// server that does not start in time is reported and tried again when it is
// called; New fails if none starts. Servers run until Close.
func New(ctx context.Context, opts Options) (*Proxy, error) {
	opts.defaults()
	if opts.Checker == nil || len(opts.Servers) == 0 {
		return nil, errors.New("mcpproxy: a proxy needs a checker and at least one server")
	}
	p := &Proxy{opts: opts, risk: map[string]gates.Hints{}, pins: Pins{}, defined: Pins{}, roots: map[*mcp.ServerSession][]*mcp.Root{}}
	maps.Copy(p.pins, opts.Pins)
	p.ledger.past.Observes = true
	p.opts.Stderr = &locked{to: opts.Stderr}
	p.ctx, p.stop = context.WithCancel(context.WithoutCancel(ctx))
	for i := range opts.Servers {
		s := opts.Servers[i]
		if err := s.Check(); err != nil {
			return nil, fmt.Errorf("mcpproxy: %w", err)
		}
		p.ups = append(p.ups, p.upstream(s))
	}
	slices.SortFunc(p.ups, func(a, b *upstream) int { return strings.Compare(a.Name, b.Name) })
	for i := 1; i < len(p.ups); i++ {
		if p.ups[i].Name == p.ups[i-1].Name {
			return nil, fmt.Errorf("mcpproxy: two servers are called %s", p.ups[i].Name)
		}
	}
	p.server = mcp.NewServer(&mcp.Implementation{Name: "gbt", Version: "1"}, p.serverOptions())
	p.server.AddReceivingMiddleware(p.greet)
	p.offerTraverser()
	if err := p.startAll(ctx); err != nil {
		p.Close()
		return nil, err
	}
	if opts.Task != "" {
		p.ledger.task(opts.Task)
		p.record(&Part{Op: "startSession", Task: opts.Task})
		if opts.Policy != nil {
			p.ledger.mu.Lock()
			p.start(opts.Task)
			p.ledger.mu.Unlock()
		}
	}
	return p, nil
}

func (p *Proxy) upstream(s Server) *upstream {
	u := &upstream{Server: s, stderr: p.opts.Stderr, aloud: p.opts.Aloud}
	again := func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.ctx.Err() == nil {
			p.work.Go(func() { p.refresh(p.ctx, u) })
		}
	}
	o := &mcp.ClientOptions{
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) {
			p.mu.Lock()
			u.changes++
			p.mu.Unlock()
			again()
		},
		PromptListChangedHandler:   func(context.Context, *mcp.PromptListChangedRequest) { again() },
		ResourceListChangedHandler: func(context.Context, *mcp.ResourceListChangedRequest) { again() },
	}
	p.passOn(u, o)
	u.client = mcp.NewClient(&mcp.Implementation{Name: "gbt", Version: "1"}, o)
	return u
}

// startAll starts the servers at the same time.
func (p *Proxy) startAll(ctx context.Context) error {
	errs := make([]error, len(p.ups))
	var wg sync.WaitGroup
	for i, u := range p.ups {
		wg.Go(func() { errs[i] = p.refresh(ctx, u) })
	}
	wg.Wait()
	for _, err := range errs {
		if err == nil {
			return ctx.Err()
		}
	}
	return fmt.Errorf("no MCP server could be started: %w", errors.Join(errs...))
}

// refresh asks a server what it offers and offers that.
func (p *Proxy) refresh(ctx context.Context, u *upstream) error {
	ctx, cancel := context.WithTimeout(ctx, p.opts.Start)
	defer cancel()
	p.mu.Lock()
	changes := u.changes
	p.mu.Unlock()
	o, err := u.list(ctx)
	if err != nil {
		err = fmt.Errorf("MCP server %s: %w", u.Name, err)
		if p.ctx.Err() == nil {
			fmt.Fprintf(p.opts.Stderr, "gbt: %s\n", printable(err.Error()))
		}
		return err
	}
	o.changes = changes
	p.mu.Lock()
	defer p.mu.Unlock()
	if u.offers.by == o.by && u.offers.changes > changes {
		return nil // it was asked again meanwhile, and has answered that already
	}
	if u.offers.by != o.by && (p.level != "" || len(u.watched) > 0) {
		level, watched := p.level, slices.Clone(u.watched)
		p.work.Go(func() { // a new session knows nothing of what the one before was asked for
			ctx, cancel := context.WithTimeout(p.ctx, p.opts.Start)
			defer cancel()
			again(ctx, o.by, level, watched)
		})
	}
	u.offers = o
	p.offer()
	return nil
}

// ask does something with a server that has said what it offers. One that was
// started again, or that has told of a change, may offer other tools than before,
// so it is asked first: a call is never judged by a list that is known to be old.
func (p *Proxy) ask(ctx context.Context, u *upstream, f func(context.Context, *mcp.ClientSession) error) error {
	return u.ask(ctx, p.opts.Timeout, func(ctx context.Context, s *mcp.ClientSession) error {
		if p.unsaid(u, s) != "" {
			if err := p.refresh(ctx, u); err != nil {
				return err
			}
			if why := p.unsaid(u, s); why != "" {
				return errors.New(why)
			}
		}
		return f(ctx, s)
	})
}

// unsaid says why a session has not said what it offers now, or nothing.
func (p *Proxy) unsaid(u *upstream, s *mcp.ClientSession) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case u.offers.by != s:
		return "it ended again before it was asked"
	case u.offers.changes != u.changes:
		return "its tools changed again while they were listed: the call did not run; make it again"
	}
	return ""
}

// Run serves one client until it goes away or ctx ends.
func (p *Proxy) Run(ctx context.Context, t mcp.Transport) error {
	return p.server.Run(ctx, t)
}

// Handler serves clients over streamable HTTP.
func (p *Proxy) Handler() http.Handler {
	h := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return p.server }, nil)
	return http.NewCrossOriginProtection().Handler(h)
}

// Close ends the servers.
func (p *Proxy) Close() {
	p.mu.Lock()
	p.stop()
	p.mu.Unlock()
	var wg sync.WaitGroup
	for _, u := range p.ups {
		wg.Go(u.close)
	}
	wg.Wait()
	p.work.Wait()
}

// locked lets several goroutines write.
type locked struct {
	mu sync.Mutex
	to io.Writer
}

func (l *locked) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.to.Write(b)
}
