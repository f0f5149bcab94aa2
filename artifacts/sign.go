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

// The signature is a DSSE envelope (secure-systems-lab/dsse, protocol 1.0.2)
// around an in-toto statement (in-toto/attestation, Statement v1). Both are
// functions of the unsigned file, the key ids and the signatures alone, so this
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

// MaxSignatures bounds the signatures of a file. Chosen freely: more people than
// this do not approve one policy, and their signatures fit in envelopeSpace.
const MaxSignatures = 8

// The parts of an envelope around its signatures. A signature has one length.
const (
	keyIDSize = 2 * sha256.Size // hex
	sigSize   = 88              // base64 of 64 bytes

	sigStart    = `{"keyid":"`
	sigMid      = `","sig":"`
	sigEnd      = `"}`
	oneSig      = len(sigStart) + keyIDSize + len(sigMid) + sigSize + len(sigEnd)
	envelopeEnd = `]}`
)

// signature is one signature of an envelope: the key's id and 64 bytes.
type signature struct {
	keyID string
	sig   []byte
}

func envelopeStart(payload []byte) string {
	return `{"payload":"` + base64.StdEncoding.EncodeToString(payload) +
		`","payloadType":"` + payloadType + `","signatures":[`
}

// envelope writes the signatures as they come; a file has them in strictly
// increasing order of their ids.
func envelope(payload []byte, sigs ...signature) []byte {
	b := []byte(envelopeStart(payload))
	for i, s := range sigs {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, sigStart+s.keyID+sigMid+base64.StdEncoding.EncodeToString(s.sig)+sigEnd...)
	}
	return append(b, envelopeEnd...)
}

// splitEnvelope takes the signatures out of an envelope that holds payload, and
// refuses every other sequence of bytes.
func splitEnvelope(data, payload []byte) ([]signature, error) {
	bad := errors.New("damaged signature, or a signature of another policy")
	at := len(envelopeStart(payload))
	room := len(data) - at - len(envelopeEnd) + 1 // with a comma behind each
	if room <= 0 || room%(oneSig+1) != 0 || room/(oneSig+1) > MaxSignatures {
		return nil, bad
	}
	var sigs []signature
	for ; room > 0; room, at = room-oneSig-1, at+oneSig+1 {
		s, ok := splitSignature(data[at : at+oneSig])
		if !ok || len(sigs) > 0 && sigs[len(sigs)-1].keyID >= s.keyID {
			return nil, bad
		}
		sigs = append(sigs, s)
	}
	if !slices.Equal(data, envelope(payload, sigs...)) {
		return nil, bad
	}
	return sigs, nil
}

// splitSignature reads what stands at the places of id and signature; the caller
// compares all other bytes.
func splitSignature(data []byte) (s signature, ok bool) {
	at := len(sigStart)
	s.keyID = string(data[at : at+keyIDSize])
	at += keyIDSize + len(sigMid)
	sig, err := base64.StdEncoding.DecodeString(string(data[at : at+sigSize]))
	if err != nil || len(sig) != ed25519.SignatureSize {
		return s, false
	}
	s.sig = sig
	id, err := hex.DecodeString(s.keyID)
	return s, err == nil && hex.EncodeToString(id) == s.keyID
}

// verify checks the bytes after the unsigned file. Without keys it still
// refuses an envelope that is not one of this file.
func verify(data []byte, h header, digest string, trust *Trust) (keyIDs []string, signed bool, err error) {
	if len(data) == 0 {
		if trust.asked() {
			err = errors.New("unsigned, and a signature is required")
		}
		return nil, false, err
	}
	payload := statement(h, digest)
	sigs, err := splitEnvelope(data, payload)
	if err != nil {
		return nil, false, err
	}
	if trust.asked() {
		keyIDs, err = trust.signers(sigs, pae(payloadType, payload), h.sequence)
		return keyIDs, err == nil, err
	}
	for _, s := range sigs {
		keyIDs = append(keyIDs, s.keyID)
	}
	return keyIDs, false, nil
}

// Sign returns the file with a signature by priv beside those that it has, or in
// the place of an earlier one by the same key. It refuses a file that Open
// refuses: nobody signs what can't be used.
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
	var sigs []signature
	if len(data) > int(h.length) {
		if sigs, err = splitEnvelope(data[h.length:], payload); err != nil {
			return nil, err
		}
	}
	sigs = withSignature(sigs, KeyID(priv.Public().(ed25519.PublicKey)), ed25519.Sign(priv, pae(payloadType, payload)))
	if len(sigs) > MaxSignatures {
		return nil, fmt.Errorf("artifacts: the file has %d signatures, which is as many as it may have", MaxSignatures)
	}
	return append(slices.Clone(data[:h.length]), envelope(payload, sigs...)...), nil
}

// withSignature puts a signature in its place.
func withSignature(sigs []signature, keyID string, sig []byte) []signature {
	at, found := slices.BinarySearchFunc(sigs, keyID, func(s signature, id string) int { return strings.Compare(s.keyID, id) })
	if found {
		sigs[at].sig = sig
		return sigs
	}
	return slices.Insert(sigs, at, signature{keyID, sig})
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
