package engine

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/artifacts"
)

// TestTrust: a host says with the policy whose it must be.
func TestTrust(t *testing.T) {
	var in struct{ Policy []byte }
	if err := json.Unmarshal([]byte(policy(t)), &in); err != nil {
		t.Fatal(err)
	}
	key := func(seed byte) (ed25519.PrivateKey, string) {
		priv := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{seed}, ed25519.SeedSize))
		return priv, string(artifacts.MarshalPublicKey(priv.Public().(ed25519.PublicKey)))
	}
	one, onePub := key(1)
	_, twoPub := key(2)
	signed, err := artifacts.Sign(in.Policy, one)
	if err != nil {
		t.Fatal(err)
	}
	ring := func(from int) string {
		text := fmt.Sprintf("%s\nneed 1\nadd %s from %d\n", artifacts.RingHead, base64.StdEncoding.EncodeToString(one.Public().(ed25519.PublicKey)), from)
		data, err := artifacts.SignRing([]byte(text), one)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	for _, c := range []struct {
		name  string
		more  map[string]any
		wants string
	}{
		{"a key", map[string]any{"keys": []string{onePub}}, `"signed":true`},
		{"a key and the least sequence", map[string]any{"keys": []string{onePub}, "need": 1, "min_sequence": 1}, `"signed":true`},
		{"another key", map[string]any{"keys": []string{twoPub}}, "which is not trusted"},
		{"one of two", map[string]any{"keys": []string{onePub, twoPub}, "need": 2}, "1 of the 2 signatures"},
		{"a need and no key", map[string]any{"need": 1}, "which is not trusted"},
		{"rolled back", map[string]any{"keys": []string{onePub}, "min_sequence": 2}, "sequence 1 is older than 2"},
		{"a ring", map[string]any{"keys": []string{ring(1)}}, `"signed":true`},
		{"a ring whose key comes later", map[string]any{"keys": []string{ring(2)}}, "from 2 on, and this policy has 1"},
		{"a ring that was changed", map[string]any{"keys": []string{strings.Replace(ring(1), "from 1", "from 2", 1)}}, "bad signature"},
	} {
		c.more["policy"] = signed
		params, err := json.Marshal(c.more)
		if err != nil {
			t.Fatal(err)
		}
		if out := string(new(Engine).Do([]byte(line("openPolicy", string(params))))); !strings.Contains(out, c.wants) {
			t.Errorf("%s: %s, want %s", c.name, out, c.wants)
		}
	}
}
