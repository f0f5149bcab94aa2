package receipts

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
)

// Version is that of a receipt. Numbers are never reused.
const Version = 1

// Kind is what a receipt says.
type Kind string

// The kinds of receipts.
const (
	Created Kind = "created" // the session began
	State   Kind = "state"   // it went From one state To another
	Policy  Kind = "policy"  // another policy is in force from here on; consents of the old one are void
	Call    Kind = "call"    // a call was dispatched: written before it ran
	Stopped Kind = "stopped" // a call was stopped, and did not run
	Outcome Kind = "outcome" // what came of the call Of
	Unknown Kind = "unknown" // nobody could say whether the call Of ran
	Settled Kind = "settled" // whether the call Of ran was found out after a crash: Fate
	Consent Kind = "consent" // somebody answered a question
	Check   Kind = "check"   // a completion check was executed
	Undo    Kind = "undo"    // the call Of was reversed, or could not be: Reversal
	Dropped Kind = "dropped" // the snapshots are gone: no call before is reversible any more
)

// Snapshot is how the state before a call was kept.
type Snapshot string

// The tiers of snapshots (requirement Z2).
const (
	AuditOnly Snapshot = "audit_only" // it was not kept
	CopyFS    Snapshot = "copyfs"     // copies
	COW       Snapshot = "cow"        // copy-on-write
)

// Reversal is where the reversal of a call stands.
type Reversal string

// The states of a reversal (requirement Z2).
const (
	NotReversed   Reversal = "audit_only" // the receipt is there for audit alone
	Reversible    Reversal = "reversible"
	Externally    Reversal = "reversed_externally"
	Irrecoverable Reversal = "irrecoverable"
)

// Fate is what is known of a call whose outcome was not written. The zero value is
// that nothing is.
type Fate string

// The fates.
const (
	FateUnknown Fate = ""
	Ran         Fate = "ran"
	NotRun      Fate = "not-run"
)

// Receipt is one line of a session's chain. Fields stand in this order.
type Receipt struct {
	Version  int             `json:"v"`
	ID       string          `json:"id"`
	Session  string          `json:"session"`
	Seq      int64           `json:"seq"` // from 1
	Kind     Kind            `json:"kind"`
	Of       string          `json:"of,omitempty"`       // the receipt that this one speaks of
	Key      string          `json:"key,omitempty"`      // idempotency key of a call
	Tool     string          `json:"tool,omitempty"`     // of a call
	Tier     string          `json:"tier,omitempty"`     // of a call: requirement Z1
	Snapshot Snapshot        `json:"snapshot,omitempty"` // of a call
	Mark     string          `json:"mark,omitempty"`     // name of the snapshot, for a reverser
	Reversal Reversal        `json:"reversal,omitempty"` // of a call, and of its undo
	From     string          `json:"from,omitempty"`     // of a change: state or policy
	To       string          `json:"to,omitempty"`
	Fate     Fate            `json:"fate,omitempty"`
	Reason   string          `json:"reason,omitempty"`
	Payload  json.RawMessage `json:"payload,omitempty"` // without secrets
	Decision string          `json:"decision,omitempty"`
	Policy   string          `json:"policy,omitempty"` // digest of the one in force
	Consent  string          `json:"consent,omitempty"`
	Time     int64           `json:"time"` // milliseconds since 1970
	Prev     string          `json:"prev"` // hash of the receipt before; empty for the first
	Hash     string          `json:"hash"`
}

// ErrReceipt is wrapped by errors about bytes that are no receipt.
var ErrReceipt = errors.New("not a receipt")

// sum is the receipt's hash.
func (r Receipt) sum() (string, error) {
	r.Hash = ""
	data, err := json.Marshal(&r)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrReceipt, err)
	}
	h := sha256.Sum256(append([]byte("gbt receipt 1\x00"), data...))
	return hex.EncodeToString(h[:]), nil
}

// Seal sets the hash of a receipt whose other fields are set.
func (r *Receipt) Seal() (err error) {
	r.Version = Version
	r.Hash, err = r.sum()
	return err
}

// Encode is the receipt's one encoding.
func (r *Receipt) Encode() ([]byte, error) { return json.Marshal(r) }

// Decode reads a receipt, and refuses what does not encode back to the same bytes
// or has another hash than it says.
func Decode(data []byte) (*Receipt, error) {
	var r Receipt
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrReceipt, err)
	}
	if r.Version != Version {
		return nil, fmt.Errorf("%w: version %d, this program reads %d", ErrReceipt, r.Version, Version)
	}
	if again, err := r.Encode(); err != nil || !bytes.Equal(again, data) {
		return nil, fmt.Errorf("%w: it does not encode back to the same bytes", ErrReceipt)
	}
	if sum, err := r.sum(); err != nil || sum != r.Hash {
		return nil, fmt.Errorf("%w: its hash is not that of its content", ErrReceipt)
	}
	return &r, nil
}

// IDOf names the receipt of a session with a number. It says nothing of either.
func IDOf(session string, seq int64) string {
	h := sha256.Sum256(fmt.Appendf(nil, "gbt receipt id 1\x00%s\x00%d", session, seq))
	return hex.EncodeToString(h[:12])
}
