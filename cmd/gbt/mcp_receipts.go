package main

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/mcpproxy"
	"github.com/gbt-policy/gbt/internal/receipts"
	"github.com/gbt-policy/gbt/internal/tasks"
)

// proxyReceipts keeps receipts of what goes through gbt mcp in a database: one session for
// as long as the proxy lives (requirement Z2).
type proxyReceipts struct {
	book   *tasks.Book
	served *tasks.Served
	task   tasks.New
	steps  int64
	mu     sync.Mutex
	failed error
	stop   func()
}

// openProxyReceipts opens the database of --store; nil where none is named.
func openProxyReceipts(c *cli.Context, digest string) (*proxyReceipts, error) {
	if c.String("store") == "" {
		return nil, nil
	}
	b, err := openBook(c, true)
	if err != nil {
		return nil, err
	}
	p := &proxyReceipts{book: b, served: b.Serve(owner()), task: tasks.New{ID: "mcp-" + rand.Text(), Kind: "mcp", Title: c.String("task"), Policy: digest}}
	if p.task.Title == "" {
		p.task.Title = "gbt mcp"
	}
	if err := p.put(); err != nil {
		return nil, errors.Join(fail(exitInput, "--store: %v", err), b.Close())
	}
	p.stop = p.beat()
	return p, nil
}

func (p *proxyReceipts) put(events ...tasks.Event) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.served.Put(p.task, p.steps, events)
}

// beat tells that the proxy lives, until stop. What fails there fails again with the next
// call, which then does not run.
func (p *proxyReceipts) beat() (stop func()) {
	done, over := make(chan struct{}), sync.WaitGroup{}
	over.Go(func() {
		beat := time.NewTicker(p.book.Options().Beat)
		defer beat.Stop()
		for {
			select {
			case <-done:
				return
			case <-beat.C:
				_ = p.served.Beat()
			}
		}
	})
	return sync.OnceFunc(func() { close(done); over.Wait() })
}

// decided writes the receipt of a decision, before the call is forwarded.
func (p *proxyReceipts) decided(ev *mcpproxy.Event) error {
	if p.failed != nil {
		return p.failed
	}
	d := receipts.Receipt{Kind: receipts.Stopped, Tool: ev.Tool, Tier: ev.Decision.Tier.String(), Payload: ev.Args, Decision: ev.ID, Reason: ev.Decision.Disposition.String()}
	if ev.Decision.Disposition == gates.Approved {
		c := tasks.Call{Tool: ev.Tool, Tier: d.Tier, Args: ev.Args, Decision: ev.ID}
		if d = c.Draft(); ev.Confirmed {
			d.Reason = "the user agreed"
		}
	}
	return p.put(tasks.Event{Draft: d, Args: ev.Args})
}

// observed writes what came of a call. Where that fails no other call runs.
func (p *proxyReceipts) observed(part *mcpproxy.Part) {
	if part.Op != "observe" || part.Declined {
		return
	}
	payload, err := json.Marshal(map[string]string{"output": part.Text, "error": part.Fault})
	if err == nil {
		err = p.put(tasks.Event{Draft: receipts.Receipt{Kind: receipts.Outcome, Tool: part.Tool, Payload: payload}, Args: part.Args})
	}
	p.failed = errors.Join(p.failed, err)
}

// into puts the receipts into a proxy's options, before whoever is told of decisions already.
func (p *proxyReceipts) into(o *mcpproxy.Options) {
	if p == nil {
		return
	}
	log, record := o.Log, o.Record
	o.Log = func(ev mcpproxy.Event) error {
		err := p.decided(&ev)
		if err == nil && log != nil {
			err = log(ev)
		}
		return err
	}
	o.Record = func(part *mcpproxy.Part) {
		p.observed(part)
		if record != nil {
			record(part)
		}
	}
}

// close ends the session: nobody examined what came of it.
func (p *proxyReceipts) close() error {
	if p == nil {
		return nil
	}
	p.stop()
	err := p.put(tasks.Event{To: tasks.Failed, Draft: receipts.Receipt{Reason: "ENDED: the proxy was closed, and nobody examined what came of it"}})
	return errors.Join(p.failed, err, p.book.Close())
}
