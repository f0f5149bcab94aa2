package artifacts

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/secure-systems-lab/go-securesystemslib/dsse"
)

// signAll has Sign add signatures one after the other.
func signAll(t *testing.T, data []byte, seeds ...byte) []byte {
	t.Helper()
	for _, seed := range seeds {
		_, priv := testKey(seed)
		var err error
		if data, err = Sign(data, priv); err != nil {
			t.Fatal(err)
		}
	}
	return data
}

// TestSignAdds: who signs first does not show, signing again changes nothing, and
// there is a last place.
func TestSignAdds(t *testing.T) {
	d := must(sample())
	want := signedBy(1, 2, 3)
	for _, order := range [][]byte{{1, 2, 3}, {3, 2, 1}, {2, 3, 1, 2}} {
		if got := signAll(t, d, order...); !bytes.Equal(got, want) {
			t.Errorf("signed in the order %v: other bytes", order)
		}
	}
	full := signAll(t, d, upTo(MaxSignatures)...)
	_, ninth := testKey(MaxSignatures + 1)
	if _, err := Sign(full, ninth); err == nil || !strings.Contains(err.Error(), "as many as it may have") {
		t.Errorf("one more signature than there may be: %v", err)
	}
	if again := signAll(t, full, 1); !bytes.Equal(again, full) {
		t.Error("a full file signed again has other bytes")
	}
}

// TestNeed goes through who must have signed, and what is said of it.
func TestNeed(t *testing.T) {
	one, _ := testKey(1)
	two, _ := testKey(2)
	three, _ := testKey(3)
	d := must(sample())
	for _, c := range []struct {
		name    string
		signers []byte
		trust   Trust
		want    string // the error's words, or nothing
	}{
		{"both signed", []byte{1, 2}, Trust{Keys: keys(one, two), Need: 2}, ""},
		{"two of three", []byte{1, 3}, Trust{Keys: keys(one, two, three), Need: 2}, ""},
		{"one of two", []byte{1}, Trust{Keys: keys(one, two), Need: 2}, "1 of the 2 signatures by different trusted keys"},
		{"the other is not trusted", []byte{1, 3}, Trust{Keys: keys(one, two), Need: 2}, "signed by " + KeyID(three) + ", which is not trusted"},
		{"a key counts once", []byte{1}, Trust{Keys: keys(one, one), Need: 2}, "1 of the 2"},
		{"no key", []byte{1}, Trust{Need: 1}, "which is not trusted"},
		{"no signature, no key", nil, Trust{Need: 1}, "unsigned"},
		{"a negative need is one", []byte{2}, Trust{Keys: keys(one), Need: -1}, "which is not trusted"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, info, err := Open(signAll(t, d, c.signers...), c.trust)
			var r *Refusal
			switch {
			case c.want == "" && err == nil && info.Signed && len(info.KeyIDs) == len(c.signers):
			case c.want != "" && errors.As(err, &r) && r.Step == StepSignature && strings.Contains(err.Error(), c.want):
			default:
				t.Errorf("%+v %v, want %q", info, err, c.want)
			}
		})
	}
}

// TestTwoSignaturesJudged has the DSSE project's library count our signatures.
func TestTwoSignaturesJudged(t *testing.T) {
	one, _ := testKey(1)
	two, _ := testKey(2)
	three, _ := testKey(3)
	raw, err := Envelope(signedBy(1, 2))
	if err != nil {
		t.Fatal(err)
	}
	var env dsse.Envelope
	if err := json.Unmarshal(raw, &env); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		judges []dsse.Verifier
		good   bool
	}{
		{[]dsse.Verifier{judge{one}, judge{two}}, true},
		{[]dsse.Verifier{judge{one}, judge{three}}, false},
	} {
		v, err := dsse.NewMultiEnvelopeVerifier(2, c.judges...)
		if err != nil {
			t.Fatal(err)
		}
		accepted, err := v.Verify(context.Background(), &env)
		if (err == nil) != c.good || c.good && (len(accepted) != 2 || accepted[0].KeyID == accepted[1].KeyID) {
			t.Errorf("accepted %v, error %v, want good %v", accepted, err, c.good)
		}
	}
}
