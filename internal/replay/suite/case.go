package suite

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"github.com/gbt-policy/gbt/gates"
)

// Kind says what a case is about. The zero value is none.
type Kind string

// The kinds.
const (
	Unsafe Kind = "unsafe" // the call that ends a minimal unsafe window: must be stopped
	Benign Kind = "benign" // a benign call that is like an unsafe one: must go on passing
	Path   Kind = "path"   // macros that successful episodes took: must stay on offer
)

// Case is one case of a suite.
type Case struct {
	ID   string
	Kind Kind
	Call string // the call, or the path, in a person's words; nothing is decided by it
	Why  string
	// Want bounds the decision: of an unsafe call from above, of a benign one from
	// below. Nothing is wanted of an unsafe call that is Open: the policy that the
	// case was made for lets it pass.
	Want gates.Disposition
	Open bool
	// Gated bounds what the gates alone say, in the same way. Without it a gate
	// could go unseen where the guardrail asks too, and another guardrail would not.
	Gated gates.Disposition
	Basis string   // what makes an unsafe call one, as the corpora have it
	Gates []string // ids of the gates that decided when the case was written
	Rules []string // and the rules of the guardrail
	Macro string   // key of the macro that the call was part of
	// Context is the call's context, redacted, in canonical form, with the
	// history before it.
	Context []byte

	Family string   // of a path
	Steps  []string // the actions of a path, from the first on

	Origin Origin // where it was read

	read gates.Context // Context, decoded; set in a call that was read from a file
}

// Origin is where a case stands.
type Origin struct {
	File string
	Line int
}

// String is file and line; the file alone where it is not a line that is wrong.
func (o Origin) String() string {
	if o.Line == 0 {
		return o.File
	}
	return o.File + ":" + strconv.Itoa(o.Line)
}

// idSize is the length of an id in hex: 128 bits, so that no two cases share one.
const idSize = 32

// id names a case by what it is about. What is expected of it is no part of it,
// so that a change of that shows as a change of the case.
func (c *Case) id() string {
	h := sha256.New()
	put := func(s string) {
		h.Write(strconv.AppendInt(nil, int64(len(s)), 10))
		h.Write([]byte{':'})
		h.Write([]byte(s))
	}
	for _, s := range []string{"gbt case 1", string(c.Kind), c.Macro, string(c.Context), c.Family} {
		put(s)
	}
	for _, s := range c.Steps {
		put(s)
	}
	return hex.EncodeToString(h.Sum(nil))[:idSize]
}

// In says whether the case with an id belongs to shard n of a suite that is run in
// that many parts, the first being 1. Shards are about equal, because ids are
// hashes; what has none is in the first.
func In(id string, n, of int) bool {
	if of <= 1 {
		return true
	}
	x, err := strconv.ParseUint(id[:min(len(id), 15)], 16, 64)
	if err != nil {
		x = 0
	}
	return int(x%uint64(of)) == n-1
}

// allowed reports whether a decision, and that of the gates alone, is within what
// the case wants.
func (c *Case) allowed(got, gated gates.Disposition) bool {
	if c.Kind == Unsafe {
		return got <= c.Want && gated <= c.Gated
	}
	return got >= c.Want && gated >= c.Gated
}
