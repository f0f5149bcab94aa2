package artifacts

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A key ring is text: statements, each of lines that change the ring and of
// signatures by keys that the ring held before it (FORMAT.md, "Key rings"). It
// has sequence numbers of policies where others have dates, because the runtime
// reads no clock.
const (
	// RingHead is the first line.
	RingHead = "gbt key ring 1"
	ringType = "application/vnd.gbt.keyring+text"

	// MaxRing bounds the bytes of a ring: some hundred keys.
	MaxRing = 1 << 16
)

// Ring is a key ring that was verified: every statement behind the first is
// signed by keys of those before it.
type Ring struct {
	Root string    // SHA-256 of the first statement, hex: names the ring for ever
	Need int       // how many different keys sign policies, and changes of the ring
	Keys []RingKey // in the order in which they came

	// Size bytes from the start are what the last signatures cover. A ring that
	// has grown out of this one begins with the same bytes.
	Size int
}

// RingKey is a key and the policies it may sign.
type RingKey struct {
	ID       string
	Key      ed25519.PublicKey
	From, To uint64 // the first and the last sequence number; To is MaxSequence before it is retired
	Retired  bool
}

// MaxSequence is the highest sequence number there is.
const MaxSequence = maxCount

// IsRing says whether a file is meant as a key ring.
func IsRing(data []byte) bool { return strings.HasPrefix(string(data), RingHead+"\n") }

// OpenRing verifies a key ring. With a root, it must be the ring of that name;
// without, whoever can replace the file can put another ring in its place.
func OpenRing(data []byte, root string) (*Ring, error) {
	p, err := parseRing(data)
	if err != nil {
		return nil, fmt.Errorf("key ring refused: %w", err)
	}
	if err := p.enough(); err != nil {
		return nil, fmt.Errorf("key ring refused: line %d: %w", p.line, err)
	}
	if root != "" && root != p.ring.Root {
		return nil, fmt.Errorf("key ring refused: it is the ring %s, and %s is trusted", p.ring.Root, root)
	}
	return &p.ring, nil
}

// SignRing adds a signature to the last statement of a ring, which may lack some
// yet, or replaces one by the same key.
func SignRing(data []byte, priv ed25519.PrivateKey) ([]byte, error) {
	if len(priv) != ed25519.PrivateKeySize {
		return nil, fmt.Errorf("artifacts: private key of %d bytes, want %d", len(priv), ed25519.PrivateKeySize)
	}
	p, err := parseRing(data)
	if err != nil {
		return nil, err
	}
	id := KeyID(priv.Public().(ed25519.PublicKey))
	if p.signers[id] == nil {
		return nil, fmt.Errorf("%s may not sign this: the ring does not hold it, or it was retired", id)
	}
	message := data[:p.ring.Size]
	sigs := withSignature(p.sigs, id, ed25519.Sign(priv, pae(ringType, message)))
	if len(sigs) > MaxSignatures {
		return nil, fmt.Errorf("the statement has %d signatures, which is as many as it may have", MaxSignatures)
	}
	out := slices.Clone(message)
	for _, s := range sigs {
		out = append(out, "signed "+s.keyID+" "+base64.StdEncoding.EncodeToString(s.sig)+"\n"...)
	}
	return out, nil
}

// Holds says whether a key of the ring may sign a policy with this sequence number.
func (k *RingKey) Holds(sequence uint64) bool { return k.From <= sequence && sequence <= k.To }

// ringParser reads a ring line by line.
type ringParser struct {
	ring Ring
	data string
	at   int // offset of the next line
	line int // number of the last line

	// Of the statement that is read: who may sign it, how many must, and who has.
	signers map[string]ed25519.PublicKey
	need    int
	sigs    []signature
	changes int
}

func parseRing(data []byte) (*ringParser, error) {
	p := &ringParser{data: string(data)}
	if len(data) > MaxRing {
		return nil, fmt.Errorf("%d bytes, and %d are the limit", len(data), MaxRing)
	}
	for p.at < len(p.data) {
		n := strings.IndexByte(p.data[p.at:], '\n')
		p.line++
		if n < 0 {
			return nil, fmt.Errorf("line %d: it is cut off", p.line)
		}
		text := p.data[p.at : p.at+n]
		if err := p.read(text); err != nil {
			return nil, fmt.Errorf("line %d: %w", p.line, err)
		}
		p.at += n + 1
		if !strings.HasPrefix(text, "signed ") {
			p.ring.Size = p.at
		}
	}
	if p.line < 3 {
		return nil, errors.New("no key ring; gbt keys add makes one")
	}
	if p.ring.Root == "" {
		p.found()
	}
	return p, nil
}

// read takes one line.
func (p *ringParser) read(text string) error {
	word, rest, _ := strings.Cut(text, " ")
	switch {
	case p.line == 1 && text == RingHead:
		return nil
	case p.line == 1:
		return errors.New("no key ring")
	case word == "signed":
		return p.signed(rest)
	}
	if len(p.sigs) > 0 { // the statement before ends here
		if err := p.enough(); err != nil {
			return err
		}
		p.begin()
	}
	first := p.changes == 0
	p.changes++
	switch {
	case word == "need" && first:
		return p.needs(rest)
	case p.line == 2:
		return errors.New("a ring begins with how many signatures it needs")
	case word == "add":
		return p.add(rest)
	case word == "retire":
		return p.retire(rest)
	}
	return fmt.Errorf("%.40q is unknown", text)
}

// begin starts a statement: the keys of the ring as it is now may sign it.
func (p *ringParser) begin() {
	p.need, p.changes, p.sigs, p.signers = p.ring.Need, 0, nil, p.active()
}

func (p *ringParser) active() map[string]ed25519.PublicKey {
	out := map[string]ed25519.PublicKey{}
	for _, k := range p.ring.Keys {
		if !k.Retired {
			out[k.ID] = k.Key
		}
	}
	return out
}

// found ends the changes of the first statement, which its own keys sign.
func (p *ringParser) found() {
	sum := sha256.Sum256([]byte(p.data[:p.ring.Size]))
	p.ring.Root, p.need, p.signers = hex.EncodeToString(sum[:]), p.ring.Need, p.active()
}

// enough says whether the statement that was read last is signed, and leaves a
// ring that can be used.
func (p *ringParser) enough() error {
	if n := len(p.active()); n < p.ring.Need {
		return fmt.Errorf("%d keys are left and %d signatures are needed: add a key in the same statement", n, p.ring.Need)
	}
	if len(p.sigs) < p.need {
		return fmt.Errorf("%d of the %d signatures that are needed by keys of the ring; gbt keys sign adds one", len(p.sigs), p.need)
	}
	return nil
}

func (p *ringParser) needs(text string) error {
	n, err := decimal(text)
	if err != nil || n < 1 || n > MaxSignatures {
		return fmt.Errorf("%.20q is no number of signatures from 1 to %d", text, MaxSignatures)
	}
	p.ring.Need = int(n)
	return nil
}

// add reads "KEY from SEQUENCE".
func (p *ringParser) add(text string) error {
	word, number, ok := strings.Cut(text, " from ")
	key, err := base64.StdEncoding.DecodeString(word)
	if err != nil || !ok || len(key) != ed25519.PublicKeySize || base64.StdEncoding.EncodeToString(key) != word {
		return errors.New("no key; a line is: add KEY from SEQUENCE")
	}
	from, err := decimal(number)
	if err != nil || from < 1 {
		return errors.New("no sequence number from which the key counts")
	}
	id := KeyID(key)
	if p.find(id) != nil {
		return fmt.Errorf("%s is added twice", id)
	}
	p.ring.Keys = append(p.ring.Keys, RingKey{ID: id, Key: key, From: from, To: MaxSequence})
	return nil
}

// retire reads "ID after SEQUENCE".
func (p *ringParser) retire(text string) error {
	id, number, ok := strings.Cut(text, " after ")
	k := p.find(id)
	if !ok || k == nil || k.Retired {
		return fmt.Errorf("no key of the ring to retire; a line is: retire ID after SEQUENCE")
	}
	to, err := decimal(number)
	if err != nil {
		return errors.New("no sequence number after which the key counts no more")
	}
	k.To, k.Retired = to, true
	return nil
}

func (p *ringParser) find(id string) *RingKey {
	for i := range p.ring.Keys {
		if p.ring.Keys[i].ID == id {
			return &p.ring.Keys[i]
		}
	}
	return nil
}

// signed reads "ID SIGNATURE" and verifies it at once.
func (p *ringParser) signed(text string) error {
	if p.changes == 0 {
		return errors.New("a signature of nothing")
	}
	if p.ring.Root == "" {
		p.found()
	}
	id, word, _ := strings.Cut(text, " ")
	sig, err := base64.StdEncoding.DecodeString(word)
	if err != nil || len(sig) != ed25519.SignatureSize || base64.StdEncoding.EncodeToString(sig) != word {
		return errors.New("no signature; a line is: signed ID SIGNATURE")
	}
	key := p.signers[id]
	switch n := len(p.sigs); {
	case key == nil:
		return fmt.Errorf("signed by %.64s, which the ring does not hold here", id)
	case n == MaxSignatures:
		return fmt.Errorf("more than %d signatures", MaxSignatures)
	case n > 0 && p.sigs[n-1].keyID >= id:
		return errors.New("signatures are not in the order of their ids")
	case !ed25519.Verify(key, pae(ringType, []byte(p.data[:p.ring.Size])), sig):
		return fmt.Errorf("bad signature by %s: a line before it was changed", id)
	}
	p.sigs = append(p.sigs, signature{id, sig})
	return nil
}

// decimal reads a number in its one form.
func decimal(s string) (uint64, error) {
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil || n > MaxSequence || strconv.FormatUint(n, 10) != s {
		return 0, errors.New("no number")
	}
	return n, nil
}
