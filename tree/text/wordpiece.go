package text

// WordPiece (Schuster and Nakajima 2012, as in BERT's tokenizer): the longest
// entry of the vocabulary that the rest of a word starts with, again and again;
// entries within a word carry the prefix "##". A word with a part that no entry
// starts is one unknown token, and so is one of more than maxWord code points.
//
// The vocabulary is an open hash table in the file itself (FORMAT.md), so that
// nothing is built at start: FNV-1a over the entry's bytes, linear probing.

const (
	// maxWord is max_input_chars_per_word of the encoder's tokenizer.
	maxWord = 100

	fnvBasis = 2166136261 // FNV-1a, 32 bits (RFC 9923)
	fnvPrime = 16777619

	emptySlot = 0xffff

	// maxPiece bounds the spelling of a vocabulary entry, in bytes.
	maxPiece = 64
)

func (t *Table) spelling(id int) string {
	return t.text[u32(t.offsets[id*4:]):u32(t.offsets[id*4+4:])]
}

// pieces appends the tokens of one word.
func (t *Table) pieces(dst []uint16, word []byte) []uint16 {
	had := len(dst)
	if tooLong(word) {
		return append(dst, t.unknown)
	}
	for from := 0; from < len(word); {
		id, n := t.longest(word[from:], from > 0)
		if n == 0 {
			return append(dst[:had], t.unknown)
		}
		dst = append(dst, id)
		from += n
	}
	return dst
}

// tooLong counts code points only where the bytes leave a doubt.
func tooLong(word []byte) bool {
	if len(word) <= maxWord {
		return false
	}
	n := 0
	for _, c := range word {
		if c&0xc0 != 0x80 {
			n++
		}
	}
	return n > maxWord
}

// longest finds the longest entry that starts rest. The hashes of all prefixes
// come from one pass, since FNV-1a goes from left to right.
func (t *Table) longest(rest []byte, inside bool) (id uint16, n int) {
	var hashes [maxPiece]uint32
	h := hash("", inside)
	top := min(len(rest), t.longestPiece)
	for i := 0; i < top; i++ {
		h = (h ^ uint32(rest[i])) * fnvPrime
		hashes[i] = h
	}
	for n := top; n > 0; n-- {
		if id, ok := t.find(hashes[n-1], rest[:n], inside); ok {
			return id, n
		}
	}
	return 0, 0
}

// find looks an entry up. The table is never full, so the loop ends: Open
// checks that, and the bound holds for one that Open did not see.
func (t *Table) find(hash uint32, piece []byte, inside bool) (uint16, bool) {
	mask := uint32(len(t.slots)/2 - 1)
	for i, tries := hash&mask, uint32(0); tries <= mask; i, tries = (i+1)&mask, tries+1 {
		id := u16(t.slots[i*2:])
		if id == emptySlot {
			return 0, false
		}
		if t.spells(int(id), piece, inside) {
			return id, true
		}
	}
	return 0, false
}

func (t *Table) spells(id int, piece []byte, inside bool) bool {
	s := t.spelling(id)
	if inside {
		if len(s) < 2 || s[:2] != "##" {
			return false
		}
		s = s[2:]
	}
	return s == string(piece)
}
