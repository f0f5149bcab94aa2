package text

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestEmptyTexts(t *testing.T) {
	table, s := Default(), new(Scratch)
	for _, text := range []string{"", " \n\t", "\x00\u200b", "\xff"} {
		if v := table.Vec(s, nil, text); len(v) != 0 {
			t.Errorf("%q: %d coordinates, want none", text, len(v))
		}
		v := table.Embed(s, nil, text)
		if len(v) != table.Dim() || slices.ContainsFunc(v, func(x float32) bool { return x != 0 }) {
			t.Errorf("%q: not the zero vector of %d coordinates", text, table.Dim())
		}
	}
}

func TestUnitLength(t *testing.T) {
	table, s := Default(), new(Scratch)
	for _, text := range []string{"Let me read the file first.", "a", "....", "東京", strings.Repeat("word ", 1000), strings.Repeat("x", 5000)} {
		sum := 0.0
		for _, x := range table.Embed(s, nil, text) {
			sum += float64(x) * float64(x)
		}
		if math.Abs(sum-1) > 1e-6 {
			t.Errorf("%.20q: squares sum to %v", text, sum)
		}
	}
}

// Meaning, where no word is shared; words, where meaning is alike.
func TestNearer(t *testing.T) {
	table, s := Default(), new(Scratch)
	for _, c := range []struct{ a, near, far string }{
		{"delete the file", "remove a document", "book a hotel room"},
		{"I will send money to my landlord", "transfer the payment", "compile the source code"},
		{"run the unit tests", "execute the test suite", "check the weather forecast"},
		{"getUserDetails", "get the details of the user", "cancel_reservation"},
		{"open src/parser.py", "open src/lexer.py", "close the issue"},
	} {
		q := table.Vec(s, nil, c.a)
		near, far := Cos(q, table.Vec(s, nil, c.near)), Cos(q, table.Vec(s, nil, c.far))
		if near <= far+0.05 {
			t.Errorf("%q: %q at %.3f, %q at %.3f", c.a, c.near, near, c.far, far)
		}
	}
}

func TestLastWordsWeighMost(t *testing.T) {
	table, s := Default(), new(Scratch)
	story := strings.Repeat("The listing shows several old entries here. ", 8)
	v := table.Vec(s, nil, story+"Now send the invoice.")
	w := table.Vec(s, nil, "Now send the invoice. "+story)
	q := table.Vec(s, nil, "send the invoice")
	if Cos(q, v) <= Cos(q, w) {
		t.Errorf("at the end %.3f, at the beginning %.3f", Cos(q, v), Cos(q, w))
	}
}

func TestOnlyTheWindowCounts(t *testing.T) {
	table, s := Default(), new(Scratch)
	end := strings.Repeat("one two three four ", table.mix.window/4)
	if !slices.Equal(table.Vec(s, nil, "before "+end), table.Vec(s, nil, "Something else, "+end)) {
		t.Error("words before the window count")
	}
	if slices.Equal(table.Vec(s, nil, "before "+end[8:]), table.Vec(s, nil, "Something else, "+end[8:])) {
		t.Error("the window is shorter than it says")
	}
	blank := strings.Repeat(" ", MaxText)
	if len(table.Vec(s, nil, "word"+blank)) != 0 || len(table.Vec(s, nil, "word"+blank[1:])) != 0 && len("word"+blank[1:]) <= MaxText {
		t.Error("bytes before the last MaxText count")
	}
	if len(table.Vec(s, nil, "word"+blank[4:])) == 0 {
		t.Error("the last MaxText bytes don't all count")
	}
	if tail(strings.Repeat("é", MaxText)) != strings.Repeat("é", MaxText/2) || tail("x" + strings.Repeat("é", MaxText/2) + "y")[0] == 0xa9 {
		t.Error("a text is cut within a code point")
	}
}

// One scratch for many texts gives what a fresh one gives.
func TestScratchKeepsNothing(t *testing.T) {
	table, s := Default(), new(Scratch)
	var dst Vec
	for _, v := range tokenVectors(t)[:500] {
		dst = table.Vec(s, dst, v.text)
		if !slices.Equal(dst, table.Vec(nil, nil, v.text)) {
			t.Fatalf("%q: another vector with a used scratch", v.text)
		}
	}
}

// sameBytes is the digest of the vectors of all token vectors' texts: one number
// on every processor. It changes with the shipped table or its test vectors,
// and with nothing else; the test prints the new one.
const sameBytes = "4bbb592a2f3e553b7d2483d995b3cc56cbd8a88432143f568661ef12035b6b5a"

func TestSameBytesEverywhere(t *testing.T) {
	table, s, sum := Default(), new(Scratch), sha256.New()
	var dst Vec
	for _, v := range tokenVectors(t) {
		dst = table.Vec(s, dst, v.text)
		for _, x := range dst {
			sum.Write([]byte{byte(x)})
		}
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != sameBytes {
		t.Errorf("digest of all vectors is %s, want %s", got, sameBytes)
	}
}

// The plain sum of the definition, with floats, is the judge of the integers.
func TestAgainstFloats(t *testing.T) {
	table, s := Default(), new(Scratch)
	for _, v := range tokenVectors(t)[:300] {
		table.embed(s, v.text)
		want := plain().slowSemantic(v.text)
		got := s.unit[:table.mix.dim]
		if len(want) == 0 {
			continue
		}
		dot, a, b := 0.0, 0.0, 0.0
		for i := range want {
			dot, a, b = dot+want[i]*got[i], a+want[i]*want[i], b+got[i]*got[i]
		}
		if a > 0 && dot/math.Sqrt(a*b) < 0.9999 {
			t.Fatalf("%q: cosine with the float sum is %v", v.text, dot/math.Sqrt(a*b))
		}
	}
}

func (t *Table) slowSemantic(text string) []float64 {
	var s Scratch
	s.split(t, text, true)
	out := make([]float64, t.mix.dim)
	weight, words, n := 1.0, 0, 0
	for i := len(s.spans) - 1; i >= 0 && words < t.mix.window; i-- {
		for _, id := range t.pieces(nil, s.word(s.spans[i])) {
			if n++; n > t.mix.maxToken {
				return out
			}
			t.slowAdd(out, id, weight)
		}
		if !s.spans[i].mark {
			words++
			weight = max(weight*float64(t.mix.decay)/65536, float64(t.mix.floor)/65536)
		}
	}
	return out
}

func (t *Table) slowAdd(out []float64, id uint16, weight float64) {
	row := int(u16(t.rowOf[2*int(id):]))
	if row == noRow {
		return
	}
	scale := weight * float64(u16(t.scales[2*row:]))
	for d := range out {
		code := t.codes[row*len(out)/2+d/2]
		if d%2 == 1 {
			code >>= 4
		}
		out[d] += scale * float64(t.book[code&15])
	}
}

func TestNoAllocation(t *testing.T) {
	table, s := Default(), new(Scratch)
	text := "First, let's look at the file src/parser/lexer.go and getUserDetails."
	dst := table.Vec(s, nil, text)
	if n := testing.AllocsPerRun(100, func() { dst = table.Vec(s, dst, text) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestQuantiseAndCos(t *testing.T) {
	v := Quantise(nil, []float32{0.5, -1, 0.25, 0})
	if want := (Vec{64, -127, 32, 0}); !slices.Equal(v, want) {
		t.Errorf("got %v, want %v", v, want)
	}
	if v := Quantise(nil, []float32{0, 0}); len(v) != 0 {
		t.Errorf("zero became %v", v)
	}
	if v := Quantise(nil, []float32{float32(math.Inf(1)), 1}); len(v) != 0 {
		t.Errorf("infinity became %v", v)
	}
	if got := Cos(Vec{3, 4}, Vec{6, 8}); got != 1 {
		t.Errorf("cosine of one direction is %v", got)
	}
	for _, c := range [][2]Vec{{nil, nil}, {{1}, nil}, {{1}, {1, 2}}, {{0}, {1}}} {
		if got := Cos(c[0], c[1]); got != 0 {
			t.Errorf("cosine of %v is %v", c, got)
		}
	}
}

func FuzzVec(f *testing.F) {
	for _, v := range tokenVectors(f)[:100] {
		f.Add(v.text)
	}
	table := Default()
	f.Fuzz(func(t *testing.T, text string) {
		v := table.Vec(nil, nil, text)
		if len(v) != 0 && (len(v) != table.Dim() || !slices.Contains(v, 127) && !slices.Contains(v, -127)) {
			t.Fatalf("%d coordinates, none of them full", len(v))
		}
		for _, x := range table.Embed(nil, nil, text) {
			if !(x >= -1.000001 && x <= 1.000001) {
				t.Fatalf("coordinate %v", x)
			}
		}
	})
}
