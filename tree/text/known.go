package text

// Known is the share of a text's words, in thousandths by length, that are entries
// of the vocabulary as they stand. Others are put together of pieces, or unknown:
// names and numbers, and whatever nobody ever wrote. A word of one byte says
// nothing either way. A text without words has none known. A nil Scratch
// allocates one.
func (t *Table) Known(s *Scratch, text string) int {
	if s == nil {
		s = new(Scratch)
	}
	s.split(t, tail(text), true)
	known, all := 0, 0
	for _, w := range s.spans {
		word := s.word(w)
		if w.mark || len(word) < 2 {
			continue
		}
		all += len(word)
		if _, ok := t.find(hash(word, false), word, false); ok {
			known += len(word)
		}
	}
	if all == 0 {
		return 0
	}
	return known * 1000 / all
}
