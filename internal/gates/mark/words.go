package mark

// This file is about lists of words that are one text: a word of a []string takes 16 bytes beside
// its letters.

// Among says whether a word is one of a text of words, sorted by their bytes, with one blank
// between two. Not inlined, for the size of programs.
//
//go:noinline
func Among(sorted, word string) bool {
	low, high := 0, len(sorted) // each where a word begins, or the end
	for low < high {
		from := low + (high-low)/2
		to := from
		for from > low && sorted[from-1] != ' ' {
			from--
		}
		for to < high && sorted[to] != ' ' {
			to++
		}
		switch w := sorted[from:to]; {
		case w == word:
			return true
		case w > word:
			high = from
		default:
			low = to + 1
		}
	}
	return false
}
