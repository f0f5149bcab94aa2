package artifacts

import (
	"bytes"
	"crypto/ed25519"
	"encoding/binary"
	"hash/crc32"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/tree"
)

// vectors makes all vectors. One fault each: everything else about the file is
// right, checksum included, so that only the named step can refuse it.
func vectors() []vector {
	return slices.Concat(goodVectors(), frameVectors(), signatureVectors(), signersVectors(), sectionVectors(),
		valueVectors(), shapeVectors(), limitVectors(), indexVectors(), policyVectors(), treeVectors())
}

// plain is a case of an unsigned file opened without keys.
func plain(expect Step, name, comment string, data []byte) vector {
	return vector{name: string(expect) + "-" + name, comment: comment, expect: expect, data: data}
}

// trusted is a case of a file opened with the signer's key.
func trusted(expect Step, name, comment string, data []byte) vector {
	v := plain(expect, name, comment, data)
	v.trust = []byte{1}
	return v
}

// subtrees is the sample policy with gates of subtrees in place of those of nodes.
func subtrees() *Policy {
	below := sample()
	renamed := map[string]string{}
	for i := range below.Gates {
		if g := &below.Gates[i]; g.Scope == ScopeNode {
			old := g.ID
			g.Scope = ScopeSubtree
			g.ID = GateID(g.Scope, g.Disposition, g.Expr)
			renamed[old] = g.ID
		}
	}
	slices.SortFunc(below.Gates, func(a, b Gate) int { return strings.Compare(a.ID, b.ID) })
	for i := range below.Tree.Nodes {
		n := &below.Tree.Nodes[i]
		n.Gates = slices.Clone(n.Gates)
		for k, id := range n.Gates {
			n.Gates[k] = renamed[id]
		}
		slices.Sort(n.Gates)
	}
	return below
}

func goodVectors() []vector {
	reference := sample()
	reference.Params.Profile = tree.ReferenceProfile
	reference.Tree.States[3].Key = "send:any" // keys need not be unique in this profile
	tight := minimal()
	tight.Pack = DefaultPack().Tighten(10, 60, 1000)
	text := minimal()
	text.Name = "naïve \u202e \x00 \U0001f332"
	edges := minimal()
	edges.Sequence = maxCount
	edges.Params.Posterior = [4]tree.Milli{-1 << 31, 1<<31 - 1, -33, -129}
	edges.Provenance.Episodes = EpisodeCounts{127, 128, 255, 256, 65535, 65536, 1 << 32}
	edges.Provenance.Inputs.Count = 1<<32 - 1
	long := minimal()
	long.Name = strings.Repeat("n", MaxName)
	asked := minimal()
	asked.Guardrail.Content = sampleContent()
	listed := minimal()
	listed.Guardrail.Rules.Imports = []string{"node:@scope/name", "node:fs", "numpy", "os.path"}
	both := minimal()
	both.Guardrail.Content, both.Guardrail.Rules.Imports = sampleContent(), []string{"none"}
	out := []vector{
		{name: "good-checks", comment: "completion checks at a leaf", data: minedSample()},
		{name: "good-fixes", comment: "known fixes and retry bounds", data: fixedSample()},
		{name: "good-imports", comment: "a list of modules, behind a content gate that is absent", data: must(listed)},
		{name: "good-imports-content", comment: "the list without a module, behind a content gate", data: must(both)},
		{name: "good-content-gate", comment: "a content gate that asks a server", data: must(asked)},
		{name: "good-conditions", comment: "conditions of every kind, and no content gate", data: must(conditioned(asTheyAre))},
		{name: "good-subtree", comment: "the gates of nodes are of their subtrees", data: must(subtrees())},
		{name: "good-minimal", comment: "the smallest policy", data: must(minimal())},
		{name: "good-minimal-signed", comment: "the smallest policy, signed", trust: []byte{1}, data: signAny(must(minimal()), 1)},
		{name: "good-sample", comment: "every section in use", data: must(sample())},
		{name: "good-sample-signed", comment: "every section in use, signed", trust: []byte{1}, data: signAny(must(sample()), 1)},
		{name: "good-not-checked", comment: "signed, and opened without keys: not signed as far as the reader knows", data: signAny(must(sample()), 1)},
		{name: "good-sequence", comment: "the sequence number is the least accepted", trust: []byte{1}, min: 7, data: signAny(must(sample()), 1)},
		{name: "good-reference", comment: "reference profile with two states of one key", data: must(reference)},
		{name: "good-tight-pack", comment: "a governance pack tighter than the default", data: must(tight)},
		{name: "good-text", comment: "text with a zero byte, a control character and four-byte UTF-8", data: must(text)},
		{name: "good-integers", comment: "integers at the ends of their forms", data: must(edges)},
		{name: "good-longest-name", comment: "a name as long as may be", data: must(long)},
	}
	return out
}

// at is a copy of data with the bytes from offset on overwritten.
func at(data []byte, offset int, with ...byte) []byte {
	out := slices.Clone(data)
	copy(out[offset:], with)
	return out
}

// summed is data with its checksum made right again.
func summed(data []byte) []byte {
	n := len(data) - trailerSize
	return binary.BigEndian.AppendUint32(slices.Clone(data[:n]), crc32.ChecksumIEEE(data[:n]))
}

func frameVectors() []vector {
	d := must(minimal())
	f := func(name, comment string, data []byte) vector { return plain(StepFrame, name, comment, data) }
	return []vector{
		f("empty", "no bytes at all", nil),
		f("magic", "wrong first byte", at(d, 0, 0x88)),
		f("magic-text", "line endings changed, as a transfer as text does", bytes.Replace(d, []byte("\r\n"), []byte("\n"), 1)),
		f("magic-only", "ends after the magic", d[:8]),
		f("header-cut", "ends inside the header", d[:23]),
		f("version-0", "format version 0", summed(at(d, 8, 0, 0, 0, 0))),
		f("version-2", "format version 2", summed(at(d, 8, 0, 0, 0, 2))),
		f("version-little-endian", "format version 1 with its bytes reversed", summed(at(d, 8, 1, 0, 0, 0))),
		f("length-short", "length smaller than header and checksum", at(d, 12, 0, 0, 0, 27)),
		f("length-long", "length one more than the file", summed(at(d, 12, binary.BigEndian.AppendUint32(nil, uint32(len(d)+1))...))),
		f("truncated", "the last byte is missing", d[:len(d)-1]),
		f("truncated-half", "half of the file is missing", d[:len(d)/2]),
		f("sequence-0", "sequence number 0", summed(at(d, 16, make([]byte, 8)...))),
		f("sequence-large", "sequence number 2^53", summed(at(d, 16, 0, 0x20, 0, 0, 0, 0, 0, 0))),
	}
}

func signatureVectors() []vector {
	d := must(sample())
	s := signAny(d, 1)
	env := func(edit func(string) string) []byte {
		e := edit(string(s[len(d):]))
		if e == string(s[len(d):]) {
			panic("envelope not edited")
		}
		return append(slices.Clone(d), e...)
	}
	swap := func(old, new string) []byte {
		return env(func(e string) string { return strings.Replace(e, old, new, 1) })
	}
	t := func(name, comment string, data []byte) vector { return trusted(StepSignature, name, comment, data) }
	old := trusted(StepSequence, "rolled-back", "a rightly signed policy older than the least accepted", s)
	old.min = 8
	older := plain(StepSequence, "rolled-back-unsigned", "an unsigned policy older than the least accepted", d)
	older.min = 8
	return []vector{
		t("stripped", "the envelope was taken away", d),
		t("other-key", "signed by a key that is not trusted", signAny(d, 2)),
		t("other-policy", "the envelope of another policy", append(slices.Clone(d), signAny(must(minimal()), 1)[len(must(minimal())):]...)),
		t("body-flipped", "one bit of the policy flipped, checksum made right", append(summed(at(d, 200, d[200]^1)), s[len(d):]...)),
		t("sequence-raised", "sequence number raised, checksum made right", append(summed(at(d, 23, 8)), s[len(d):]...)),
		t("key-id-borrowed", "signed by another key under the trusted key's id", forged(d, 2, 1, true)),
		t("no-pae", "the statement is signed without DSSE's encoding in front", forged(d, 1, 1, false)),
		t("sig-flipped", "one bit of the signature flipped", env(func(e string) string { i := len(e) - 10; return e[:i] + string(e[i]^1) + e[i+1:] })),
		t("sig-padding", "unused bits of the signature's base64 set", env(paddingBit)),
		t("sig-url", "base64 in its URL form", swap("+", "-")),
		t("key-id-upper", "key id in upper case", env(upperKeyID)),
		t("space", "white space in the envelope", swap(`,"signatures"`, `, "signatures"`)),
		t("newline", "a line break behind the envelope", env(func(e string) string { return e + "\n" })),
		t("cut", "the envelope's last byte is missing", s[:len(s)-1]),
		t("payload-type", "another payload type", swap("application/vnd.in-toto+json", "application/vnd.in-toto+jsom")),
		t("two-signatures", "a second signature in the envelope", env(func(e string) string {
			sig := e[strings.Index(e, `{"keyid"`) : len(e)-2]
			return strings.Replace(e, "]}", ","+sig+"]}", 1)
		})),
		t("twice", "two envelopes", append(slices.Clone(s), s[len(d):]...)),
		plain(StepSignature, "junk", "a byte behind an unsigned file", append(slices.Clone(d), 0)),
		plain(StepSignature, "junk-envelope", "opened without keys, an envelope of another policy",
			append(must(minimal()), s[len(d):]...)),
		plain(StepSignature, "key-id-form", "opened without keys, key id in upper case", env(upperKeyID)),
		plain(StepSignature, "sig-form", "opened without keys, unused bits of the signature's base64 set", env(paddingBit)),
		old, older,
	}
}

// forged signs with one key under another's id, or the bare statement.
func forged(d []byte, signer, claimed byte, encode bool) []byte {
	_, priv := testKey(signer)
	pub, _ := testKey(claimed)
	payload := statement(header{version: 1, sequence: binary.BigEndian.Uint64(d[16:])}, digestOf(d))
	signed := payload
	if encode {
		signed = pae(payloadType, payload)
	}
	return append(slices.Clone(d), envelope(payload, signature{KeyID(pub), ed25519.Sign(priv, signed)})...)
}

// paddingBit sets a bit of the signature's last group that no byte comes from.
func paddingBit(e string) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	i := len(e) - len(`=="}]}`) - 1
	return e[:i] + string(alphabet[strings.IndexByte(alphabet, e[i])|1]) + e[i+1:]
}

func upperKeyID(e string) string {
	i := strings.Index(e, `"keyid":"`) + len(`"keyid":"`)
	return e[:i] + strings.ToUpper(e[i:i+keyIDSize]) + e[i+keyIDSize:]
}

func sectionVectors() []vector {
	d := must(minimal())
	entry := func(i int) int { return headerSize + entrySize*i }
	c := func(name, comment string, data []byte) vector { return plain(StepSections, name, comment, data) }
	size := binary.BigEndian.Uint32(d[entry(0)+4:])
	long := at(d, entry(15)+4, 0xff, 0xff, 0xff, 0xff)
	swappedTags := at(at(d, entry(0), d[entry(1):entry(1)+8]...), entry(1), d[entry(0):entry(0)+8]...)
	gap := append(slices.Clone(d[:len(d)-trailerSize]), 0xc0, 0, 0, 0, 0)
	gap = at(gap, 12, binary.BigEndian.AppendUint32(nil, uint32(len(gap)))...)
	short := at(slices.Clone(d[:60]), 12, 0, 0, 0, 60)
	return []vector{
		plain(StepChecksum, "body", "one bit of an unsigned policy flipped", at(d, 200, d[200]^1)),
		plain(StepChecksum, "itself", "one bit of the checksum flipped", at(d, len(d)-1, d[len(d)-1]^1)),
		c("tag", "an unknown tag", summed(at(d, entry(2), 'X'))),
		c("order", "two sections in the wrong order", summed(swappedTags)),
		c("twice", "one section in the place of another", summed(at(d, entry(1), d[entry(0):entry(0)+8]...))),
		c("long", "a section that runs past the end", summed(long)),
		c("gap", "a byte between the last section and the checksum", summed(gap)),
		c("shorter", "a table that makes the last section end early", summed(at(d, entry(0)+4, binary.BigEndian.AppendUint32(nil, size-1)...))),
		c("table-cut", "the file ends inside the table", summed(short)),
	}
}

// valueVectors break the rules for values of section "Values".
func valueVectors() []vector {
	d := must(minimal())
	e := func(name, comment, tag, old, new string) vector {
		return plain(StepEncoding, name, comment, swapped(d, tag, old, new))
	}
	name := "\xa7minimal"
	return []vector{
		e("int-uint8", "5 as uint 8", "ENCO", "\x04", "\xcc\x04"),
		e("int-uint16", "200 as uint 16", "PARM", "\xcd\x01\xf4\xcd\x03\x20\xcd\x01\xf4\x08", "\xcd\x01\xf4\xcd\x03\x20\xce\x00\x00\x01\xf4\x08"),
		e("int-int8", "5 as int 8", "ENCO", "\x04", "\xd0\x04"),
		e("int-int16", "1800 as int 16", "PACK", "\xcd\x07\x08", "\xd1\x07\x08"),
		e("int-int64", "2000000 as int 64", "PACK", "\xce\x00\x1e\x84\x80", "\xd3\x00\x00\x00\x00\x00\x1e\x84\x80"),
		e("int-negative-wide", "-1 as int 8", "NODE", "\xff\xff", "\xd0\xff\xff"),
		e("int-nil", "nil for an integer", "ENCO", "\x04", "\xc0"),
		e("int-float", "a float for an integer", "ENCO", "\x04", "\xca\x40\x80\x00\x00"),
		e("int-text", "text for an integer", "ENCO", "\x04", "\xa14"),
		e("int-bool", "a boolean for an integer", "PACK", "\x32", "\xc3"),
		e("bool-int", "an integer for a boolean", "STAT", "\xc2", "\x00"),
		e("bool-nil", "nil for a boolean", "STAT", "\xc2", "\xc0"),
		e("text-str8", "short text as str 8", "META", name, "\xd9\x07minimal"),
		e("text-str16", "short text as str 16", "META", name, "\xda\x00\x07minimal"),
		e("text-str32", "short text as str 32", "META", name, "\xdb\x00\x00\x00\x07minimal"),
		e("text-bin", "bytes for text", "META", name, "\xc4\x07minimal"),
		e("text-nil", "nil for text", "META", name, "\xc0"),
		e("text-ext", "an extension for text", "META", name, "\xc7\x07\x01minimal"),
		e("text-not-utf8", "text that is not UTF-8", "META", "minimal", "minima\xff"),
		e("text-surrogate", "a surrogate in UTF-8", "META", "minimal", "mini\xed\xa0\x80"),
		e("text-overlong", "an overlong form in UTF-8", "META", "minimal", "minim\xc0\x80"),
		e("bytes-text", "text for bytes", "META", "\xc4\x00", "\xa0"),
		e("bytes-bin16", "few bytes as bin 16", "META", "\xc4\x00", "\xc5\x00\x00"),
		e("bytes-bin32", "few bytes as bin 32", "META", "\xc4\x00", "\xc6\x00\x00\x00\x00"),
		e("bytes-nil", "nil for bytes", "META", "\xc4\x00", "\xc0"),
		e("array-16", "a short array as array 16", "META", "\x92", "\xdc\x00\x02"),
		e("array-32", "a short array as array 32", "META", "\x92", "\xdd\x00\x00\x00\x02"),
		e("array-map", "a map for an array", "META", "\x92", "\x81"),
		e("array-nil", "nil for a list", "TASK", "\x90", "\xc0"),
		e("never-used", "the byte that MessagePack never uses", "META", "\x92", "\xc1"),
	}
}

// shapeVectors have values of the right kinds in the wrong number.
func shapeVectors() []vector {
	d := must(sample())
	e := func(name, comment, tag string, edit func([]byte) []byte) vector {
		return plain(StepEncoding, name, comment, rebuilt(d, tag, edit))
	}
	add := func(tail string) func([]byte) []byte {
		return func(b []byte) []byte { return append(b, tail...) }
	}
	return []vector{
		e("section-empty", "a section without a value", "REPT", func([]byte) []byte { return nil }),
		e("section-cut", "a section that ends inside its value", "REPT", func(b []byte) []byte { return b[:len(b)-1] }),
		e("section-tail", "a byte behind the value", "REPT", add("\x00")),
		e("section-two", "two values", "REPT", add("\x90")),
		e("record-short", "a record with one element less", "META", func([]byte) []byte { return []byte("\x91\xa6sample") }),
		e("record-long", "a record with one element more", "META", func(b []byte) []byte { return append(at(b, 0, 0x93), 0) }),
		e("list-short", "a list with one element less than it says", "REPT", func(b []byte) []byte { return at(b, 0, 0x93) }),
		e("list-huge", "a list of 2^32-1 elements", "REPT", func([]byte) []byte { return []byte("\xdd\xff\xff\xff\xff") }),
		e("text-huge", "text of 2^32-1 bytes", "META", func([]byte) []byte { return []byte("\x92\xdb\xff\xff\xff\xff\xc4\x00") }),
		e("bytes-huge", "2^32-1 bytes", "META", func([]byte) []byte { return []byte("\x92\xa1a\xc6\xff\xff\xff\xff") }),
		e("length-cut", "a section that ends inside a length", "META", func([]byte) []byte { return []byte("\x92\xda\x00") }),
		e("deep", "arrays inside arrays without an end", "META", func([]byte) []byte { return bytes.Repeat([]byte{0x91}, 5000) }),
	}
}

// limitVectors have one value out of its range.
func limitVectors() []vector {
	m, s := must(minimal()), must(sample())
	e := func(name, comment string, data []byte) vector { return plain(StepEncoding, name, comment, data) }
	digest := "\xc4\x20" + string(unhex(hexDigest("table")))
	return []vector{
		e("name-long", "a name one byte too long", swapped(m, "META", "\xa7minimal", "\xda\x04\x01"+strings.Repeat("n", MaxName+1))),
		e("pack-steps", "51 steps in the governance pack", swapped(m, "PACK", "\x32", "\x33")),
		e("pack-wall", "1801 seconds in the governance pack", swapped(m, "PACK", "\xcd\x07\x08", "\xcd\x07\x09")),
		e("pack-tokens", "2,000,001 tokens in the governance pack", swapped(m, "PACK", "\xce\x00\x1e\x84\x80", "\xce\x00\x1e\x84\x81")),
		e("pack-zero", "0 steps in the governance pack", swapped(m, "PACK", "\x32", "\x00")),
		e("pack-negative", "-1 steps in the governance pack", swapped(m, "PACK", "\x32", "\xff")),
		e("rail-profile", "a guardrail profile that is not there", swapped(s, "RAIL", "\x98\x01\xc3", "\x98\x04\xc3")),
		e("rail-profile-text", "a guardrail profile by its name", swapped(s, "RAIL", "\x98\x01\xc3", "\x98\xa6strict\xc3")),
		e("rail-port-0", "port 0", swapped(s, "RAIL", "\xcd\x01\xbb", "\x00")),
		e("rail-port-large", "port 65536", swapped(s, "RAIL", "\xcd\x20\xfb", "\xce\x00\x01\x00\x00")),
		e("rail-short", "egress without a word on sending", swapped(s, "RAIL", "\x94\xabexample.net\x90\x90\xc2", "\x93\xabexample.net\x90\x90")),
		e("rail-imports-empty", "a list of modules that is empty", swapped(importList(), "RAIL", "\x91\xa4none", "\x90")),
		e("rail-content-none", "a content gate without a classifier", swapped(contentGate(), "RAIL", "\x97\xa6openai", "\x97\xa0")),
		e("rail-content-digest", "a content gate with a digest of 31 bytes", swapped(contentGate(), "RAIL", "\xc4\x20\xb2", "\xc4\x1f")),
		e("rail-content-timeout", "a content gate that waits 601 seconds", swapped(contentGate(), "RAIL", "\xa9JUDGE_KEY\x14", "\xa9JUDGE_KEY\xcd\x02\x59")),
		e("rail-condition-how", "a need of a fifth kind", swapped(must(conditioned(asTheyAre)), "RAIL", "\x93\x04\xa0\xa0", "\x93\x05\xa0\xa0")),
		e("rail-condition-none", "an empty list of conditions that is not left out", rebuilt(importList(), "RAIL", func(b []byte) []byte { return append(at(b, 0, 0x9b), 0x90) })),
		e("digest-short", "a digest of 31 bytes", swapped(m, "ENCO", digest, "\xc4\x1f"+digest[3:])),
		e("digest-none", "no digest where one must be", swapped(m, "ENCO", digest, "\xc4\x00")),
		e("dimensions-0", "an encoder of no dimensions", swapped(m, "ENCO", "\x04", "\x00")),
		e("dimensions-large", "an encoder of 4097 dimensions", swapped(m, "ENCO", "\x04", "\xcd\x10\x01")),
		e("milli-large", "a setting of 2^31 thousandths", swapped(m, "PARM", "\xcd\x0d\xac", "\xce\x80\x00\x00\x00")),
		e("count-large", "a count of 2^53", swapped(m, "PROV", "\x97\x00", "\x97\xcf\x00\x20\x00\x00\x00\x00\x00\x00")),
		e("count-uint64", "a count of 2^64-1", swapped(m, "PROV", "\x97\x00", "\x97\xcf\xff\xff\xff\xff\xff\xff\xff\xff")),
		e("count-negative", "a count of -1", swapped(m, "PROV", "\x97\x00", "\x97\xff")),
		e("risk", "risk level 4", swapped(s, "STAT", "\xadsend anything\x03", "\xadsend anything\x04")),
		e("observed-false", "an optional element that is false, and not left out", rebuilt(s, "STAT", func(b []byte) []byte { return append(b[:len(b)-1:len(b)-1], 0xc2) })),
		e("check-kind", "a completion check of a kind that there is not", swapped(minedSample(), "FAMS", "\x01\xa9make test", "\x04\xa9make test")),
		e("retries-advice-false", "a retry bound whose last element is false, and not left out", swapped(fixedSample(), "FAMS", "\x93\xa4send\x03\x28", "\x94\xa4send\x03\x28\xc2")),
		e("decides-false", "an optional element behind another one that is false, and not left out", rebuilt(minedSample(), "LEAF", func(b []byte) []byte {
			return bytes.Replace(b, []byte("\x92\x00\x01\xc3"), []byte("\x92\x00\x01\xc2"), 1)
		})),
		e("task-digest-short", "a task digest of 15 bytes", rebuilt(s, "TASK", func([]byte) []byte { return []byte("\x91\xc4\x0f123456789012345") })),
	}
}

// fixedSample is the sample with known fixes and retry bounds.
func fixedSample() []byte {
	p := sample()
	fixed(&p.Tree)
	return must(p)
}

// minedSample is the sample with completion checks.
func minedSample() []byte {
	p := sample()
	checked(&p.Tree, 0, 1)
	p.Tree.Leaves[0].Decides = true
	return must(p)
}

func unhex(s string) []byte {
	c := newEncoder(nil)
	c.hex(&s, 32)
	return c.out.Bytes()[2:]
}

// indexVectors name something that is not there, or write one table in two ways.
func indexVectors() []vector {
	s := must(sample())
	e := func(name, comment, tag, old, new string) vector {
		return plain(StepEncoding, name, comment, swapped(s, tag, old, new))
	}
	own := func(name, comment string, three, four string) vector {
		const was3, was4 = "\x96\x02\x01\x91", "\x96\x03\x04\x91"
		return plain(StepEncoding, name, comment, rebuilt(s, "NODE", func(b []byte) []byte {
			b = replaceOne(b, was3, 1, three)
			return replaceOne(b, was4, 1, four)
		}))
	}
	g := sampleNodeGates()
	return []vector{
		e("parent-self", "a node that is its own parent", "NODE", "\x96\x02\x01", "\x96\x03\x01"),
		e("parent-later", "a node whose parent comes after it", "NODE", "\x96\x02\x01", "\x96\x04\x01"),
		e("parent-none", "a second root", "NODE", "\x96\x02\x01", "\x96\xff\x01"),
		e("root-parent", "a root with a parent", "NODE", "\x96\xff\xff", "\x96\x00\xff"),
		e("root-state", "a root with a state", "NODE", "\x96\xff\xff", "\x96\xff\x00"),
		e("state-none", "a node of a state that is not there", "NODE", "\x96\x02\x01", "\x96\x02\x05"),
		e("family-none", "a state of a family that is not there", "STAT", "\x9f\x00\xa5start", "\x9f\x02\xa5start"),
		e("leaf-none", "a leaf at a node that is not there", "LEAF", "\x94\x05\x90", "\x94\x06\x90"),
		own("gate-none", "a gate that is not there", "\x91\x03", "\x91"+g[1]),
		own("gate-inherited", "a gate of the parent among a node's own", "\x91"+g[0], "\x91"+g[0]),
		own("gate-unsorted", "a node's own gates in the wrong order", "\x92"+g[1]+g[0], "\x90"),
		own("gate-twice", "one gate twice among a node's own", "\x92"+g[0]+g[0], "\x91"+g[1]),
	}
}

// replaceOne replaces the array that stands behind prefix, of n one-byte
// elements.
func replaceOne(b []byte, prefix string, n int, with string) []byte {
	i := bytes.Index(b, []byte(prefix))
	if i < 0 || bytes.Count(b, []byte(prefix)) != 1 {
		panic("prefix does not stand there once")
	}
	i += len(prefix)
	return slices.Concat(b[:i-1], []byte(with), b[i+n:])
}

// sampleNodeGates are the indices of the node gates of the sample policy.
func sampleNodeGates() []string {
	var out []string
	for i, g := range sample().Gates {
		if g.Scope == ScopeNode {
			out = append(out, string(rune(i)))
		}
	}
	return out
}

// sampleContent is a content gate that asks a server.
func sampleContent() Content {
	return Content{Classifier: ContentOpenAI, URL: "https://h.example/v1", Model: "judge-1", KeyEnv: "JUDGE_KEY", Timeout: 20,
		Answers: bytes.Repeat([]byte{0xa1}, 32), Template: bytes.Repeat([]byte{0xb2}, 32)}
}

// importList is the smallest policy with a list of modules.
func importList() []byte {
	p := minimal()
	p.Guardrail.Rules.Imports = []string{"none"}
	return must(p)
}

// sampleConditions are one of each kind.
func sampleConditions() []gates.Condition {
	did := []gates.Need{{How: gates.HowDid, Act: "view"}}
	return []gates.Condition{
		{Arg: "order_id", Needs: []gates.Need{{How: gates.HowShown, Act: "read:order"}}, Advice: true, Tasks: 9, Held: 8, Chance: 30},
		{Act: "cancel:order", Arg: "order_id", Needs: []gates.Need{{How: gates.HowSame, Act: "read:order", Arg: "id"}, {How: gates.HowSaid}}, Tasks: 40, Held: 40, Chance: 31},
		{Act: "edit", Needs: did, Tasks: 31, Held: 31, Chance: 679},
		{End: true, Act: "edit", Needs: []gates.Need{{How: gates.HowDid, Act: "run"}, {How: gates.HowDid, Act: "test"}}, Tasks: 300, Held: 299, Chance: 400},
	}
}

// conditioned is a policy with some conditions and no content gate.
func conditioned(change func(list []gates.Condition) []gates.Condition) *Policy {
	p := minimal()
	p.Guardrail.Conditions = change(sampleConditions())
	return p
}

func asTheyAre(list []gates.Condition) []gates.Condition { return list }

// contentGate is the smallest policy with a content gate.
func contentGate() []byte {
	p := minimal()
	p.Guardrail.Content = sampleContent()
	return must(p)
}
