package artifacts

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"strings"
)

// Trust says whose policies are accepted. The zero Trust accepts a policy of
// unknown origin, and Info.Signed then says false.
type Trust struct {
	// Keys are the accepted signers. With one or more of them, a file is refused
	// unless one of them signed exactly its bytes.
	Keys []ed25519.PublicKey
	// Rings are key rings whose keys are accepted too, each for the sequence
	// numbers that its ring says. A key that a ring retired must not stand in
	// Keys, where it counts for ever.
	Rings []*Ring
	// Need is how many different keys must have signed; 0 stands for 1, and a
	// ring that needs more is obeyed. Without keys, a Need above 0 refuses every
	// file.
	Need int
	// MinSequence refuses policies with a lower sequence number, whoever signed
	// them: it protects against an older policy in the place of a newer one.
	MinSequence uint64
}

// asked says whether a signature is required.
func (t *Trust) asked() bool { return len(t.Keys) > 0 || len(t.Rings) > 0 || t.Need > 0 }

// Needed is how many different keys must have signed.
func (t *Trust) Needed() int {
	need := max(1, t.Need)
	for _, r := range t.Rings {
		need = max(need, r.Need)
	}
	return need
}

// signers returns the ids of the accepted keys that signed, and refuses too few
// of them. A signature by any other key is left out: it says nothing, and a team
// that trusts fewer keys than signed can still read the file. A wrong one under
// an accepted key's name is refused, however many others hold.
func (t *Trust) signers(sigs []signature, message []byte, sequence uint64) ([]string, error) {
	keys, err := t.accepted()
	if err != nil {
		return nil, err
	}
	var ids, not []string
	for _, s := range sigs {
		k := keys.of(s.keyID, sequence)
		switch {
		case k == nil:
			not = append(not, "signed by "+s.keyID+", which is not trusted")
		case !k.Holds(sequence):
			not = append(not, fmt.Sprintf("signed by %s, which the key ring holds for sequence %s, and this policy has %d", s.keyID, k.span(), sequence))
		case !ed25519.Verify(k.Key, message, s.sig):
			return nil, errors.New("bad signature")
		default:
			ids = append(ids, s.keyID)
		}
	}
	need := t.Needed()
	if len(ids) >= need {
		return ids, nil
	}
	if need > 1 {
		not = append([]string{fmt.Sprintf("%d of the %d signatures by different trusted keys that are needed", len(ids), need)}, not...)
	}
	return nil, errors.New(strings.Join(not, "; "))
}

// acceptedKeys are trusted keys. One may stand there more than once.
type acceptedKeys []RingKey

// accepted returns the trusted keys; those of no ring count for every policy.
func (t *Trust) accepted() (acceptedKeys, error) {
	var out acceptedKeys
	for _, k := range t.Keys {
		if len(k) != ed25519.PublicKeySize {
			return nil, fmt.Errorf("trusted key of %d bytes, want %d", len(k), ed25519.PublicKeySize)
		}
		out = append(out, RingKey{ID: KeyID(k), Key: k, From: 1, To: MaxSequence})
	}
	for _, r := range t.Rings {
		out = append(out, r.Keys...)
	}
	return out, nil
}

// of finds a key that counts for a sequence number, or else one that does not.
func (keys acceptedKeys) of(id string, sequence uint64) *RingKey {
	var found *RingKey
	for i := range keys {
		if k := &keys[i]; k.ID == id && (found == nil || k.Holds(sequence)) {
			found = k
		}
	}
	return found
}

// span says for which policies a key counts.
func (k *RingKey) span() string {
	switch {
	case k.To < k.From:
		return "numbers of no policy"
	case k.Retired:
		return fmt.Sprintf("%d to %d", k.From, k.To)
	}
	return fmt.Sprintf("from %d on", k.From)
}

// Allows says whether a key may sign what has no sequence number, as a decision
// about a gate: any key if none is trusted, else one of Keys or one that no ring
// that holds it has retired.
func (t *Trust) Allows(key ed25519.PublicKey) bool {
	keys, err := t.accepted()
	if err != nil || !t.asked() {
		return err == nil
	}
	k := keys.of(KeyID(key), MaxSequence)
	return k != nil && k.Holds(MaxSequence)
}
