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
	// Need is how many different keys must have signed; 0 stands for 1. Without
	// keys, a Need above 0 refuses every file.
	Need int
	// MinSequence refuses policies with a lower sequence number, whoever signed
	// them: it protects against an older policy in the place of a newer one.
	MinSequence uint64
}

// asked says whether a signature is required.
func (t *Trust) asked() bool { return len(t.Keys) > 0 || t.Need > 0 }

// signers returns the ids of the accepted keys that signed, and refuses too few
// of them. A signature by any other key is left out: it says nothing, and a team
// that trusts fewer keys than signed can still read the file. A wrong one under
// an accepted key's name is refused, however many others hold.
func (t *Trust) signers(sigs []signature, message []byte, sequence uint64) ([]string, error) {
	keys, err := t.byID()
	if err != nil {
		return nil, err
	}
	var ids, not []string
	for _, s := range sigs {
		k, ok := keys[s.keyID]
		switch {
		case !ok:
			not = append(not, "signed by "+s.keyID+", which is not trusted")
		case !ed25519.Verify(k, message, s.sig):
			return nil, errors.New("bad signature")
		default:
			ids = append(ids, s.keyID)
		}
	}
	switch need := max(1, t.Need); {
	case len(ids) >= need:
		return ids, nil
	case need > 1:
		not = append([]string{fmt.Sprintf("%d of the %d signatures by different trusted keys that are needed", len(ids), need)}, not...)
	}
	return nil, errors.New(strings.Join(not, "; "))
}

// byID returns the accepted keys by their ids.
func (t *Trust) byID() (map[string]ed25519.PublicKey, error) {
	keys := map[string]ed25519.PublicKey{}
	for _, k := range t.Keys {
		if len(k) != ed25519.PublicKeySize {
			return nil, fmt.Errorf("trusted key of %d bytes, want %d", len(k), ed25519.PublicKeySize)
		}
		keys[KeyID(k)] = k
	}
	return keys, nil
}
