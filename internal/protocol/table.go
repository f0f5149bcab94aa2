package protocol

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"time"

	"github.com/gbt-policy/gbt/traverse"
)

// entry is a session in memory. Who holds turn owns all but the fields that
// belong to the table.
type entry struct {
	id      string
	turn    chan struct{} // a token
	session *traverse.Session
	record  *record
	notes   []Note // what the request under way brought about
	gone    bool   // not in the table any more: look again

	// Of the table, under its lock.
	users int // requests that hold the turn or wait for it
	last  time.Time
	place *list.Element
}

// table finds sessions by their ids, one entry for each.
type table struct {
	s  *Service
	mu sync.Mutex
	// by id; lru has the same entries, the one used last in front.
	entries map[string]*entry
	lru     *list.List
	graves  graves
}

func newTable(s *Service) *table {
	return &table{s: s, entries: map[string]*entry{}, lru: list.New(), graves: graves{why: map[string]*Fault{}}}
}

// graves remember why sessions are gone, so that none is taken for one that
// never was. They are bounded; the oldest is forgotten first.
type graves struct {
	why   map[string]*Fault
	order []string
}

const maxGraves = 1 << 14

func (g *graves) dig(id, code, message string) {
	if _, ok := g.why[id]; !ok {
		g.order = append(g.order, id)
	}
	g.why[id] = &Fault{gone, code, message}
	if len(g.order) > maxGraves {
		delete(g.why, g.order[0])
		g.order = g.order[1:]
	}
}

// create puts a new session into the table. The caller has its turn.
func (t *table) create(id string, s *traverse.Session) (*entry, *Fault) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.entries[id] != nil || t.graves.why[id] != nil {
		return nil, Conflict("session-exists", "session %s exists, or did", id)
	}
	e, f := t.insert(id)
	if f != nil {
		return nil, f
	}
	e.session = s
	e.record = &record{Version: recordVersion, ID: id, Started: t.s.opt.Now().Unix()}
	return e, nil
}

// insert makes an empty entry whose turn the caller has.
func (t *table) insert(id string) (*entry, *Fault) {
	t.sweep()
	if len(t.entries) >= t.s.opt.MaxSessions && !t.makeRoom() {
		return nil, &Fault{tooMany, "too-many-sessions",
			fmt.Sprintf("%d sessions are in use; end one with DELETE or raise --max-sessions", len(t.entries))}
	}
	e := &entry{id: id, turn: make(chan struct{}, 1), users: 1, last: t.s.opt.Now()}
	e.turn <- struct{}{}
	e.place = t.lru.PushFront(e)
	t.entries[id] = e
	return e, nil
}

// sweep drops what was idle for too long.
func (t *table) sweep() {
	now, ttl := t.s.opt.Now(), t.s.opt.TTL
	for el := t.lru.Back(); el != nil; el = t.lru.Back() {
		e := el.Value.(*entry)
		if e.users > 0 || now.Sub(e.last) <= ttl {
			return
		}
		t.expire(e, fmt.Sprintf("session %s was idle for %v and has expired; start a new one", e.id, ttl))
	}
}

// makeRoom drops the entry used least recently, if it may be.
func (t *table) makeRoom() bool {
	for el := t.lru.Back(); el != nil; el = el.Prev() {
		e := el.Value.(*entry)
		if e.users > 0 {
			continue
		}
		if t.s.opt.Store == nil && t.s.opt.Now().Sub(e.last) < t.s.opt.Idle {
			return false
		}
		t.expire(e, fmt.Sprintf("session %s had to make room and has expired; start a new one, or run the server with --store", e.id))
		return true
	}
	return false
}

// expire drops an entry that nobody uses. In a store it is found again.
func (t *table) expire(e *entry, message string) {
	t.drop(e)
	if t.s.opt.Store == nil {
		t.graves.dig(e.id, "session-expired", message)
		t.s.opt.Tell(context.Background(), Expired{})
	}
}

func (t *table) drop(e *entry) {
	e.gone = true
	t.lru.Remove(e.place)
	delete(t.entries, e.id)
}

// take waits for a session's turn. The caller gives it back.
func (t *table) take(ctx context.Context, id string) (*entry, *Fault) {
	e, mine, f := t.acquire(ctx, id)
	if mine {
		return t.load(e)
	}
	return e, f
}

// acquire is take without reading anything: mine says that the entry is new and
// empty.
func (t *table) acquire(ctx context.Context, id string) (e *entry, mine bool, f *Fault) {
	for {
		e, mine, f := t.find(id)
		if f != nil || mine {
			return e, mine, f
		}
		select {
		case e.turn <- struct{}{}:
		case <-ctx.Done():
			t.leave(e)
			return nil, false, TimedOut()
		}
		if !e.gone {
			return e, false, nil
		}
		t.give(e)
	}
}

// find returns the entry of a session with a use of it; mine says that it is new
// and the caller must load it.
func (t *table) find(id string) (e *entry, mine bool, f *Fault) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sweep()
	if e = t.entries[id]; e == nil {
		if f := t.graves.why[id]; f != nil {
			return nil, false, f
		}
		if t.s.opt.Store == nil {
			return nil, false, t.unknown(id)
		}
		e, f = t.insert(id)
		return e, f == nil, f
	}
	if e.users > t.s.opt.MaxWaiting {
		return nil, false, &Fault{tooMany, "session-busy", fmt.Sprintf("%d requests of session %s are waiting", e.users-1, id)}
	}
	e.users++
	return e, false, nil
}

// load reads a stored session into its new entry.
func (t *table) load(e *entry) (*entry, *Fault) {
	data, err := t.s.opt.Store.Get(e.id)
	if err == nil {
		e.record, e.session, err = decodeRecord(t.s.policy, e.id, data)
	}
	if err == nil {
		return e, nil
	}
	t.forget(e)
	t.give(e)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, t.unknown(e.id)
	}
	return nil, &Fault{internalFailure, "store-failed", fmt.Sprintf("session %s cannot be read back: %v", e.id, err)}
}

// unknown is the answer for a session that is not there.
func (t *table) unknown(id string) *Fault {
	why := ""
	if t.s.opt.Store == nil {
		why = "; without --store sessions end with the server"
	}
	return &Fault{notFound, "session-unknown", fmt.Sprintf("no session %.128s%s", id, why)}
}

// forget takes an entry out of the table while the caller has its turn: what it
// holds is not what the store holds.
func (t *table) forget(e *entry) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !e.gone {
		t.drop(e)
	}
}

// bury forgets an entry for good.
func (t *table) bury(e *entry, code, message string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.drop(e)
	t.graves.dig(e.id, code, message)
}

// give gives the turn back.
func (t *table) give(e *entry) {
	<-e.turn
	t.leave(e)
}

// leave ends a use of an entry.
func (t *table) leave(e *entry) {
	t.mu.Lock()
	defer t.mu.Unlock()
	e.users--
	e.last = t.s.opt.Now()
	if !e.gone {
		t.lru.MoveToFront(e.place)
	}
}

// live counts the sessions in memory.
func (t *table) live() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sweep()
	return len(t.entries)
}
