package tasks

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/gbt-policy/gbt/internal/receipts"
	"github.com/gbt-policy/gbt/internal/redact"
	"github.com/gbt-policy/gbt/internal/stores"
)

// Options are the settings of a Book. The zero Options take the defaults named at
// the fields (requirement Z4).
type Options struct {
	Beat  time.Duration    // how often a process says that it lives; default 10 seconds
	Reap  time.Duration    // how often zombies are looked for; default 10 seconds
	Stale time.Duration    // how long it may be silent; default 60 seconds
	Now   func() time.Time // default time.Now
}

func (o Options) withDefaults() Options {
	for _, d := range []struct {
		v *time.Duration
		d time.Duration
	}{{&o.Beat, 10 * time.Second}, {&o.Reap, 10 * time.Second}, {&o.Stale, time.Minute}} {
		if *d.v <= 0 {
			*d.v = d.d
		}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// Book keeps tasks in a database.
type Book struct {
	db    stores.Database
	key   *sealer
	clean cleaner
	opt   Options
}

// Open opens the book of a database. Its key lies beside it, in a file whose name
// ends in .key, and is made where neither has been used.
func Open(db stores.Database, opt Options) (*Book, error) {
	d, err := redact.New()
	if err != nil {
		return nil, err
	}
	b := &Book{db: db, clean: cleaner{d}, opt: opt.withDefaults()}
	name := db.Path() + keySuffix
	_, missing := os.Stat(name)
	if b.key, err = openKey(name); err != nil {
		return nil, err
	}
	if err := b.known(name); err != nil {
		if missing != nil && errors.Is(err, ErrKey) {
			os.Remove(name) // made for nothing
		}
		return nil, err
	}
	return b, nil
}

const keyID = "key"

// known says whether the key is the one that the database was begun with.
func (b *Book) known(name string) error {
	mine, err := b.key.sign(&Task{ID: keyID})
	if err != nil {
		return err
	}
	var there []byte
	err = b.db.View(func(tx stores.Tx) (err error) {
		there, err = tx.Get(stores.Meta, keyID)
		return err
	})
	if err != nil || string(there) == mine {
		return err
	}
	return b.db.Update(func(tx stores.Tx) error {
		switch there, err := tx.Get(stores.Meta, keyID); {
		case err != nil:
			return err
		case there == nil:
			return tx.Put(stores.Meta, keyID, []byte(mine))
		case string(there) != mine:
			return fmt.Errorf("%w: %s was not sealed with %s; put its own key file back", ErrKey, b.db.Path(), name)
		}
		return nil
	})
}

// Options are the settings in force.
func (b *Book) Options() Options { return b.opt }

// Path is the database's file.
func (b *Book) Path() string { return b.db.Path() }

// Close closes the database.
func (b *Book) Close() error { return b.db.Close() }

func (b *Book) now() int64 { return b.opt.Now().UnixMilli() }

// part is the key of the n-th value of a task.
func part(id string, n int64) string {
	return id + "/" + fmt.Sprintf("%016x", n)
}

// load reads a task in a transaction.
func (b *Book) load(tx stores.Tx, id string) (*Task, error) {
	if err := CheckID(id); err != nil {
		return nil, err
	}
	data, err := tx.Get(stores.Tasks, id)
	if err != nil {
		return nil, err
	}
	if data == nil {
		return nil, fmt.Errorf("session %s: %w", id, ErrNotFound)
	}
	t, err := decodeTask(data)
	if err != nil {
		return nil, fmt.Errorf("session %s: %w", id, err)
	}
	if t.ID != id {
		return nil, fmt.Errorf("session %s: %w: another stands there", id, ErrTampered)
	}
	return t, b.key.check(t)
}

// store writes a task that changed, with the receipts of the change.
func (b *Book) store(tx stores.Tx, t *Task, drafts []receipts.Receipt) error {
	now := b.now()
	for i := range drafts {
		r := &drafts[i]
		if err := b.finish(r, t, now); err != nil {
			return err
		}
		head, err := t.Head.Next(t.ID, r)
		if err != nil {
			return err
		}
		data, err := r.Encode()
		if err != nil {
			return err
		}
		if err := tx.Put(stores.Receipts, part(t.ID, r.Seq), data); err != nil {
			return err
		}
		t.Head = head
	}
	t.Rev++
	t.Updated = now
	mac, err := b.key.sign(t)
	if err != nil {
		return err
	}
	t.Mac = mac
	data, err := json.Marshal(t)
	if err != nil {
		return err
	}
	return tx.Put(stores.Tasks, t.ID, data)
}

// finish takes the secrets out of a receipt and fills in what every one has.
func (b *Book) finish(r *receipts.Receipt, t *Task, now int64) (err error) {
	if r.Payload, err = b.clean.payload(r.Payload); err != nil {
		return err
	}
	r.Tool, r.Reason = b.clean.text("", r.Tool), b.clean.text("", r.Reason)
	r.Policy, r.Time = t.Policy, now
	if r.Kind == receipts.Call {
		r.Key = receipts.IDOf(t.ID, t.Head.Count+1)
	}
	return nil
}

// change changes a task in one transaction, with the receipts of the change.
func (b *Book) change(id string, do func(tx stores.Tx, t *Task) ([]receipts.Receipt, error)) (out *Task, err error) {
	err = b.db.Update(func(tx stores.Tx) error {
		t, err := b.load(tx, id)
		if err != nil {
			return err
		}
		drafts, err := do(tx, t)
		if err != nil {
			return err
		}
		if err := b.store(tx, t, drafts); err != nil {
			return err
		}
		out = t
		return nil
	})
	return out, err
}

// turn puts a task into another state, if there is a way, and makes the receipt.
func turn(t *Task, to State, why string) (receipts.Receipt, error) {
	if !May(t.State, to) {
		return receipts.Receipt{}, wrongWay(t.ID, t.State, to)
	}
	r := receipts.Receipt{Kind: receipts.State, From: string(t.State), To: string(to), Reason: why}
	t.State, t.Reason = to, why
	if to != Running {
		t.Owner = ""
	}
	return r, nil
}

// New is a task to be made.
type New struct {
	ID, Kind, Title string
	Policy          string
	Data            []byte // what it needs to begin
	Payload         []byte // what its receipt shows: settings and limits
}

// Create makes a task, which is queued.
func (b *Book) Create(n New) (*Task, error) {
	t := &Task{Version: version, ID: n.ID, Kind: n.Kind, State: Queued, Policy: n.Policy, Created: b.now(),
		Title: cut(b.clean.text("", n.Title), maxTitle), Stale: b.opt.Stale.Milliseconds(), Beat: b.opt.Beat.Milliseconds()}
	if err := CheckID(n.ID); err != nil {
		return nil, err
	}
	err := b.db.Update(func(tx stores.Tx) error {
		if there, err := tx.Get(stores.Tasks, n.ID); err != nil || there != nil {
			return errors.Join(err, fmt.Errorf("session %s: %w", n.ID, ErrExists))
		}
		return b.create(tx, t, &n)
	})
	return t, err
}

func (b *Book) create(tx stores.Tx, t *Task, n *New) error {
	if err := b.count(tx, 1); err != nil {
		return err
	}
	if err := b.putData(tx, t, n.Data); err != nil {
		return err
	}
	return b.store(tx, t, []receipts.Receipt{{Kind: receipts.Created, To: string(t.State), Reason: t.Title, Payload: n.Payload}})
}

// putData writes what a task needs to go on, sealed. The task, which is stored after
// it, keeps its sum: older bytes of the same task do not pass for it.
func (b *Book) putData(tx stores.Tx, t *Task, data []byte) error {
	out := b.key.seal(t.ID, data)
	t.Sum = sumOf(out)
	return tx.Put(stores.Sessions, t.ID, out)
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:16])
}

// censusKey counts the tasks, so that one who takes a whole one out is found.
const censusKey = "census"

func (b *Book) count(tx stores.Tx, by int64) error {
	n, err := b.census(tx)
	if err != nil {
		return err
	}
	c := Task{ID: censusKey, Rev: n + by}
	mac, err := b.key.sign(&c)
	if err != nil {
		return err
	}
	return tx.Put(stores.Meta, censusKey, []byte(strconv.FormatInt(n+by, 10)+" "+mac))
}

func (b *Book) census(tx stores.Tx) (int64, error) {
	data, err := tx.Get(stores.Meta, censusKey)
	if err != nil || data == nil {
		return 0, err
	}
	num, mac, _ := bytes.Cut(data, []byte(" "))
	n, err := strconv.ParseInt(string(num), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("the count of sessions: %w", ErrTampered)
	}
	return n, b.key.check(&Task{ID: censusKey, Rev: n, Mac: string(mac)})
}
