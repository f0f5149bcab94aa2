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
)

// The signature is a DSSE envelope (secure-systems-lab/dsse, protocol 1.0.2)
// around an in-toto statement (in-toto/attestation, Statement v1). Both are
// functions of the unsigned file, the key id and the signature alone, so this
// package writes the one envelope that a file can have and compares; it parses
// no JSON. Tests have both read by the projects' own libraries.
const (
	payloadType   = "application/vnd.in-toto+json"
	predicateType = "https://github.com/gbt-policy/gbt/policy/v1"

	// envelopeSpace is the room kept for an envelope below MaxFile.
	envelopeSpace = 1 << 12
)

// statement returns the exact bytes that are signed.
func statement(h header, digest string) []byte {
	return []byte(`{"_type":"https://in-toto.io/Statement/v1",` +
		`"subject":[{"name":"policy.gbt","digest":{"sha256":"` + digest + `"}}],` +
		`"predicateType":"` + predicateType + `",` +
		`"predicate":{"format":` + strconv.FormatUint(uint64(h.version), 10) +
		`,"sequence":` + strconv.FormatUint(h.sequence, 10) + `}}`)
}

// pae is DSSE's pre-authentication encoding: type and payload, each with its
// length in front, so that no two pairs give the same bytes.
func pae(payloadType string, payload []byte) []byte {
	b := fmt.Appendf(nil, "DSSEv1 %d %s %d ", len(payloadType), payloadType, len(payload))
	return append(b, payload...)
}

// Lengths of the parts of an envelope that are not functions of the file.
const (
	keyIDSize = 2 * sha256.Size // hex
	sigSize   = 88              // base64 of 64 bytes
)

// The envelope around keyid and signature.
const (
	envelopeEnd = `"}]}`
	envelopeMid = `","sig":"`
)

func envelopeStart(payload []byte) string {
	return `{"payload":"` + base64.StdEncoding.EncodeToString(payload) +
		`","payloadType":"` + payloadType + `","signatures":[{"keyid":"`
}

func envelope(payload []byte, keyID string, sig []byte) []byte {
	return []byte(envelopeStart(payload) + keyID + envelopeMid +
		base64.StdEncoding.EncodeToString(sig) + envelopeEnd)
}

// splitEnvelope takes key id and signature out of an envelope that holds
// payload, and refuses every other sequence of bytes.
func splitEnvelope(data, payload []byte) (keyID string, sig []byte, err error) {
	bad := errors.New("damaged signature, or a signature of another policy")
	at := len(envelopeStart(payload))
	if len(data) != at+keyIDSize+len(envelopeMid)+sigSize+len(envelopeEnd) {
		return "", nil, bad
	}
	keyID = string(data[at : at+keyIDSize])
	at += keyIDSize + len(envelopeMid)
	sig, err = base64.StdEncoding.DecodeString(string(data[at : at+sigSize]))
	if err != nil || len(sig) != ed25519.SignatureSize {
		return "", nil, bad
	}
	if id, err := hex.DecodeString(keyID); err != nil || hex.EncodeToString(id) != keyID {
		return "", nil, bad
	}
	if !slices.Equal(data, envelope(payload, keyID, sig)) {
		return "", nil, bad
	}
	return keyID, sig, nil
}

// verify checks the bytes after the unsigned file. Without keys it still
// refuses an envelope that is not one of this file.
func verify(data []byte, h header, digest string, keys []ed25519.PublicKey) (keyID string, signed bool, err error) {
	if len(data) == 0 {
		if len(keys) > 0 {
			err = errors.New("unsigned, and a signature is required")
		}
		return "", false, err
	}
	payload := statement(h, digest)
	keyID, sig, err := splitEnvelope(data, payload)
	if err != nil || len(keys) == 0 {
		return keyID, false, err
	}
	for _, k := range keys {
		if len(k) != ed25519.PublicKeySize {
			return "", false, fmt.Errorf("trusted key of %d bytes, want %d", len(k), ed25519.PublicKeySize)
		}
		if KeyID(k) != keyID {
			continue
		}
		if !ed25519.Verify(k, pae(payloadType, payload), sig) {
			return "", false, errors.New("bad signature")
		}
		return keyID, true, nil
	}
	return "", false, fmt.Errorf("signed by %s, which is not trusted", keyID)
}

// Sign returns the file with a signature by priv. It replaces one that is there
// and refuses a file that Open refuses: nobody signs what can't be used.
func Sign(data []byte, priv ed25519.PrivateKey) ([]byte, error) {
	if len(priv) != ed25519.PrivateKeySize {
		return nil, fmt.Errorf("artifacts: private key of %d bytes, want %d", len(priv), ed25519.PrivateKeySize)
	}
	_, info, err := Open(data, Trust{})
	if err != nil {
		return nil, err
	}
	h, err := readHeader(data)
	if err != nil {
		return nil, err
	}
	payload := statement(h, info.Digest)
	sig := ed25519.Sign(priv, pae(payloadType, payload))
	id := KeyID(priv.Public().(ed25519.PublicKey))
	return append(slices.Clone(data[:h.length]), envelope(payload, id, sig)...), nil
}

// Unsigned returns the part of a file that a signature covers, sharing its
// memory: the bytes whose SHA-256 the statement names.
func Unsigned(data []byte) ([]byte, error) {
	h, err := readHeader(data)
	if err != nil {
		return nil, &Refusal{Step: StepFrame, Err: err}
	}
	return data[:h.length:h.length], nil
}

// Envelope returns the DSSE envelope of a file, or nil if it is unsigned, for
// other tools that read such envelopes. It verifies nothing.
func Envelope(data []byte) ([]byte, error) {
	h, err := readHeader(data)
	if err != nil {
		return nil, &Refusal{Step: StepFrame, Err: err}
	}
	if len(data) == int(h.length) {
		return nil, nil
	}
	return slices.Clone(data[h.length:]), nil
}
