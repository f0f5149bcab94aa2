package programs

import (
	"bytes"
	"compress/flate"
	"io"
	"math/rand"
	"strings"
	"testing"
)

func TestDeflated(t *testing.T) {
	random := make([]byte, 50000)
	rand.New(rand.NewSource(1)).Read(random)
	few := bytes.Clone(random[:3000])
	for i := range few {
		few[i] %= 3
	}
	words := []byte(strings.Repeat("verbose!n output=w json!n ", 200) + "quiet!n")
	for name, tt := range map[string]struct{ text, dictionary []byte }{
		"nothing":                     {nil, nil},
		"a byte":                      {[]byte("x"), nil},
		"two bytes behind a window":   {[]byte("xy"), random},
		"one byte again and again":    {bytes.Repeat([]byte("x"), 70000), nil},
		"words":                       {words, nil},
		"words that stand before":     {words, words[:60]},
		"bytes without an order":      {random, random[:100]},
		"few bytes without an order":  {few, nil},
		"a match of the whole window": {random[:300], random[:windowLen]},
	} {
		t.Run(name, func(t *testing.T) {
			out := deflated(tt.text, tt.dictionary)
			got, err := io.ReadAll(flate.NewReaderDict(bytes.NewReader(out), tt.dictionary))
			if err != nil || !bytes.Equal(got, tt.text) {
				t.Fatalf("%d bytes inflate to %d: %v", len(tt.text), len(got), err)
			}
			var theirs bytes.Buffer
			w, _ := flate.NewWriterDict(&theirs, flate.BestCompression, tt.dictionary)
			w.Write(tt.text)
			w.Close()
			if len(tt.text) > 1000 && name != "bytes without an order" && len(out) > theirs.Len() {
				t.Errorf("%d bytes, compress/flate %d", len(out), theirs.Len())
			}
		})
	}
}

// TestLengthsOfCodesHaveALimit: counts as Fibonacci's make the deepest tree.
func TestLengthsOfCodesHaveALimit(t *testing.T) {
	counts := []int{1, 1}
	for len(counts) < 30 {
		counts = append(counts, counts[len(counts)-1]+counts[len(counts)-2])
	}
	for _, limit := range []int{7, 15} {
		sum := 0
		for _, l := range lengthsOf(counts, limit) {
			if l < 1 || int(l) > limit {
				t.Fatalf("a code of %d bits, limit %d", l, limit)
			}
			sum += 1 << (limit - int(l))
		}
		if sum != 1<<limit {
			t.Errorf("limit %d: the codes take %d of %d", limit, sum, 1<<limit)
		}
	}
}
