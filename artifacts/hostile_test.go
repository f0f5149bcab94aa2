package artifacts

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestEveryBitFlip flips each bit of a signed file in turn. Every one must be
// refused, and by the step that comes first for where it stands.
func TestEveryBitFlip(t *testing.T) {
	data := signAny(must(sample()), 1)
	length := len(must(sample()))
	pub, _ := testKey(1)
	trust := Trust{Keys: keys(pub)}
	flips := 0
	for i := range data {
		for bit := range 8 {
			data[i] ^= 1 << bit
			p, info, err := Open(data, trust)
			data[i] ^= 1 << bit
			var r *Refusal
			if p != nil || info != nil || !errors.As(err, &r) {
				t.Fatalf("byte %d bit %d: %v", i, bit, err)
			}
			if r.Step != StepSignature && (r.Step != StepFrame || i >= headerSize) {
				t.Fatalf("byte %d bit %d: refused by step %s", i, bit, r.Step)
			}
			flips++
		}
	}
	if flips != 8*len(data) || length < 1000 {
		t.Fatalf("%d flips of %d bytes", flips, len(data))
	}
	if _, _, err := Open(data, trust); err != nil {
		t.Fatalf("the file itself: %v", err)
	}
}

// TestEveryBitFlipUnsigned does the same without a signature: the checksum
// finds every accident of one bit.
func TestEveryBitFlipUnsigned(t *testing.T) {
	data := must(sample())
	for i := range data {
		for bit := range 8 {
			data[i] ^= 1 << bit
			if _, _, err := Open(data, Trust{}); err == nil {
				t.Fatalf("byte %d bit %d: opened", i, bit)
			}
			data[i] ^= 1 << bit
		}
	}
}

func TestEveryTruncation(t *testing.T) {
	data := signAny(must(sample()), 1)
	length := len(must(sample()))
	pub, _ := testKey(1)
	for n := range data {
		if _, _, err := Open(data[:n], Trust{Keys: keys(pub)}); err == nil {
			t.Fatalf("the first %d of %d bytes open with a key", n, len(data))
		}
		_, info, err := Open(data[:n], Trust{})
		if n != length && err == nil {
			t.Fatalf("the first %d of %d bytes open without a key", n, len(data))
		}
		if n == length && (err != nil || info.Signed || info.KeyIDs != nil || info.Status() != "unsigned") {
			t.Fatalf("stripped file without a key: %v, %+v", err, info)
		}
	}
}

// TestEveryExtension appends each byte value.
func TestEveryExtension(t *testing.T) {
	for _, data := range [][]byte{must(sample()), signAny(must(sample()), 1)} {
		for b := range 256 {
			if _, _, err := Open(append(slices.Clone(data), byte(b)), Trust{}); err == nil {
				t.Fatalf("%d bytes and a %#x open", len(data), b)
			}
		}
	}
}

// TestEveryByteOfTheSections replaces each byte of each section by each other
// value, with the checksum made right: what still opens must encode back to
// exactly those bytes.
func TestEveryByteOfTheSections(t *testing.T) {
	data := must(minimal())
	opened := 0
	for i := headerSize; i < len(data)-trailerSize; i++ {
		for b := range 256 {
			changed := summed(at(data, i, byte(b)))
			p, _, err := Open(changed, Trust{})
			if err != nil {
				continue
			}
			opened++
			again, err := Encode(p)
			if err != nil || !bytes.Equal(again, changed) {
				t.Fatalf("byte %d as %#x opens and encodes to other bytes (error %v)", i, b, err)
			}
		}
	}
	if opened < 1000 {
		t.Fatalf("only %d changed files opened: the test has lost its point", opened)
	}
}

// TestTrust goes through what may stand in Trust besides the signer's key.
func TestTrust(t *testing.T) {
	signed, unsigned := signAny(must(sample()), 1), must(sample())
	one, _ := testKey(1)
	two, _ := testKey(2)
	for _, c := range []struct {
		name  string
		data  []byte
		trust Trust
		want  string // status, or the step that refuses
	}{
		{"signer trusted", signed, Trust{Keys: keys(one)}, "signed by " + KeyID(one)},
		{"signer trusted beside another", signed, Trust{Keys: keys(two, one)}, "signed by " + KeyID(one)},
		{"another trusted", signed, Trust{Keys: keys(two)}, "signature"},
		{"no key", signed, Trust{}, "signature not checked, claims " + KeyID(one)},
		{"no key, no signature", unsigned, Trust{}, "unsigned"},
		{"key of a wrong length", signed, Trust{Keys: keys(one[:31])}, "signature"},
		{"empty key", signed, Trust{Keys: keys(nil)}, "signature"},
		{"empty key, no signature", unsigned, Trust{Keys: keys(nil)}, "signature"},
		{"sequence at the least", signed, Trust{Keys: keys(one), MinSequence: 7}, "signed by " + KeyID(one)},
		{"sequence below the least", signed, Trust{Keys: keys(one), MinSequence: 8}, "sequence"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, info, err := Open(c.data, c.trust)
			var r *Refusal
			switch {
			case errors.As(err, &r) && string(r.Step) == c.want:
			case err == nil && info.Status() == c.want && info.Signed == (len(c.trust.Keys) > 0):
			default:
				t.Errorf("%v %v, want %s", info, err, c.want)
			}
		})
	}
}

// TestNestingCostsNothing decodes arrays nested as deep as a file is long: no
// schema recurses, so neither does the decoder.
func TestNestingCostsNothing(t *testing.T) {
	deep := rebuilt(must(minimal()), "META", func([]byte) []byte { return bytes.Repeat([]byte{0x91}, 1<<20) })
	var r *Refusal
	if _, _, err := Open(deep, Trust{}); !errors.As(err, &r) || r.Step != StepEncoding {
		t.Error(err)
	}
}

// TestGateListsAreBounded builds the file that would multiply inherited gates:
// a node with many gates and many children that each add one.
func TestGateListsAreBounded(t *testing.T) {
	p := minimal()
	for i := range maxNodeGates {
		g := Gate{Scope: ScopeNode, Disposition: DispositionReject, Expr: fmt.Sprint(i), Program: compiled(`false`)}
		g.ID = GateID(g.Scope, g.Disposition, g.Expr)
		p.Gates = append(p.Gates, g)
	}
	slices.SortFunc(p.Gates, func(a, b Gate) int { return bytes.Compare([]byte(a.ID), []byte(b.ID)) })
	all := make([]string, len(p.Gates))
	for i := range p.Gates {
		all[i] = p.Gates[i].ID
	}
	p.Tree.Nodes[1].Gates = all[:maxNodeGates-1]
	children := maxGateRefs/maxNodeGates + 1
	for range children {
		n := p.Tree.Nodes[1]
		n.Parent, n.Gates = 1, all
		p.Tree.Nodes = append(p.Tree.Nodes, n)
	}
	if _, err := Encode(p); err == nil {
		t.Error("encoded")
	}
	p.Tree.Nodes = p.Tree.Nodes[:len(p.Tree.Nodes)-2]
	if _, err := Encode(p); err != nil {
		t.Error(err)
	}
}

// TestNodeGatesAtTheBound gives a node as many gates as it may have, and one more
// by way of its parent's.
func TestNodeGatesAtTheBound(t *testing.T) {
	for extra, ok := range map[int]bool{0: true, 1: false} {
		p := minimal()
		var all []string
		for i := range maxNodeGates + extra {
			g := Gate{Scope: ScopeNode, Disposition: DispositionReject, Expr: fmt.Sprint(i), Program: compiled(`false`)}
			g.ID = GateID(g.Scope, g.Disposition, g.Expr)
			p.Gates, all = append(p.Gates, g), append(all, g.ID)
		}
		slices.SortFunc(p.Gates, func(a, b Gate) int { return bytes.Compare([]byte(a.ID), []byte(b.ID)) })
		slices.Sort(all)
		p.Tree.Nodes[1].Gates = all[:maxNodeGates/2]
		p.Tree.Nodes = append(p.Tree.Nodes, p.Tree.Nodes[1])
		p.Tree.Nodes[2].Parent, p.Tree.Nodes[2].Gates = 1, all
		if _, err := Encode(p); (err == nil) != ok {
			t.Errorf("%d gates: error %v", len(all), err)
		}
	}
}

// TestLargeFiles are refused by their length alone, before anything is read.
func TestLargeFiles(t *testing.T) {
	data := make([]byte, MaxFile+1)
	copy(data, must(minimal())[:headerSize])
	for _, c := range []struct {
		size, length int
		ok           bool
	}{
		{MaxFile + 1, 442, false},
		{MaxFile, 442, true},
		{MaxFile, MaxFile - envelopeSpace, true},
		{MaxFile, MaxFile - envelopeSpace + 1, false},
	} {
		copy(data[12:], binary.BigEndian.AppendUint32(nil, uint32(c.length)))
		if _, err := readHeader(data[:c.size]); (err == nil) != c.ok {
			t.Errorf("file of %d bytes with length %d: error %v", c.size, c.length, err)
		}
	}
}

// TestBadTrust: a key that is none is an error of the caller's, and says so.
func TestBadTrust(t *testing.T) {
	_, _, err := Open(signAny(must(sample()), 1), Trust{Keys: keys(make([]byte, 31))})
	if err == nil || !strings.Contains(err.Error(), "trusted key of 31 bytes") {
		t.Error(err)
	}
}
