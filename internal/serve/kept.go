package serve

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/gbt-policy/gbt/internal/protocol"
	"github.com/gbt-policy/gbt/internal/receipts"
	"github.com/gbt-policy/gbt/internal/stores"
	"github.com/gbt-policy/gbt/internal/stores/named"
	"github.com/gbt-policy/gbt/internal/tasks"
	"github.com/gbt-policy/gbt/traverse"
)

// keptStore is a protocol.Journal in a book: sessions with states and receipts. One
// server has it at a time; gbt sessions reads it beside.
type keptStore struct {
	book   *tasks.Book
	served *tasks.Served
	unlock func() error
	stop   func()
}

// openKept opens the database of a name.
func openKept(name string) (*keptStore, error) {
	db, err := named.Open(name)
	if err != nil {
		return nil, err
	}
	unlock, err := stores.Lock(db.Path() + ".serving")
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	book, err := tasks.Open(db, tasks.Options{})
	if err != nil {
		return nil, errors.Join(err, unlock(), db.Close())
	}
	k := &keptStore{book: book, served: book.Serve("serve-" + rand.Text()), unlock: unlock}
	k.stop = k.beat()
	return k, nil
}

// beat tells that this server lives, and looks for runs whose process does not. What
// fails there fails again with the next request, which says so.
func (k *keptStore) beat() (stop func()) {
	done, over := make(chan struct{}), sync.WaitGroup{}
	o := k.book.Options()
	over.Go(func() {
		beat, reap := time.NewTicker(o.Beat), time.NewTicker(o.Reap)
		defer beat.Stop()
		defer reap.Stop()
		for {
			select {
			case <-done:
				return
			case <-beat.C:
				_ = k.served.Beat()
			case <-reap.C:
				_, _ = k.book.Reap()
			}
		}
	})
	return sync.OnceFunc(func() { close(done); over.Wait() })
}

func (k *keptStore) close() error {
	k.stop()
	return errors.Join(k.book.Close(), k.unlock())
}

// Get implements protocol.Store.
func (k *keptStore) Get(id string) ([]byte, error) { return k.served.Get(id) }

// Delete implements protocol.Store.
func (k *keptStore) Delete(id string) error { return k.served.Delete(id) }

// Put implements protocol.Store.
func (k *keptStore) Put(id string, data []byte) error {
	return k.Keep(id, data, &protocol.Happened{})
}

// Keep implements protocol.Journal.
func (k *keptStore) Keep(id string, data []byte, h *protocol.Happened) error {
	var events []tasks.Event
	for i := range h.Notes {
		e, err := eventOf(&h.Notes[i])
		if err != nil {
			return err
		}
		if e != nil {
			events = append(events, *e)
		}
	}
	return k.served.Put(tasks.New{ID: id, Kind: "serve", Title: h.Title, Policy: h.Policy, Data: data}, h.Steps, events)
}

// eventOf is what a note is in receipts; nil for what leaves none.
func eventOf(n *protocol.Note) (*tasks.Event, error) {
	switch {
	case n.Decided != nil:
		return decidedEvent(n.Decided), nil
	case n.Observed != nil:
		o := n.Observed
		d := receipts.Receipt{Kind: receipts.Outcome, Tool: o.Tool}
		if o.Blocked {
			d.Fate = receipts.NotRun
		}
		var err error
		d.Payload, err = json.Marshal(map[string]string{"output": o.Output, "error": o.Error})
		return &tasks.Event{Draft: d, Args: o.Args}, err
	case n.Answered != nil:
		d := receipts.Receipt{Kind: receipts.Consent, Consent: n.Answered.Confirmation, Reason: "refused"}
		if n.Answered.Agreed {
			d.Reason = "agreed"
		}
		if n.Answered.ForSession {
			d.Reason = "agreed for the session"
		}
		return &tasks.Event{Draft: d}, nil
	case n.Reported != nil:
		payload, err := json.Marshal(map[string]any{"check": n.Reported.ID, "passed": n.Reported.Passed})
		return &tasks.Event{Draft: receipts.Receipt{Kind: receipts.Check, Payload: payload}}, err
	case n.Claimed != nil:
		return claimedEvent(n.Claimed), nil
	}
	return nil, nil
}

func decidedEvent(x *protocol.DecidedNote) *tasks.Event {
	if x.Allowed {
		c := tasks.Call{Tool: x.Tool, Args: x.Args, Tier: x.Tier, Decision: x.Decision, Consent: x.Consent}
		return &tasks.Event{Draft: c.Draft(), Args: x.Args}
	}
	return &tasks.Event{Args: x.Args, Draft: receipts.Receipt{
		Kind: receipts.Stopped, Tool: x.Tool, Tier: x.Tier, Payload: x.Args, Decision: x.Decision, Reason: x.Disposition,
	}}
}

// claimedEvent ends the task where the claim to be done ends the run: DONE alone is a
// success.
func claimedEvent(o *traverse.Outcome) *tasks.Event {
	to := tasks.Failed
	switch {
	case o.Done():
		to = tasks.Succeeded
	case o.Again:
		return nil
	}
	why := o.End().String()
	if o.Reason != "" {
		why += ": " + o.Reason
	}
	return &tasks.Event{To: to, Draft: receipts.Receipt{Kind: receipts.State, Reason: why}}
}
