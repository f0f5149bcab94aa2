package tasks

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/gbt-policy/gbt/internal/receipts"
)

// Ledger knows, outside of this process, what became of calls by their idempotency
// keys: a service that takes keys, an environment that can be put back.
type Ledger interface {
	// Settle says whether a call ran. NotRun is a promise that it never will under this
	// key; what it is not sure of is FateUnknown. outcome is what came of one that ran.
	Settle(p Pending) (fate receipts.Fate, outcome json.RawMessage, err error)
}

// Settlement is what was found out about a call.
type Settlement struct {
	Pending
	Fate    receipts.Fate
	Outcome json.RawMessage
}

// Settle finds out what became of the calls that an earlier owner dispatched, and
// commits each with the change that take makes of it: what the run needs to go on
// must say, in the same transaction, that the call ran or is still to be done. A call
// that is to be done is checked again, under the policy now in force, before it is
// dispatched under a new key.
//
// Where nobody knows, the receipt says so and the error wraps ErrUnsettled: nothing
// can be dispatched until a person has said it (Book.Say).
func (r *Run) Settle(l Ledger, take func(Settlement) (Change, error)) error {
	open := 0
	for _, p := range r.Task().Pending {
		s, by, err := r.fate(l, p)
		if err != nil {
			return fmt.Errorf("call %s: %w", p.Receipt, err)
		}
		if s.Fate == receipts.FateUnknown {
			open++
			if !p.Asked {
				err = r.Commit(Change{Drafts: []receipts.Receipt{{Kind: receipts.Unknown, Of: p.Receipt}}})
			}
		} else {
			err = r.settled(&s, by, take)
		}
		if err != nil {
			return err
		}
	}
	if open > 0 {
		return fmt.Errorf("session %s: %w: %d of them", r.task.ID, ErrUnsettled, open)
	}
	r.unsettled = false
	return nil
}

// fate asks the person's word first, then the ledger.
func (r *Run) fate(l Ledger, p Pending) (s Settlement, by string, err error) {
	s = Settlement{Pending: p, Fate: p.Said}
	if s.Fate != receipts.FateUnknown {
		return s, "a person said so", nil
	}
	if l != nil {
		s.Fate, s.Outcome, err = l.Settle(p)
	}
	return s, "the ledger says so", err
}

func (r *Run) settled(s *Settlement, by string, take func(Settlement) (Change, error)) error {
	c, err := take(*s)
	if err != nil {
		return err
	}
	c.Drafts = append([]receipts.Receipt{{Kind: receipts.Settled, Of: s.Receipt, Fate: s.Fate, Payload: s.Outcome, Reason: by}}, c.Drafts...)
	return r.Commit(c)
}

// Say records what a person found out about a call of a run that is not under way:
// it ran, or it did not. by is who says so. Whoever resumes the run goes by it.
func (b *Book) Say(id, receipt string, fate receipts.Fate, by string) error {
	if fate != receipts.Ran && fate != receipts.NotRun {
		return fmt.Errorf("session %s: say that the call ran or did not", id)
	}
	_, err := b.changeIdle(id, func(t *Task) ([]receipts.Receipt, error) {
		i := slices.IndexFunc(t.Pending, func(p Pending) bool { return p.Receipt == receipt })
		if i < 0 {
			return nil, fmt.Errorf("session %s: no call %.40q waits for an outcome", id, receipt)
		}
		t.Pending[i].Said = fate
		return []receipts.Receipt{{Kind: receipts.Consent, Of: receipt, Fate: fate, Reason: "said by " + by}}, nil
	})
	return err
}
