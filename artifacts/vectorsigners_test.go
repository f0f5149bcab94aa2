package artifacts

import (
	"crypto/ed25519"
	"slices"
	"strings"
)

// inOrder are seeds in the order of the ids of their keys.
func inOrder(seeds ...byte) []byte {
	id := func(seed byte) string { pub, _ := testKey(seed); return KeyID(pub) }
	return slices.SortedFunc(slices.Values(seeds), func(a, b byte) int { return strings.Compare(id(a), id(b)) })
}

// signedBy is the sample policy with signatures in their order.
func signedBy(seeds ...byte) []byte { return signAny(must(sample()), inOrder(seeds...)...) }

// upTo are the seeds 1 to n.
func upTo(n int) (out []byte) {
	for i := range n {
		out = append(out, byte(i+1))
	}
	return out
}

// signersVectors are files with more than one signature, or for readers that need
// more than one.
func signersVectors() []vector {
	d := must(sample())
	two := inOrder(1, 2)
	v := func(expect Step, name, comment string, need int, trust []byte, data []byte) vector {
		group := "signature-"
		if expect == "" {
			group = "good-"
		}
		return vector{name: group + "signers-" + name, comment: comment, expect: expect, need: need, trust: trust, data: data}
	}
	wrong := func(seeds ...byte) []byte {
		s := signAny(d, seeds...)
		at := len(s) - len(sigEnd+envelopeEnd) - 20
		return append(append(slices.Clone(s[:at]), s[at]^1), s[at+1:]...)
	}
	const bad, good = StepSignature, Step("")
	return []vector{
		v(good, "two", "two signatures, and both are needed", 2, two, signedBy(1, 2)),
		v(good, "one-enough", "two signatures, and one is needed", 0, []byte{1}, signedBy(1, 2)),
		v(good, "other-ignored", "a third signature, by a key that is not trusted", 2, two, signedBy(1, 2, 3)),
		v(good, "other-wrong", "a wrong signature by a key that is not trusted", 1, two[:1], wrong(two...)),
		v(good, "most", "as many signatures as there may be, all needed", MaxSignatures, upTo(MaxSignatures), signedBy(upTo(MaxSignatures)...)),
		v(good, "key-twice", "a trusted key is named twice, and one is needed", 1, []byte{1, 1}, signedBy(1)),
		v(bad, "one-of-two", "one signature where two are needed", 2, two, signedBy(1)),
		v(bad, "one-trusted", "two signatures, of which one is by a trusted key, where two are needed", 2, []byte{1, 3}, signedBy(1, 2)),
		v(bad, "key-named-twice", "one key, named twice, where two are needed", 2, []byte{1, 1}, signedBy(1)),
		v(bad, "same-twice", "the same signature twice", 2, two, signAny(d, 1, 1)),
		v(bad, "order", "signatures not in the order of their ids", 2, two, signAny(d, two[1], two[0])),
		v(bad, "one-wrong", "two signatures, the second wrong, where one is needed", 1, two, wrong(two...)),
		v(bad, "too-many", "more signatures than there may be", 1, []byte{1}, signedBy(upTo(MaxSignatures+1)...)),
		v(bad, "none", "an envelope without a signature", 1, []byte{1}, signAny(d)),
		v(bad, "none-not-checked", "opened without keys, an envelope without a signature", 0, nil, signAny(d)),
		v(bad, "order-not-checked", "opened without keys, signatures not in the order of their ids", 0, nil, signAny(d, two[1], two[0])),
		v(bad, "need-no-key", "a signature is needed and no key is trusted", 1, nil, signedBy(1)),
		v(bad, "need-unsigned", "two signatures are needed, and there is none", 2, two, d),
		v(bad, "comma", "a comma behind the last signature", 1, []byte{1}, []byte(strings.Replace(string(signedBy(1)), "}]}", "},]}", 1))),
		v(bad, "borrowed", "two signatures by one key, one of them under the other's id", 2, two, borrowed(d, two)),
	}
}

// borrowed is signed twice by the first of two keys, once under the second's id.
func borrowed(d []byte, seeds []byte) []byte {
	payload := statement(header{version: 1, sequence: 7}, digestOf(d))
	_, priv := testKey(seeds[0])
	var sigs []signature
	for _, seed := range seeds {
		pub, _ := testKey(seed)
		sigs = append(sigs, signature{KeyID(pub), ed25519.Sign(priv, pae(payloadType, payload))})
	}
	return append(slices.Clone(d), envelope(payload, sigs...)...)
}
