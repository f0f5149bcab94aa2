package tasks

import (
	"encoding/json"
	"fmt"

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

// Settle finds out what became of the calls that an earlier owner dispatched. Those
// that ran are not repeated, those that did not are not skipped: whoever runs the task
// goes on from what is returned. Where the ledger does not know, the receipt says so,
// the error wraps ErrUnsettled, and nothing can be dispatched until a person says.
func (r *Run) Settle(l Ledger) (out []Settlement, err error) {
	open := 0
	for _, p := range r.Task().Pending {
		fate, outcome, err := receipts.FateUnknown, json.RawMessage(nil), error(nil)
		if l != nil {
			if fate, outcome, err = l.Settle(p); err != nil {
				return out, fmt.Errorf("call %s: %w", p.Receipt, err)
			}
		}
		if fate == receipts.FateUnknown {
			open++
			if !p.Asked {
				err = r.Commit(Change{Drafts: []receipts.Receipt{{Kind: receipts.Unknown, Of: p.Receipt}}})
			}
		} else {
			err = r.Commit(Change{Drafts: []receipts.Receipt{{Kind: receipts.Settled, Of: p.Receipt, Fate: fate, Payload: outcome, Reason: "the ledger says so"}}})
			out = append(out, Settlement{p, fate, outcome})
		}
		if err != nil {
			return out, err
		}
	}
	if open > 0 {
		return out, fmt.Errorf("session %s: %w: %d of them", r.task.ID, ErrUnsettled, open)
	}
	r.unsettled = false
	return out, nil
}

// Say records what a person found out about a call of a run that is not under way:
// it ran, or it did not. by is who says so.
func (b *Book) Say(id, receipt string, fate receipts.Fate, by string) error {
	if fate != receipts.Ran && fate != receipts.NotRun {
		return fmt.Errorf("session %s: say that the call ran or did not", id)
	}
	_, err := b.changeIdle(id, func(t *Task) ([]receipts.Receipt, error) {
		d := []receipts.Receipt{
			{Kind: receipts.Consent, Of: receipt, Fate: fate, Reason: "said by " + by},
			{Kind: receipts.Settled, Of: receipt, Fate: fate, Reason: "said by " + by},
		}
		return d, note(t, &d[1], 0)
	})
	return err
}
