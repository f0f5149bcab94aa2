package text

// The lexical block: words, pairs of neighbouring words and the trigrams of
// each word's bytes, hashed with a sign (Weinberger et al. 2009, "Feature
// hashing for large scale multitask learning"). Each bucket then gets the
// square root of its size, with its sign (the power normalisation of Perronnin
// et al. 2010, section 3.1): what is said often counts less than in proportion,
// and so do collisions.

const (
	seedWord    = 0x9e3779b9 // the golden ratio; any three numbers would do
	seedPair    = 0x7f4a7c15
	seedTrigram = 0x85ebca6b

	// maxGrams bounds the bytes of one word whose trigrams count. A longer
	// word is a blob, and would drown the sentence around it.
	maxGrams = 32
)

// fmix is the finaliser of MurmurHash3 (Appleby, public domain).
func fmix(h uint32) uint32 {
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	return h ^ h>>16
}

// hash is FNV-1a over a piece, with the vocabulary's prefix in front of one
// from within a word.
func hash[T string | []byte](piece T, inside bool) uint32 {
	h := uint32(fnvBasis)
	if inside {
		h = (h ^ '#') * fnvPrime
		h = (h ^ '#') * fnvPrime
	}
	for i := range len(piece) {
		h = (h ^ uint32(piece[i])) * fnvPrime
	}
	return h
}

// put adds a feature with a weight.
func (s *Scratch) put(feature uint32, weight int64) {
	if feature>>31 == 1 {
		weight = -weight
	}
	s.lex[feature&uint32(len(s.lex)-1)] += weight
}

// features adds a word and the pair it makes with the next word, 0 for none.
// It returns the word's hash.
func (s *Scratch) features(m *mix, word []byte, next uint32, weight int64) uint32 {
	h := hash(word, false)
	s.put(fmix(h^seedWord), weight*int64(m.word))
	if next != 0 {
		s.put(fmix(h*fnvPrime^next^seedPair), weight*int64(m.pair))
	}
	if m.trigram > 0 {
		s.trigrams(word[:min(len(word), maxGrams)], weight*int64(m.trigram))
	}
	return h
}

// trigrams adds every three bytes of a word with a space before and after it.
func (s *Scratch) trigrams(word []byte, weight int64) {
	gram := uint32(' ')
	for i, c := range word {
		gram = gram<<8&0xffffff | uint32(c)
		if i > 0 {
			s.put(fmix(gram^seedTrigram), weight)
		}
	}
	if len(word) > 0 {
		s.put(fmix((gram<<8&0xffffff|' ')^seedTrigram), weight)
	}
}
