package text

import (
	"errors"
	"fmt"
	"math/bits"
	"strings"
	"unicode/utf8"
)

// check looks at everything that embedding a text relies on, so that no table
// that Open returns can make it fail or loop.
func (t *Table) check() error {
	for _, f := range []func() error{t.checkMix, t.checkVocabulary, t.checkSlots, t.checkRows, t.checkFold} {
		if err := f(); err != nil {
			return err
		}
	}
	return nil
}

func (t *Table) checkMix() error {
	m := &t.mix
	switch {
	case m.dim%2 != 0 || m.dim == 0:
		return fmt.Errorf("%d dimensions, want an even number", m.dim)
	case m.lexical != 0 && bits.OnesCount(uint(m.lexical)) != 1:
		return fmt.Errorf("%d lexical dimensions, want a power of two", m.lexical)
	case m.window == 0 || m.maxToken == 0:
		return errors.New("an empty window")
	case m.decay == 0:
		return errors.New("no weight for any word but the last")
	case !printable(t.id):
		return errors.New("an identifier that can't be printed")
	}
	return nil
}

func printable(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}
	return s != ""
}

// checkVocabulary wants the spellings in order, whole and short enough.
func (t *Table) checkVocabulary() error {
	if t.vocab == 0 || int(t.unknown) >= t.vocab {
		return errors.New("no entry for unknown words")
	}
	if u32(t.offsets) != 0 || int(u32(t.offsets[4*t.vocab:])) != len(t.text) {
		return errors.New("spellings don't fill their section")
	}
	longest := 0
	for i := range t.vocab {
		from, to := u32(t.offsets[4*i:]), u32(t.offsets[4*i+4:])
		if from >= to || int(to) > len(t.text) {
			return fmt.Errorf("spelling %d is out of its section", i)
		}
		longest = max(longest, int(to-from))
	}
	if longest != t.longestPiece {
		return fmt.Errorf("longest spelling is %d bytes, header says %d", longest, t.longestPiece)
	}
	return nil
}

// checkSlots wants every entry where a lookup finds it, once, and nothing else.
func (t *Table) checkSlots() error {
	used := 0
	for i := 0; i < len(t.slots); i += 2 {
		id := u16(t.slots[i:])
		if id != emptySlot && int(id) >= t.vocab {
			return fmt.Errorf("slot %d holds entry %d of %d", i/2, id, t.vocab)
		}
		if id != emptySlot {
			used++
		}
	}
	if used != t.vocab || used >= len(t.slots)/2 {
		return fmt.Errorf("%d of %d slots hold %d entries", used, len(t.slots)/2, t.vocab)
	}
	for id := range t.vocab {
		piece, inside := strings.CutPrefix(t.spelling(id), "##")
		if piece == "" { // the entry "##" itself
			piece, inside = t.spelling(id), false
		}
		if got, ok := t.find(hash(piece, inside), []byte(piece), inside); !ok || int(got) != id {
			return fmt.Errorf("entry %d can't be looked up", id)
		}
	}
	return nil
}

func (t *Table) checkRows() error {
	for i := range t.vocab {
		if r := u16(t.rowOf[2*i:]); r != noRow && int(r) >= t.rows {
			return fmt.Errorf("entry %d has row %d of %d", i, r, t.rows)
		}
	}
	for i := range t.rows {
		if s := u16(t.scales[2*i:]); s > maxScale {
			return fmt.Errorf("row %d has scale %d, limit %d", i, s, maxScale)
		}
	}
	return nil
}

// checkFold wants the ranges in order and apart, and what they give valid.
func (t *Table) checkFold() error {
	last := rune(utf8.RuneSelf - 1)
	for i := range len(t.fold) / foldEntrySize {
		e := t.foldEntry(i)
		if e.first <= last || e.last < e.first || e.last > utf8.MaxRune || e.kind >= foldKinds {
			return fmt.Errorf("range %d of the fold table is out of order", i)
		}
		if !t.validFold(e) {
			return fmt.Errorf("range %d of the fold table gives what isn't text", i)
		}
		last = e.last
	}
	return nil
}

func (t *Table) validFold(e foldEntry) bool {
	switch e.kind {
	case foldShift, foldShift2, foldMarkAt, foldAloneAt:
		a, b := int64(e.first)+int64(e.arg), int64(e.last)+int64(e.arg)
		return a > 0 && b <= utf8.MaxRune
	case foldString:
		off, n := int(uint32(e.arg)>>8), int(e.arg&0xff)
		return off+n <= len(t.foldText) && utf8.ValidString(t.foldText[off:off+n])
	case foldHangul:
		return e.first >= hangulFirst && e.last <= hangulLast
	}
	return e.arg == 0
}
