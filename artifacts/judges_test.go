package artifacts

import (
	"bytes"
	"context"
	"crypto"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"os/exec"
	"testing"

	attestation "github.com/in-toto/attestation/go/v1"
	"github.com/secure-systems-lab/go-securesystemslib/dsse"
	"google.golang.org/protobuf/encoding/protojson"
	"pgregory.net/rapid"
)

// The judges of this file are other people's implementations of what this
// package writes out by hand: DSSE envelopes, in-toto statements, PEM keys,
// Merkle trees. They are imported by tests alone, because the runtime half may
// not carry them.

// judge is an Ed25519 verifier in the form that the DSSE library asks for.
type judge struct{ pub ed25519.PublicKey }

func (j judge) Verify(_ context.Context, data, sig []byte) error {
	if !ed25519.Verify(j.pub, data, sig) {
		return errors.New("bad signature")
	}
	return nil
}

func (j judge) KeyID() (string, error)   { return KeyID(j.pub), nil }
func (j judge) Public() crypto.PublicKey { return j.pub }

// TestEnvelopeJudged has the DSSE project's library verify our envelope and the
// in-toto project's library read and validate the statement inside.
func TestEnvelopeJudged(t *testing.T) {
	pub, priv := testKey(1)
	signed, err := Sign(must(sample()), priv)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := Envelope(signed)
	if err != nil {
		t.Fatal(err)
	}
	var env dsse.Envelope
	if err := json.Unmarshal(raw, &env); err != nil {
		t.Fatal(err)
	}
	verifier, err := dsse.NewEnvelopeVerifier(judge{pub})
	if err != nil {
		t.Fatal(err)
	}
	accepted, err := verifier.Verify(context.Background(), &env)
	if err != nil || len(accepted) != 1 || accepted[0].KeyID != KeyID(pub) {
		t.Fatalf("accepted %v, error %v", accepted, err)
	}
	payload, err := env.DecodeB64Payload()
	if err != nil {
		t.Fatal(err)
	}
	var st attestation.Statement
	if err := protojson.Unmarshal(payload, &st); err != nil {
		t.Fatal(err)
	}
	if err := st.Validate(); err != nil {
		t.Fatal(err)
	}
	body, err := Unsigned(signed)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(body)
	if got := st.GetSubject()[0].GetDigest()["sha256"]; got != hex.EncodeToString(sum[:]) {
		t.Errorf("subject %s, want %x", got, sum)
	}
	if env.PayloadType != payloadType || st.GetPredicateType() != predicateType || st.GetPredicate().GetFields()["sequence"].GetNumberValue() != 7 {
		t.Errorf("payload type %s, predicate %s %v", env.PayloadType, st.GetPredicateType(), st.GetPredicate())
	}
}

// TestSignatureJudged has the DSSE library make the signature, and Open accept it.
func TestSignatureJudged(t *testing.T) {
	pub, priv := testKey(1)
	body := must(sample())
	signer, err := dsse.NewEnvelopeSigner(judgeSigner{judge{pub}, priv})
	if err != nil {
		t.Fatal(err)
	}
	env, err := signer.SignPayload(context.Background(), payloadType, statement(header{version: 1, sequence: 7}, digestOf(body)))
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(env)
	if err != nil {
		t.Fatal(err)
	}
	data := append(body, sortedEnvelope(t, raw)...)
	if _, info, err := Open(data, Trust{Keys: keys(pub)}); err != nil || !info.Signed {
		t.Errorf("the library's envelope is refused: %v\n%s", err, raw)
	}
}

type judgeSigner struct {
	judge
	priv ed25519.PrivateKey
}

func (j judgeSigner) Sign(_ context.Context, data []byte) ([]byte, error) {
	return ed25519.Sign(j.priv, data), nil
}

// sortedEnvelope writes an envelope's members in the order of FORMAT.md, which
// is the alphabetical one.
func sortedEnvelope(t *testing.T, raw []byte) []byte {
	t.Helper()
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestPAEJudged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kind, payload := rapid.String().Draw(t, "type"), rapid.SliceOf(rapid.Byte()).Draw(t, "payload")
		if got, want := pae(kind, payload), dsse.PAE(kind, payload); !bytes.Equal(got, want) {
			t.Fatalf("%q, want %q", got, want)
		}
	})
	// The specification's own example, protocol.md of the DSSE repository.
	want := "DSSEv1 29 http://example.com/HelloWorld 11 hello world"
	if got := string(pae("http://example.com/HelloWorld", []byte("hello world"))); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestKeysJudged compares our PEM with crypto/x509's in both directions.
func TestKeysJudged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		priv := ed25519.NewKeyFromSeed(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "seed"))
		pub := priv.Public().(ed25519.PublicKey)
		pkcs8, err := x509.MarshalPKCS8PrivateKey(priv)
		if err != nil {
			t.Fatal(err)
		}
		pkix, err := x509.MarshalPKIXPublicKey(pub)
		if err != nil {
			t.Fatal(err)
		}
		wantPriv := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pkcs8})
		wantPub := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: pkix})
		if !bytes.Equal(MarshalPrivateKey(priv), wantPriv) || !bytes.Equal(MarshalPublicKey(pub), wantPub) {
			t.Fatal("our PEM is not that of crypto/x509")
		}
		gotPriv, err := ParsePrivateKey(wantPriv)
		if err != nil || !gotPriv.Equal(priv) {
			t.Fatalf("private key read back as another (error %v)", err)
		}
		gotPub, err := ParsePublicKey(wantPub)
		if err != nil || !gotPub.Equal(pub) {
			t.Fatalf("public key read back as another (error %v)", err)
		}
		sum := sha256.Sum256(pkix)
		if KeyID(pub) != hex.EncodeToString(sum[:]) {
			t.Fatal("key id is not the digest of the PKIX form")
		}
	})
}

// TestBadKeys offers keys of other kinds and forms.
func TestBadKeys(t *testing.T) {
	pub, priv := testKey(1)
	public, private := MarshalPublicKey(pub), MarshalPrivateKey(priv)
	x25519 := bytes.Replace([]byte(publicPrefix), []byte{0x70}, []byte{0x6e}, 1)
	for name, data := range map[string][]byte{
		"empty":           nil,
		"no PEM":          pub,
		"private":         private,
		"two keys":        append(bytes.Clone(public), public...),
		"cut":             public[:len(public)/2],
		"other algorithm": pem.EncodeToMemory(&pem.Block{Type: publicType, Bytes: append(x25519, pub...)}),
		"short":           pem.EncodeToMemory(&pem.Block{Type: publicType, Bytes: []byte(publicPrefix + string(pub[:31]))}),
		"long":            pem.EncodeToMemory(&pem.Block{Type: publicType, Bytes: []byte(publicPrefix + string(pub) + "x")}),
	} {
		if k, err := ParsePublicKey(data); err == nil || k != nil {
			t.Errorf("%s: read as a public key", name)
		}
	}
	if k, err := ParsePrivateKey(public); err == nil || k != nil {
		t.Error("a public key was read as a private one")
	}
}

// TestMerkleJudged compares with the definition of RFC 6962, section 2.1, taken
// literally, and with the roots that the certificate-transparency project's
// tests have for its eight well-known leaves.
func TestMerkleJudged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		leaves := rapid.SliceOfN(rapid.SliceOfN(rapid.Byte(), 0, 40), 0, 40).Draw(t, "leaves")
		if got, want := MerkleRoot(leaves), fmt.Sprintf("%x", slowMerkle(leaves)); got != want {
			t.Fatalf("%s, want %s", got, want)
		}
	})
	var leaves [][]byte
	for _, s := range []string{"", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"} {
		b, err := hex.DecodeString(s)
		if err != nil {
			t.Fatal(err)
		}
		leaves = append(leaves, b)
	}
	for n, want := range map[int]string{
		0: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
		1: "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
		2: "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
		8: "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
	} {
		if got := MerkleRoot(leaves[:n]); got != want {
			t.Errorf("%d leaves: %s, want %s", n, got, want)
		}
	}
}

// slowMerkle splits at the largest power of two smaller than the number.
func slowMerkle(leaves [][]byte) []byte {
	h := sha256.New()
	switch n := len(leaves); n {
	case 0:
	case 1:
		h.Write(append([]byte{0}, leaves[0]...))
	default:
		k := 1
		for 2*k < n {
			k *= 2
		}
		h.Write([]byte{1})
		h.Write(slowMerkle(leaves[:k]))
		h.Write(slowMerkle(leaves[k:]))
	}
	return h.Sum(nil)
}

// TestOpenSSL has openssl, where there is one, print the key id by the command
// that FORMAT.md gives.
func TestOpenSSL(t *testing.T) {
	path, err := exec.LookPath("openssl")
	if err != nil {
		t.Log("no openssl on this machine: nothing compared")
		return
	}
	pub, _ := testKey(1)
	cmd := exec.Command(path, "pkey", "-pubin", "-outform", "DER")
	cmd.Stdin = bytes.NewReader(MarshalPublicKey(pub))
	der, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if sum := sha256.Sum256(der); hex.EncodeToString(sum[:]) != KeyID(pub) {
		t.Errorf("openssl gives key id %x, want %s", sum, KeyID(pub))
	}
}
