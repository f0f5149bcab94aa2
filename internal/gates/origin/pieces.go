package origin

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
	for i := 0; i < len(s) && len(out) < maxParts; i++ {
		from := i
		for i < len(s) && (alnum(s[i]) || strings.IndexByte("+/-_=", s[i]) >= 0) {
			i++
		}
		if i-from < minEncoded {
			continue
		}
		if b, ok := decodeWord(s[from:i]); ok {
			out = append(out, string(b))
		}
	}
	return out
}

// minEncoded is the length from which a word may be base64.
const minEncoded = 12

// decodeWord decodes a word of base64 in either alphabet. Most long words are
// names and paths, whose first letters decode to no text: these go first.
func decodeWord(w string) ([]byte, bool) {
	w = strings.TrimRight(w, "=")
	var head [6]byte
	n, err := base64.RawStdEncoding.Decode(head[:], standard(w[:min(len(w), 8)]))
	if err != nil || !printable(head[:n], false) {
		return nil, false
	}
	b := make([]byte, base64.RawStdEncoding.DecodedLen(len(w)))
	n, err = base64.RawStdEncoding.Decode(b, standard(w))
	return b[:n], err == nil && printable(b[:n], true)
}

// standard writes a word in the standard alphabet (RFC 4648, section 4).
func standard(w string) []byte {
	b := []byte(w)
	for i, c := range b {
		switch c {
		case '-':
			b[i] = '+'
		case '_':
			b[i] = '/'
		}
	}
	return b
}

// printable says whether bytes are text. If they are not the whole, a rune at
// their end may be cut.
func printable(b []byte, whole bool) bool {
	for len(b) > 0 && (whole || utf8.FullRune(b)) {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError || !unicode.IsPrint(r) && !unicode.IsSpace(r) {
			return false
		}
		b = b[n:]
	}
	return true
}
