package tasks

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/gbt-policy/gbt/internal/receipts"
	"github.com/gbt-policy/gbt/internal/stores"
)

// Run is a task that this process runs.
type Run struct {
	b     *Book
	task  *Task
	owner string
	data  []byte // as it was claimed
	// unsettled says that a call of an earlier owner has no outcome.
	unsettled bool
}

// Claim is who takes a task, and under which policy.
type Claim struct {
	Owner  string // unique to the process
	Policy string // digest of the policy now in force
	// Gone says that the owner before is known to be gone, because its lock is free:
	// nobody waits then until it is stale.
	Gone bool
}

// Claim takes a task that waits for somebody, and returns it with what it needs to go
// on. A task whose owner is silent becomes a zombie first. Another policy than before
// is in force from here on: its receipt says so.
func (b *Book) Claim(id string, c Claim) (*Run, error) {
	r := &Run{b: b, owner: c.Owner}
	var err error
	r.task, err = b.change(id, func(tx stores.Tx, t *Task) ([]receipts.Receipt, error) {
		var drafts []receipts.Receipt
		if t.State == Running {
			lives, err := b.lives(tx, t)
			if err != nil {
				return nil, err
			}
			if lives && !c.Gone {
				return nil, fmt.Errorf("session %s: %w", id, ErrOwned)
			}
			d, err := turn(t, Zombie, "its process is gone")
			if err != nil {
				return nil, err
			}
			drafts = append(drafts, d)
		}
		d, err := turn(t, Running, "")
		if err != nil {
			return nil, err
		}
		drafts = append(drafts, d)
		t.Owner, t.Stale, t.Beat = c.Owner, b.opt.Stale.Milliseconds(), b.opt.Beat.Milliseconds()
		if t.Policy != c.Policy {
			drafts = append(drafts, receipts.Receipt{Kind: receipts.Policy, From: t.Policy, To: c.Policy})
			t.Policy = c.Policy
		}
		if r.data, err = b.data(tx, t); err != nil {
			return nil, err
		}
		return drafts, b.beat(tx, c.Owner)
	})
	if err != nil {
		return nil, err
	}
	r.unsettled = len(r.task.Pending) > 0
	return r, nil
}

// Task is where the task stands. Data is what it was left with when it was claimed.
func (r *Run) Task() Task {
	t := *r.task
	t.Pending = slices.Clone(t.Pending)
	return t
}

// Data is what the task was left with when it was claimed.
func (r *Run) Data() []byte { return r.data }

// Change is what one commit of a run writes.
type Change struct {
	To     State  // the next state; empty to stay
	Reason string // why
	Data   []byte // what it needs to go on; nil to keep what is there
	Parts  [][]byte
	Steps  int64
	Drafts []receipts.Receipt
}

// Commit writes a change, all of it or nothing. It is refused with ErrChanged where
// the task is not what this run left it as: somebody cancelled it or took it over.
func (r *Run) Commit(c Change) error {
	t, err := r.b.change(r.task.ID, func(tx stores.Tx, t *Task) ([]receipts.Receipt, error) {
		if t.Rev != r.task.Rev || t.Owner != r.owner || t.State != Running {
			return nil, fmt.Errorf("session %s is %s: %w", t.ID, t.State, ErrChanged)
		}
		if err := r.b.apply(tx, t, &c); err != nil {
			return nil, err
		}
		if t.State != Running {
			return c.Drafts, tx.Delete(stores.Owners, r.owner)
		}
		return c.Drafts, r.b.beat(tx, r.owner)
	})
	if err != nil {
		return err
	}
	r.task = t
	return nil
}

// apply writes all of a change but its receipts.
func (b *Book) apply(tx stores.Tx, t *Task, c *Change) error {
	if c.Steps > 0 {
		t.Steps = c.Steps
	}
	if c.To != "" && c.To != t.State {
		d, err := turn(t, c.To, b.clean.text("", c.Reason))
		if err != nil {
			return err
		}
		c.Drafts = append(c.Drafts, d)
	}
	for i := range c.Drafts {
		c.Drafts[i].Tool = b.clean.text("", c.Drafts[i].Tool) // the list of calls shows it too
		if err := note(t, &c.Drafts[i], t.Head.Count+int64(i)+1); err != nil {
			return err
		}
	}
	for _, p := range c.Parts {
		t.Parts++
		if err := tx.Put(stores.Sessions, part(t.ID, t.Parts), b.key.seal(part(t.ID, t.Parts), p)); err != nil {
			return err
		}
	}
	if c.Data == nil {
		return nil
	}
	return b.putData(tx, t, c.Data)
}

// note keeps the list of calls that have no outcome. seq is the number that the
// receipt will have.
func note(t *Task, r *receipts.Receipt, seq int64) error {
	switch r.Kind {
	case receipts.Call:
		id := receipts.IDOf(t.ID, seq)
		t.Calls++
		t.Pending = append(t.Pending, Pending{Receipt: id, Key: id, Tool: r.Tool, Policy: t.Policy, Mark: r.Mark})
	case receipts.Outcome, receipts.Settled, receipts.Unknown:
		i := slices.IndexFunc(t.Pending, func(p Pending) bool { return p.Receipt == r.Of })
		if i < 0 {
			return fmt.Errorf("session %s: no call %.40q waits for an outcome", t.ID, r.Of)
		}
		if r.Kind == receipts.Unknown {
			t.Pending[i].Asked = true
			return nil
		}
		if r.Kind == receipts.Settled && r.Fate != receipts.Ran && r.Fate != receipts.NotRun {
			return fmt.Errorf("session %s: the fate of call %s: %q is none", t.ID, r.Of, r.Fate)
		}
		t.Pending = slices.Delete(t.Pending, i, i+1)
	}
	return nil
}

// Call is a call that may run now.
type Call struct {
	Tool, Tier        string
	Args              []byte
	Decision, Consent string
	Snapshot          receipts.Snapshot
	Mark              string
}

// Draft is the receipt of a call: what it claims about reversing it follows from tier
// and snapshot, and never says more than both (requirement Z3).
func (c *Call) Draft() receipts.Receipt {
	r := receipts.Receipt{Kind: receipts.Call, Tool: c.Tool, Tier: c.Tier, Payload: c.Args, Decision: c.Decision, Consent: c.Consent,
		Snapshot: c.Snapshot, Mark: c.Mark, Reversal: receipts.NotReversed}
	if r.Snapshot == "" {
		r.Snapshot = receipts.AuditOnly
	}
	if r.Snapshot != receipts.AuditOnly && c.Tier == LocalTier {
		r.Reversal = receipts.Reversible
	}
	return r
}

// LocalTier is the name of the only tier whose effects a snapshot takes back (Z1).
const LocalTier = "local-reversible"

// Dispatch writes that a call runs now, with the state that the run is in. Only when
// it returns without an error may the call run; key is its idempotency key.
func (r *Run) Dispatch(c Call, with Change) (key string, err error) {
	if r.unsettled {
		return "", fmt.Errorf("session %s: %w", r.task.ID, ErrUnsettled)
	}
	with.Drafts = append(with.Drafts, c.Draft())
	if err := r.Commit(with); err != nil {
		return "", err
	}
	return r.task.Pending[len(r.task.Pending)-1].Key, nil
}

// Outcome writes what came of the call of a key, with the state after it.
func (r *Run) Outcome(key string, result any, c Change) error {
	payload, err := json.Marshal(result)
	if err != nil {
		return err
	}
	c.Drafts = append([]receipts.Receipt{{Kind: receipts.Outcome, Of: key, Payload: payload}}, c.Drafts...)
	return r.Commit(c)
}

// Beat tells that this process lives. It may be called from another goroutine.
func (r *Run) Beat() error {
	return r.b.db.Update(func(tx stores.Tx) error { return r.b.beat(tx, r.owner) })
}
