//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"net"
	"sync"

	"github.com/gbt-policy/gbt/internal/receipts"
)

// entry is an effect that was done.
type entry struct {
	Op     string `json:"op"` // effect or settle
	Key    string `json:"key"`
	Step   int    `json:"step"`
	Policy string `json:"policy"` // under which it was dispatched
	Forget bool   `json:"forget"` // the ledger is to say that it does not know
}

// ledger does effects and remembers them. It does not forgive: an effect that is asked
// for twice is done twice, and counted.
type ledger struct {
	mu     sync.Mutex
	done   []entry
	voided map[string]bool
	ln     net.Listener
	dark   bool // the worker's machine has no power: nothing of it is heard
}

// darken says whether the worker's machine has power. Between the end of the power of its
// disk and its own, which come one after the other here alone, the system may tell a worker
// that what it synced was synced.
func (l *ledger) darken(dark bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.dark = dark
}

func listen(name string) (*ledger, error) {
	ln, err := net.Listen("unix", name)
	if err != nil {
		return nil, err
	}
	l := &ledger{voided: map[string]bool{}, ln: ln}
	go l.serve()
	return l, nil
}

func (l *ledger) serve() {
	for {
		c, err := l.ln.Accept()
		if err != nil {
			return // closed
		}
		go func() {
			defer c.Close()
			for d, e := json.NewDecoder(c), json.NewEncoder(c); ; {
				var in entry
				if d.Decode(&in) != nil || e.Encode(l.do(&in)) != nil {
					return // the worker is dead
				}
			}
		}()
	}
}

// do answers a request with a fate.
func (l *ledger) do(in *entry) receipts.Fate {
	if in.Op == "settle" {
		if in.Forget {
			return receipts.FateUnknown
		}
		return l.settle(in.Key)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.dark {
		return receipts.FateUnknown
	}
	if l.voided[in.Key] {
		return receipts.NotRun
	}
	l.done = append(l.done, *in)
	return receipts.Ran
}

// settle says whether a key was used, and sees to it that it never will be where not.
func (l *ledger) settle(key string) receipts.Fate {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range l.done {
		if e.Key == key {
			return receipts.Ran
		}
	}
	l.voided[key] = true
	return receipts.NotRun
}

// all returns what was done so far.
func (l *ledger) all() []entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]entry(nil), l.done...)
}

func (l *ledger) reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.done, l.voided = nil, map[string]bool{}
}

// remote is the worker's side.
type remote struct {
	d *json.Decoder
	e *json.Encoder
}

func dial(name string) (*remote, error) {
	c, err := net.Dial("unix", name)
	if err != nil {
		return nil, err
	}
	return &remote{json.NewDecoder(c), json.NewEncoder(c)}, nil
}

func (r *remote) ask(in *entry) (out receipts.Fate, err error) {
	if err = r.e.Encode(in); err == nil {
		err = r.d.Decode(&out)
	}
	if err != nil {
		return "", fmt.Errorf("ledger: %w", err)
	}
	return out, nil
}
