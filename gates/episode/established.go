package episode

import (
	"bytes"
	"hash/fnv"
	"slices"
	"strings"
	"unicode"

	"github.com/gbt-policy/gbt/gates"
)

// This file is about facts that observed results established (requirement V1): which calls
// ended well, what they were about, and which values their results show. Of all that only
// hashes are kept: they answer whether a value is the same, and nothing else.

// Fact is what one call that ended well established. It encodes to itself.
type Fact struct {
	Act   string `json:"act"`
	Bound []byte `json:"bound,omitempty"` // hashes of names with values, sorted
	Shown []byte `json:"shown,omitempty"` // hashes of the words of its result, sorted
}

// Bounds of what is kept. What is forgotten counts as not established.
const (
	maxFacts      = 128
	maxBounds     = 64    // values that one call is about
	maxShown      = 4096  // words of one result
	maxShownInAll = 16384 // of all of them; the oldest results lose theirs first
	maxWords      = 16    // of a value; a longer one is a text
)

const hashSize = 8

// NewFact is what a call that ended well established: its action, what it was about, and
// what came back.
func NewFact(act string, bound []gates.Bound, texts ...string) Fact {
	f := Fact{Act: act}
	for _, b := range bound[:min(len(bound), maxBounds)] {
		f.Bound = append(f.Bound, hash(b.Name, b.Value)...)
	}
	f.Bound = sorted(f.Bound)
	var words []string
	for _, t := range texts {
		words = append(words, wordsOf(t, maxShown-len(words))...)
	}
	for _, w := range words {
		f.Shown = append(f.Shown, hash(w)...)
	}
	f.Shown = sorted(f.Shown)
	return f
}

// Same says whether the call had this value as that argument.
func (f *Fact) Same(arg, value string) bool { return has(f.Bound, hash(arg, value)) }

// Shows says whether all words of a value stand in the result.
func (f *Fact) Shows(value string) bool {
	words := wordsOf(value, maxWords+1)
	if len(words) == 0 || len(words) > maxWords {
		return false
	}
	return !slices.ContainsFunc(words, func(w string) bool { return !has(f.Shown, hash(w)) })
}

// Holds says whether the call established what is needed of a value.
func (f *Fact) Holds(n *gates.Need, value string) bool {
	if f.Act != n.Act {
		return false
	}
	switch n.How {
	case gates.HowDid:
		return true
	case gates.HowSame:
		return f.Same(n.Arg, value)
	case gates.HowShown:
		return f.Shows(value)
	}
	return false
}

// wordsOf lists the first words of a text in lower case. Signs that names and numbers hold
// are part of them, but not at their ends.
func wordsOf(text string, most int) []string {
	inside := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-.@+#%", r)
	}
	var out []string
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return !inside(r) }) {
		if w = strings.ToLower(strings.Trim(w, "-.")); w == "" {
			continue
		}
		if len(out) >= most {
			break
		}
		out = append(out, w)
	}
	return out
}

func hash(parts ...string) []byte {
	h := fnv.New64a()
	for _, p := range parts {
		h.Write([]byte(p))
		h.Write([]byte{0})
	}
	return h.Sum(nil)
}

// sorted sorts hashes and keeps each once. They are sorted as texts, for which the code is there.
func sorted(b []byte) []byte {
	n := make([]string, 0, len(b)/hashSize)
	for c := range slices.Chunk(b, hashSize) {
		n = append(n, string(c))
	}
	slices.Sort(n)
	out := b[:0]
	for _, x := range slices.Compact(n) {
		out = append(out, x...)
	}
	return out
}

func has(b, h []byte) bool {
	lo, hi := 0, len(b)/hashSize
	for lo < hi {
		mid := (lo + hi) / 2
		switch bytes.Compare(b[mid*hashSize:(mid+1)*hashSize], h) {
		case 0:
			return true
		case -1:
			lo = mid + 1
		default:
			hi = mid
		}
	}
	return false
}
