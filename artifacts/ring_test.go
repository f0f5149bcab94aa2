package artifacts

import (
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
)

// addLine is a line that adds the key of a seed.
func addLine(seed byte, from int) string {
	pub, _ := testKey(seed)
	return fmt.Sprintf("add %s from %d\n", base64.StdEncoding.EncodeToString(pub), from)
}

func retireLine(seed byte, after int) string {
	pub, _ := testKey(seed)
	return fmt.Sprintf("retire %s after %d\n", KeyID(pub), after)
}

// ringOf makes a ring out of statements: lines and who signs them.
func ringOf(parts ...any) []byte {
	var data []byte
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			data = append(data, p...)
		case int:
			_, priv := testKey(byte(p))
			var err error
			if data, err = SignRing(data, priv); err != nil {
				panic(err)
			}
		}
	}
	return data
}

const oneNeeded, twoNeeded = RingHead + "\nneed 1\n", RingHead + "\nneed 2\n"

// rotated has key 1 up to 7 and key 2 from 8 on.
func rotated() []byte {
	return ringOf(oneNeeded+addLine(1, 1), 1, addLine(2, 8)+retireLine(1, 7), 1)
}

// ringCase is a ring, and what is said if it is refused.
type ringCase struct{ name, data, want string }

func ringCases() []ringCase {
	good := string(rotated())
	two := string(ringOf(twoNeeded+addLine(1, 1)+addLine(2, 1), 1, 2))
	first := ringOf(oneNeeded+addLine(1, 1), 1)
	last := strings.LastIndex(good, "signed ")
	return []ringCase{
		{"one key", string(first), ""},
		{"rotated", good, ""},
		{"two needed", two, ""},
		{"two needed, a third added by both", string(ringOf(two, addLine(3, 5), 2, 1)), ""},
		{"a later need", string(ringOf(string(first), "need 2\n"+addLine(2, 3), 1)), ""},
		{"nothing", "", "no key ring; gbt keys add"},
		{"another file", "gbt seen 1\nsequence 1\n", "line 1: no key ring"},
		{"no need", RingHead + "\n" + addLine(1, 1), "line 2: a ring begins with how many"},
		{"need 0", RingHead + "\nneed 0\n" + addLine(1, 1), "line 2: "},
		{"need 01", RingHead + "\nneed 01\n" + addLine(1, 1), "line 2: "},
		{"need 9", RingHead + "\nneed 9\n" + addLine(1, 1), "line 2: "},
		{"no keys", RingHead + "\nneed 1\nneed 1\n", "line 3: \"need 1\" is unknown"},
		{"not signed", oneNeeded + addLine(1, 1), "0 of the 1 signatures"},
		{"one of two signed", string(ringOf(twoNeeded+addLine(1, 1)+addLine(2, 1), 1)), "1 of the 2 signatures"},
		{"fewer keys than needed", string(ringOf(twoNeeded+addLine(1, 1), 1)), "1 keys are left and 2 signatures are needed"},
		{"the last key retired", string(ringOf(string(first), retireLine(1, 3), 1)), "0 keys are left"},
		{"a statement with one of two", string(ringOf(two, addLine(3, 5), 2)), "1 of the 2 signatures"},
		{"a statement behind such a one", string(ringOf(two, addLine(3, 5), 2)) + addLine(4, 1), "1 of the 2 signatures"},
		{"an added line", good + addLine(3, 1), "line 8: 0 of the 1"},
		{"signed by the added key", string(first) + signedBySelf(string(first)+addLine(2, 1), 2), "which the ring does not hold here"},
		{"signed by a retired key", strings.TrimSuffix(good, "\n") + "\n" + signedBySelf(good+addLine(3, 1), 1), "which the ring does not hold here"},
		{"a number changed", strings.Replace(good, "after 7", "after 9", 1), "bad signature"},
		{"the first statement changed", strings.Replace(good, "from 1\n", "from 2\n", 1), "line 4: bad signature"},
		{"the last statement without its end", good[:last], "0 of the 1 signatures"},
		{"no line break at the end", good[:len(good)-1], "it is cut off"},
		{"a blank line", good + "\n", "line 8: "},
		{"a space more", strings.Replace(good, " from ", "  from ", 1), "no key; a line is"},
		{"added twice", string(ringOf(string(first))) + addLine(1, 2), "is added twice"},
		{"retired twice", good + retireLine(1, 3), "no key of the ring to retire"},
		{"a leading zero", strings.Replace(good, "from 8", "from 08", 1), "no sequence number"},
		{"signatures out of order", swapLast(two), "not in the order"},
		{"too long", oneNeeded + strings.Repeat(addLine(1, 1), 1300), "are the limit"},
	}
}

// TestRing goes through rings and what is said of them.
func TestRing(t *testing.T) {
	for _, c := range ringCases() {
		r, err := OpenRing([]byte(c.data), "")
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) || err != nil && r != nil {
			t.Errorf("%s: %+v %v, want %q", c.name, r, err, c.want)
		}
	}
}

// signedBySelf is the last line of a ring and a signature that nothing allows.
func signedBySelf(data string, seed byte) string {
	pub, priv := testKey(seed)
	at := strings.LastIndexByte(data[:len(data)-1], '\n') + 1
	return data[at:] + "signed " + KeyID(pub) + " " + base64.StdEncoding.EncodeToString(ed25519.Sign(priv, pae(ringType, []byte(data)))) + "\n"
}

// swapLast exchanges the last two lines.
func swapLast(s string) string {
	lines := strings.SplitAfter(s, "\n")
	n := len(lines) - 1
	lines[n-1], lines[n-2] = lines[n-2], lines[n-1]
	return strings.Join(lines, "")
}

// TestRingRoot: a ring grows under its name, and no other passes for it.
func TestRingRoot(t *testing.T) {
	first, err := OpenRing(ringOf(oneNeeded+addLine(1, 1), 1), "")
	if err != nil {
		t.Fatal(err)
	}
	grown, err := OpenRing(rotated(), first.Root)
	if err != nil || grown.Size <= first.Size || string(rotated()[:first.Size]) != string(ringOf(oneNeeded+addLine(1, 1))) {
		t.Errorf("%+v %v", grown, err)
	}
	if _, err := OpenRing(ringOf(oneNeeded+addLine(2, 1), 2), first.Root); err == nil || !strings.Contains(err.Error(), "is trusted") {
		t.Errorf("another ring: %v", err)
	}
}

// TestRingTrust: a key counts for the sequence numbers that its ring says.
func TestRingTrust(t *testing.T) {
	ring := func(data []byte) []*Ring {
		r, err := OpenRing(data, "")
		if err != nil {
			t.Fatal(err)
		}
		return []*Ring{r}
	}
	both := ring(ringOf(twoNeeded+addLine(1, 1)+addLine(2, 1), 1, 2))
	late := ring(ringOf(oneNeeded+addLine(2, 8), 2))
	none := ring(ringOf(oneNeeded+addLine(1, 1)+addLine(2, 1), 1, retireLine(1, 0), 2))
	early := ring(ringOf(oneNeeded+addLine(1, 1), 1, addLine(2, 7)+retireLine(1, 6), 1))
	one, _ := testKey(1)
	for _, c := range []struct {
		name    string
		signers []byte
		trust   Trust
		want    string
	}{
		{"in its span", []byte{1}, Trust{Rings: ring(rotated())}, ""},
		{"before its span", []byte{2}, Trust{Rings: late}, "sequence from 8 on, and this policy has 7"},
		{"retired before", []byte{1}, Trust{Rings: early}, "sequence 1 to 6, and this policy has 7"},
		{"its successor", []byte{2}, Trust{Rings: early}, ""},
		{"never counted", []byte{1}, Trust{Rings: none}, "numbers of no policy"},
		{"the ring needs two", []byte{1}, Trust{Rings: both}, "1 of the 2"},
		{"and has them", []byte{1, 2}, Trust{Rings: both}, ""},
		{"a stranger", []byte{3}, Trust{Rings: ring(rotated())}, "which is not trusted"},
		{"unsigned", nil, Trust{Rings: ring(rotated())}, "unsigned"},
		{"named beside the ring it counts for ever", []byte{1}, Trust{Rings: early, Keys: keys(one)}, ""},
		{"two rings, one of which holds it", []byte{1}, Trust{Rings: append(ring(rotated()), early...)}, ""},
	} {
		_, info, err := Open(signAll(t, must(sample()), c.signers...), c.trust)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) || err == nil && !info.Signed {
			t.Errorf("%s: %+v %v, want %q", c.name, info, err, c.want)
		}
	}
}

// TestAllows: who may sign what has no sequence number.
func TestAllows(t *testing.T) {
	one, _ := testKey(1)
	two, _ := testKey(2)
	three, _ := testKey(3)
	r, err := OpenRing(rotated(), "")
	if err != nil {
		t.Fatal(err)
	}
	ring := []*Ring{r}
	for _, c := range []struct {
		name  string
		trust Trust
		want  [3]bool
	}{
		{"nobody is trusted", Trust{}, [3]bool{true, true, true}},
		{"keys", Trust{Keys: keys(one, two)}, [3]bool{true, true, false}},
		{"a ring without the key that it retired", Trust{Rings: ring}, [3]bool{false, true, false}},
		{"a need and no key", Trust{Need: 1}, [3]bool{false, false, false}},
	} {
		if got := [3]bool{c.trust.Allows(one), c.trust.Allows(two), c.trust.Allows(three)}; got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// FuzzRing reads any bytes: a ring is its lines, each key once, and the bytes
// that its last signatures cover are a part of it.
func FuzzRing(f *testing.F) {
	f.Add(rotated())
	f.Add(ringOf(twoNeeded+addLine(1, 1)+addLine(2, 1), 1, 2))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := OpenRing(data, "")
		if err != nil {
			return
		}
		seen := map[string]bool{}
		for _, k := range r.Keys {
			if seen[k.ID] || KeyID(k.Key) != k.ID {
				t.Fatalf("key %s twice or by another name", k.ID)
			}
			seen[k.ID] = true
		}
		if r.Need < 1 || r.Size < 1 || r.Size >= len(data) {
			t.Fatalf("%+v of %d bytes", r, len(data))
		}
	})
}
