package flow

import (
	"bytes"
	"encoding/base64"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits on putting a value together: four pieces of at least four letters or
// digits. Two pieces of four are as telling as one whole of minBare.
const (
	maxPieces = 4
	minPiece  = 4
)

// pieces finds a value that results hold in pieces, and returns where the first
// one stands. If every piece stands in a field that is one word (another
// address, a name), text had no part in it.
func (x *Index) pieces(name string) found {
	b := strip(fold(name))
	if len(b) < 2*minPiece {
		return found{}
	}
	first := found{}
	for n := 0; b != ""; n++ {
		k := x.longest(b)
		if k == 0 || n == maxPieces {
			return found{}
		}
		s, word := x.piece(b[:k])
		if n == 0 {
			first = found{result: s.result, span: s}
		}
		first.part = first.part || !word
		b = b[k:]
	}
	return first
}

// maxHits bounds the places of one piece that are looked at.
const maxHits = 64

// piece finds where a piece stands: in a field of one word if there is one.
func (x *Index) piece(b string) (s *span, word bool) {
	var first *span
	for from, n := 0, 0; n < maxHits; n++ {
		i := bytes.Index(x.bare[from:], []byte(b))
		if i < 0 {
			break
		}
		s := x.at(from+i, inBare)
		if !s.free && x.oneWord(s) {
			return s, true
		}
		if first == nil {
			first = s
		}
		from += i + len(b)
	}
	return first, false
}

func (x *Index) oneWord(s *span) bool {
	leaf := x.text[s.at+1:]
	leaf = leaf[:bytes.IndexByte(leaf, 0)]
	return bytes.IndexByte(leaf, ' ') < 0
}

// longest returns the length of the longest prefix of b that results hold,
// leaving at least minPiece, or nothing, after it; 0 if it is too short.
func (x *Index) longest(b string) int {
	lo, hi := 0, len(b)
	for lo < hi { // a prefix of what is held is held
		mid := (lo + hi + 1) / 2
		if bytes.Contains(x.bare, []byte(b[:mid])) {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	if rest := len(b) - lo; rest > 0 && rest < minPiece {
		lo -= minPiece - rest
	}
	for lo > 0 && lo < len(b) && !utf8.RuneStart(b[lo]) {
		lo--
	}
	if lo < minPiece {
		return 0
	}
	return lo
}

// decoded returns the texts that base64 words of a leaf hold.
func decoded(s string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(s, func(r rune) bool {
		return !(r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) || strings.ContainsRune("+/-_=", r))
	}) {
		if len(w) < 12 || len(out) >= maxParts {
			continue
		}
		w = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(w, "="))
		if b, err := base64.RawStdEncoding.DecodeString(w); err == nil && printable(b) {
			out = append(out, string(b))
		}
	}
	return out
}

func printable(b []byte) bool {
	for _, r := range string(b) {
		if r == utf8.RuneError || !unicode.IsPrint(r) && !unicode.IsSpace(r) {
			return false
		}
	}
	return true
}
