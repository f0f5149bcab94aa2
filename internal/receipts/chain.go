package receipts

import "fmt"

// Head is where a chain stands: how many receipts it has and the last hash.
type Head struct {
	Count int64  `json:"count"`
	Hash  string `json:"hash,omitempty"`
}

// Next puts a receipt at the end of a session's chain: it sets number, id and
// hashes.
func (h Head) Next(session string, r *Receipt) (Head, error) {
	r.Session, r.Seq, r.Prev = session, h.Count+1, h.Hash
	r.ID = IDOf(session, r.Seq)
	if err := r.Seal(); err != nil {
		return h, err
	}
	return Head{r.Seq, r.Hash}, nil
}

// Chain reads the receipts of a session, one after the other, and finds the first
// that is not the one that was written there.
type Chain struct {
	Session string
	head    Head
	calls   map[string]bool // calls whose outcome has not come yet
}

// Add takes the next receipt's bytes.
func (c *Chain) Add(data []byte) (*Receipt, error) {
	at := c.head.Count + 1
	r, err := Decode(data)
	switch {
	case err != nil:
		return nil, fmt.Errorf("receipt %d: %w", at, err)
	case r.Session != c.Session:
		return nil, fmt.Errorf("receipt %d is one of session %.80q", at, r.Session)
	case r.Seq != at:
		return nil, fmt.Errorf("receipt %d is missing: %d stands there", at, r.Seq)
	case r.ID != IDOf(c.Session, at):
		return nil, fmt.Errorf("receipt %d has the id of another", at)
	case r.Prev != c.head.Hash:
		return nil, fmt.Errorf("receipt %d does not follow the one before it: a receipt was changed, removed or moved", at)
	}
	c.head = Head{r.Seq, r.Hash}
	c.note(r)
	return r, nil
}

func (c *Chain) note(r *Receipt) {
	if c.calls == nil {
		c.calls = map[string]bool{}
	}
	switch {
	case r.Kind == Call:
		c.calls[r.ID] = true
	case r.Kind == Outcome || r.Kind == Settled:
		delete(c.calls, r.Of)
	}
}

// Head is where the chain stands after what was added.
func (c *Chain) Head() Head { return c.head }

// Open are the ids of calls without an outcome so far.
func (c *Chain) Open() int { return len(c.calls) }

// End says whether the chain ends where its head says.
func (c *Chain) End(want Head) error {
	switch {
	case c.head.Count < want.Count:
		return fmt.Errorf("%d receipts are missing at the end", want.Count-c.head.Count)
	case c.head != want:
		return fmt.Errorf("the chain ends at receipt %d, its session says %d", c.head.Count, want.Count)
	}
	return nil
}

// Standing is the last word on the reversal of every call among receipts.
func Standing(list []*Receipt) map[string]Reversal {
	out := map[string]Reversal{}
	for _, r := range list {
		switch r.Kind {
		case Call:
			out[r.ID] = r.Reversal
		case Undo:
			if _, ok := out[r.Of]; ok {
				out[r.Of] = r.Reversal
			}
		case Dropped:
			for id, now := range out {
				if now == Reversible {
					out[id] = NotReversed
				}
			}
		}
	}
	return out
}
