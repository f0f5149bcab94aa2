package approval

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/secure-systems-lab/go-securesystemslib/dsse"

	"github.com/gbt-policy/gbt/artifacts"
)

// logVersion is the only version of a decision, and payloadType what its envelope
// says it is.
const (
	logVersion  = 1
	payloadType = "application/vnd.gbt.decision+json"
	maxLine     = 1 << 20
)

// The actions.
const (
	Accept = "accept"
	Reject = "reject"
	Edit   = "edit"
)

// Decision is what a person decided about a gate. Its fields stand in the order of
// the file.
type Decision struct {
	Version     int      `json:"version"`
	Number      int      `json:"number"`   // of the line, from 1
	Previous    string   `json:"previous"` // SHA-256 of the line before, hex; empty in the first
	Action      string   `json:"action"`
	Gate        string   `json:"gate"` // id of what was decided about
	Scope       string   `json:"scope"`
	Macros      []string `json:"macros"`
	Disposition string   `json:"disposition"`
	Expr        string   `json:"expr"`   // of the gate, or the new one of an edit
	Made        string   `json:"made"`   // id of the gate that is enforced from now on; empty for a rejection
	Shown       string   `json:"shown"`  // of an edit: why it is at least as tight
	Policy      string   `json:"policy"` // digest of the policy that was decided about
	Reason      string   `json:"reason"`
	Key         string   `json:"key"` // the reviewer's public key, base64
}

// KeyID names the reviewer's key, as signatures of policies do.
func (d *Decision) KeyID() string {
	key, _ := base64.StdEncoding.DecodeString(d.Key) // ReadLog has checked it
	return artifacts.KeyID(key)
}

// Log is a file of decisions that was verified.
type Log struct {
	Decisions []Decision
	data      []byte
	last      string // digest of the last line
}

// envelope is a DSSE envelope with its fields in one order, so that a decision has
// one line.
type envelope struct {
	PayloadType string      `json:"payloadType"`
	Payload     string      `json:"payload"`
	Signatures  []signature `json:"signatures"`
}

type signature struct {
	KeyID string `json:"keyid"`
	Sig   string `json:"sig"`
}

// Append signs a decision and adds it; its number, its predecessor and its key are
// filled in.
func (l *Log) Append(d Decision, key ed25519.PrivateKey) error {
	if strings.TrimSpace(d.Reason) == "" {
		return errors.New("a decision needs a reason")
	}
	public := key.Public().(ed25519.PublicKey)
	d.Version, d.Number, d.Previous, d.Key = logVersion, len(l.Decisions)+1, l.last, base64.StdEncoding.EncodeToString(public)
	if d.Macros == nil {
		d.Macros = []string{}
	}
	payload, err := json.Marshal(d)
	if err != nil {
		return err
	}
	sig := ed25519.Sign(key, dsse.PAE(payloadType, payload))
	line, err := json.Marshal(envelope{payloadType, base64.StdEncoding.EncodeToString(payload),
		[]signature{{artifacts.KeyID(public), base64.StdEncoding.EncodeToString(sig)}}})
	if err != nil {
		return err
	}
	l.Decisions = append(l.Decisions, d)
	l.data = append(append(l.data, line...), '\n')
	l.last = digest(line)
	return nil
}

// Bytes is the file.
func (l *Log) Bytes() []byte { return l.data }

func digest(line []byte) string {
	sum := sha256.Sum256(line)
	return hex.EncodeToString(sum[:])
}

// LineError says which line of a file of decisions is refused.
type LineError struct {
	Line int
	Err  error
}

// Error has the line first, as messages about files do.
func (e *LineError) Error() string { return fmt.Sprintf("%d: %v", e.Line, e.Err) }

// Unwrap is the cause.
func (e *LineError) Unwrap() error { return e.Err }

// ReadLog verifies a file of decisions. Every line must be signed by the key that
// it names and follow the line before it. With trusted keys, each must be one of
// them; without, nothing is known of who decided.
func ReadLog(data []byte, trust artifacts.Trust) (*Log, error) {
	l := &Log{data: slices.Clone(data)}
	if len(data) > 0 && !bytes.HasSuffix(data, []byte("\n")) {
		return nil, &LineError{bytes.Count(data, []byte("\n")) + 1, errors.New("the line is cut off: restore the file from version control")}
	}
	for line := range bytes.Lines(data) {
		line = bytes.TrimSuffix(line, []byte("\n"))
		d, err := readLine(line, trust)
		switch {
		case err != nil:
		case d.Number != len(l.Decisions)+1 || d.Previous != l.last:
			err = errors.New("it does not follow the line before it: a decision was changed, moved or taken out")
		}
		if err != nil {
			return nil, &LineError{len(l.Decisions) + 1, err}
		}
		l.Decisions = append(l.Decisions, *d)
		l.last = digest(line)
	}
	return l, nil
}

var errChanged = errors.New("no signed decision, or a changed one: restore the line from version control")

// readLine opens one envelope. What would not be written the same again is refused,
// so that a decision has one form.
func readLine(line []byte, trust artifacts.Trust) (*Decision, error) {
	var env envelope
	if len(line) > maxLine || json.Unmarshal(line, &env) != nil || env.PayloadType != payloadType || len(env.Signatures) != 1 {
		return nil, errChanged
	}
	payload, err := base64.StdEncoding.DecodeString(env.Payload)
	if err != nil {
		return nil, errChanged
	}
	var d Decision
	if json.Unmarshal(payload, &d) != nil || d.Version != logVersion {
		return nil, errChanged
	}
	if again, err := json.Marshal(d); err != nil || !bytes.Equal(again, payload) {
		return nil, errChanged
	}
	if again, err := json.Marshal(env); err != nil || !bytes.Equal(again, line) {
		return nil, errChanged
	}
	key, err := base64.StdEncoding.DecodeString(d.Key)
	if err != nil || len(key) != ed25519.PublicKeySize || artifacts.KeyID(key) != env.Signatures[0].KeyID {
		return nil, errChanged
	}
	sig, err := base64.StdEncoding.DecodeString(env.Signatures[0].Sig)
	if err != nil || !ed25519.Verify(key, dsse.PAE(payloadType, payload), sig) {
		return nil, errChanged
	}
	if !trust.Allows(key) {
		return nil, fmt.Errorf("decided by %s, which is not trusted", artifacts.KeyID(key))
	}
	return &d, nil
}

// Rejected says of a gate's scope and canonical expression whether the last
// decision about it was to reject it.
func (l *Log) Rejected(scope, expr string) bool {
	rejected := false
	for i := range l.Decisions {
		if d := &l.Decisions[i]; d.Scope == scope && d.Expr == expr {
			rejected = d.Action == Reject
		}
	}
	return rejected
}

// Of is the last decision that made a gate, or nil.
func (l *Log) Of(id string) *Decision {
	for i := len(l.Decisions) - 1; i >= 0; i-- {
		if d := &l.Decisions[i]; d.Made == id {
			return d
		}
	}
	return nil
}
