package artifacts

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
)

// Ed25519 keys have one DER form each, a fixed prefix and the key (RFC 8410,
// sections 4 and 7, and its examples in section 10). Written out here because
// crypto/x509 would bring its certificate machinery into every host program;
// tests have x509 read what is written, and the other way round.
const (
	publicPrefix  = "\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00"
	privatePrefix = "\x30\x2e\x02\x01\x00\x30\x05\x06\x03\x2b\x65\x70\x04\x22\x04\x20"
	publicType    = "PUBLIC KEY"
	privateType   = "PRIVATE KEY"
)

// KeyID names a public key: the SHA-256 of its PKIX form, hex.
func KeyID(pub ed25519.PublicKey) string {
	sum := sha256.Sum256([]byte(publicPrefix + string(pub)))
	return hex.EncodeToString(sum[:])
}

// MarshalPublicKey returns pub in PEM (PKIX).
func MarshalPublicKey(pub ed25519.PublicKey) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: publicType, Bytes: []byte(publicPrefix + string(pub))})
}

// MarshalPrivateKey returns priv in PEM (PKCS#8).
func MarshalPrivateKey(priv ed25519.PrivateKey) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: privateType, Bytes: []byte(privatePrefix + string(priv.Seed()))})
}

// ParsePublicKey reads one Ed25519 public key in PEM (PKIX).
func ParsePublicKey(data []byte) (ed25519.PublicKey, error) {
	key, err := parseKey(data, publicType, publicPrefix, ed25519.PublicKeySize)
	return key, err
}

// ParsePrivateKey reads one Ed25519 private key in PEM (PKCS#8).
func ParsePrivateKey(data []byte) (ed25519.PrivateKey, error) {
	seed, err := parseKey(data, privateType, privatePrefix, ed25519.SeedSize)
	if err != nil {
		return nil, err
	}
	return ed25519.NewKeyFromSeed(seed), nil
}

func parseKey(data []byte, kind, prefix string, size int) ([]byte, error) {
	block, rest := pem.Decode(data)
	switch {
	case block == nil:
		return nil, errors.New("no key in PEM form")
	case block.Type != kind:
		return nil, fmt.Errorf("PEM block is a %q, want a %q", block.Type, kind)
	case len(bytes.TrimSpace(rest)) > 0:
		return nil, errors.New("more than one key")
	case len(block.Bytes) != len(prefix)+size || string(block.Bytes[:len(prefix)]) != prefix:
		return nil, fmt.Errorf("not an Ed25519 %s", kind)
	}
	return bytes.Clone(block.Bytes[len(prefix):]), nil
}
