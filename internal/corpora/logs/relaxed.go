package logs

import "bytes"

// Records are read as the programs that write them do, which is a little more
// than RFC 8259 allows: Python's json module writes NaN, JavaScript's strings
// may hold half of a surrogate pair, and some writers leave control characters
// as they are. fastjson takes all of that: NaN and inf, of any case, are
// numbers; an escape that means nothing, a lone surrogate among them, stays in
// the text as it is written. A strict parser judges what is long or broken, so
// that it sees the same faults it is shown a relaxed copy.

// relaxed is b with everything that fastjson takes and RFC 8259 does not made
// harmless, byte for byte: numbers are 0, and strings hold neither escapes nor
// control characters.
func relaxed(b []byte) []byte {
	out := bytes.Clone(b)
	for i := 0; i < len(out); {
		switch c := out[i]; c {
		case '"':
			i = relaxString(out, i+1)
		case '{', '}', '[', ']', ',', ':', ' ', '\t', '\r', '\n':
			i++
		default:
			if n := literal(out[i:]); n > 0 {
				i += n
				continue
			}
			n := rawNumber(out[i:])
			for j := range n {
				out[i+j] = ' '
			}
			if n > 0 {
				out[i] = '0'
			}
			i += max(n, 1)
		}
	}
	return out
}

// relaxString makes the string whose text begins at i harmless and returns where
// what follows it begins.
func relaxString(b []byte, i int) int {
	for ; i < len(b); i++ {
		switch {
		case b[i] == '"':
			return i + 1
		case b[i] == '\\':
			b[i] = ' '
			if i+1 < len(b) && b[i+1] < 0x80 {
				i++
				b[i] = ' '
			}
		case b[i] < ' ':
			b[i] = ' '
		}
	}
	return i
}

// literal is the length of the literal that b begins with; 0 if there is none.
func literal(b []byte) int {
	for _, word := range [...]string{"true", "false", "null"} {
		if bytes.HasPrefix(b, []byte(word)) {
			return len(word)
		}
	}
	return 0
}

// rawNumber is the length of what fastjson takes for a number at the beginning
// of b (parseRawNumber); 0 if nothing.
func rawNumber(b []byte) int {
	for i, c := range b {
		if c >= '0' && c <= '9' || bytes.IndexByte([]byte(".-+eE"), c) >= 0 {
			continue
		}
		if i > 1 || i == 1 && b[0] != '-' && b[0] != '+' {
			return i
		}
		if w := b[i:min(i+3, len(b))]; bytes.EqualFold(w, []byte("inf")) || bytes.EqualFold(w, []byte("nan")) {
			return i + 3
		}
		return 0
	}
	return len(b)
}
